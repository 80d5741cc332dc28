// Ids as OpenCode makes them, for messages that are added to its sessions: it sorts by them.
import type { WithParts } from "apex-parts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM = 14;
/** The digits of time in an id, and one more than the greatest number that they hold. */
const DIGITS = 12;
const FULL = 16n ** BigInt(DIGITS);

/** What follows the prefix of an id. */
const afterPrefix = (id: string) => (/^(msg|prt)_/.test(id) ? id.slice(4) : "");

function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** Whether all messages have OpenCode's ids. */
export const areOpenCodes = (messages: readonly WithParts[]): boolean =>
  messages.length > 0 && messages.every(({ info }) => String(info?.id).startsWith("msg_"));

/** A function that gives what follows the prefix; each is greater than the last, and than those of the messages. */
function following(messages: readonly WithParts[], now: number): () => string {
  let greatest = "";
  const see = (id: unknown) => {
    const own = typeof id === "string" ? afterPrefix(id) : "";
    if (own > greatest) greatest = own;
  };
  for (const { info, parts } of messages) {
    see(info?.id);
    if (Array.isArray(parts)) for (const part of parts) see(part?.id);
  }
  // As OpenCode's: the last digits of the time and of a counter.
  let stamp = (BigInt(now) * 0x1000n) % FULL;
  const last = greatest.slice(0, DIGITS);
  if (/^[0-9a-f]{12}$/.test(last)) {
    const least = BigInt(`0x${last}`) + 1n;
    if (stamp < least) stamp = least;
  }
  let count = 0;
  return () => {
    const id = `${stamp.toString(16).padStart(DIGITS, "0")}${random()}`;
    stamp++;
    if (stamp < FULL && id > greatest) return id;
    // Ids that were not made by time, or the end of its digits: whatever is longer comes later.
    count++;
    return `${greatest}${count.toString(16).padStart(4, "0")}`;
  };
}

/**
 * Gives the messages and parts whose ids are among `added` OpenCode's instead, in their order. Only the last few
 * messages are looked at; all others are the same objects.
 */
export function withOpenCodeIds(
  messages: WithParts[],
  added: ReadonlySet<string>,
  now: number,
): WithParts[] {
  const next = following(messages, now);
  const renamed = new Map<string, string>();
  const rename = (prefix: string, id: string) => {
    if (!added.has(id)) return id;
    const name = renamed.get(id) ?? `${prefix}${next()}`;
    renamed.set(id, name);
    return name;
  };
  const from = messages.findIndex(({ info }) => added.has(info?.id));
  if (from < 0) return messages;
  return messages.map((message, index) => {
    if (index < from) return message;
    const id = rename("msg_", message.info.id);
    const info = { ...message.info, id };
    if (info.role === "assistant") info.parentID = renamed.get(info.parentID) ?? info.parentID;
    const parts = message.parts.map((part) => ({
      ...part,
      id: rename("prt_", part.id),
      messageID: id,
    }));
    return { info, parts };
  });
}
