// One call over the clients of both SDKs: time-outs, progress, abort, errors, and servers that answer late, twice,
// wrongly or not at all.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { IDS, parts, start, statesOf } from "./calls.mjs";
import { odd, opened, receivedBy, SDKS, until } from "./clients.mjs";

const { convertMcpTool, ToolRegistry } = parts;
const OK = { content: [{ type: "text", text: "ok" }] };
const SILENT = [{ until: "cancelled" }];
const isCall = ({ method, params }) => method === "tools/call" && params.name === "act";
const isCancelled = ({ method }) => method === "notifications/cancelled";
/** Progress at these times, each a number of ms after the one before. */
const ticks = (count, wait) =>
  Array.from({ length: count }, (_, n) => ({ progress: { progress: n + 1 }, wait }));

/** The odd server with one tool `act`; what was handed to callTool is in `handed`. */
async function act(t, sdk, options = {}) {
  const handed = [];
  const extend = (Client) =>
    sdk === 1
      ? class extends Client {
          callTool(params, schema = undefined, given = undefined) {
            handed.push([params, schema, given]);
            return super.callTool(params, schema, given);
          }
        }
      : class extends Client {
          callTool(params, given) {
            handed.push([params, given]);
            return super.callTool(params, given);
          }
        };
  const server = await opened(t, sdk, odd(), { extend });
  const { tools } = await server.client.listTools();
  const definition = tools.find(({ name }) => name === "act");
  const registry = new ToolRegistry();
  registry.register(convertMcpTool(server.client, definition, { clientName: "odd", ...options }));
  const call = (steps, more) => start(registry, "odd_act", { steps }, more);
  const received = () => receivedBy(sdk, server.client);
  return { ...server, registry, call, received, handed };
}

const failed = async (run) => {
  const { state } = await run;
  assert.equal(state.status, "error", state.output);
  return state;
};

