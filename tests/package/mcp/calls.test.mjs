// convertMcpTool: what a client gets, and how a call ends, whatever the client does.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { CALL, client, gate, loaded, text } from "./kit.mjs";

let parts;
before(async () => {
  parts = await loaded("mcp-calls");
});

const TOOL = { name: "t", title: "The tool", inputSchema: { type: "object" } };

const convert = (given, options, tool = TOOL) =>
  parts.convertMcpTool(given, tool, { clientName: "c", ...options });

/** The result of a call without a registry, with what it showed. */
async function execute(info, args, context) {
  const shown = [];
  const metadata = (update) => shown.push(update);
  const definition = await info.init();
  const result = await definition.execute(args, {
    sessionID: "s",
    messageID: "m",
    abort: new AbortController().signal,
    metadata,
    ...context,
  });
  return { ...result, shown };
}

/** The state in which a registry ends the call. */
async function stateOf(info, more) {
  const registry = new parts.ToolRegistry();
  registry.register(info, "mcp");
  const { state } = await registry.execute({ ...CALL, tool: info.id, ...more });
  return { ...state, registry };
}

describe("a call", () => {
  for (const sdk of [1, 2]) {
    test(`gives a client of SDK v${sdk} its options in their place`, async () => {
      let got;
      const told = client((params, options) => {
        got = { params, ...options };
        return text("done");
      }, sdk);
      const options = { mcp_timeout: 5000, maxTotalTimeout: 7000, resetTimeoutOnProgress: false };
      const { output, title, metadata } = await execute(convert(told, options), { a: 1 });
      assert.deepEqual([output, title], ["done", "The tool"]);
      assert.deepEqual([metadata.mcp.clientName, metadata.mcp.toolName], ["c", "t"]);
      assert.deepEqual(got.params, { name: "t", arguments: { a: 1 } });
      assert.equal(typeof got.onprogress, "function");
      assert.ok(got.signal instanceof AbortSignal);
      assert.deepEqual(
        [got.timeout, got.maxTotalTimeout, got.resetTimeoutOnProgress],
        [5000, 7000, false],
      );
      await execute(convert(told), undefined);
      assert.deepEqual(got.params.arguments, {});
      // What was said counts more than what the function looks like.
      const other = await stateOf(convert(told, { sdk: 3 - sdk, mcp_timeout: 50 }));
      assert.equal(other.status, sdk === 1 ? "error" : "completed");
    });

    test(`of SDK v${sdk} ends by a time of its own`, async () => {
      const never = () => new Promise(() => {});
      const silent = await stateOf(convert(client(never, sdk), { mcp_timeout: 20 }));
      assert.equal(silent.error, "The MCP tool t of c sent nothing for 20 ms.");
      assert.equal(silent.metadata.kind, "timeout");
      let told;
      const busy = client((_params, { onprogress, signal }) => {
        let progress = 0;
        const timer = setInterval(() => onprogress({ progress: ++progress }), 5);
        signal.addEventListener("abort", () => {
          clearInterval(timer);
          told = signal.reason;
        });
        return never();
      }, sdk);
      const long = await stateOf(convert(busy, { mcp_timeout: 2000, maxTotalTimeout: 60 }));
      assert.equal(long.error, "The MCP tool t of c took longer than 60 ms in all.");
      assert.equal(told.message, long.error);
    });
  }

  test("begins its time anew with progress, unless told not to", async () => {
    // Each report comes after the one before was waited for, so that no time is measured.
    const steady = client(async (_params, { onprogress }) => {
      for (let progress = 0; progress < 12; progress++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        onprogress({ progress, total: 12 });
      }
      return text("done");
    });
    const { output } = await execute(convert(steady, { mcp_timeout: 500 }));
    assert.equal(output, "done");
    await assert.rejects(
      execute(convert(steady, { mcp_timeout: 200, resetTimeoutOnProgress: false })),
      { message: "The MCP tool t of c sent nothing for 200 ms.", kind: "timeout" },
    );
  });

  test("shows the first and the last report, and none that does not grow", async () => {
    const reports = [1, 2, 2, 1, 3, Number.NaN, 4].map((progress) => ({ progress, total: 4 }));
    const told = client((_params, { onprogress }) => {
      for (const report of [...reports, null, "x", { progress: 5, message: "last", total: "x" }]) {
        onprogress(report);
      }
      setImmediate(() => onprogress({ progress: 99 }));
      return text("done");
    });
    const { shown } = await execute(convert(told));
    assert.deepEqual(shown, [
      { title: "The tool", metadata: { mcp: { progress: 1, total: 4 } } },
      { title: "The tool", metadata: { mcp: { progress: 5, message: "last" } } },
    ]);
    const broken = { metadata: () => Promise.reject(new Error("no screen")) };
    assert.equal((await execute(convert(told), {}, broken)).output, "done");
    assert.equal((await execute(convert(told), {}, { metadata: undefined })).output, "done");
  });

  test("ends at once on abort, told by the signal", async () => {
    const late = gate();
    const started = gate();
    const slow = client(async () => {
      started.open();
      await late.promise;
      return text("late");
    });
    const stop = new AbortController();
    const running = execute(convert(slow), {}, { abort: stop.signal });
    await started.promise;
    stop.abort(new Error("stopped by the user"));
    await assert.rejects(running, {
      message: "stopped by the user",
      kind: "aborted",
      metadata: { aborted: true },
    });
    late.open();
    let calls = 0;
    const counted = client(() => ++calls);
    await assert.rejects(execute(convert(counted), {}, { abort: AbortSignal.abort("too late") }), {
      message: "too late",
    });
    assert.equal(calls, 0);
    // A shape of a signal that tells nobody.
    const quiet = { aborted: false, reason: "quietly" };
    const throwing = client(() => {
      quiet.aborted = true;
      throw Object.assign(new Error("MCP error -32001: Request timed out"), { code: -32001 });
    });
    await assert.rejects(execute(convert(throwing), {}, { abort: quiet }), { message: "quietly" });
  });

  test("fails with what the server says, which is not the tool's fault", async () => {
    const failing = client(() => ({ ...text("no such file"), isError: true }));
    const { status, error, metadata, registry } = await stateOf(convert(failing));
    assert.deepEqual([status, error], ["error", "no such file"]);
    assert.equal(metadata.mcp.toolName, "t");
    for (let i = 0; i < 5; i++) await registry.execute({ ...CALL, tool: "c_t" });
    assert.ok(registry.get("c_t"));
    const odd = client(() => ({ ...text("no such file"), isError: "true" }));
    assert.equal((await stateOf(convert(odd))).status, "error");
  });

  test("fails with what the client throws", async () => {
    const cases = [
      [new Error("Connection closed"), "Connection closed", undefined, false],
      [
        Object.assign(new Error("MCP error -32602: MCP error -32602: bad path"), { code: -32602 }),
        "bad path",
        -32602,
        true,
      ],
      [
        Object.assign(new Error("MCP error -32001: the tool is busy"), { code: -32001 }),
        "the tool is busy",
        -32001,
        false,
      ],
      ["a text", "a text", undefined, false],
      [undefined, "undefined", undefined, false],
      [{ message: "  " }, "The MCP tool reported an error without a message.", undefined, false],
      [
        {
          get message() {
            throw new Error("unreadable");
          },
        },
        "The MCP tool reported an error without a message.",
        undefined,
        false,
      ],
    ];
    for (const [thrown, message, code, isExpected] of cases) {
      const given = client(() => {
        throw thrown;
      });
      const error = await execute(convert(given)).catch((caught) => caught);
      assert.deepEqual(
        [error.message, error.metadata.mcp.code, error.expected === true, error.kind],
        [message, code, isExpected, "protocol"],
      );
    }
    const total = Object.assign(new Error("Maximum total timeout exceeded"), { code: -32001 });
    const over = client(() => Promise.reject(total));
    const error = await execute(convert(over)).catch((caught) => caught);
    assert.equal(error.message, "The MCP tool t of c took longer than 600000 ms in all.");
  });

  test("of a client that gives no promise, or throws at once, ends too", async () => {
    const plain = { callTool: () => text("at once") };
    assert.equal((await execute(convert(plain))).output, "at once");
    const throwing = {
      callTool() {
        throw new Error("at once");
      },
    };
    await assert.rejects(execute(convert(throwing)), { message: "at once" });
    // biome-ignore lint/suspicious/noThenProperty: it resolves twice
    const twice = { callTool: () => ({ then: (done) => [done(text("one")), done(text("two"))] }) };
    assert.equal((await execute(convert(twice))).output, "one");
  });

  test("keeps structured content and annotations in the metadata", async () => {
    const item = { type: "text", text: "5", annotations: { audience: ["user"] } };
    const told = client(() => ({ content: [item], structuredContent: { code: 5 } }));
    const { mcp } = (await execute(convert(told))).metadata;
    assert.deepEqual(mcp.structuredContent, { code: 5 });
    assert.deepEqual(mcp.annotations, [{ item: 0, annotations: { audience: ["user"] } }]);
    const large = client(() => ({ content: [item], structuredContent: "x".repeat(70_000) }));
    assert.equal((await execute(convert(large))).metadata.mcp.structuredContent, undefined);
  });
});

