// McpToolSet: lists, refreshes, names that collide, servers that misbehave.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { CALL, gate, lister, loaded, named, text } from "./kit.mjs";

let parts;
before(async () => {
  parts = await loaded("mcp-tool-set");
});

const ids = (set) => set.tools().map(({ id }) => id);
const rules = ({ problems }) => problems.map(({ rule, severity }) => `${rule} ${severity}`);
const NONE = { added: [], removed: [], changed: [], problems: [] };

describe("add", () => {
  test("reads every page, in order", async () => {
    const told = [];
    const set = new parts.McpToolSet({ onChange: (change) => told.push(change) });
    const files = lister({ ...named("read", "write"), nextCursor: "2" }, named("list"));
    const change = await set.add(files, { clientName: "files" });
    await set.add(lister(named("read")), { clientName: "db" });
    assert.deepEqual(change.added, ["files_read", "files_write", "files_list"]);
    assert.deepEqual(ids(set), [...change.added, "db_read"]);
    assert.equal(told[0], change);
    assert.deepEqual(
      files.seen.map(({ params }) => params),
      [{}, { cursor: "2" }],
    );
    assert.deepEqual(set.resolve("files_write"), { client: "files", tool: "write" });
    assert.equal(set.resolve("files"), null);
    assert.equal(set.resolve(undefined), null);
    const info = set.tools().at(-1);
    const { output } = await (await info.init()).execute({}, {});
    assert.equal(output, "read");
  });

  test("keeps servers in the order in which they were added, however late they answer", async () => {
    const set = new parts.McpToolSet();
    const late = gate();
    const first = set.add(
      lister(() => late.promise),
      { clientName: "a" },
    );
    await set.add(lister(named("t")), { clientName: "b" });
    late.open(named("t"));
    await first;
    assert.deepEqual(ids(set), ["a_t", "b_t"]);
  });

  test("ends a list without an end, and keeps what came", async () => {
    const set = new parts.McpToolSet();
    const circle = await set.add(lister({ ...named("t"), nextCursor: "x" }), { clientName: "a" });
    assert.deepEqual([circle.added, rules(circle)], [["a_t"], ["MT-8 warning", "MT-1 warning"]]);
    let page = 0;
    const endless = lister(() => ({ ...named(`t${page}`), nextCursor: String(++page) }));
    const change = await set.add(endless, { clientName: "b" });
    assert.deepEqual([change.added.length, rules(change)], [1000, ["MT-8 warning"]]);
  });

  test("tells of lists that are none", async () => {
    const unreadable = {
      get tools() {
        throw new Error("no");
      },
    };
    const lists = [
      undefined,
      7,
      [],
      {},
      { tools: {} },
      unreadable,
      () => Promise.reject(new Error("no")),
    ];
    for (const list of lists) {
      const set = new parts.McpToolSet();
      const change = await set.add(lister(list), { clientName: "c" });
      assert.deepEqual([ids(set), rules(change)], [[], ["MT-8 error"]]);
    }
    const set = new parts.McpToolSet();
    const without = { callTool: async () => text("") };
    assert.deepEqual(rules(await set.add(without, { clientName: "c" })), ["MT-8 error"]);
    const silent = lister(() => new Promise(() => {}));
    const change = await set.add(silent, { clientName: "c", mcp_timeout: 10 });
    assert.match(change.problems[0].message, /in time/);
    await assert.rejects(set.add(undefined, { clientName: "c" }), { name: "PartValidationError" });
    await assert.rejects(set.add(without, {}), { name: "PartValidationError" });
    assert.throws(() => new parts.McpToolSet({ onChange: 1 }), { name: "PartValidationError" });
  });

  test("leaves out tools that are none, and keeps the others", async () => {
    let deep = {};
    for (let i = 0; i < 5000; i++) deep = { a: deep };
    const proxy = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
        ownKeys() {
          throw new Error("no");
        },
      },
    );
    const tools = [
      null,
      1,
      "x",
      {},
      { name: "" },
      { name: 1 },
      proxy,
      { name: "deep", inputSchema: deep },
    ];
    const set = new parts.McpToolSet();
    const list = { tools: [...tools, ...named("t", "t").tools] };
    const change = await set.add(lister(list), { clientName: "c" });
    assert.deepEqual(ids(set), ["c_t"]);
    const told = [...Array(7).fill("MN-1 error"), "MT-7 error", "MT-1 warning"];
    assert.deepEqual(rules(change), told);
    assert.equal(change.problems.at(-2).path, "/tools/7");
  });

  test("takes 100,000 tools, and holds up nothing for long", async () => {
    const many = Array.from({ length: 100_000 }, (_, i) => `t${i}`);
    const set = new parts.McpToolSet();
    let turns = 0;
    const turn = setInterval(() => turns++, 1);
    const change = await set.add(lister(named(...many)), { clientName: "c" });
    clearInterval(turn);
    assert.equal(change.added.length, 100_000);
    assert.equal(set.tools().length, 100_000);
    assert.ok(turns > 3);
  });
});

