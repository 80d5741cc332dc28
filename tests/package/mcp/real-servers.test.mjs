// The tools and resources of the real servers, over clients of both SDKs.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { IDS, parts, toolsOf } from "./calls.mjs";
import { everything, filesystem, memory, open, opened, SDKS } from "./clients.mjs";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A folder that goes with the test. */
function folderOf(t) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const completed = (state) => {
  assert.equal(state.status, "completed", state.error);
  return state;
};

/** That these are the tools that the server lists, unchanged, and found again by their ids. */
async function assertConverted({ set, change }, client, clientName) {
  const { tools: listed } = await client.listTools();
  const tools = set.tools();
  assert.deepEqual(change.problems, []);
  assert.deepEqual(
    change.added,
    tools.map(({ id }) => id),
  );
  assert.deepEqual(
    tools.map(({ mcp }) => mcp.toolName),
    listed.map(({ name }) => name),
  );
  for (const [index, info] of tools.entries()) {
    const { name, title, description, inputSchema, outputSchema, annotations } = listed[index];
    assert.equal(info.id, `${clientName}_${name}`);
    assert.match(info.id, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    assert.deepEqual(set.resolve(info.id), { client: clientName, tool: name });
    const definition = await info.init();
    assert.equal(definition.description, description);
    assert.deepEqual(definition.parameters, inputSchema);
    const { fingerprint, problems, ...known } = info.mcp;
    assert.match(fingerprint, /^[0-9a-f]{64}$/);
    const own = { clientName, toolName: name, title, outputSchema, annotations };
    for (const field of Object.keys(own)) if (own[field] === undefined) delete own[field];
    assert.deepEqual({ ...known }, own);
  }
  const fingerprints = tools.map(({ mcp }) => mcp.fingerprint);
  assert.equal(new Set(fingerprints).size, tools.length);
}

for (const sdk of SDKS) {
  describe(`server-everything over SDK ${sdk}`, () => {
    let server;
    let own;
    before(async () => {
      server = await open(sdk, everything);
      own = await toolsOf(server.client, { clientName: "everything" });
    });
    after(() => server?.close());

    test("its tools", () => assertConverted(own, server.client, "everything"));

    test("a text", async () => {
      const { output, title, attachments, metadata } = completed(
        await own.run("everything_echo", { message: "grüße 世界 🎉" }),
      );
      assert.equal(output, "Echo: grüße 世界 🎉");
      assert.equal(typeof title, "string");
      assert.deepEqual(attachments ?? [], []);
      assert.equal(metadata.mcp?.structuredContent, undefined);
    });

    test("an image between texts", async () => {
      const { output, attachments } = completed(await own.run("everything_get-tiny-image", {}));
      assert.equal(
        output,
        "Here's the image you requested:\n\n[image 1: image/png, 4033 bytes]\n\nThe image above is the MCP logo.",
      );
      const [{ type, mime, filename, url, id, sessionID, messageID }] = attachments;
      assert.deepEqual([type, mime, filename], ["file", "image/png", "image-1.png"]);
      assert.deepEqual({ sessionID, messageID }, IDS);
      assert.equal(typeof id, "string");
      const bytes = Buffer.from(url.replace("data:image/png;base64,", ""), "base64");
      assert.equal(bytes.length, 4033);
      assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    });

    test("annotations, with the image that they come with", async () => {
      const input = { messageType: "error", includeImage: true };
      const state = completed(await own.run("everything_get-annotated-message", input));
      assert.equal(state.output, "Error: Operation failed\n\n[image 1: image/png, 4033 bytes]");
      assert.equal(state.attachments.length, 1);
      assert.match(JSON.stringify(state.metadata.mcp.annotations), /"priority":1/);
    });

    test("structured content that the text has already", async () => {
      const state = completed(
        await own.run("everything_get-structured-content", { location: "Chicago" }),
      );
      const weather = { temperature: 36, conditions: "Light rain / drizzle", humidity: 82 };
      assert.equal(state.output, JSON.stringify(weather));
      assert.deepEqual(state.metadata.mcp.structuredContent, weather);
    });

    for (const resourceType of ["Text", "Blob"]) {
      test(`an embedded resource: ${resourceType}`, async () => {
        const input = { resourceType, resourceId: 2 };
        const state = completed(await own.run("everything_get-resource-reference", input));
        assert.match(state.output, /Resource 2: This is a (plaintext resource|base64 blob)/);
        assert.deepEqual(state.attachments ?? [], []);
        const [file] = state.metadata.mcp.resources;
        const uri = `demo://resource/dynamic/${resourceType.toLowerCase()}/2`;
        assert.equal(file.url, `mcp://everything/${uri}`);
        assert.equal(file.filename, "2");
        const { value, start, end } = file.source.text;
        assert.equal(state.output.slice(start, end), value);
        assert.deepEqual([file.source.clientName, file.source.uri], ["everything", uri]);
        // The URI leads back to the resource.
        const parsed = parts.parseMcpUri(file.url);
        assert.deepEqual(parsed, { ok: true, serverId: "everything", resourcePath: uri });
        const read = await server.client.readResource({ uri: parsed.resourcePath });
        const again = parts.mcpResourceToParts(read, { clientName: "everything", ...IDS });
        assert.match(again.output, /^Resource 2: /);
        assert.equal(again.resources[0].url, file.url);
        assert.deepEqual(again.problems, []);
      });
    }

    test("links to resources, which are named and not fetched", async () => {
      const state = completed(await own.run("everything_get-resource-links", { count: 2 }));
      assert.deepEqual(state.output.split("\n\n"), [
        "Here are 2 resource links to resources available in this server:",
        "[resource: Blob Resource 1 <mcp://everything/demo://resource/dynamic/blob/1> text/plain]",
        "[resource: Text Resource 2 <mcp://everything/demo://resource/dynamic/text/2> text/plain]",
      ]);
      assert.deepEqual(
        state.metadata.mcp.links.map(({ uri }) => uri),
        ["demo://resource/dynamic/blob/1", "demo://resource/dynamic/text/2"],
      );
    });

    test("a resource of bytes, as an attachment", async () => {
      const input = { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" };
      const state = completed(await own.run("everything_gzip-file-as-resource", input));
      const [{ mime, filename, url, source }] = state.attachments;
      assert.deepEqual([mime, filename], ["application/gzip", "a.gz"]);
      assert.equal(source.uri, "demo://resource/session/a.gz");
      const bytes = Buffer.from(url.split(",")[1], "base64");
      assert.equal(bytes.length, gzipSync("hello").length);
      assert.match(state.output, /application\/gzip, \d+ bytes/);
    });

    test("progress, in the running states", async () => {
      const input = { duration: 0.6, steps: 3 };
      const states = [];
      const call = {
        ...IDS,
        callID: "call_p",
        tool: "everything_trigger-long-running-operation",
        input,
      };
      for await (const { state } of own.registry.execute(call)) states.push(state);
      const seen = states
        .filter(({ status, metadata }) => status === "running" && metadata?.mcp)
        .map(({ metadata }) => metadata.mcp);
      // The report that comes together with the result is lost in both SDKs.
      assert.deepEqual(
        seen.slice(0, 2).map(({ progress, total }) => [progress, total]),
        [
          [1, 3],
          [2, 3],
        ],
      );
      assert.match(completed(states.at(-1)).output, /^Long running operation completed\./);
    });

    test("a tool that can only run as a task", async () => {
      const id = "everything_simulate-research-query";
      assert.ok(own.set.tools().some((tool) => tool.id === id));
      const state = await own.run(id, { topic: "x" });
      assert.equal(state.status, "error");
      assert.match(state.error, /task/);
    });

    test("a call with wrong arguments is answered before the server is asked", async () => {
      const state = await own.run("everything_get-sum", { a: "x", b: [] });
      assert.equal(state.metadata.kind, "arguments");
    });

    test("many calls at once, each with its own answer", async () => {
      const numbers = Array.from({ length: 60 }, (_, n) => n);
      const states = await Promise.all(
        numbers.map((n) => own.run("everything_get-sum", { a: n, b: 1 })),
      );
      assert.deepEqual(
        states.map(({ output }) => output),
        numbers.map((n) => `The sum of ${n} and 1 is ${n + 1}.`),
      );
    });

    test("a resource of several kinds, and one that is not there", async () => {
      const uri = "demo://resource/static/document/architecture.md";
      const read = await server.client.readResource({ uri });
      const made = parts.mcpResourceToParts(read, { clientName: "everything", ...IDS });
      assert.match(made.output, /^# Everything Server/);
      assert.equal(made.resources[0].filename, "architecture.md");
      assert.equal(made.resources[0].mime, "text/markdown");
      await assert.rejects(server.client.readResource({ uri: "demo://resource/none" }));
    });
  });

  describe(`server-filesystem over SDK ${sdk}`, () => {
    test("its tools", async (t) => {
      const { client } = await opened(t, sdk, filesystem(folderOf(t)));
      await assertConverted(await toolsOf(client, { clientName: "files" }), client, "files");
    });

    test("files are written, read, listed and changed", async (t) => {
      const folder = folderOf(t);
      const { client } = await opened(t, sdk, filesystem(folder));
      const { run } = await toolsOf(client, { clientName: "files" });
      mkdirSync(join(folder, "sub"));
      const path = join(folder, "naïve 文件 #1.md");
      const wrote = completed(await run("files_write_file", { path, content: "one\ntwo\n" }));
      assert.equal(readFileSync(path, "utf8"), "one\ntwo\n");
      // The text of these tools is their structured content too: it is not there twice.
      assert.equal(wrote.output, `Successfully wrote to ${path}`);
      const edits = [{ oldText: "two", newText: "three" }];
      completed(await run("files_edit_file", { path, edits }));
      assert.equal(completed(await run("files_read_text_file", { path })).output, "one\nthree\n");
      const list = completed(await run("files_list_directory", { path: folder }));
      assert.equal(list.output, "[FILE] naïve 文件 #1.md\n[DIR] sub");
      const empty = join(folder, "empty");
      writeFileSync(empty, "");
      const { output } = completed(await run("files_read_text_file", { path: empty }));
      assert.notEqual(output.trim(), "", "an output is never blank");
    });

    test("an image and a sound, whose structured content does not become text", async (t) => {
      const folder = folderOf(t);
      writeFileSync(join(folder, "dot.png"), Buffer.from(PNG, "base64"));
      writeFileSync(join(folder, "tone.wav"), wave());
      const { client } = await opened(t, sdk, filesystem(folder));
      const { run } = await toolsOf(client, { clientName: "files" });
      for (const [name, type] of [
        ["dot.png", "image/png"],
        ["tone.wav", "audio/wav"],
      ]) {
        const path = join(folder, name);
        const state = completed(await run("files_read_media_file", { path }));
        const [{ mime, url }] = state.attachments;
        assert.equal(mime, type);
        assert.deepEqual(Buffer.from(url.split(",")[1], "base64"), readFileSync(path));
        assert.doesNotMatch(state.output, /[A-Za-z0-9+/=]{40}/, "no base64 in the text");
        assert.match(state.output, new RegExp(`${type}, \\d+ bytes`));
      }
    });

    test("what the server refuses is an error of the call", async (t) => {
      const { client } = await opened(t, sdk, filesystem(folderOf(t)));
      const { run } = await toolsOf(client, { clientName: "files" });
      const { status, error, metadata } = await run("files_read_text_file", {
        path: "/etc/passwd",
      });
      assert.equal(status, "error");
      assert.match(error, /^Access denied - path outside allowed directories/);
      assert.notEqual(metadata.kind, "fault", "the tool is well");
    });
  });

  describe(`server-memory over SDK ${sdk}`, () => {
    test("a graph is made, searched and read", async (t) => {
      const env = { MEMORY_FILE_PATH: join(folderOf(t), "memory.jsonl") };
      const { client } = await opened(t, sdk, memory, { env });
      const own = await toolsOf(client, { clientName: "memory" });
      await assertConverted(own, client, "memory");
      const { run } = own;
      const graph = completed(await run("memory_read_graph"));
      assert.deepEqual(JSON.parse(graph.output), { entities: [], relations: [] });
      const ada = { name: "Ada", entityType: "person", observations: ["wrote a program"] };
      completed(await run("memory_create_entities", { entities: [ada] }));
      const found = completed(await run("memory_search_nodes", { query: "program" }));
      assert.deepEqual(JSON.parse(found.output).entities, [ada]);
      assert.deepEqual(found.metadata.mcp.structuredContent.entities, [ada]);
      const observations = [{ entityName: "Nobody", contents: ["x"] }];
      const failed = await run("memory_add_observations", { observations });
      assert.deepEqual(
        [failed.status, failed.error],
        ["error", "Entity with name Nobody not found"],
      );
    });
  });
}

/** A WAV file of eight samples. */
function wave() {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(44, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(8, 40);
  return Buffer.concat([header, Buffer.alloc(8, 128)]);
}