describe("a definition", () => {
  const nobody = client(() => text(""));

  test("that needs a task, or is too deep, has a tool whose calls say so", async () => {
    const task = { ...TOOL, execution: { taskSupport: "required" } };
    const needing = convert(nobody, {}, task);
    assert.deepEqual(needing.mcp.problems, []);
    const { error, metadata } = await stateOf(needing);
    assert.match(error, /^The MCP tool t of c can only run as a task/);
    assert.equal(metadata.mcp.problems[0].rule, "MT-5");
    let inputSchema = { type: "object" };
    for (let i = 0; i < 40; i++) inputSchema = { type: "object", properties: { a: inputSchema } };
    const circle = {};
    circle.self = circle;
    const unreadable = {
      get a() {
        throw new Error("no");
      },
    };
    for (const schema of [inputSchema, circle, unreadable, { a: 1n }]) {
      const info = convert(nobody, {}, { name: "t", inputSchema: schema });
      assert.deepEqual(
        info.mcp.problems.map(({ rule, severity }) => `${rule} ${severity}`),
        ["MT-7 error"],
      );
      await assert.rejects(execute(info), /^McpCallError: The MCP tool t of c cannot be called: /);
    }
  });

  test("is read once: a later change of the object changes nothing", async () => {
    const tool = { name: "t", description: "before", inputSchema: { type: "object" } };
    const info = convert(nobody, {}, tool);
    tool.description = "after";
    tool.inputSchema.properties = { secret: {} };
    const { description, parameters, truncate } = await info.init();
    assert.deepEqual([description, parameters.properties, truncate], ["before", {}, false]);
    assert.match(info.mcp.fingerprint, /^[0-9a-f]{64}$/);
    const again = convert(
      nobody,
      {},
      { ...tool, description: "before", inputSchema: { type: "object" }, title: "x" },
    );
    assert.equal(again.mcp.fingerprint, info.mcp.fingerprint);
    assert.notEqual(convert(nobody, {}, tool).mcp.fingerprint, info.mcp.fingerprint);
  });

  test("keeps the order and the names of a schema", async () => {
    const json =
      '{"type":"object","properties":{"z":{"type":"string"},"__proto__":{"type":"number"},"a":{}}}';
    const inputSchema = JSON.parse(json);
    const { parameters } = await convert(nobody, {}, { name: "t", inputSchema }).init();
    assert.equal(JSON.stringify(parameters), json);
    const anyOf = [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }];
    const made = convert(
      nobody,
      { schema: "openai" },
      { name: "t", inputSchema: { type: "object", anyOf } },
    );
    assert.deepEqual((await made.init()).parameters, {
      type: "object",
      properties: { a: {}, b: {} },
    });
  });

  test("needs a client, a name, and options that are some", () => {
    const refused = [
      [undefined, TOOL, { clientName: "c" }],
      [{}, TOOL, { clientName: "c" }],
      [nobody, undefined, { clientName: "c" }],
      [nobody, { name: 1 }, { clientName: "c" }],
      [nobody, TOOL, undefined],
      [nobody, TOOL, { clientName: 1 }],
      [nobody, TOOL, { clientName: "c", mcp_timeout: 0 }],
      [nobody, TOOL, { clientName: "c", maxNameLength: 0 }],
      [nobody, TOOL, { clientName: "c", schema: "other" }],
      [nobody, TOOL, { clientName: "c", sdk: 3 }],
      [nobody, TOOL, { clientName: "c", ids: 1 }],
    ];
    for (const given of refused) {
      assert.throws(() => parts.convertMcpTool(...given), { name: "PartValidationError" });
    }
    const named = (clientName, name) => () => convert(nobody, { clientName }, { name });
    assert.throws(named("", "t"), { rule: "MN-1", message: /\(MN-1\)$/ });
    assert.throws(named("c", ""), { rule: "MN-1" });
  });
});
