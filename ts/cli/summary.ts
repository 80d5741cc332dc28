// What a run did, as lines: of `inspect`.
import type { CallFailure, PartRef, SummaryText, TimeSplit, TranscriptSummary } from "apex-parts";
import { orDash } from "./output.ts";
import { changed, count, dollars, duration, plural } from "./units.ts";

/** The most failed calls, files and commits that are printed. */
const LISTED = 20;
/** The width of a terminal that lines are cut to. */
const WIDTH = 110;

/** A string as one line, cut to a width. */
export function line(text: string, width: number = WIDTH): string {
  const plain = text.replace(/\s+/gu, " ").trim();
  return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain;
}

const where = ({ id, sessionID }: PartRef) =>
  sessionID === undefined ? id : `${id} of ${sessionID}`;

/** The first lines of a list, and how many more there are of all that it is cut from. */
function listed<T>(lines: (entry: T) => string, list: readonly T[], all: number): string[] {
  const more = all - Math.min(list.length, LISTED);
  return [
    ...list.slice(0, LISTED).map(lines),
    ...(more > 0 ? [`    … and ${count(more)} more`] : []),
  ];
}

function failure({ at, tool, subject, exit, said, mended }: CallFailure): string {
  const code = exit === undefined ? "" : ` (exit ${exit})`;
  const cure = mended === undefined ? "" : `; passed later: ${where(mended)}`;
  const call = line(`${tool} ${subject}`, 60);
  return `    ✗ ${call}${code}: ${line(said, 60)} [${where(at)}${cure}]`;
}

/** `3 files, +1,012 −4` */
const changes = (totals: TranscriptSummary["totals"]) =>
  `${plural(totals.files, "file")}, ${changed(totals)}`;

/** `8 calls, 2 fixed later; 1 model error` */
function failures({ failed, mended, messageErrors }: TranscriptSummary): string {
  const cure = mended === 0 ? "" : `, ${count(mended)} fixed later`;
  const errors = messageErrors === 0 ? "" : `; ${plural(messageErrors, "model error")}`;
  return `${plural(failed, "call")}${cure}${errors}`;
}

/** `20 min busy of 25 h: model 15 min, tools 5 min, waiting for a person 0 ms, idle 24 h` */
function times({ total, busy, model, tools, waiting, idle }: TimeSplit): string {
  const parts = [`model ${duration(model)}`, `tools ${duration(tools)}`];
  if (waiting > 0) parts.push(`waiting for a person ${duration(waiting)}`);
  if (idle > 0) parts.push(`idle ${duration(idle)}`);
  return `${duration(busy)} busy of ${duration(total)}: ${parts.join(", ")}`;
}

/** The lines of a summary. What is not known is "—". */
export function summaryLines(summary: TranscriptSummary): string[] {
  const { asked, answered, ended, failed, files, commits, totals, time } = summary;
  const beginning = (text: SummaryText | undefined) => (text === undefined ? "—" : line(text.text));
  const reason = ended?.reason === undefined ? "" : `: ${line(ended.reason)}`;
  return [
    `  asked    ${beginning(asked)}`,
    `  ended    ${ended === undefined ? "—" : `${ended.how}${reason}`}`,
    `  answer   ${beginning(answered)}`,
    `  failed   ${failures(summary)}`,
    ...listed(failure, summary.failures, failed),
    `  changed  ${changes(totals)}`,
    ...listed((file) => `    ${line(file.path, 80)} ${changed(file)}`, files, totals.files),
    `  commits  ${count(totals.commits)}`,
    ...listed(
      (commit) => `    ${commit.hash ?? "—"} ${line(commit.message, 80)}`,
      commits,
      totals.commits,
    ),
    `  time     ${time && time.total > 0 ? times(time) : "—"}`,
    `  cost     ${orDash(summary.cost, dollars)}`,
  ];
}
