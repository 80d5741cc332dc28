// Names of skills: how they are compared, and which are near to one that is not there.

/** How many names an error tells. */
const MOST_NAMES = 20;
/** How many characters may differ in a name that is near. */
const NEAR = 2;
/** The most of a name that is repeated in an error. */
const MOST_SHOWN = 100;

/** Names that look alike are the same. */
export const nameKey = (name: unknown): string => String(name).normalize("NFC");

/** A name without what models get wrong: its case, and `-` for `_`. */
const folded = (name: string) => [...nameKey(name).toLowerCase().replaceAll("_", "-")];

/** How many characters of `a` must be changed to get `b`; undefined if more than `NEAR`. */
function distance(a: string[], b: string[]): number | undefined {
  if (Math.abs(a.length - b.length) > NEAR) return undefined;
  let row: number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next: number[] = [i + 1];
    for (let j = 0; j < b.length; j++) {
      // Each row has one more than b.
      const [before, above, left] = [row[j], row[j + 1], next[j]] as [number, number, number];
      next.push(Math.min(before + (a[i] === b[j] ? 0 : 1), above + 1, left + 1));
    }
    row = next;
    if (Math.min(...row) > NEAR) return undefined;
  }
  const last = row[b.length];
  return last === undefined || last > NEAR ? undefined : last;
}

/** At most 20 of the names: those that are near to the wanted one, the nearest first, then the others in order. */
function nearestFirst(wanted: string, names: string[]): string[] {
  const query = folded(wanted.slice(0, 1000));
  const near = names
    .flatMap((name) => {
      const apart = distance(query, folded(name));
      return apart === undefined ? [] : [{ name, apart }];
    })
    .sort((a, b) => a.apart - b.apart)
    .map(({ name }) => name);
  return [...near, ...names.filter((name) => !near.includes(name))].slice(0, MOST_NAMES);
}

/** What is said of a name that no skill has. */
export function notFound(wanted: string, names: string[]): string {
  const name = wanted.length > MOST_SHOWN ? `${wanted.slice(0, MOST_SHOWN)}…` : wanted;
  if (names.length === 0) return "No skills are available.";
  return `Skill ${JSON.stringify(name)} not found. Available: ${nearestFirst(wanted, names).join(", ")}`;
}
