import { type Fields, fields, label, list, text } from "../../../core/worker/fields";
import { messageOf } from "../../../core/worker/message_of";
import { DAMAGED } from "../model";

/** An event, read. */
interface EventRecord {
  kind: string;
  /** Its value; undefined where it is no JSON. */
  value: unknown;
  /** What of its text the value was read from. */
  data: string;
  /** Why it cannot be read. */
  damage?: string;
}

/** Streams end with this word, which is no JSON. */
const DONE = "[DONE]";

export function readEvent(said: string): EventRecord {
  const data = dataOf(said).trim();
  const named = label(/^event:\s*(\S.*)$/m.exec(said)?.[1] ?? "", 60);
  if (data === DONE) return { kind: DONE, value: undefined, data };
  try {
    const value: unknown = JSON.parse(data);
    const kind = label(typeOf(fields(value) ?? {}), 60) || named || "event";
    return { kind, value, data };
  } catch (error) {
    const damage = messageOf(error);
    return { kind: DAMAGED, value: undefined, data, damage };
  }
}

/** The words of an event that a person would want to read. */
export function wordsOf({ value, data }: EventRecord): string {
  const record = fields(value);
  return label(record ? tellingWords(record) : data, 200);
}

/** The record of an event: its `data` lines, or the line itself. */
function dataOf(said: string): string {
  const data = Array.from(said.matchAll(/^data:? ?(.*)$/gm), ([, line]) => line);
  return data.length > 0 ? data.join("\n") : said;
}

function typeOf(record: Fields): string {
  const names = [record.type, record.kind, record.event_type, record.event];
  const named = names.map((name) => text(name)).find(Boolean);
  if (named) return named;
  return text(record.object) ?? (Array.isArray(record.candidates) ? "candidates" : "");
}

/** Fields whose words a person would want to read, the most telling first. */
const TELLING = [
  ..."textDelta argsTextDelta delta text content thinking reasoning reasoning_content".split(" "),
  ..."partial_json arguments inputTextDelta tool toolName name output error message".split(" "),
  ..."title status reason finish_reason finishReason role".split(" "),
];

/** The first of the telling words in a record, wherever they stand. */
function tellingWords(record: Fields): string {
  const found = new Map<string, string>();
  collect(record, found, 0);
  const key = TELLING.find((name) => found.has(name));
  return (key && found.get(key))?.replace(/\s+/g, " ") ?? "";
}

function collect(value: unknown, found: Map<string, string>, depth: number): void {
  if (depth > 8) return;
  for (const item of list(value).slice(0, 20)) collect(item, found, depth + 1);
  for (const [key, item] of Object.entries(fields(value) ?? {}).slice(0, 50)) {
    if (typeof item === "string" && item !== "" && !found.has(key)) found.set(key, item);
    else collect(item, found, depth + 1);
  }
}
