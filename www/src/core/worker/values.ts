import type {
  Failure,
  FileView,
  JsonNode,
  LongText,
  Span,
  TextField,
  Tokens,
} from "../../ui/values";
import { countLines, type Fields, fields, head, label, number, text } from "./fields";
import { time } from "./no_time";

/** Makes the values of ui/values.ts, which the page draws, out of values of unknown shape. */

/** UTF-16 units: as many as a folded block shows, few enough to clone for every visible row. */
export const HEAD = 16_384;

export function long(field: TextField, string: string, limit = HEAD): LongText {
  return { field, head: head(string, limit), length: string.length, lines: countLines(string) };
}

/** The end of a text is shown where the text is longer than this many lines or UTF-16 units. */
const END_LINES = 40;
const END = 8192;

/** A text of which the end matters most: what a command that failed has printed. */
export function longWithEnd(field: TextField, string: string): LongText {
  const all = long(field, string);
  if (all.lines <= END_LINES && string.length <= END) return all;
  let from = Math.max(0, string.length - END);
  // Whole lines, unless the last one alone is longer.
  let at = string.endsWith("\n") ? string.length - 1 : string.length;
  let lines = 0;
  while (lines < END_LINES && at > from) {
    const newline = string.lastIndexOf("\n", at - 1);
    if (newline < from) break;
    at = newline;
    lines++;
  }
  if (lines > 0) from = at + 1;
  else lines = 1;
  // Never half of a surrogate pair.
  const first = string.charCodeAt(from);
  if (first >= 0xdc00 && first <= 0xdfff) from++;
  return { ...all, end: { text: string.slice(from), lines } };
}

/** The value of an output that is JSON, for a tree of it. */
export function parsedJson(output: string): unknown {
  // Only what looks like a container, and small: a tree of a bare word or of a megabyte helps nobody.
  if (output.length > 200_000 || !/^\s*[[{]/.test(output)) return undefined;
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

const ITEMS = 200;
const DEPTH = 40;
const STRING = 4000;

/** JSON cut in width, depth and length, in a form where no key can be mistaken for a field. */
export function node(value: unknown, depth = 0): JsonNode {
  switch (typeof value) {
    case "string":
      return value.length > STRING
        ? { kind: "text", head: head(value, STRING), length: value.length }
        : value;
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return String(value);
    case "object":
      break;
    default:
      return null;
  }
  if (value === null) return null;
  if (depth >= DEPTH) return { kind: "deep" };
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS).map((item) => node(item, depth + 1));
    return { kind: "array", items, total: value.length };
  }
  const keys = Object.keys(value);
  const entries = keys
    .slice(0, ITEMS)
    .map((key): [string, JsonNode] => [label(key), node((value as Fields)[key], depth + 1)]);
  return { kind: "object", entries, total: keys.length };
}

export function tokens(value: unknown): Tokens {
  const all = fields(value);
  const cache = fields(all?.cache);
  return {
    input: number(all?.input) ?? 0,
    output: number(all?.output) ?? 0,
    reasoning: number(all?.reasoning) ?? 0,
    cacheRead: number(cache?.read) ?? 0,
    cacheWrite: number(cache?.write) ?? 0,
  };
}

/** Both shapes of an error: the flat APIError, and OpenCode's `{name, data}`. */
export function failure(value: unknown): Failure {
  const outer = fields(value);
  const inner = fields(outer?.data) ?? outer;
  const status = number(inner?.statusCode);
  const body = text(inner?.responseBody);
  return {
    name: label(outer?.name) || "Error",
    message: label(inner?.message, 4000) || "No message was recorded.",
    ...(status === undefined ? {} : { status }),
    ...(typeof inner?.isRetryable === "boolean" ? { retryable: inner.isRetryable } : {}),
    ...(body ? { body: head(body, 4000) } : {}),
  };
}

export function spanOf(value: unknown): Span {
  const span = fields(value);
  const start = time(span?.start);
  const end = time(span?.end);
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** In characters of its address. */
const LARGEST_IMAGE = 8_000_000;

export function fileView(file: Fields): FileView {
  const mime = label(file.mime, 100);
  const url = text(file.url) ?? "";
  const image = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);/i.test(url) ? url : undefined;
  return {
    mime,
    name: label(file.filename) || "file",
    // A very large picture would be cloned for every visit of its row.
    ...(image && image.length <= LARGEST_IMAGE ? { image } : {}),
    // A longer address would be cut, and lead somewhere else.
    ...(/^https?:/i.test(url) && url.length <= 2000 ? { remote: url } : {}),
    address: /^data:/i.test(url) ? dataFacts(url, image) : label(url, 500),
  };
}

function dataFacts(url: string, image: string | undefined): string {
  const tooLarge = image && image.length > LARGEST_IMAGE ? ", too large to be shown" : "";
  return `data: (${url.length.toLocaleString("en-US")} characters${tooLarge})`;
}
