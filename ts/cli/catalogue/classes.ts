// The classes of what is thrown.
import type { Entry, Rule } from "./rule.ts";

const ENTRIES: Entry[] = [
  {
    code: "PartValidationError",
    says: "A value breaks rules, or an argument or option is not what the function accepts.",
    cure: "`details.problems` lists every problem with its rule and path; correct them all at once.",
    example: ({ PartValidator }) => PartValidator.assertPart({}),
  },
  {
    code: "InvalidStateTransition",
    says: "A tool state cannot move to the requested status (BR-05).",
    cure: "`details.validTransitions` lists what is possible from `details.currentStatus`.",
    example: ({ ToolStateTransition }) => {
      const pending = ToolStateTransition.createPending({}, "{}");
      return ToolStateTransition.runningToCompleted(pending, "done", 2);
    },
  },
  {
    code: "MissingRequiredField",
    says: "A required argument of a `create…` function is undefined or null. It is logged, and the function returns undefined; only `ReActRecorder.startTool` throws it.",
    cure: "Pass the argument `details.field` to `details.function`.",
    example: ({ ReActRecorder }) =>
      new ReActRecorder({ sessionID: "s", messageID: "m" }).startTool(),
  },
  {
    code: "ReasoningStateError",
    says: "Reasoning started, continued or ended out of order. The order is corrected; the error is logged, not thrown.",
    cure: "Call `startReasoning` before `appendReasoning`, and `finishReasoning` once.",
  },
  {
    code: "StepStateError",
    says: "A step or a call started or ended out of order (this is logged), or a recorder was used after `free()` (this throws).",
    cure: "Call `startStep` and `finishStep` alternately, and end each call once.",
    example: ({ ReActRecorder }) => {
      const recorder = new ReActRecorder({ sessionID: "s", messageID: "m" });
      recorder.free();
      recorder.parts();
    },
  },
  {
    code: "DoomLoopDetected",
    says: "Your engine can throw this when the loop detector returns `interrupt`; the package itself does not throw it.",
    cure: "Return `toErrorResponse()` to the model, and let it try another way.",
    example: ({ DoomLoopDetected }) => {
      throw new DoomLoopDetected("read was called 3 times in a row", {});
    },
  },
  {
    code: "DeltaContractError",
    says: "A stream breaks its contract or cannot be read, or an argument or option is not what the function accepts.",
    cure: "`details.rule` is the rule; `details.seq` and `details.offset` say where. The assembler is unchanged.",
    example: ({ DeltaAssembler }) => new DeltaAssembler().push({}),
  },
  {
    code: "TranscriptError",
    says: "The bytes are not a transcript, a message cannot be read again, or an argument or option is not what the function accepts.",
    cure: "`details.rule` is the rule; `details.offset` says where.",
    example: ({ Transcript }) => Transcript.open(new Uint8Array(0)),
  },
  {
    code: "CompactionError",
    says: "A compaction cannot be planned or applied; nothing was changed.",
    cure: "`details.reason` says why: bad_config, empty_summary, stale_plan or unknown_target.",
    example: ({ SessionCompaction }) => SessionCompaction.usable({}),
  },
  {
    code: "ToolDefinitionError",
    says: "A definition cannot become a tool: it has no `execute`, or there is no JSON Schema for the model.",
    cure: "Add `execute`, and `jsonSchema` if the schema library cannot produce one.",
    example: ({ Tool }) => Tool.define("read", { description: "", parameters: {} }),
  },
  {
    code: "PermissionDenied",
    says: "A rule denies the request, or nobody can answer it.",
    cure: "Allow it by a rule, or give the registry a gate that asks.",
    example: ({ PermissionDenied }) => {
      throw new PermissionDenied("bash is denied", { permission: "bash" });
    },
  },
  {
    code: "PermissionRejected",
    says: "A person rejected the request.",
    cure: "Let the model continue without it.",
    example: async ({ Permission }) => {
      const gate = new Permission.Gate({ onAsk: () => ({ reply: "reject" }) });
      const asked = {
        sessionID: "s",
        permission: "bash",
        patterns: ["ls"],
        always: [],
        metadata: {},
      };
      await gate.ask({ ...asked, rules: [] });
    },
  },
  {
    code: "PermissionCorrected",
    says: "A person rejected the request, with a message for the model.",
    cure: "Nothing to do: the message becomes the error of the call, and the model reads it.",
    example: async ({ Permission }) => {
      const gate = new Permission.Gate({ onAsk: () => ({ reply: "reject", message: "use git" }) });
      const asked = {
        sessionID: "s",
        permission: "bash",
        patterns: ["ls"],
        always: [],
        metadata: {},
      };
      await gate.ask({ ...asked, rules: [] });
    },
  },
  {
    code: "McpCallError",
    says: "A call to an MCP server's tool failed; `kind` says how: aborted, timeout, protocol, tool or unknown.",
    cure: "Nothing to do: it becomes the error of the call. The time limit is `mcp_timeout`.",
    example: async ({ convertMcpTool }) => {
      const client = { callTool: () => Promise.reject(new Error("gone")) };
      const converted = convertMcpTool(client, { name: "a", inputSchema: {} }, { clientName: "c" });
      const abort = new AbortController().signal;
      return (await converted.init()).execute({}, { abort, metadata() {} });
    },
  },
  {
    code: "RunStoreError",
    says: "A run log refused an operation, or its store is unreachable; `code` says which.",
    cure: "See the codes: fenced, held, gap, ended, trimmed, expired, unknown_run, too_large and unavailable.",
    from: "apex-parts/store",
    example: ({ memoryRunLog }) => memoryRunLog().read("r", 0),
  },
  {
    code: "Expected",
    says: "A tool reported a failure that it expected (`Tool.Expected`; `metadata.kind` is `expected`); it does not count against the tool's health.",
    cure: "Throw it for errors that a model can correct, such as a missing file.",
    example: ({ Tool }) => {
      throw new Tool.Expected("no such file");
    },
  },
];

export const CLASSES: Rule[] = ENTRIES.map((one) => ({ source: "errors", ...one }));
