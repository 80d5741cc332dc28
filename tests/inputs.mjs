// The files that a test reads.
import { readdirSync } from "node:fs";

/**
 * The names in a folder that match, sorted; an error if there are none, so that no test passes over nothing. It ends
 * with `help`.
 */
export function inputs(folder, pattern = /^/, help = "it belongs to the repository") {
  const names = readdirSync(folder).filter((name) => pattern.test(name));
  if (names.length === 0) throw new Error(`Nothing in ${folder} is named ${pattern}: ${help}.`);
  return names.sort();
}
