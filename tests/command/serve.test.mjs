import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../scripts/serve.mjs";

const SCRIPT = fileURLToPath(new URL("../../scripts/serve.mjs", import.meta.url));
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'";

let folder;
let root;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "serve-"));
  root = join(folder, "root");
  writeFileSync(join(folder, "secret.txt"), "secret");
  mkdirSync(root);
  for (const name of ["index.html", "a.js", "a.css", "a.wasm", "a.json", "a.svg"]) {
    writeFileSync(join(root, name), name);
  }
  symlinkSync(join(folder, "secret.txt"), join(root, "link.txt"));
});
after(() => rmSync(folder, { recursive: true }));

async function serving(options, run) {
  const server = await serve({ root, ...options });
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

/** A request with an unchanged path, which fetch would normalize. */
async function get(port, path, method = "GET") {
  const asked = request({ host: "127.0.0.1", port, path, method }).end();
  const [response] = await once(asked, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

describe("the server", () => {
  test("sends files with their types and the policy", () =>
    serving({}, async ({ port, url }) => {
      assert.equal(url, `http://127.0.0.1:${port}/`);
      const types = {
        "/": "text/html; charset=utf-8",
        "/a.js": "text/javascript; charset=utf-8",
        "/a.css": "text/css; charset=utf-8",
        "/a.wasm": "application/wasm",
        "/a.json?x=1": "application/json; charset=utf-8",
        "/a.svg": "image/svg+xml",
      };
      for (const [path, type] of Object.entries(types)) {
        const { status, headers } = await get(port, path);
        assert.equal(status, 200, path);
        assert.equal(headers["content-type"], type);
        assert.equal(headers["content-security-policy"], POLICY);
        assert.equal(headers["x-content-type-options"], "nosniff");
      }
      assert.equal((await get(port, "/a.js", "HEAD")).body, "");
      assert.equal((await get(port, "/a.js", "POST")).status, 405);
    }));

  test("serves nothing from outside its folder", () =>
    serving({}, async ({ port }) => {
      for (const path of [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/a/../../secret.txt",
        "//secret.txt",
        "/link.txt",
        "/%00",
        "/%",
        "/nothing",
        "/open/secret.txt",
      ]) {
        const { status, body } = await get(port, path);
        assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
        assert.doesNotMatch(body, /secret/);
      }
    }));

  test("serves the given file", () =>
    serving({ file: join(folder, "secret.txt") }, async ({ port, url }) => {
      assert.equal(url, `http://127.0.0.1:${port}/?src=open/secret.txt`);
      assert.equal((await get(port, "/open/secret.txt")).body, "secret");
      assert.equal((await get(port, "/open/other.txt")).status, 404);
    }));

  test("serves the list of the runs in a folder, and of them only what it names", async () => {
    const runs = join(folder, "runs");
    mkdirSync(join(runs, "a b", "node_modules"), { recursive: true });
    const files = { "one.json": "1", "a b/two 100%.jsonl": "22", "a b/node_modules/x.json": "x" };
    for (const [name, text] of Object.entries({ ...files, "key.pem": "secret" })) {
      writeFileSync(join(runs, name), text);
    }
    symlinkSync(join(folder, "secret.txt"), join(runs, "out.txt"));
    symlinkSync(folder, join(runs, "out"));
    symlinkSync(runs, join(runs, "a b", "round"));
    await serving({ paths: [runs] }, async ({ port, url }) => {
      assert.equal(url, `http://127.0.0.1:${port}/?runs=runs/list.json`);
      const { status, headers, body } = await get(port, "/runs/list.json");
      assert.equal(status, 200);
      assert.equal(headers["content-security-policy"], POLICY);
      const list = JSON.parse(body);
      assert.deepEqual([list.name, list.more], ["runs", false]);
      assert.deepEqual(
        list.files.map(({ path, address, size }) => [path, address, size]),
        [
          ["a b/two 100%.jsonl", "files/a%20b/two%20100%25.jsonl", 2],
          ["one.json", "files/one.json", 1],
        ],
      );
      assert.equal((await get(port, "/runs/files/a%20b/two%20100%25.jsonl")).body, "22");
      for (const path of [
        ...["key.pem", "out.txt", "out/secret.txt", "a%20b/round/one.json", "../one.json"],
        ...["..%2fsecret.txt", "a%20b/../../../secret.txt", "a%20b/node_modules/x.json", "", "."],
        ...["%2e%2e/secret.txt", "one.json/", "//one.json", "one.json%00"],
      ]) {
        const answer = await get(port, `/runs/files/${path}`);
        assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`);
        assert.doesNotMatch(answer.body, /secret/);
      }
      // What was a file when it was listed may be a link that leads elsewhere by now.
      rmSync(join(runs, "one.json"));
      symlinkSync(join(folder, "secret.txt"), join(runs, "one.json"));
      assert.equal((await get(port, "/runs/files/one.json")).status, 404);
      // The list is that of the moment in which it is asked for.
      writeFileSync(join(runs, "three.json"), "3");
      const next = JSON.parse((await get(port, "/runs/list.json")).body);
      assert.deepEqual(
        next.files.map(({ path }) => path),
        ["a b/two 100%.jsonl", "three.json"],
      );
    });
  });

  test("serves a list of several files, from wherever they are", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "same.txt"), "other");
    writeFileSync(join(folder, "same.txt"), "first");
    const paths = [join(folder, "same.txt"), join(other, "same.txt")];
    await serving({ paths }, async ({ port, url }) => {
      assert.equal(url, `http://127.0.0.1:${port}/?runs=runs/list.json`);
      const { name, files } = JSON.parse((await get(port, "/runs/list.json")).body);
      assert.equal(name, "2 files");
      assert.deepEqual(
        files.map(({ path }) => path),
        ["same.txt", "other/same.txt"],
      );
      assert.equal((await get(port, "/runs/files/other/same.txt")).body, "other");
      assert.equal((await get(port, "/runs/files/secret.txt")).status, 404);
    });
    await assert.rejects(
      serve({ root, paths: [folder, join(folder, "gone")] }),
      /There is no file/,
    );
  });

  test("uses the next port if its own is taken, unless the port was given", async () => {
    await serving({}, async ({ port }) => {
      await assert.rejects(serve({ root, port }), /is taken/);
      await serving({ port, fallback: true }, (next) => assert.ok(next.port > port));
    });
  });
});

describe("the script", () => {
  test("prints its address and ends cleanly", async () => {
    const child = spawn(process.execPath, [SCRIPT, "--port", "0", "--no-open"]);
    const [line] = await once(child.stdout, "data");
    assert.match(String(line), /^apex-parts viewer: http:\/\/127\.0\.0\.1:\d+\/\n$/);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  });

  test("reports a missing file in one sentence", async () => {
    const result = await new Promise((done) => {
      execFile(process.execPath, [SCRIPT, "no such file.json"], (error, out, err) =>
        done({ code: error?.code, out, err }),
      );
    });
    assert.deepEqual(result, { code: 1, out: "", err: "There is no file no such file.json.\n" });
  });
});
