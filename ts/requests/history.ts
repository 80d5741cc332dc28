// The history that is asked for, as messages with parts in the order in which a model reads them.
import type { WithParts } from "apex-parts:glue";
import { compactionFilter, Transcript } from "apex-parts:glue";
import { type Fields, isObject, kindOf } from "../tools/boundary.ts";
import { MAX_ELEMENTS } from "./fields.ts";
import { type History, type PlacedMessage, type Report, warn } from "./placed.ts";
import { withPartsOf } from "./run-messages.ts";
import type { RequestOptions } from "./types.ts";
import { jsonValue } from "./well-formed.ts";

/** Whether a value has the shape of a message with parts. */
const isMessage = (value: unknown): value is WithParts =>
  isObject(value) &&
  isObject(value.info) &&
  (value.info.role === "user" || value.info.role === "assistant") &&
  Array.isArray(value.parts);

/** Messages that have their shape, with where they stand. */
export function shaped(messages: unknown[], report: Report): PlacedMessage[] {
  const placed: PlacedMessage[] = [];
  const length = Math.min(messages.length, MAX_ELEMENTS);
  for (let index = 0; index < length; index++) {
    const message = messages[index];
    if (!isMessage(message)) {
      const got = isObject(message) ? "another object" : kindOf(message);
      warn(report, "RP-8", `expected a message {info, parts}, got ${got}: it is left out`, index);
      continue;
    }
    // A cast: nothing is known of its fields but the role.
    const info = message.info as unknown as Fields;
    placed.push({ info, parts: message.parts, message, index });
  }
  return placed;
}

/** What a compaction leaves of the messages. */
function compacted(placed: PlacedMessage[]): PlacedMessage[] {
  const isCompaction = (part: unknown) => isObject(part) && part.type === "compaction";
  if (!placed.some(({ parts }) => parts.some(isCompaction))) return placed;
  const places = new Map(placed.map((one) => [one.message, one]));
  let sent: WithParts[];
  try {
    // A cast: the module gives some of the messages.
    sent = compactionFilter(placed.map(({ message }) => message)) as WithParts[];
  } catch {
    // A message of them is not one for the module: then all are sent.
    return placed;
  }
  return sent.flatMap((message) => places.get(message) ?? []);
}

/** The history of messages of any of the three kinds, without what a compaction hides. */
export function historyOf(messages: RequestOptions["messages"], report: Report): History {
  if (messages instanceof Transcript) {
    // Instructions of a file of messages for models (read/of-transcript.ts).
    const system = messages.format?.startsWith("messages-") ? messages.session?.system : undefined;
    return {
      messages: shaped(messages.filterCompacted(), report),
      system: typeof system === "string" ? [system] : [],
    };
  }
  // A cast: JavaScript may give anything in the array.
  const list = messages as unknown[];
  if (list.some((one) => isObject(one) && "info" in one))
    return { messages: compacted(shaped(list, report)), system: [] };
  return withPartsOf(list, report);
}

/** A copy that can be read without running code of the caller: what cannot be read is left out. */
export function plainCopy(messages: unknown): unknown[] {
  if (!Array.isArray(messages)) return [];
  const copies: unknown[] = [];
  const read = (get: () => unknown): unknown => {
    try {
      return get();
    } catch {
      return undefined;
    }
  };
  const length = Number(read(() => messages.length));
  for (let index = 0; index < Math.min(length, MAX_ELEMENTS); index++) {
    const whole = read(() => jsonValue(messages[index]));
    copies.push(whole ?? null);
  }
  // A deep copy: an object that is plain is the caller's own above, and may have been a proxy.
  return copies.map((copy) => read(() => JSON.parse(JSON.stringify(copy))) ?? null);
}
