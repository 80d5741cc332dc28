// What parts and errors say, without their ids, times and costs: by that two transcripts are compared.

/** Fields of a value of unknown shape. */
export type Fields = Record<string, unknown>;

/** The value as an object; undefined if it is none. */
export function fields(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // Any object has its fields by name.
  return value as Fields;
}

/** The value as a list; an empty one if it is none. */
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const MEANINGS: Record<string, (part: Fields) => unknown> = {
  text: (part) => ["text", part.text],
  reasoning: (part) => ["reasoning", part.text],
  tool: (part) => {
    const state = fields(part.state) ?? {};
    const streamed = state.status === "pending" ? state.raw : undefined;
    const files = list(state.attachments).map(fileMeaning);
    return [
      ...["tool", part.tool, state.status, state.input],
      ...[streamed, state.output, state.error, files],
    ];
  },
  "step-start": () => ["step-start"],
  "step-finish": (part) => ["step-finish", part.reason],
  file: (part) => ["file", fileMeaning(part)],
  subtask: (part) => ["subtask", part.agent, part.description, part.prompt, part.command],
  agent: (part) => ["agent", part.name],
  compaction: (part) => ["compaction", part.auto === true],
  retry: (part) => ["retry", part.attempt, errorMeaning(part.error)],
  snapshot: () => ["snapshot"],
  patch: (part) => ["patch", part.files],
};

/** What a part says; of a type that is not known, all but its ids and time. */
export function partMeaning(part: Fields): unknown {
  const type = typeof part.type === "string" ? part.type : "";
  if (Object.hasOwn(MEANINGS, type)) return MEANINGS[type]?.(part);
  const { id: _, messageID: __, sessionID: ___, time: ____, ...rest } = part;
  return rest;
}

function fileMeaning(value: unknown): unknown {
  const file = fields(value) ?? {};
  return [file.mime, file.filename, file.url];
}

/** What the error of a message or of a retry says. */
export function errorMeaning(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  const error = fields(value) ?? {};
  const { message } = fields(error.data) ?? {};
  return [error.name, typeof message === "string" ? message : (error.message ?? value)];
}
