// Where the messages of a body stand.
import { fieldsOf } from "../fields.ts";
import type { MessagesBody } from "./reader.ts";

/** The fields of a body in which the messages can stand, in this order. */
const LISTS = ["messages", "contents", "input", "conversations", "conversation"];
/** Fields of which at least one is in a message. */
const OF_MESSAGE = ["role", "from", "parts"];

/** Finds the messages of a body. */
function locate(given: unknown): MessagesBody {
  if (Array.isArray(given)) return { list: given, path: "", fields: {} };
  const fields = fieldsOf(given);
  if (fields === undefined) return { list: given, path: "", fields: {} };
  const name = LISTS.find((one) => fields[one] != null);
  if (name !== undefined) return { list: fields[name], path: `/${name}`, fields };
  // A body of one message.
  if (OF_MESSAGE.some((one) => fields[one] != null)) return { list: [given], path: "", fields: {} };
  return { list: undefined, path: "", fields };
}

/** The histories of a body in order: of a record with a prompt and a completion there are two. */
export function histories(given: unknown): MessagesBody[] {
  const body = locate(given);
  const { prompt, completion } = body.fields;
  if (body.list !== undefined || prompt === undefined) return [body];
  const asked = typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt;
  const said =
    typeof completion === "string" ? [{ role: "assistant", content: completion }] : completion;
  const found = [{ list: asked, path: "/prompt", fields: body.fields }];
  if (said != null) found.push({ list: said, path: "/completion", fields: {} });
  return found;
}
