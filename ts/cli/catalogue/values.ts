// The values that the examples of the catalogue begin with. Many are not what a type of the package says: they are for
// examples that break rules. The command shows the text of these functions.
import type { DoomLoopDetector, Problem, Tool, ToolRegistry, ToolRun } from "apex-parts";

type Fields = Record<string, unknown>;
/** What a tool does; what it returns may be wrong, too. */
export type Execute = (args: unknown, context: Tool.Context) => unknown;
/** Makes an object of some fields. */
type Make = (of: Fields) => Fields;
/** A call, and what it came to. */
type Call = Fields & { input: unknown; result?: unknown; isError?: boolean };
type Detected = (detector: DoomLoopDetector, calls: readonly Call[]) => unknown;
type Calling = (
  registry: ToolRegistry,
  name: string,
  input: unknown,
  options?: Parameters<ToolRegistry["execute"]>[1],
  callID?: string,
) => ToolRun;

export const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
export const IDS: Fields = { id: "p1", sessionID: ID, messageID: ID };
export const TIME = "2025-02-17T08:30:00.000Z";
export const TOKENS: Fields = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } };
export const CONTEXT: Fields = { clientName: "c", sessionID: ID, messageID: ID };

export const text: Make = (of) => ({ ...IDS, type: "text", text: "hi", ...of });
/** The first page of a database, with a cell that does not lie in it. */
export function database(): Uint8Array {
  const page = new Uint8Array(512);
  page.set(bytes("SQLite format 3"));
  page[16] = 2;
  page.set([13, 0, 0, 0, 1], 100);
  return page;
}
export const tool: Make = (state) => ({ ...IDS, type: "tool", callID: "c1", tool: "read", state });
export const answer: Make = (of) => ({
  ...{ id: ID, sessionID: ID, role: "assistant", parentID: ID, time: { created: 1 }, agent: "a" },
  ...{ modelID: "m", providerID: "p", path: { cwd: "/", root: "/" }, cost: 0, tokens: TOKENS },
  ...of,
});
export const prompt = (id: string, parts: Fields[]): Fields => ({
  info: {
    ...{ id, sessionID: ID, role: "user", time: { created: 1 }, agent: "a" },
    model: { providerID: "p", modelID: "m" },
  },
  parts: parts.map((part, index) => ({ ...IDS, id: `${id}${index}`, messageID: id, ...part })),
});
// biome-ignore format: shown in one line
export const delta = (seq: number, kind: string, payload: Fields): Fields => ({ runId: "r", seq, kind, payload, timestamp: TIME });
export const START: Fields = delta(1, "start", { modelId: "m", requestId: "q" });
export const CALL: Fields = delta(2, "tool_call_start", { toolCallId: "c1", toolName: "read" });
export const said = (role: string, kind: string, payload: Fields): Fields => ({
  ...{ runId: "r", role, timestamp: TIME },
  parts: [{ kind, payload }],
});
export const bytes = (string: string): Uint8Array => new TextEncoder().encode(string);

/** A folder with these files. */
export async function folder(files: Record<string, string | Uint8Array>): Promise<string> {
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

export const compacted: Make = (of) => prompt("m1", [{ type: "compaction", auto: true, ...of }]);
export const summary = (of: Fields, words: string): Fields => ({
  info: answer({ id: "m2", parentID: "m1", summary: true, finish: "stop", ...of }),
  parts: [text({ messageID: "m2", text: words })],
});
export const MODEL: Fields = { limit: { context: 1000 } };

/** A server with these tools. */
export const server = (...tools: Fields[]): Fields => ({
  callTool: async () => ({ content: [] }),
  listTools: async () => ({ tools }),
});

/** What a detector says of these calls; those with a result have ended. */
export const looped: Detected = (detector, calls) => {
  for (const [index, { input, result, isError, ...more }] of calls.entries()) {
    const callID = `c${index}`;
    detector.check({ toolName: "read", parameters: input, callID, ...more });
    if (result !== undefined) detector.record({ callID, result, isError });
  }
  return detector.detect();
};

/** The problems that a call tells. */
export function told(call: (onProblem: (problem: Problem) => void) => unknown): Problem[] {
  const problems: Problem[] = [];
  call((problem) => problems.push(problem));
  return problems;
}

/** The definition of a tool that reads a file. */
export const reading = (execute: Execute): Fields => ({
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  execute,
});

/** A call, as a run that resolves to its part. */
export const called: Calling = (registry, name, input, options, callID = "c1") => {
  const ids = { sessionID: ID, messageID: ID, callID };
  return registry.execute({ tool: name, input, ...ids }, options);
};