describe("names", () => {
  test("that collide: the one added later gets the hash", async () => {
    const set = new parts.McpToolSet();
    await set.add(lister(named("file")), { clientName: "a_read" });
    const change = await set.add(lister(named("read_file", "read file")), { clientName: "a" });
    const [first, second, third] = ids(set);
    assert.equal(first, "a_read_file");
    for (const id of [second, third]) assert.match(id, /^a_read_file_[a-z2-7]{13}$/);
    assert.notEqual(second, third);
    assert.deepEqual(rules(change), ["MT-1 warning", "MT-1 warning"]);
    assert.deepEqual(set.resolve(second), { client: "a", tool: "read_file" });
    assert.equal(set.tools()[1].mcp.problems[0].rule, "MT-1");
    // Ids stay where the other one goes.
    set.remove("a_read");
    await set.refresh("a");
    assert.deepEqual(ids(set), [second, third]);
  });

  test("are never the same for two tools", async () => {
    const name = fc.oneof(
      fc.constantFrom("a", "a_", "_a", "a b", "é", "ü"),
      fc.string({ minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, fc.array(name)), { maxLength: 6 }),
        fc.integer({ min: 1, max: 64 }),
        async (servers, maxNameLength) => {
          const set = new parts.McpToolSet();
          for (const [clientName, names] of servers) {
            await set.add(lister(named(...names)), { clientName, maxNameLength });
          }
          const all = ids(set);
          assert.equal(new Set(all).size, all.length);
          for (const info of set.tools()) {
            const { clientName, toolName } = info.mcp;
            assert.deepEqual(set.resolve(info.id), { client: clientName, tool: toolName });
          }
        },
      ),
    );
  });

  test("of built-ins stay theirs in a registry, whoever comes first", async () => {
    const set = new parts.McpToolSet();
    await set.add(lister(named("file")), { clientName: "read" });
    const [info] = set.tools();
    const own = parts.Tool.define("read_file", {
      description: "",
      parameters: { type: "object" },
      execute: async () => "built in",
    });
    for (const order of [
      [own, info],
      [info, own, info],
    ]) {
      const registry = new parts.ToolRegistry();
      for (const tool of order) registry.register(tool, tool === info ? "mcp" : "builtin");
      const [moved] = registry.ids().filter((id) => id !== "read_file");
      assert.match(moved, /^read_file_[a-z2-7]{13}$/);
      assert.equal(registry.size(), 2);
      assert.equal(registry.getType("read_file"), "builtin");
      const outputs = [];
      for (const tool of ["read_file", moved]) {
        outputs.push((await registry.execute({ ...CALL, tool })).state.output);
      }
      assert.deepEqual(outputs, ["built in", "file"]);
      assert.deepEqual(set.resolve(moved), { client: "read", tool: "file" });
      // A host that removes what the set removed does not remove the built-in.
      assert.ok(registry.unregister("read_file"));
      assert.deepEqual(registry.ids(), ["read_file"]);
    }
  });
});

