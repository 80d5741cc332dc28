import type { Failure, JsonNode, LongText, TextField, Tokens } from "../ui/values";

/** Readers for values of unknown shape. Each gives the type that it names, or undefined. */
export type Fields = Record<string, unknown>;

export function fields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Labels are short: names, titles, paths. A megabyte in such a field is cut. */
export function label(value: unknown, limit = 300): string {
  const string = text(value) ?? "";
  return string.length > limit ? `${head(string, limit)}…` : string;
}

/** The first `limit` UTF-16 units, never half of a surrogate pair. */
export function head(string: string, limit: number): string {
  if (string.length <= limit) return string;
  const last = string.charCodeAt(limit - 1);
  return string.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** Long enough for what a folded block shows, short enough to clone for every visible row. */
export const HEAD = 16_384;

export function long(field: TextField, string: string, limit = HEAD): LongText {
  return { field, head: head(string, limit), length: string.length, lines: countLines(string) };
}

function countLines(string: string): number {
  let lines = 1;
  let at = string.indexOf("\n");
  while (at !== -1) {
    // A newline at the very end closes the last line, it does not open another.
    if (at < string.length - 1) lines++;
    at = string.indexOf("\n", at + 1);
  }
  return lines;
}

/** The first line that says something, without the marks of markdown. */
export function firstLine(string: string, limit = 200): string {
  for (const line of head(string, 4000).split("\n")) {
    const words = line
      .replace(/^\s*(?:(?:#{1,6}|[*+-])(?:\s+|$)|>\s*|[-*_=]{3,}\s*$)+|[*`]{1,3}/g, "")
      .trim();
    if (words) return label(words, limit);
  }
  return "";
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
