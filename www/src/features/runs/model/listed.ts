import { columnOf, type RunColumn } from "./columns";
import type { Run, RunHits } from "./runs";

export interface Order {
  by: RunColumn;
  descending: boolean;
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
    const { title = "", format = "", model = "", models = [model] } = facts ?? {};
    const lower = [path, title, format, ...models].join("\n").toLowerCase();
    return words.every((word) => lower.includes(word));
  });
  const { value } = columnOf(by);
  const sign = descending ? -1 : 1;
  const keyed = found.map((run) => ({ run, value: value(run) }));
  keyed.sort((a, b) => {
    if (a.value === b.value) return a.run.id - b.run.id;
    if (a.value === undefined) return 1;
    if (b.value === undefined) return -1;
    return (a.value < b.value ? -1 : 1) * sign;
  });
  return keyed.map(({ run }) => run);
}
