// The classes of what is thrown.

export const CLASSES = [
  {
    code: "PartValidationError",
    says: "A value breaks rules, or an argument or option is not what the call takes.",
    cure: "`details.problems` has every problem with its rule and path; correct them all at once.",
    example: ({ PartValidator }) => PartValidator.assertPart({}),
  },
  {
    code: "InvalidStateTransition",
    says: "A tool state cannot take the status that was asked for (BR-05).",
    cure: "`details.validTransitions` names what is possible from `details.currentStatus`.",
    example: ({ ToolStateTransition }) => {
      const pending = ToolStateTransition.createPending({}, "{}");
      return ToolStateTransition.runningToCompleted(pending, "done", 2);
    },
  },
  {
    code: "MissingRequiredField",
    says: "A required argument of a `create…` function is undefined or null. It is logged, and the function returns undefined; only `ReActRecorder.startTool` throws it.",
    cure: "Give `details.field` of `details.function`.",
    example: ({ ReActRecorder }) =>
      new ReActRecorder({ sessionID: "s", messageID: "m" }).startTool(),
  },
  {
    code: "ReasoningStateError",
    says: "Reasoning started, went on or ended out of order. It is logged, not thrown: the order was corrected.",
    cure: "Call `startReasoning` before `appendReasoning`, and `finishReasoning` once.",
  },
  {
    code: "StepStateError",
    says: "A step or a call started or ended out of order, which is logged; or a recorder was used after `free()`, which throws.",
    cure: "Call `startStep` and `finishStep` in turn, and end each call once.",
    example: ({ ReActRecorder }) => {
      const recorder = new ReActRecorder({ sessionID: "s", messageID: "m" });
      recorder.free();
      recorder.parts();
    },
  },
  {
    code: "DoomLoopDetected",
    says: "For the engine to throw when the loop detector says `interrupt`; the package itself does not throw it.",
    cure: "Give the model `toErrorResponse()`, and let it try another way.",
    example: ({ DoomLoopDetected }) => {
      throw new DoomLoopDetected("read was called 3 times in a row", {});
    },
  },
  {
    code: "DeltaContractError",
    says: "A stream breaks its contract or cannot be read, or an argument or option is not what the call takes.",
    cure: "`details.rule` tells which rule, `details.seq` and `details.offset` where. The assembler is as it was before.",
    example: ({ DeltaAssembler }) => new DeltaAssembler().push({}),
  },
  {
    code: "TranscriptError",
    says: "The bytes are no transcript, a message cannot be read again, or an argument or option is not what the call takes.",
    cure: "`details.rule` tells which rule, `details.offset` where.",
    example: ({ Transcript }) => Transcript.open(new Uint8Array(0)),
  },
  {
    code: "CompactionError",
    says: "A compaction cannot be planned or carried out; nothing was changed.",
    cure: "`details.reason` tells why: bad_config, empty_summary, stale_plan, unknown_target.",
    example: ({ SessionCompaction }) => SessionCompaction.usable({}),
  },
  {
    code: "ToolDefinitionError",
    says: "A definition cannot become a tool: it has no `execute`, or no JSON Schema can be had for the model.",
    cure: "Give `execute`, and `jsonSchema` where the schema library makes none.",
    example: ({ Tool }) => Tool.define("read", { description: "", parameters: {} }),
  },
  {
    code: "PermissionDenied",
    says: "Rules deny a request, or nobody is there to answer it.",
    cure: "Allow it by a rule, or give the registry a gate that asks.",
    example: ({ PermissionDenied }) => {
      throw new PermissionDenied("bash is denied", { permission: "bash" });
    },
  },
  {
    code: "PermissionRejected",
    says: "A person turned a request down.",
    cure: "Let the model go on without it.",
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
    says: "A person turned a request down, with a message for the model.",
    cure: "The message is the error of the call: the model reads it.",
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
    says: "The call of a tool of an MCP server failed; `kind` tells how: aborted, timeout, protocol, tool, unknown.",
    cure: "It becomes the error of the call by itself. A time limit is `mcp_timeout`.",
    example: async ({ convertMcpTool }) => {
      const client = { callTool: () => Promise.reject(new Error("gone")) };
      const made = convertMcpTool(client, { name: "a", inputSchema: {} }, { clientName: "c" });
      const abort = new AbortController().signal;
      return (await made.init()).execute({}, { abort, metadata() {} });
    },
  },
  {
    code: "RunStoreError",
    says: "A log of runs refused a call, or its store is away; `code` tells which.",
    cure: "See the codes: fenced, held, gap, ended, trimmed, expired, unknown_run, too_large, unavailable.",
    from: "apex-parts/store",
    example: ({ memoryRunLog }) => memoryRunLog().read("r", 0),
  },
  {
    code: "Expected",
    says: "A tool failed on purpose (`Tool.Expected`; `metadata.kind` is `expected`): it does not count against the tool's health.",
    cure: "Throw it for what a model can correct, as a file that is not there.",
    example: ({ Tool }) => {
      throw new Tool.Expected("there is no such file");
    },
  },
].map((one) => ({ source: "errors", ...one }));
