// What the model sees of the lines that grep has found.
import type { OutputStore, Tool } from "apex-parts:glue";
import { truncated } from "../output.ts";
import type { FoundLines } from "./found-lines.ts";
import type { Line } from "./line-search.ts";
import type { Matcher } from "./matcher.ts";

/** The most characters of a line. */
const MOST_CHARACTERS = 2000;

const isLow = (text: string, at: number) => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};

/** A line cut around the place where its match begins. */
function cutAround(text: string, at: number) {
  // Two signs say that something is left out.
  const room = MOST_CHARACTERS - 2;
  let start = Math.max(0, Math.min(at - room / 2, text.length - room));
  let end = start + room;
  if (isLow(text, start)) start++;
  if (end < text.length && isLow(text, end)) end--;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** Where a match begins in a line; its beginning where that cannot be found out. */
function locate(text: string, matcher: Matcher | undefined) {
  try {
    return matcher?.locate(text) ?? 0;
  } catch {
    // ripgrep takes larger expressions.
    return 0;
  }
}

function textOf({ text, why, isMatch }: Line, matcher: Matcher | undefined) {
  if (text === undefined) return `(${why}; its text is left out)`;
  if (text.length <= MOST_CHARACTERS) return text;
  return cutAround(text, isMatch ? locate(text, matcher) : 0);
}

/** How the lines are shown. */
export interface Options {
  pattern: string;
  /** The most matching lines. */
  limit: number;
  /** To add at the end. */
  notes: string[];
  /** How many files were not searched because they may not be read. */
  withheld: number;
  absolute: (path: string) => string;
  /** What finds a match in a line that is cut; undefined for an expression that only ripgrep reads. */
  matcher: Matcher | undefined;
  store: OutputStore | undefined;
  about: Parameters<OutputStore["save"]>[1];
}

function linesOf(result: FoundLines, { absolute, matcher, limit }: Options) {
  const lines = [`Found ${result.matches} matches`];
  for (const file of result.files) {
    lines.push(`${absolute(file.path)}:`);
    for (const line of file.lines) {
      const sign = line.isMatch ? ":" : "-";
      lines.push(`  Line ${line.number}${sign} ${textOf(line, matcher)}`);
    }
  }
  if (result.isTruncated) {
    lines.push(
      `(First ${limit} of at least ${limit + 1} matches. Narrow the pattern, path or include.)`,
    );
  }
  return lines;
}

/** The output of a search and its metadata; a long one is cut and the whole of it put into the store. */
export async function resultOf(
  result: FoundLines,
  engine: "rg" | "js",
  options: Options,
): Promise<Tool.Result> {
  const { pattern, notes, withheld, store, about } = options;
  const { matches, files, isTruncated, isIncomplete } = result;
  const lines = matches === 0 ? ["No matches."] : linesOf(result, options);
  if (isIncomplete && !isTruncated) lines.push("(Some files could not be read.)");
  const output = [...lines, ...notes].join("\n");
  const cut = await truncated(output, undefined, store, about);
  const metadata: Tool.Metadata = { matches, files: files.length, truncated: isTruncated, engine };
  if (withheld > 0) metadata.withheld = withheld;
  return {
    title: pattern,
    output: cut?.output ?? output,
    metadata: { ...metadata, ...cut?.metadata },
  };
}
