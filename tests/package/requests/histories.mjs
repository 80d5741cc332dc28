// Messages with parts, written in few words.
const SESSION = { sessionID: "ses_1" };
let count = 0;

const parts = (messageID, list) =>
  list.map((part) => ({ id: `prt_${count++}`, ...SESSION, messageID, ...part }));

/** A user message; a string becomes a text part. */
export function user(...said) {
  const id = `msg_${count++}`;
  return {
    info: {
      ...{ id, ...SESSION, role: "user", time: { created: count }, agent: "build" },
      model: { providerID: "", modelID: "" },
    },
    parts: parts(
      id,
      said.map((one) => (typeof one === "string" ? text(one) : one)),
    ),
  };
}

/** A message of the model; `about` are fields of its info. */
export function answer(about, ...said) {
  const id = `msg_${count++}`;
  return {
    info: {
      ...{
        id,
        ...SESSION,
        role: "assistant",
        time: { created: count },
        parentID: "",
        agent: "build",
      },
      ...{ path: { cwd: "/", root: "/" }, cost: 0, tokens: NO_TOKENS, modelID: "", providerID: "" },
      ...about,
    },
    parts: parts(
      id,
      said.map((one) => (typeof one === "string" ? text(one) : one)),
    ),
  };
}

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
const withMetadata = (metadata) => (metadata === undefined ? {} : { metadata });

export const STEP = { type: "step-start" };
export const text = (said, metadata) => ({ type: "text", text: said, ...withMetadata(metadata) });
export const reasoning = (said, metadata) => ({
  ...{ type: "reasoning", text: said, time: { start: 1, end: 2 } },
  ...withMetadata(metadata),
});
export const file = (mime, url, filename) => ({
  ...{ type: "file", mime, url },
  ...(filename && { filename }),
});
const time = { start: 1, end: 2 };
/** A tool call with the given state. */
export const call = (callID, tool, state, metadata) => ({
  ...{ type: "tool", callID, tool, state, ...withMetadata(metadata) },
});
/** A call that returned. */
export const done = (callID, tool, input, output, { metadata, ...state } = {}) =>
  call(
    callID,
    tool,
    { status: "completed", input, output, title: "", metadata: {}, time, ...state },
    metadata,
  );
export const failed = (callID, tool, input, error, metadata) =>
  call(callID, tool, { status: "error", input, error, time }, metadata);
export const running = (callID, tool, input, metadata) =>
  call(callID, tool, { status: "running", input, time: { start: 1 } }, metadata);

export const PNG = "data:image/png;base64,aGk=";
export const PDF = "data:application/pdf;base64,aGk=";

/** The messages of a body, whatever its format. */
export const messagesOf = (body) => body.messages ?? body.input ?? body.contents;
