import type { EndingWord } from "../../summary/model";

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

export const COLUMNS = [
  "title",
  "date",
  "agent",
  "model",
  "cost",
  "failed",
  "loops",
  "busy",
  "size",
] as const;
export type RunColumn = (typeof COLUMNS)[number];

export interface Order {
  by: RunColumn;
  descending: boolean;
}

/** What a column is sorted by; undefined, where it is not known, comes last both ways. */
function sortedBy(run: Run, by: RunColumn): string | number | undefined {
  const { facts } = run;
  switch (by) {
    case "title":
      return titleOf(run).toLowerCase();
    case "date":
      return dateOf(run);
    case "agent":
      return facts?.format;
    case "model":
      return facts?.model || undefined;
    case "size":
      return run.size;
    default:
      return facts?.[by];
  }
}

export function titleOf({ path, facts }: Run): string {
  return facts?.title || path.slice(path.lastIndexOf("/") + 1);
}

/** When it began, where the file says so; the file's own date until it was read. */
export function dateOf({ modified, facts }: Run): number | undefined {
  return facts ? facts.start : modified;
}

/** Those whose title, path, agent or model has all the words, and those with hits, in order. */
export function listed(
  runs: readonly Run[],
  query: string,
  { by, descending }: Order,
  hits: ReadonlyMap<number, RunHits>,
): Run[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = runs.filter((run) => {
    if (hits.has(run.id)) return true;
    const { path, facts } = run;
    const said = `${path}\n${facts?.title ?? ""}\n${facts?.format ?? ""}\n${facts?.model ?? ""}`;
    const lower = said.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
  const sign = descending ? -1 : 1;
  const keyed = found.map((run) => ({ run, value: sortedBy(run, by) }));
  keyed.sort((a, b) => {
    if (a.value === b.value) return a.run.id - b.run.id;
    if (a.value === undefined) return 1;
    if (b.value === undefined) return -1;
    return (a.value < b.value ? -1 : 1) * sign;
  });
  return keyed.map(({ run }) => run);
}
