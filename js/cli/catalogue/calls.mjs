// How a call of a tool failed: `metadata.kind` of its error state. What a tool throws on purpose has the kind
// `expected`, which is told at its class, `Expected`.
import { CONTEXT, called, reading } from "./values.mjs";

export const CALLS = [
  {
    code: "unknown",
    says: "There is no tool of this name, or a server has removed it.",
    cure: "The message names the tools that are most alike: the model takes one of them.",
    example: ({ ToolRegistry }) => called(new ToolRegistry(), "raed", {}),
  },
  {
    code: "arguments",
    says: "The arguments are not JSON, or not what the tool's schema takes, and cannot be mended.",
    cure: "The message tells the model what is wrong at which path.",
    example: ({ Tool, ToolRegistry }) => {
      const registry = new ToolRegistry();
      registry.register(
        Tool.define(
          "read",
          reading(() => "text"),
        ),
      );
      return called(registry, "read", {});
    },
  },
  {
    code: "permission",
    says: "The call was not permitted: by a rule, by a person, or because nobody could be asked.",
    cure: "Allow it by a rule, or give the registry a gate that asks.",
    example: ({ Permission, Tool, ToolRegistry }) => {
      const registry = new ToolRegistry({ rules: [Permission.fromConfig({ read: "deny" })] });
      const asks = (_, context) =>
        context.ask({ permission: "read", patterns: ["a.txt"], always: [], metadata: {} });
      registry.register(Tool.define("read", reading(asks)));
      return called(registry, "read", { path: "a.txt" });
    },
  },
  {
    code: "aborted",
    says: "The call was stopped before it ended: by `abort` of its run.",
    cure: "Nothing: what the tool gives later is dropped. It may have acted.",
    example: ({ Tool, ToolRegistry }) => {
      const registry = new ToolRegistry();
      registry.register(
        Tool.define(
          "read",
          reading(() => "text"),
        ),
      );
      const run = called(registry, "read", { path: "a.txt" });
      run.abort("the user pressed stop");
      return run;
    },
  },
  {
    code: "timeout",
    says: "The call took longer than `timeoutMs`; of a server, that it said nothing for `mcp_timeout` or took longer than `maxTotalTimeout`.",
    cure: "Raise the limit that the message names, or ask for less at once.",
    example: ({ Tool, ToolRegistry }) => {
      const registry = new ToolRegistry();
      const slow = (_, { abort }) =>
        new Promise((_, reject) => abort.addEventListener("abort", () => reject(abort.reason)));
      registry.register(Tool.define("read", { ...reading(slow), timeoutMs: 5 }));
      return called(registry, "read", { path: "a.txt" });
    },
  },
  {
    code: "loop",
    says: "The loop detector said `interrupt` before the call ran.",
    cure: "Stop the run, or let the model try another way: the message is the detector's advice.",
    example: async ({ DoomLoopDetector, Tool, ToolRegistry }) => {
      const registry = new ToolRegistry();
      registry.register(
        Tool.define(
          "read",
          reading(() => "text"),
        ),
      );
      const detector = new DoomLoopDetector({ threshold: 2 });
      await called(registry, "read", { path: "a.txt" }, { detector }, "c1");
      return called(registry, "read", { path: "a.txt" }, { detector }, "c2");
    },
  },
  {
    code: "fault",
    says: "The tool threw, or gave no output. Three faults in a row make it unhealthy, and it is no longer listed.",
    cure: "Look at the message, which is what was thrown. What a model can correct is thrown as `Tool.Expected`.",
    example: ({ Tool, ToolRegistry }) => {
      const registry = new ToolRegistry();
      const broken = () => {
        throw new Error("disk full");
      };
      registry.register(Tool.define("read", reading(broken)));
      return called(registry, "read", { path: "a.txt" });
    },
  },
  {
    code: "tool",
    says: "A server says that its tool failed (`isError`).",
    cure: "The message is the server's, for the model.",
    source: "MCP",
    example: async ({ convertMcpTool }) => {
      const client = { callTool: async () => ({ isError: true, content: [] }) };
      const made = convertMcpTool(client, { name: "a", inputSchema: {} }, CONTEXT);
      const abort = new AbortController().signal;
      return (await made.init()).execute({}, { abort, metadata() {} });
    },
  },
  {
    code: "protocol",
    says: "A server gave no answer, or one that is none; or the connection is closed; or its tool's definition cannot be used.",
    cure: "Look at `metadata.mcp`, which has the server's code. The call may have acted: it is not repeated.",
    source: "MCP",
    example: async ({ convertMcpTool }) => {
      const client = { callTool: () => Promise.reject(new Error("Connection closed")) };
      const made = convertMcpTool(client, { name: "a", inputSchema: {} }, CONTEXT);
      const abort = new AbortController().signal;
      return (await made.init()).execute({}, { abort, metadata() {} });
    },
  },
].map((kind) => ({ source: "tools", severity: "error", ...kind }));
