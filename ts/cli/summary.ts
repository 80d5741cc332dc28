// What a run did, as lines: of `inspect`.
import type {
  FailureGroup,
  ModelError,
  PartRef,
  SummaryText,
  TimeSplit,
  TranscriptSummary,
} from "apex-parts";
import { orDash } from "./output.ts";
import { changed, count, dollars, duration, modelWords, plural } from "./units.ts";

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

type CallFailures = TranscriptSummary["failures"];

/** `×16`; nothing of a single one. */
const times = (number: number) => (number > 1 ? ` ×${count(number)}` : "");

/** `; passed later: prt_3`, of several calls how many of them; nothing if none did. */
function cure({ count: number, mended, first }: FailureGroup, failures: CallFailures): string {
  if (mended === 0) return "";
  if (mended < number) return `; ${count(mended)} passed later`;
  if (number > 1) return "; passed later";
  const call = failures.find(({ at }) => at.id === first.id && at.sessionID === first.sessionID);
  return call?.mended === undefined ? "" : `; passed later: ${where(call.mended)}`;
}

function failureLine(group: FailureGroup, failures: CallFailures): string {
  const { tool, subject, exit, said, count: number, first } = group;
  const code = exit === undefined ? "" : ` (exit ${exit})`;
  const call = line(`${tool} ${subject}`, 60);
  const place = `${where(first)}${cure(group, failures)}`;
  return `    ✗ ${call}${code}: ${line(said, 60)}${times(number)} [${place}]`;
}

/** The errors of messages, equal ones as one line. */
function errorLines(errors: readonly ModelError[], all: number): string[] {
  const numbers = new Map<string, number>();
  for (const { name, said } of errors) {
    const text = line(said === "" ? name : `${name}: ${said}`, 90);
    numbers.set(text, (numbers.get(text) ?? 0) + 1);
  }
  const distinct = [...numbers];
  const unlisted = all - errors.length;
  return listed(
    ([text, number]) => `    ✗ ${text}${times(number)}`,
    distinct,
    distinct.length + unlisted,
  );
}

/** `3 files, +1,012 −4` */
export function changes(totals: Partial<TranscriptSummary["totals"]>): string {
  if (totals.files === undefined) return "not known";
  return [plural(totals.files, "file"), changed(totals)].filter(Boolean).join(", ");
}

/** `8 calls, 2 fixed later; 1 model error` */
function failures({ failed, mended, messageErrors }: TranscriptSummary): string {
  const cure = mended === 0 ? "" : `, ${count(mended)} fixed later`;
  const errors = messageErrors === 0 ? "" : `; ${plural(messageErrors, "model error")}`;
  return `${plural(failed, "call")}${cure}${errors}`;
}

/** `20 min busy of 25 h: model 15 min, tools 5 min, waiting for a person 0 ms, idle 24 h` */
function spent({ total, busy, model, tools, waiting, idle }: TimeSplit): string {
  const parts = [`model ${duration(model)}`, `tools ${duration(tools)}`];
  if (waiting > 0) parts.push(`waiting for a person ${duration(waiting)}`);
  if (idle > 0) parts.push(`idle ${duration(idle)}`);
  return `${duration(busy)} busy of ${duration(total)}: ${parts.join(", ")}`;
}

const fileLine = (file: TranscriptSummary["files"][number]) =>
  `    ${line(file.path, 80)} ${changed(file)}`.trimEnd();

/** The lines of a summary. What is not known is "—". */
export function summaryLines(summary: TranscriptSummary): string[] {
  const { asked, answered, ended, files, commits, totals, time } = summary;
  const { failureGroups: groups, errors } = summary;
  const beginning = (text: SummaryText | undefined) => (text === undefined ? "—" : line(text.text));
  const reason = ended?.reason === undefined ? "" : `: ${line(ended.reason)}`;
  return [
    `  asked    ${beginning(asked)}`,
    `  requests ${count(summary.requests)}`,
    `  model    ${modelWords(summary.models.map((model) => line(model, 60))) || "—"}`,
    `  ended    ${ended === undefined ? "—" : `${ended.how}${reason}`}`,
    `  answer   ${beginning(answered)}`,
    `  failed   ${failures(summary)}`,
    ...listed((group) => failureLine(group, summary.failures), groups, groups.length),
    ...errorLines(errors, summary.messageErrors),
    `  changed  ${changes(totals)}`,
    ...listed(fileLine, files, totals.files ?? files.length),
    `  commits  ${count(totals.commits)}`,
    ...listed(
      (commit) => `    ${commit.hash ?? "—"} ${line(commit.message, 80)}`,
      commits,
      totals.commits,
    ),
    `  time     ${time && time.total > 0 ? spent(time) : "—"}`,
    `  cost     ${orDash(summary.cost, dollars)}`,
  ];
}
