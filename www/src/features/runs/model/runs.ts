import type { EndingWord } from "../../../core/model/summary";

/** What the list says of a run once its file was read. What is not known is left out. */
export interface RunFacts {
  title: string;
  format: string;
  model: string;
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
  /** The ids of the sessions of tasks in the same file. */
  tasks?: string[];
}

/** How often a query hits the contents of a run. */
export interface RunHits {
  count: number;
  /** There are more than were counted. */
  capped: boolean;
}

/** Where the bytes of a run are. */
type RunSource = { kind: "file"; file: File } | { kind: "url"; url: string; name: string };

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
