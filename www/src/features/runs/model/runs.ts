import type { EndingWord } from "../../../core/model/summary";

/** What the list says of a run once its file was read. What is not known is left out. */
export interface RunFacts {
  title: string;
  format: string;
  /** The model that did the most, and all of them where there are several. */
  model: string;
  models?: string[];
  ended?: EndingWord;
  start?: number;
  cost?: number;
  /** Calls that have failed. */
  failed: number;
  loops: number;
  /** Milliseconds in which a model or a tool was at work. */
  busy?: number;
  /** The id of its session, and of the one whose task it is. */
  session?: string;
  parent?: string;
  /** The id of the session that it was forked from. */
  forkOf?: string;
  /** The ids of the sessions of tasks in the same file. */
  tasks?: string[];
  /** Of a run of several files, what is in each of the others that has a session of its own, by its path. */
  files?: Record<string, RunFacts>;
}

/** How often a query hits the contents of a run. */
export interface RunHits {
  count: number;
  /** There are more than were counted. */
  capped: boolean;
}

/** Where the bytes of a file are; `run` has all files of its run, this one first, where there are several. */
type RunSource = ({ kind: "file"; file: File } | { kind: "url"; url: string; name: string }) & {
  run?: readonly { path: string; source: RunSource }[];
};

/** A file that can be a transcript. */
export interface FoundRun {
  /** Its path in the folder that it came with. */
  path: string;
  size: number;
  /** Its date, in milliseconds since the Unix epoch. */
  modified: number;
  source: RunSource;
}

export interface Run extends FoundRun {
  id: number;
  /** The run that this is a file of, by its id: what was read of that one tells of this. */
  owner?: number;
  /** Its owner goes on in it: it has no session of its own. */
  isPart?: true;
  facts?: RunFacts;
  /** Why it could not be read. */
  error?: string;
}

export function runOfFile(path: string, file: File): FoundRun {
  return { path, size: file.size, modified: file.lastModified, source: { kind: "file", file } };
}

export function titleOf({ path, facts }: Run): string {
  return facts?.title || path.slice(path.lastIndexOf("/") + 1);
}

/** When it began, where the file says so; the file's own date until it was read. */
export function dateOf({ modified, facts }: Run): number | undefined {
  return facts ? facts.start : modified;
}
