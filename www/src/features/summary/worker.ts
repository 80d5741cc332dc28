import type { PartRef, TranscriptSummary } from "apex-parts";
import type { RowMap } from "../../core/model/row_map";
import type {
  EndingWord,
  FailureGroupView,
  ModelErrorView,
  SummaryView,
} from "../../core/model/summary";
import type { Calls, Desk } from "../../core/worker/desk";
import { fields, firstLine, label } from "../../core/worker/fields";
import { runTitle } from "../../core/worker/first_words";
import type { OpenTranscript } from "../../core/worker/open_transcript";
import { ofSummedUp } from "../../core/worker/summed_up";

/** The most groups of failures, files and commits that the page gets. */
const SHOWN = 1000;
/** The longest instructions that the page gets, in UTF-16 units. */
const LONGEST_SYSTEM = 20_000;

/** What the run of a transcript did. */
function summaryOf({ transcript }: OpenTranscript, map: RowMap): SummaryView {
  const system = label(fields(transcript.session)?.system, LONGEST_SYSTEM) || undefined;
  return { system, ...view(transcript.summary(), map) };
}

function view(summary: TranscriptSummary, map: RowMap): Omit<SummaryView, "system"> {
  const { asked, answered, ended, files, commits } = summary;
  const row = ({ sessionID, message, part }: PartRef) =>
    sessionID === undefined ? map.row(message, part) : -1;
  const said = (text: typeof asked) =>
    text && { text: firstLine(text.text, 300), row: row(text.at) };
  return {
    asked: said(asked),
    answered: said(answered),
    ended: ended && {
      how: ended.how as EndingWord,
      reason: ended.reason && label(ended.reason),
      row: map.row(ended.message),
    },
    failed: summary.failed,
    mended: summary.mended,
    messageErrors: summary.messageErrors,
    groups: groupViews(summary, row),
    groupCount: summary.failureGroups.length,
    errors: errorViews(summary, map),
    title: runTitle(summary) || undefined,
    models: summary.models.map((model) => label(model, 80)),
    totals: summary.totals,
    files: files.slice(0, SHOWN).map((file) => ({
      path: label(file.path),
      added: file.added,
      removed: file.removed,
      row: row(file.at),
    })),
    commits: commits.slice(0, SHOWN).map(({ at, hash, message }) => ({
      hash: hash && label(hash, 12),
      message: label(message),
      row: row(at),
    })),
    // A single moment is no time that something took.
    time: (summary.time?.total ?? 0) > 0 ? summary.time : undefined,
    cost: summary.cost,
  };
}

function groupViews(
  { failureGroups, failures }: TranscriptSummary,
  row: (at: PartRef) => number,
): FailureGroupView[] {
  const place = ({ id, sessionID = "" }: PartRef) => `${sessionID} ${id}`;
  const cures = new Map(failures.map(({ at, mended }) => [place(at), mended]));
  return failureGroups.slice(0, SHOWN).map((group) => {
    const cure = group.count === 1 ? cures.get(place(group.first)) : undefined;
    return {
      tool: label(group.tool, 60),
      subject: label(group.subject),
      exit: group.exit,
      said: label(group.said),
      count: group.count,
      mended: group.mended,
      row: row(group.first),
      mendedRow: cure && row(cure),
    };
  });
}

/** The errors of messages, equal ones as one. */
function errorViews({ errors }: TranscriptSummary, map: RowMap): ModelErrorView[] {
  const views = new Map<string, ModelErrorView>();
  for (const { message, session, name, said: words } of errors) {
    const said = label(words === "" ? name : `${name}: ${words}`);
    const known = views.get(said);
    if (known) known.count++;
    else views.set(said, { said, count: 1, row: session === undefined ? map.row(message) : -1 });
  }
  return [...views.values()];
}

export const summary = (desk: Desk): Calls<"summary"> => ({
  summary: () => ofSummedUp(desk, summaryOf),
});
