// `compare`: two runs side by side.
import type { ChangeTotals, Part, RunEnding, TokenStats, Transcript, WithParts } from "apex-parts";
import { callSubject } from "apex-parts";
import type { Alignment } from "./comparison/align.ts";
import { CHANGED } from "./comparison/align.ts";
import { DigestMaker, digest } from "./comparison/digest-maker.ts";
import type { Digests } from "./comparison/digests.ts";
import { aligned } from "./comparison/fork.ts";
import type { Fields } from "./comparison/meaning.ts";
import { errorMeaning, fields } from "./comparison/meaning.ts";
import { isSameRequest } from "./comparison/request.ts";
import type { RowPlace } from "./comparison/row.ts";
import { placeAfterRow, placeOfRow } from "./comparison/row.ts";
import { isFolder, withTranscript } from "./file.ts";
import type { FolderRun } from "./folder-runs.ts";
import { eachRun } from "./folder-runs.ts";
import type { Values } from "./options.ts";
import { CliError, orDash, print } from "./output.ts";
import { tokensOf } from "./session-figures.ts";
import { changes, line } from "./summary.ts";
import { count, dollars, duration, plural } from "./units.ts";

/** What a run came to. */
interface ComparedRun {
  file: string;
  asked: string | undefined;
  model: string | undefined;
  ended: RunEnding["how"] | undefined;
  failed: number;
  cost: number | undefined;
  tokens: TokenStats;
  messages: number;
  /** In milliseconds. */
  busy: number | undefined;
  changed: Pick<ChangeTotals, "files" | "added" | "removed">;
}

/** Where two runs begin to differ. */
interface FirstDifference {
  a: RowPlace;
  b: RowPlace;
}

interface RunComparison {
  a: ComparedRun;
  b: ComparedRun;
  sameRequest: boolean;
  first: FirstDifference | null;
}

/** The longest request that is compared and printed in JSON, in characters. */
const LONGEST = 4096;
/** Statuses of `layout()`: a call that runs, and one in a file that holds no results. */
const RUNNING = 2;
const REQUESTED = 6;

export const compare = (a: string, values: Values, [b = ""]: readonly string[]): Promise<number> =>
  withRun(a, values, (one) => withRun(b, values, (other) => show(a, one, b, other, values)));

/** Opens a run: a file, or a folder with the files of one run. */
async function withRun<Result>(
  path: string,
  values: Values,
  look: (transcript: Transcript) => Result | Promise<Result>,
): Promise<Result> {
  if (!isFolder(path)) return withTranscript(path, values, look);
  const runs: FolderRun[] = [];
  await eachRun(path, values, (_, run) => {
    runs.push(run);
  });
  const [run] = runs;
  if (run === undefined || runs.length > 1) {
    throw new CliError(
      `${path}: ${plural(runs.length, "run")} in this folder; name the file of one`,
      2,
    );
  }
  return withTranscript(run.path, values, look, { inFolder: true, files: run.files });
}

function show(
  nameA: string,
  one: Transcript,
  nameB: string,
  other: Transcript,
  { json }: Values,
): number {
  const [a, b] = [runOf(nameA, one), runOf(nameB, other)];
  const sameRequest =
    a.asked === undefined || b.asked === undefined
      ? a.asked === b.asked
      : isSameRequest(a.asked, b.asked);
  const digests = [digestsOf(one), digestsOf(other)] as const;
  const { alignment, fork } = aligned(...digests);
  const first = firstOf(alignment, ...digests);
  const comparison: RunComparison = { a, b, sameRequest, first: first?.places ?? null };
  if (json) {
    print(JSON.stringify(comparison, null, 2));
    return 0;
  }
  print(`A  ${nameA}\nB  ${nameB}\n`);
  const asked = [a, b].map((run) => orDash(run.asked, (text) => line(text, 100)));
  print(
    sameRequest
      ? `asked the same: ${asked[0]}`
      : `asked different things\n  A ${asked[0]}\n  B ${asked[1]}`,
  );
  print(["", ...table(a, b), ""].join("\n"));
  if (first === undefined) {
    print("no difference: both say the same");
    return 0;
  }
  if (fork && fork.steps > 0) print(`the same up to step ${fork.steps}`);
  print(`first difference: ${differenceWords(first, one, other)}`);
  return 0;
}

function runOf(file: string, transcript: Transcript): ComparedRun {
  const summary = transcript.summary();
  const { tokens, messages } = transcript.stats();
  const { asked, models, ended, failed, cost, time, totals } = summary;
  const { files, added, removed } = totals;
  return {
    file,
    asked: asked?.text.slice(0, LONGEST),
    model: models[0],
    ended: ended?.how,
    failed,
    cost,
    tokens,
    messages,
    busy: time && time.total > 0 ? time.busy : undefined,
    changed: { files, added, removed },
  };
}

function digestsOf(transcript: Transcript): Digests {
  const layout = transcript.layout();
  const statuses = transcript.holdsResults
    ? layout.statuses
    : layout.statuses.map((status) => (status === RUNNING ? REQUESTED : status));
  const maker = new DigestMaker({ transcript, layout: { ...layout, statuses } });
  while (maker.look());
  return maker.done();
}

