import type { Run } from "./runs";
import { ownersOf } from "./sub_agents";

/** A run in the list, under the one whose task it is. */
export interface ListedRun {
  run: Run;
  /** How many runs it is under. */
  depth: number;
  /** How many runs of tasks are under it. */
  children: number;
}

/** Deeper ones are not indented further: the title needs the room. */
const DEEPEST = 6;

/** Runs by the ids of the sessions in their files; of an id in several files, the first that is the file's own. */
export function bySession(runs: readonly Run[]): Map<string, Run> {
  const found = new Map<string, Run>();
  const add = (id: string | undefined, run: Run) => {
    if (id !== undefined && !found.has(id)) found.set(id, run);
  };
  for (const run of runs) add(run.facts?.session, run);
  for (const run of runs) for (const id of run.facts?.tasks ?? []) add(id, run);
  return found;
}

/** The runs of tasks, by the id of the session whose tasks they are. */
export function byParent(runs: readonly Run[]): Map<string, Run[]> {
  const found = new Map<string, Run[]>();
  for (const run of runs) {
    const parent = run.facts?.parent;
    if (parent === undefined) continue;
    const siblings = found.get(parent);
    if (siblings) siblings.push(run);
    else found.set(parent, [run]);
  }
  return found;
}

/**
 * Sorted runs as trees: the session of a task, where it has a file of its own, comes behind the one that gave
 * the task, in the order of the others. What is under a `folded` one is left out.
 */
export function asTrees(sorted: readonly Run[], folded: ReadonlySet<number>): ListedRun[] {
  const sessions = bySession(sorted);
  const owners = ownersOf(sorted);
  const under = new Map<number, Run[]>();
  const roots: Run[] = [];
  for (const run of sorted) {
    if (run.isPart) continue;
    const parent = owners.get(run.id) ?? sessions.get(run.facts?.parent ?? "");
    if (!parent || parent === run) roots.push(run);
    else {
      const siblings = under.get(parent.id);
      if (siblings) siblings.push(run);
      else under.set(parent.id, [run]);
    }
  }
  const listed: ListedRun[] = [];
  const seen = new Set<number>();
  const add = (root: Run) => {
    const rest: { run: Run; depth: number; hidden: boolean }[] = [
      { run: root, depth: 0, hidden: false },
    ];
    for (let next = rest.pop(); next; next = rest.pop()) {
      const { run, depth, hidden } = next;
      if (seen.has(run.id)) continue;
      seen.add(run.id);
      const children = under.get(run.id) ?? [];
      if (!hidden) listed.push({ run, depth: Math.min(depth, DEEPEST), children: children.length });
      const inside = { depth: depth + 1, hidden: hidden || folded.has(run.id) };
      for (const child of [...children].reverse()) rest.push({ run: child, ...inside });
    }
  };
  for (const root of roots) add(root);
  // Those that say to be each other's are under none.
  for (const run of sorted) if (!run.isPart) add(run);
  return listed;
}
