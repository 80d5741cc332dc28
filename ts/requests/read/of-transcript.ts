// Messages for models in the file of a transcript, as JSON: what the module asks for (src/wasm/api/transcript.js).
import { type Fields, isObject } from "../../tools/boundary.ts";
import { given, isEmpty, stringOf } from "../fields.ts";
import { otherFields } from "./body.ts";
import { readExchange } from "./exchange.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";
import type { MessagesFormat, ReadMessages } from "./types.ts";

/** What is known of the session beside its messages; undefined if nothing is. */
function sessionOf(body: unknown, id: string, read: ReadMessages): Fields | undefined {
  const { system, tools } = read;
  const more = otherFields(body, read);
  const known = given({ system, tools, fields: isEmpty(more) ? undefined : more });
  return isEmpty(known) ? undefined : { id, ...known };
}

/**
 * Reads the messages of one session of a file.
 * @param format - Their format, or `"auto"`.
 * @param json - An array of messages, or an object that has one.
 * @param sessionID - The id of their session.
 * @param now - Their time, in milliseconds since the Unix epoch.
 * @param answer - The answer to them that stands in another place, as JSON.
 * @returns A JSON object: what `fromMessages` gives, without the instructions and tools, and `session`, which has those and
 * the other fields of the object. Throws if it is not JSON, or cannot be written.
 */
export function messagesOfTranscript(
  format: MessagesFormat | "auto",
  json: string,
  sessionID: string,
  now: number,
  answer?: string,
): string {
  const body: unknown = JSON.parse(json);
  // A cast: the module has written it.
  const own = answer === undefined ? undefined : (JSON.parse(answer) as RecordedAnswer);
  const modelID = own?.model ?? stringOf(isObject(body) ? body.model : undefined) ?? "";
  const options = { sessionID, now: own?.start ?? now, model: { providerID: "", modelID } };
  const read = readExchange(format, body, options, own);
  const { messages, problems } = read;
  const session = sessionOf(body, sessionID, read);
  return JSON.stringify({ messages, format: read.format, problems, session });
}
