// The values that the examples of the catalogue begin with.

export const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
export const IDS = { id: "p1", sessionID: ID, messageID: ID };
export const TIME = "2025-02-17T08:30:00.000Z";
export const TOKENS = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
export const CONTEXT = { clientName: "c", sessionID: ID, messageID: ID };

export const text = (of) => ({ ...IDS, type: "text", text: "hi", ...of });
export const tool = (state) => ({ ...IDS, type: "tool", callID: "c1", tool: "read", state });
export const answer = (of) => ({
  ...{ id: ID, sessionID: ID, role: "assistant", parentID: ID, time: { created: 1 }, agent: "a" },
  ...{ modelID: "m", providerID: "p", path: { cwd: "/", root: "/" }, cost: 0, tokens: TOKENS },
  ...of,
});
export const prompt = (id, parts) => ({
  info: {
    ...{ id, sessionID: ID, role: "user", time: { created: 1 }, agent: "a" },
    model: { providerID: "p", modelID: "m" },
  },
  parts: parts.map((part, index) => ({ ...IDS, id: `${id}${index}`, messageID: id, ...part })),
});
export const delta = (seq, kind, payload) => ({ runId: "r", seq, kind, payload, timestamp: TIME });
export const START = delta(1, "start", { modelId: "m", requestId: "q" });
export const CALL = delta(2, "tool_call_start", { toolCallId: "c1", toolName: "read" });
export const said = (role, kind, payload) => ({
  ...{ runId: "r", role, timestamp: TIME },
  parts: [{ kind, payload }],
});
export const bytes = (string) => new TextEncoder().encode(string);

/** A folder with these files. */
export async function folder(files) {
  const { mkdir, mkdtemp, writeFile } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { dirname, join } = await import("node:path");
  const root = await mkdtemp(join(tmpdir(), "apex-parts-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

export const compacted = (of) => prompt("m1", [{ type: "compaction", auto: true, ...of }]);
export const summary = (of, words) => ({
  info: answer({ id: "m2", parentID: "m1", summary: true, finish: "stop", ...of }),
  parts: [text({ messageID: "m2", text: words })],
});
export const MODEL = { limit: { context: 1000 } };

/** A server with these tools. */
export const server = (...tools) => ({
  callTool: async () => ({ content: [] }),
  listTools: async () => ({ tools }),
});

/** What a detector says of these calls; those with a result have ended. */
export const looped = (detector, calls) => {
  for (const [index, { input, result, isError, ...more }] of calls.entries()) {
    const callID = `c${index}`;
    detector.check({ toolName: "read", parameters: input, callID, ...more });
    if (result !== undefined) detector.record({ callID, result, isError });
  }
  return detector.detect();
};

/** The definition of a tool that reads a file. */
export const reading = (execute) => ({
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  execute,
});

/** A call, as a run that resolves to its part. */
export const called = (registry, name, input, options, callID = "c1") => {
  const ids = { sessionID: ID, messageID: ID, callID };
  return registry.execute({ tool: name, input, ...ids }, options);
};
