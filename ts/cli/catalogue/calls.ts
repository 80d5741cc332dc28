// How a call of a tool failed: `metadata.kind` of its error state. What a tool throws on purpose has the kind
// `expected`, which is described at its class, `Expected`.
import type { Entry, Rule } from "./rule.ts";
import type { Execute } from "./values.ts";
import { CONTEXT, called, reading } from "./values.ts";

const ENTRIES: Entry[] = [
  {
    code: "unknown",
    says: "There is no tool of this name, or a server has removed it.",
    cure: "The message names the most similar tools, so that the model can use one of them.",
    example: ({ ToolRegistry }) => called(new ToolRegistry(), "raed", {}),
  },
  {
    code: "arguments",
    says: "The arguments are not JSON, or do not match the tool's schema, and cannot be repaired.",
    cure: "The message tells the model what is wrong, and at which path.",
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
      const asks: Execute = (_, context) =>
        context.ask({ permission: "read", patterns: ["a.txt"], always: [], metadata: {} });
      registry.register(Tool.define("read", reading(asks)));
      return called(registry, "read", { path: "a.txt" });
    },
  },
  {
    code: "aborted",
    says: "The call was stopped before it ended, by the `abort` of its run.",
    cure: "Nothing to do: later output of the tool is dropped. The call may have had an effect.",
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
    says: "The call took longer than `timeoutMs`; or an MCP server reported nothing for `mcp_timeout`, or took longer than `maxTotalTimeout`.",
    cure: "Raise the limit that the message names, or ask for less at once.",
    example: ({ Tool, ToolRegistry }) => {
      const registry = new ToolRegistry();
      const slow: Execute = (_, { abort }) =>
        new Promise((_, reject) => abort.addEventListener("abort", () => reject(abort.reason)));
      registry.register(Tool.define("read", { ...reading(slow), timeoutMs: 5 }));
      return called(registry, "read", { path: "a.txt" });
    },
  },
  {
    code: "loop",
    says: "The loop detector returned `interrupt` before the call ran.",
    cure: "Stop the run, or let the model try another way; the message is the detector's advice.",
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
    says: "The tool threw an error, or returned no output. After three faults in a row it is unhealthy and no longer listed.",
    cure: "Look at the message, which is that of the thrown error. For errors that a model can correct, throw `Tool.Expected`.",
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
    says: "The server reports that its tool failed (`isError`).",
    cure: "The message is the server's and is meant for the model.",
    source: "MCP",
    example: async ({ convertMcpTool }) => {
      const client = { callTool: async () => ({ isError: true, content: [] }) };
      const converted = convertMcpTool(client, { name: "a", inputSchema: {} }, CONTEXT);
      const abort = new AbortController().signal;
      return (await converted.init()).execute({}, { abort, metadata() {} });
    },
  },
  {
    code: "protocol",
    says: "The server did not answer, or its answer is invalid; or the connection is closed; or the tool's definition cannot be used.",
    cure: "Look at `metadata.mcp`, which has the server's code. The call is not repeated, because it may have had an effect.",
    source: "MCP",
    example: async ({ convertMcpTool }) => {
      const client = { callTool: () => Promise.reject(new Error("Connection closed")) };
      const converted = convertMcpTool(client, { name: "a", inputSchema: {} }, CONTEXT);
      const abort = new AbortController().signal;
      return (await converted.init()).execute({}, { abort, metadata() {} });
    },
  },
];

export const CALLS: Rule[] = ENTRIES.map((kind) => ({
  source: "tools",
  severity: "error",
  ...kind,
}));