for (const sdk of SDKS) {
  describe(`a call over SDK ${sdk}`, () => {
    test("hands its options over where the SDK wants them", async (t) => {
      const { call, handed } = await act(t, sdk, { mcp_timeout: 5000, maxTotalTimeout: 9000 });
      assert.equal((await call([{ result: OK }])).state.output, "ok");
      const [args] = handed;
      assert.equal(args.length, sdk === 1 ? 3 : 2);
      assert.deepEqual(args[0], { name: "act", arguments: { steps: [{ result: OK }] } });
      if (sdk === 1) assert.equal(args[1], undefined);
      const { signal, timeout, maxTotalTimeout, resetTimeoutOnProgress, onprogress } = args.at(-1);
      assert.ok(signal instanceof AbortSignal);
      assert.deepEqual([timeout, maxTotalTimeout, resetTimeoutOnProgress], [5000, 9000, true]);
      assert.equal(typeof onprogress, "function");
    });

    test("says so where it took too long, and the server is told", async (t) => {
      const { call, received } = await act(t, sdk, { mcp_timeout: 50 });
      const { error, metadata } = await failed(call(SILENT));
      assert.equal(error, "The MCP tool act of odd sent nothing for 50 ms.");
      assert.notEqual(metadata.kind, "fault");
      const cancelled = (await received()).filter(isCancelled);
      assert.equal(cancelled.length, 1, "by the SDK, once");
    });

    test("goes on as long as there is progress", async (t) => {
      const { call } = await act(t, sdk, { mcp_timeout: 1500 });
      const { state } = await call([...ticks(24, 100), { result: OK }]);
      assert.equal(state.output, "ok", state.error);
    });

    test("does not, where progress is not to count", async (t) => {
      const { call } = await act(t, sdk, { mcp_timeout: 100, resetTimeoutOnProgress: false });
      await failed(call([...ticks(1000, 5), { result: OK }]));
    });

    test("has an end in all, and leaves no timer behind", async (t) => {
      // Reports are rare here: an SDK whose own check of the limit, which each of them is, comes before the timer of
      // the call tells the server nothing, and leaves its timer.
      const { call, received } = await act(t, sdk, { maxTotalTimeout: 300 });
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout");
      const before = timers().length;
      const { error } = await failed(call([...ticks(100, 200), { result: OK }]));
      assert.equal(error, "The MCP tool act of odd took longer than 300 ms in all.");
      assert.equal((await received()).filter(isCancelled).length, 1);
      await until(() => timers().length <= before + 1);
    });

    test("tells its progress, the last report too, and none that does not grow", async (t) => {
      const { call } = await act(t, sdk);
      const report = (progress, message) => ({ progress: { progress, total: 9, message } });
      const states = await statesOf(
        call([
          ...[report(1, "one"), report(1, "again"), report(0.5, "back"), report(2, "two")],
          ...[report(3, "three"), { wait: 300 }, { result: OK }],
        ]),
      );
      const seen = states
        .filter(({ status, metadata }) => status === "running" && metadata?.mcp)
        .map(({ metadata }) => metadata.mcp.progress);
      assert.equal(seen[0], 1);
      assert.equal(seen.at(-1), 3);
      assert.deepEqual(seen, [...new Set(seen)].sort());
      const last = states.findLast(({ status }) => status === "running");
      assert.deepEqual([last.metadata.mcp.total, last.metadata.mcp.message], [9, "three"]);
      assert.equal(states.at(-1).output, "ok");
    });

    test("ends with an abort, with its reason, and the server is told", async (t) => {
      const { call, received } = await act(t, sdk);
      const controller = new AbortController();
      const run = call(SILENT, { abort: controller.signal });
      await until(async () => (await received()).some(isCall));
      controller.abort(new Error("stopped by the user"));
      const { error, metadata } = await failed(run);
      assert.match(error, /stopped by the user/);
      assert.deepEqual([metadata.aborted, metadata.kind], [true, "aborted"]);
      const [{ params }] = (await received()).filter(isCancelled);
      assert.match(params.reason, /stopped by the user/);
    });

    test("that was aborted before is not made", async (t) => {
      const { call, received } = await act(t, sdk);
      const abort = AbortSignal.abort(new Error("too late"));
      assert.equal((await failed(call([{ result: OK }], { abort }))).metadata.aborted, true);
      assert.deepEqual((await received()).filter(isCall), []);
    });

    test("drops an answer that comes after its end", async (t) => {
      const { call, errors } = await act(t, sdk, { mcp_timeout: 50 });
      const late = [{ until: "cancelled" }, { progress: { progress: 1 } }, { result: OK }];
      const state = await failed(call(late));
      assert.match(state.error, /sent nothing/);
      // Both SDKs tell their host that nobody waits for it.
      await until(() => errors.some(({ message }) => message.includes("response for an unknown")));
      const fresh = await call([{ result: OK }]);
      assert.equal(fresh.state.output, "ok");
    });

    test("takes the first of two answers", async (t) => {
      const { call } = await act(t, sdk);
      const second = { content: [{ type: "text", text: "second" }] };
      const run = call([{ result: OK }, { result: second }, { error: { code: 1, message: "x" } }]);
      assert.equal((await run).state.output, "ok");
      assert.equal((await call([{ result: second }])).state.output, "second");
    });

    test("fails with what the server says is an error", async (t) => {
      const { call, registry } = await act(t, sdk);
      const result = (text) => ({ content: [{ type: "text", text }], isError: true });
      assert.equal(
        (await failed(call([{ result: result("no such file") }]))).error,
        "no such file",
      );
      const blank = await failed(call([{ result: result(" ") }]));
      assert.equal(blank.error, "The MCP tool reported an error without a message.");
      // Three of them do not put the tool out of order.
      await failed(call([{ result: result("again") }]));
      assert.notEqual(registry.get("odd_act"), undefined);
    });

    test("fails with an error of the protocol, without the SDK's prefix", async (t) => {
      const { call } = await act(t, sdk);
      const error = {
        code: -32602,
        message: "MCP error -32602: Unknown user",
        data: { secret: 1 },
      };
      const state = await failed(call([{ error }]));
      assert.equal(state.error, "Unknown user");
      assert.equal(state.metadata.mcp.code, -32602);
      const { received } = await act(t, sdk);
      assert.deepEqual((await received()).filter(isCall), [], "and is not tried again");
    });

    test("fails where the server ends in the middle of it, and after that", async (t) => {
      const { call } = await act(t, sdk);
      assert.match((await failed(call([{ exit: 1 }]))).error, /closed/i);
      assert.match((await failed(call([{ result: OK }]))).error, /connect/i);
    });

    test("that the server answers in another shape ends with a word for the model", async (t) => {
      // A result that is no object is no message to the SDK: such an answer never comes.
      const { call } = await act(t, sdk, { mcp_timeout: 300 });
      const results = [
        ...[null, 7, "text", [], {}, { content: null }, { content: "text" }, { content: {} }],
        ...[{ content: [7] }, { content: [{}] }, { content: [{ type: "text" }] }],
        ...[{ content: [{ type: "hologram", data: "x" }] }, { content: [], isError: "yes" }],
        ...[{ content: [{ type: "image", data: "%%%", mimeType: "image/png" }] }],
        ...[{ toolResult: { a: 1 } }, { structuredContent: { a: 1 }, content: [] }],
      ];
      for (const result of results) {
        const { state } = await call([{ result }]);
        const { status } = state;
        const said = status === "completed" ? state.output : state.error;
        assert.ok(["completed", "error"].includes(status), JSON.stringify(result));
        assert.notEqual(said.trim(), "", JSON.stringify(result));
        assert.notEqual(state.metadata.kind, "fault", JSON.stringify(result));
      }
    });

    test("goes on where the server writes what is no message", async (t) => {
      const { call } = await act(t, sdk);
      const lines = ["hello", "{", "[]", '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":1}', "null"];
      const run = call([...lines.map((line) => ({ line })), { result: OK }]);
      assert.equal((await run).state.output, "ok");
    });

    test("of which a message is over 10 MB ends, for the SDK closes the connection", async (t) => {
      const { call } = await act(t, sdk, { mcp_timeout: 60_000 });
      // The server makes it: the request itself is small.
      const run = call([{ repeat: 11e6 }]);
      assert.match((await failed(run)).error, /clos|connect/i);
    });

    test("gives a picture of megabytes as it is, and says what is too large", async (t) => {
      const { call } = await act(t, sdk);
      const size = 4 * 1024 * 1024;
      const { state } = await call([{ image: size }]);
      assert.equal(state.output, `[image 1: image/png, ${size} bytes]`);
      const [{ url }] = state.attachments;
      const bytes = Buffer.from(url.replace("data:image/png;base64,", ""), "base64");
      assert.deepEqual([bytes.length, bytes[size - 1]], [size, 7]);
      const small = await act(t, sdk, { limits: { maxAttachmentBytes: 1000 } });
      const cut = (await small.call([{ image: 2000 }])).state;
      assert.deepEqual(cut.attachments ?? [], []);
      assert.match(cut.output, /2000/);
      assert.ok(cut.metadata.mcp.problems.some(({ rule }) => rule === "MC-7"));
    });

    test("has ids of its own for its files", async (t) => {
      let n = 0;
      const { call } = await act(t, sdk, { ids: () => `prt_own_${++n}` });
      const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
      const { state } = await call([{ result: { content: [image, image] } }]);
      assert.deepEqual(
        state.attachments.map(({ id, sessionID, messageID }) => ({ id, sessionID, messageID })),
        [1, 2].map((id) => ({ id: `prt_own_${id}`, ...IDS })),
      );
    });
  });
}
