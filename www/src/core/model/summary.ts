import type { TranscriptSummary } from "apex-parts";

/** Something of the summary that stands in the transcript: its row, or -1 where that is not shown. */
interface SummaryPlace {
  row: number;
}

interface SummaryText extends SummaryPlace {
  text: string;
}

export type EndingWord = "finished" | "aborted" | "failed" | "cut" | "waiting";

/** One word for where a run stands, and its tone. */
export interface RunStatus {
  word: string;
  tone: "good" | "bad" | "busy" | "quiet";
}

/** The same words wherever it is told how a run ended. */
export const ENDINGS: Record<EndingWord, RunStatus> = {
  finished: { word: "finished", tone: "good" },
  aborted: { word: "aborted", tone: "busy" },
  failed: { word: "failed", tone: "bad" },
  cut: { word: "cut off", tone: "busy" },
  waiting: { word: "waiting", tone: "quiet" },
};

export const EMPTY_RUN: RunStatus = { word: "empty", tone: "quiet" };

/** Calls that failed alike: the row is that of the first. */
export interface FailureGroupView extends SummaryPlace {
  tool: string;
  subject: string;
  exit: number | undefined;
  said: string;
  count: number;
  /** How many of them were mended; of a single call, the row of the later one that passed. */
  mended: number;
  mendedRow: number | undefined;
}

/** Messages of the model that ended in the same error: the row is that of the first. */
export interface ModelErrorView extends SummaryPlace {
  said: string;
  count: number;
}

export interface ChangedFileView extends SummaryPlace {
  path: string;
  added: number | undefined;
  removed: number | undefined;
}

export interface CommitView extends SummaryPlace {
  hash: string | undefined;
  message: string;
}

/** Where the time went, in milliseconds. */
export interface TimeView {
  total: number;
  busy: number;
  model: number;
  tools: number;
  waiting: number;
  idle: number;
}

/** What a run did. What is not known is undefined. */
export interface SummaryView {
  /** The instructions of a file of messages for models. */
  system: string | undefined;
  asked: SummaryText | undefined;
  answered: SummaryText | undefined;
  ended: (SummaryPlace & { how: EndingWord; reason: string | undefined }) | undefined;
  failed: number;
  mended: number;
  /** Messages of the model that have an error of their own. */
  messageErrors: number;
  groups: FailureGroupView[];
  /** How many groups there are; the page gets the first. */
  groupCount: number;
  errors: ModelErrorView[];
  /** What all changes come to, as far as it is known; the page gets the first of the files and commits. */
  totals: TranscriptSummary["totals"];
  files: ChangedFileView[];
  commits: CommitView[];
  /** What to call the run, and its models, the one that did the most first. */
  title: string | undefined;
  models: string[];
  time: TimeView | undefined;
  cost: number | undefined;
}
