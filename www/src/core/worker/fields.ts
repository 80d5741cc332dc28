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

export function countLines(string: string): number {
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
