/** What cards say of a call beside its input and its output, in a few words each. */

import type {
  CallNotes,
  EditMatch,
  ReadPage,
  SearchCounts,
  ShellEnd,
  ToolView,
  WebAnswer,
} from "../../../../core/model/tools";
import { bytes, count, one } from "../../../../ui/format";

export interface Fact {
  text: string;
  /** Something that a reader should not miss. */
  tone?: "warning" | "bad";
}

/** What was ignored, by level, in the words of edit's own output. */
const IGNORING: Record<number, string> = {
  2: "ignoring line ends",
  3: "ignoring trailing whitespace",
  4: "ignoring indentation",
  5: "ignoring runs of blanks",
  6: "ignoring typographic quotes, dashes and spaces",
  7: "with one level of escapes undone",
  8: "without the line numbers",
};

export function editFacts(match: EditMatch | undefined): Fact[] {
  if (!match) return [];
  const { level, lines, count: places } = match;
  const ignoring = IGNORING[level];
  return [
    ...facts(lines && between("line", ...lines), places > 1 && `${count(places)} places`),
    ...(ignoring ? [{ text: `matched ${ignoring}`, tone: "warning" as const }] : []),
  ];
}

/** How a shell ended where it did not exit by itself. */
export function stopOf({ timedOut, aborted, signal }: ShellEnd): string | undefined {
  if (timedOut) return "timed out";
  return aborted ? "aborted" : signal;
}

export function shellFacts(end: ShellEnd): Fact[] {
  const { signal, detached } = end;
  return [
    // The head has it where nothing else stands there.
    ...facts(signal && signal !== stopOf(end) && `killed by ${signal}`),
    ...(detached ? [{ text: "left something running", tone: "warning" as const }] : []),
  ];
}

const ENDS: Record<string, string> = {
  crlf: "line ends CRLF",
  cr: "line ends CR",
  mixed: "mixed line ends",
};

const ENCODINGS: Record<string, string> = {
  "invalid-utf8": "not valid UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
};

/** Of how a file is written only what is not usual. */
export function readFacts({ range, eol = "", encoding = "", bom }: ReadPage): Fact[] {
  return facts(
    range && rangeText(range),
    own(ENDS, eol),
    encoding !== "utf-8" && (own(ENCODINGS, encoding) ?? encoding),
    bom && "byte order mark",
  );
}

function rangeText({ of, from, to, total }: NonNullable<ReadPage["range"]>): string | undefined {
  const all = total === undefined ? "" : ` of ${count(total)}`;
  if (to < from) return total === undefined ? undefined : one(total, of, plural(of));
  if (from === 1 && to === total) return one(total, of, plural(of));
  return `${between(of, from, to)}${all}`;
}

export function searchFacts({ matches, files, listed, total, more, engine }: SearchCounts): Fact[] {
  const shown = matches ?? listed;
  return facts(
    matches !== undefined && matchesText(matches, files),
    listed !== undefined && total !== undefined && total > listed
      ? `first ${count(listed)} of ${one(total, "file")}`
      : listed !== undefined && one(listed, "file"),
    more && !(total !== undefined && total > (shown ?? 0)) && "there are more",
    engine && `engine ${engine}`,
  );
}

function matchesText(matches: number, files: number | undefined): string {
  if (matches === 0) return "no matches";
  const found = one(matches, "match", "matches");
  return files === undefined ? found : `${found} in ${one(files, "file")}`;
}

export function webFacts({ status, mime, bytes: size, redirected, results }: WebAnswer): Fact[] {
  return facts(
    status !== undefined && `status ${status}`,
    mime,
    size !== undefined && bytes(size),
    results !== undefined && one(results, "result"),
    redirected && `redirected to ${redirected}`,
  );
}

/** What is left out of an output, and where the whole is. */
export function outputFacts({ notes, body }: ToolView): Fact[] {
  const { omitted, truncated, outputPath } = notes;
  const left = omitted && `${one(omitted.lines, "line")} (${bytes(omitted.bytes)}) left out`;
  // Searches and pages of files say themselves how much of all they show.
  const isSaid = body.kind === "search" || (body.kind === "read" && body.page.range);
  return facts(
    left ?? (truncated && !isSaid && "output truncated"),
    outputPath && `whole output: ${outputPath}`,
  );
}

const ERROR_WORDS: Record<NonNullable<CallNotes["errorKind"]>, string> = {
  arguments: "invalid arguments",
  permission: "not permitted",
  aborted: "aborted",
  timeout: "timed out",
  loop: "loop",
  unknown: "unknown tool",
  fault: "tool fault",
  protocol: "server fault",
};

/** The kind of an error, for the head of a card. */
export function errorWords({ errorKind }: CallNotes): string | undefined {
  return errorKind && ERROR_WORDS[errorKind];
}

function between(noun: string, from: number, to: number): string {
  return from === to ? `${noun} ${count(from)}` : `${plural(noun)} ${count(from)}–${count(to)}`;
}

function plural(noun: string): string {
  return noun === "entry" ? "entries" : `${noun}s`;
}

function own(words: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

function facts(...texts: (string | false | undefined)[]): Fact[] {
  return texts.filter((text): text is string => Boolean(text)).map((text) => ({ text }));
}
