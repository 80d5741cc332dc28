import { sessionFileOf } from "../../../../../ts/cli/transcript-files.ts";
import type { Run, RunFacts } from "./runs";

/** Of each file of a sub-agent, by its id, the run that it belongs to, where that is in the list. */
export function ownersOf(runs: readonly Run[]): Map<number, Run> {
  const byPath = new Map(runs.map((run) => [run.path, run]));
  const owners = new Map<number, Run>();
  for (const run of runs) {
    const owner = byPath.get(sessionFileOf(run.path) ?? "");
    if (owner) owners.set(run.id, owner);
  }
  return owners;
}

/** The runs, each with the figures of its sub-agents' files in its own. */
export function withSubAgents(runs: readonly Run[]): readonly Run[] {
  const owners = ownersOf(runs);
  if (owners.size === 0) return runs;
  const sums = new Map<number, RunFacts>();
  for (const run of runs) {
    const owner = owners.get(run.id);
    const sum = owner && (sums.get(owner.id) ?? owner.facts);
    if (owner && sum && run.facts) sums.set(owner.id, add(sum, run.facts));
  }
  return runs.map((run) => {
    const facts = sums.get(run.id);
    return facts ? { ...run, facts } : run;
  });
}

function add(sum: RunFacts, { cost, failed, loops }: RunFacts): RunFacts {
  return {
    ...sum,
    ...(cost === undefined ? {} : { cost: (sum.cost ?? 0) + cost }),
    failed: sum.failed + failed,
    loops: sum.loops + loops,
  };
}

/** How many runs these files are: those of sub-agents are of the runs that they belong to. */
export function countRuns(files: readonly Run[], owners: ReadonlyMap<number, Run>): number {
  return new Set(files.map((run) => (owners.get(run.id) ?? run).id)).size;
}
