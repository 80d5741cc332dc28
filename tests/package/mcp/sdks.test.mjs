// What both SDKs do, as far as the calls of this package rely on it: an SDK that changes shows here first.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callRaw, everything, odd, opened, receivedBy, SDKS, until } from "./clients.mjs";

const OK = { content: [{ type: "text", text: "ok" }] };
const failure = (promise) =>
  promise.then(
    () => assert.fail("it did not fail"),
    (error) => error,
  );

/** By SDK: what it throws, and where its options go. */
const FACTS = {
  1: {
    length: 1,
    timeout: { name: "McpError", code: -32001, message: "MCP error -32001: Request timed out" },
    total: { code: -32001, message: "MCP error -32001: Maximum total timeout exceeded" },
    abort: { name: "McpError", code: -32001, message: "MCP error -32001: Error: stopped" },
    aborted: { name: "Error", message: "stopped" },
    closed: { name: "McpError", code: -32000, message: "MCP error -32000: Connection closed" },
    error: { name: "McpError", code: -32602, message: "MCP error -32602: MCP error -32602: no" },
    taskTool: { name: "McpError", code: -32600 },
  },
  2: {
    length: 2,
    timeout: { name: "SdkError", code: "REQUEST_TIMEOUT", message: "Request timed out" },
    total: { code: "REQUEST_TIMEOUT", message: "Maximum total timeout exceeded" },
    abort: { name: "SdkError", code: "REQUEST_TIMEOUT", message: "Error: stopped" },
    aborted: { name: "SdkError", code: "REQUEST_TIMEOUT", message: "Error: stopped" },
    closed: { name: "SdkError", code: "CONNECTION_CLOSED", message: "Connection closed" },
    error: { name: "ProtocolError", code: -32602, message: "MCP error -32602: no" },
  },
};

const facts = (error, { name, code, message }) => {
  const found = {};
  if (name) found.name = error.name;
  if (code) found.code = error.code;
  if (message) found.message = error.message;
  return found;
};

for (const sdk of SDKS) {
  const fact = FACTS[sdk];
  describe(`SDK ${sdk}`, () => {
    test("the parameters of callTool tell which SDK it is", async (t) => {
      const { client } = await opened(t, sdk, odd());
      assert.equal(client.callTool.length, fact.length);
    });

    test("options in their place: time-out, total limit, signal", async (t) => {
      const { client } = await opened(t, sdk, odd());
      const call = (steps, options) => callRaw(sdk, client, "act", { steps }, options);
      const silent = [{ until: "cancelled" }];
      const timeout = await failure(call(silent, { timeout: 20 }));
      assert.deepEqual(facts(timeout, fact.timeout), fact.timeout);
      const ticks = Array.from({ length: 1000 }, (_, progress) => ({
        progress: { progress },
        wait: 5,
      }));
      const total = await failure(
        call(ticks, {
          // Its timer outlives the call where the total limit ends that.
          timeout: 2000,
          maxTotalTimeout: 20,
          resetTimeoutOnProgress: true,
          onprogress() {},
        }),
      );
      assert.deepEqual(facts(total, fact.total), fact.total);
      const controller = new AbortController();
      const stopped = failure(call(silent, { signal: controller.signal }));
      await until(async () => (await receivedBy(sdk, client)).filter(isCall).length === 3);
      controller.abort(new Error("stopped"));
      assert.deepEqual(facts(await stopped, fact.abort), fact.abort);
      const before = await failure(call([{ result: OK }], { signal: controller.signal }));
      assert.deepEqual(facts(before, fact.aborted), fact.aborted);
      const messages = await receivedBy(sdk, client);
      const reasons = messages
        .filter(({ method }) => method === "notifications/cancelled")
        .map(({ params }) => params.reason);
      assert.equal(reasons.length, 2, "the total limit is not told to the server");
      assert.match(reasons[0], /Request timed out/);
      assert.match(reasons[1], /stopped/);
      assert.equal(messages.filter(isCall).length, 3, "what was aborted before is not sent");
    });

    test("without onprogress there is no token, and the server tells nothing", async (t) => {
      const { client } = await opened(t, sdk, odd());
      const steps = [{ progress: { progress: 1 } }, { result: OK }];
      await callRaw(sdk, client, "act", { steps }, { resetTimeoutOnProgress: true });
      const [{ params }] = (await receivedBy(sdk, client)).filter(isCall);
      assert.equal(params._meta?.progressToken, undefined);
    });

    test("a server's error, and an answer that never comes", async (t) => {
      const { client } = await opened(t, sdk, odd());
      const call = (...steps) => failure(callRaw(sdk, client, "act", { steps }));
      const error = await call({ error: { code: -32602, message: "MCP error -32602: no" } });
      assert.deepEqual(facts(error, fact.error), fact.error);
      const closed = await call({ exit: 1 });
      assert.deepEqual(facts(closed, fact.closed), fact.closed);
      assert.equal((await call({ result: OK })).message, "Not connected");
    });

    test("options in the wrong place", async (t) => {
      const { client } = await opened(t, sdk, odd());
      const steps = [{ wait: 60 }, { result: OK }];
      const params = { name: "act", arguments: { steps } };
      if (sdk === 1) {
        // The server has acted, and then the call fails.
        const error = await failure(client.callTool(params, { timeout: 20 }));
        assert.equal(error.name, "TypeError");
        assert.equal((await receivedBy(sdk, client)).filter(isCall).length, 1);
      } else {
        // The time-out is ignored.
        assert.deepEqual(await client.callTool(params, undefined, { timeout: 20 }), OK);
      }
    });

    test("a server with capabilities for lists tells once that its list has changed", async (t) => {
      let changes = 0;
      const onChanged = () => {
        changes++;
      };
      const listChanged = { tools: { autoRefresh: false, debounceMs: 10, onChanged } };
      await opened(t, sdk, everything, { listChanged });
      // server-everything registers some of its tools when it knows the client.
      await until(() => changes === 1);
    });
  });
}

const isCall = ({ method, params }) => method === "tools/call" && params.name === "act";

describe("pages of a list", () => {
  test("SDK 1 gives each page", async (t) => {
    const { client } = await opened(t, 1, odd({ cursors: "endless" }));
    const first = await client.listTools();
    assert.equal(first.nextCursor, "1:");
    const second = await client.listTools({ cursor: first.nextCursor });
    assert.deepEqual([second.tools[0].name, second.nextCursor], ["page-1", "2:"]);
  });

  test("SDK 2 gives all of them at once, and nothing of more than 64", async (t) => {
    const { client } = await opened(t, 2, odd({ count: 99, pageSize: 10 }));
    const { tools, nextCursor } = await client.listTools();
    assert.deepEqual([tools.length, nextCursor], [102, undefined]);
    const endless = await opened(t, 2, odd({ cursors: "endless" }));
    const error = await failure(endless.client.listTools());
    assert.deepEqual([error.name, error.code], ["SdkError", "LIST_PAGINATION_EXCEEDED"]);
    // A page that is asked for by its cursor comes alone.
    const page = await endless.client.listTools({ cursor: "70:" });
    assert.deepEqual([page.tools[0].name, page.nextCursor], ["page-70", "71:"]);
  });
});