/** The first difference, and whether both have a row there. */
interface FoundDifference {
  places: FirstDifference;
  isChange: boolean;
  /** Does only the first run have what is there? */
  isOfFirst: boolean;
}

function firstOf(alignment: Alignment, a: Digests, b: Digests): FoundDifference | undefined {
  const { left, right, states, differences } = alignment;
  const [pair] = differences;
  if (pair === undefined) return undefined;
  const rowsOf = (rows: Int32Array) => ({ own: rows[pair] ?? -1, before: lastBefore(rows, pair) });
  const [one, other] = [rowsOf(left), rowsOf(right)];
  const begins = (digests: Digests, row: number) =>
    placeOfRow(digests.firstPart, row).part === undefined;
  const isChange = states[pair] === CHANGED;
  const place = (own: typeof one, digests: Digests, beside: typeof one, besides: Digests) => {
    if (own.own < 0) {
      return placeAfterRow(digests.firstPart, own.before, begins(besides, beside.own));
    }
    const at = placeOfRow(digests.firstPart, own.own);
    // A message that only one has differs from its first part on.
    return isChange ? at : { part: 0, ...at };
  };
  const places = { a: place(one, a, other, b), b: place(other, b, one, a) };
  return { places, isChange, isOfFirst: one.own >= 0 };
}

/** The last row of a side before a pair; -1 if there is none. */
function lastBefore(rows: Int32Array, pair: number): number {
  let at = pair - 1;
  while (at >= 0 && (rows[at] ?? -1) < 0) at--;
  return rows[at] ?? -1;
}

function differenceWords(found: FoundDifference, one: Transcript, other: Transcript): string {
  const { places, isChange, isOfFirst } = found;
  const [a, b] = [partAt(one, places.a), partAt(other, places.b)];
  const where = `A ${placeWords(places.a)}, B ${placeWords(places.b)}`;
  if (!isChange) {
    return `${where}: ${partWords(isOfFirst ? a : b)}, only in ${isOfFirst ? "A" : "B"}`;
  }
  const names = differing(a, b);
  const [left, right] = [partWords(a), partWords(b)];
  const what = left === right ? left : `${left} in A, ${right} in B`;
  const differ = names.length === 1 ? "differs" : "differ";
  return names.length === 0
    ? `${where}: ${what}`
    : `${where}: ${what}: ${names.join(", ")} ${differ}`;
}

const placeWords = ({ message, part }: RowPlace) =>
  part === undefined ? `message ${message}` : `${message}:${part}`;

/** A part, or the fields of a message itself. */
function partAt(transcript: Transcript, { message, part }: RowPlace): Fields {
  const whole: WithParts | undefined = transcript.message(message);
  return fields(part === undefined ? whole?.info : whole?.parts[part]) ?? {};
}

/** What a part is, in a few words: `bash make`, `text “Done.”`. */
function partWords(part: Fields): string {
  if (typeof part.role === "string") return `message of ${line(part.role, 20)}`;
  const { type, tool } = part;
  if (typeof tool === "string") {
    // A part of the file: the module accepts any value.
    const subject = callSubject(part as unknown as Part)?.text ?? "";
    return line(`${tool} ${subject}`, 60);
  }
  const said = typeof part.text === "string" ? ` “${line(part.text, 50)}”` : "";
  return `${line(String(type), 40)}${said}`;
}

/** The names of what differs between two parts of one type, in the order in which they are read. */
function differing(a: Fields, b: Fields): string[] {
  if (typeof a.role === "string") {
    return [
      ...(a.role === b.role ? [] : ["role"]),
      ...(digest(errorMeaning(a.error)) === digest(errorMeaning(b.error)) ? [] : ["error"]),
    ];
  }
  const isCall = a.type === "tool";
  if (isCall && a.tool !== b.tool) return [];
  const [one, other] = isCall ? [fields(a.state) ?? {}, fields(b.state) ?? {}] : [a, b];
  const names = isCall
    ? ["input", "status", "output", "error", "attachments", "metadata"]
    : ["text", "reason", "filename", "url", "prompt", "name", "files", "error"];
  const found = names.filter((name) => digest(one[name]) !== digest(other[name]));
  // What a tool notes of itself differs with times and ids: it counts where nothing else does.
  return found.length > 1 ? found.filter((name) => name !== "metadata") : found;
}

/** The figures side by side. */
function table(a: ComparedRun, b: ComparedRun): string[] {
  const row = (name: string, words: (run: ComparedRun) => string) => [name, words(a), words(b)];
  const rows = [
    ["", "A", "B"],
    row("model", ({ model }) => orDash(model, (name) => line(name, 40))),
    row("ended", ({ ended }) => ended ?? "—"),
    row("failed", ({ failed }) => plural(failed, "call")),
    row("cost", ({ cost }) => orDash(cost, dollars)),
    row("tokens", ({ tokens }) => tokensOf(tokens).replace(/ tokens$/u, "")),
    row("messages", ({ messages }) => count(messages)),
    row("busy", ({ busy }) => orDash(busy, duration)),
    row("changed", (run) => changes(run.changed)),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
