// Arrays of messages for models: what a recorded session sends to its provider, and short messages of a chat.
import { Transcript, toRequest } from "../../pkg/node.mjs";

const bytesOf = (value) => Buffer.from(JSON.stringify(value));

/** The messages of a request that a session would go on with, as this API takes them. */
export function requestMessages(bytes, api) {
  const transcript = Transcript.open(bytes);
  const { messages } = toRequest(api, { model: "any", messages: transcript });
  transcript.free();
  return bytesOf(messages);
}

/** A chat in messages of OpenAI's API of some 135 bytes each, with the texts of a session. */
export function shortMessages(bytes) {
  const transcript = Transcript.open(bytes);
  const texts = transcript
    .messages()
    .flatMap(({ parts }) => parts.flatMap(({ text, state }) => text ?? state?.output ?? []))
    .join("\n")
    .replace(/[^\w .,;:-]+/g, " ");
  transcript.free();
  const size = 135 - '{"role":"assistant","content":""},'.length;
  const pieces = texts.match(new RegExp(`.{${size}}`, "g")) ?? [];
  const role = (i) => (i % 2 === 0 ? "user" : "assistant");
  return bytesOf(pieces.map((content, i) => ({ role: role(i), content })));
}
