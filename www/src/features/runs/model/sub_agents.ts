import type { Run } from "./runs";

/** Of each file that is part of a run, by its id, the row of that run. */
export function ownersOf(runs: readonly Run[]): Map<number, Run> {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const owners = new Map<number, Run>();
  for (const run of runs) {
    const owner = run.owner === undefined ? undefined : byId.get(run.owner);
    if (owner) owners.set(run.id, owner);
  }
  return owners;
}

/**
 * The runs, once it is known which files are of one: `groups` has the paths of each, first that of the session itself.
 * Files of one run are read and opened as one; their rows stand under that of the run.
 */
export function grouped(runs: readonly Run[], groups: readonly (readonly string[])[]): Run[] {
  const byPath = new Map(runs.map((run) => [run.path, run]));
  const made = new Map<number, Run>();
  for (const paths of groups) {
    const [first, ...others] = paths.flatMap((path) => byPath.get(path) ?? []);
    if (!first || others.length === 0) continue;
    const run = [first, ...others].map(({ path, source }) => ({ path, source }));
    made.set(first.id, { ...first, source: { ...first.source, run } });
    for (const other of others) made.set(other.id, { ...other, owner: first.id });
  }
  return runs.map((run) => made.get(run.id) ?? run);
}

/**
 * The runs, with what was read of one of them in the rows of its files too. Where it could not be read, each of its
 * files is a run of its own.
 */
export function withFilesOf(runs: readonly Run[], { id, facts, error }: Run): Run[] {
  return runs.map((run) => {
    if (run.owner !== id) return run;
    const { owner: _, ...alone } = run;
    if (error !== undefined) return alone;
    const own = facts?.files?.[run.path];
    return own ? { ...run, facts: own } : { ...run, isPart: true };
  });
}

/** How many runs these files are: those that are part of one are no others. */
export function countRuns(files: readonly Run[], owners: ReadonlyMap<number, Run>): number {
  return new Set(files.map((run) => (owners.get(run.id) ?? run).id)).size;
}
