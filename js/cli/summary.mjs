// What a run did, as lines: of `inspect`.
import { dollars, plural, time } from "./output.mjs";

/** The most failed calls, files and commits that are printed. */
const LISTED = 20;
/** The width of a terminal that lines are cut to. */
const WIDTH = 110;

/** One line of a text, cut to a width. */
function line(text, width = WIDTH) {
  const plain = text.replace(/\s+/gu, " ").trim();
  return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain;
}

const where = ({ id, sessionID }) => (sessionID === undefined ? id : `${id} of ${sessionID}`);

function listed(lines, of) {
  const more = of.length - LISTED;
  return [...of.slice(0, LISTED).map(lines), ...(more > 0 ? [`    … and ${more} more`] : [])];
}

function failure({ at, tool, subject, exit, said, mended }) {
  const code = exit === undefined ? "" : ` (exit ${exit})`;
  const cure = mended === undefined ? "" : `; passed later: ${where(mended)}`;
  const call = line(`${tool} ${subject}`, 60);
  return `    ✗ ${call}${code}: ${line(said, 60)} [${where(at)}${cure}]`;
}

/** `3 files, +12 −4` */
function changes(files) {
  const sum = (key) => files.reduce((all, file) => all + file[key], 0);
  return `${plural(files.length, "file")}, +${sum("added")} −${sum("removed")}`;
}

/** `20 min busy of 25 h: model 15 min, tools 5 min, waiting for a person 0 ms, idle 24 h` */
function times({ total, busy, model, tools, waiting, idle }) {
  const parts = [`model ${time(model)}`, `tools ${time(tools)}`];
  if (waiting > 0) parts.push(`waiting for a person ${time(waiting)}`);
  if (idle > 0) parts.push(`idle ${time(idle)}`);
  return `${time(busy)} busy of ${time(total)}: ${parts.join(", ")}`;
}

/**
 * The lines of a summary. What is not known is "—".
 * @param {import("../index.js").TranscriptSummary} summary
 */
export function summaryLines(summary) {
  const { asked, answered, ended, failed, mended, failures, files, commits } = summary;
  const said = (text) => (text === undefined ? "—" : line(text.text));
  const reason = ended?.reason === undefined ? "" : `: ${line(ended.reason)}`;
  const cure = mended === 0 ? "" : `, ${mended} mended later`;
  return [
    `  asked    ${said(asked)}`,
    `  ended    ${ended === undefined ? "—" : `${ended.how}${reason}`}`,
    `  answer   ${said(answered)}`,
    `  failed   ${plural(failed, "call")}${cure}`,
    ...listed(failure, failures),
    `  changed  ${changes(files)}`,
    ...listed((file) => `    ${line(file.path, 80)} +${file.added} −${file.removed}`, files),
    `  commits  ${commits.length}`,
    ...listed((commit) => `    ${commit.hash ?? "—"} ${line(commit.message, 80)}`, commits),
    `  time     ${summary.time?.total > 0 ? times(summary.time) : "—"}`,
    `  cost     ${dollars(summary.cost)}`,
  ];
}
