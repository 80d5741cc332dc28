// Names of skills: how they are compared, and which are near to one that is not there.

/** How many names an error tells. */
const MOST_NAMES = 20;
/** How many characters may differ in a name that is near. */
const NEAR = 2;
/** The most of a name that is repeated in an error. */
const MOST_SHOWN = 100;

/** Names that look alike are the same. */
export const nameKey = (name) => String(name).normalize("NFC");

/** A name without what models get wrong: its case, and `-` for `_`. */
const folded = (name) => [...nameKey(name).toLowerCase().replaceAll("_", "-")];

/** How many characters of `a` must be changed to get `b`; undefined if more than `NEAR`. */
function distance(a, b) {
  if (Math.abs(a.length - b.length) > NEAR) return undefined;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j] + (a[i] === b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1));
    }
    row = next;
    if (Math.min(...row) > NEAR) return undefined;
  }
  return row[b.length] > NEAR ? undefined : row[b.length];
}

/** At most 20 of the names: those that are near to the wanted one, the nearest first, then the others in order. */
function nearestFirst(wanted, names) {
  const given = folded(wanted.slice(0, 1000));
  const near = names
    .map((name) => ({ name, apart: distance(given, folded(name)) }))
    .filter(({ apart }) => apart !== undefined)
    .sort((a, b) => a.apart - b.apart)
    .map(({ name }) => name);
  return [...near, ...names.filter((name) => !near.includes(name))].slice(0, MOST_NAMES);
}

/** What is said of a name that no skill has. */
export function notFound(wanted, names) {
  const shown = wanted.length > MOST_SHOWN ? `${wanted.slice(0, MOST_SHOWN)}…` : wanted;
  if (names.length === 0) return "No skills are available.";
  return `Skill ${JSON.stringify(shown)} not found. Available: ${nearestFirst(wanted, names).join(", ")}`;
}