describe("refresh", () => {
  test("tells what was added, removed and changed", async () => {
    const other = { name: "b", description: "other", inputSchema: { type: "object" } };
    const set = new parts.McpToolSet();
    await set.add(lister(named("a", "b", "c"), { tools: [other, ...named("c", "d").tools] }), {
      clientName: "s",
    });
    const [gone, , kept] = set.tools();
    const { added, removed, changed, problems } = await set.refresh("s");
    assert.deepEqual([added, removed, problems], [["s_d"], ["s_a"], []]);
    const before = { name: "b", inputSchema: { type: "object" } };
    assert.deepEqual(changed, [{ id: "s_b", before, after: other }]);
    assert.deepEqual(ids(set), ["s_b", "s_c", "s_d"]);
    assert.equal(set.tools()[1], kept);
    const refused = (await gone.init()).execute({}, {});
    await assert.rejects(refused, { message: /^The MCP tool a of s is no longer there/ });
  });

  test("together is one list, and a change during a list leads to another", async () => {
    const late = gate();
    const files = lister(named("a"), () => late.promise, named("a", "b", "c"));
    const set = new parts.McpToolSet();
    await set.add(files, { clientName: "s" });
    const together = [set.refresh("s"), set.refresh("s"), set.refresh("s")];
    while (files.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const after = set.refresh("s");
    late.open(named("a", "b"));
    const changes = await Promise.all(together);
    assert.deepEqual(changes[0].added, ["s_b"]);
    assert.ok(changes.every((change) => change === changes[0]));
    assert.deepEqual((await after).added, ["s_c"]);
    assert.equal(files.seen.length, 3);
  });

  test("that fails leaves the tools as they are", async () => {
    const set = new parts.McpToolSet();
    const fail = () => Promise.reject(new Error("closed"));
    await set.add(lister(named("a"), { ...named("b"), nextCursor: "2" }, fail), {
      clientName: "s",
    });
    const change = await set.refresh("s");
    assert.deepEqual([rules(change), ids(set)], [["MT-8 error"], ["s_a"]]);
    assert.deepEqual(rules(await set.refresh("other")), ["schema warning"]);
  });

  test("a throwing onChange breaks nothing", async () => {
    const set = new parts.McpToolSet({
      onChange() {
        throw new Error("no");
      },
    });
    assert.deepEqual((await set.add(lister(named("a")), { clientName: "s" })).added, ["s_a"]);
    const rejecting = new parts.McpToolSet({ onChange: () => Promise.reject(new Error("no")) });
    assert.deepEqual((await rejecting.add(lister(named("a")), { clientName: "s" })).added, ["s_a"]);
  });
});

describe("remove", () => {
  test("ends what is under way, and nothing comes back", async () => {
    const late = gate();
    let signal;
    const files = lister(named("a"), (_params, options) => {
      signal = options.signal;
      return late.promise;
    });
    const set = new parts.McpToolSet();
    await set.add(files, { clientName: "s" });
    const running = set.refresh("s");
    while (signal === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    const waiting = set.refresh("s");
    const change = set.remove("s");
    assert.deepEqual(change, { ...NONE, removed: ["s_a"] });
    assert.ok(signal.aborted);
    late.open(named("a", "b"));
    assert.deepEqual([await running, await waiting], [NONE, NONE]);
    assert.deepEqual([ids(set), set.resolve("s_a")], [[], null]);
    assert.deepEqual(set.remove("s"), NONE);
  });

  test("lets running calls end", async () => {
    const late = gate();
    const files = { ...lister(named("a")), callTool: () => late.promise };
    const set = new parts.McpToolSet();
    await set.add(files, { clientName: "s" });
    const definition = await set.tools()[0].init();
    const running = definition.execute({}, {});
    set.remove("s");
    late.open(text("done"));
    assert.equal((await running).output, "done");
  });

  test("is not needed to add a server anew", async () => {
    const set = new parts.McpToolSet();
    await set.add(lister(named("a", "b")), { clientName: "s" });
    await set.add(lister(named("t")), { clientName: "z" });
    const again = { ...lister(named("b", "c")), callTool: async () => text("the new client") };
    const change = await set.add(again, { clientName: "s" });
    assert.deepEqual([change.added, change.removed], [["s_c"], ["s_a"]]);
    assert.deepEqual(ids(set), ["s_b", "s_c", "z_t"]);
    const { output } = await (await set.tools()[0].init()).execute({}, {});
    assert.equal(output, "the new client");
  });
});
