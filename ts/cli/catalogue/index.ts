// The catalogue of rules and errors in one place: what `apex-parts explain` and the page of `npm run docs` read. Only they load
// it. A test runs every example against the package, and compares the codes with those of the source.
import { CALLS } from "./calls.ts";
import { CLASSES } from "./classes.ts";
import { DELTAS } from "./deltas.ts";
import { FORMATS } from "./formats.ts";
import { LOOPS } from "./loops.ts";
import { MCP } from "./mcp.ts";
import { COMPACTIONS, PARTS } from "./parts.ts";
import { REQUESTS } from "./requests.ts";
import type { Group, Rule } from "./rule.ts";
import { SKILLS } from "./skills.ts";
import { LOGS, RUN_ENDS, STORE_ERRORS } from "./store.ts";
import { COMPACTION_ERRORS, WORDS } from "./words.ts";

/** All rules, in groups. */
export const GROUPS: Group[] = [
  { title: "Parts and messages", rules: PARTS },
  { title: "Streams and runs", rules: DELTAS },
  { title: "Compactions", rules: COMPACTIONS },
  { title: "Requests to providers, and messages of other programs", rules: REQUESTS },
  { title: "All input and files", rules: WORDS },
  { title: "Warnings about sessions: the name of their format", rules: FORMATS },
  { title: "Loops: `kind`", rules: LOOPS },
  { title: "Skills", rules: SKILLS },
  { title: "MCP servers", rules: MCP },
  { title: "Run logs", rules: LOGS },
  { title: "Run log errors: `code`", rules: STORE_ERRORS },
  { title: "How runs end: `errorCode`", rules: RUN_ENDS },
  { title: "Failed tool calls: `metadata.kind`", rules: CALLS },
  { title: "Compaction errors: `details.reason`", rules: COMPACTION_ERRORS },
  { title: "Errors by class: `name`", rules: CLASSES },
];

export const RULES: Rule[] = GROUPS.flatMap(({ rules }) => rules);

/** The rule of this code, in any case of letters. */
export const ruleOf = (code: string): Rule | undefined => {
  const wanted = code.toLowerCase();
  return RULES.find((rule) => rule.code.toLowerCase() === wanted);
};

/** An entry of a row, which is as long as the text. */
const at = (row: readonly number[], place: number) => row[place] ?? 0;

/** How many letters have to change to make one text of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, at(row, j) + 1, at(next, j - 1) + 1));
    }
    row = next;
  }
  return at(row, b.length);
}

/** The codes that are nearest to what is not one, at most three. */
export function nearest(code: string): string[] {
  const wanted = code.slice(0, 40).toLowerCase();
  const ranked = RULES.map((rule): [far: number, code: string] => [
    distance(wanted, rule.code.toLowerCase()),
    rule.code,
  ]);
  const least = Math.min(...ranked.map(([far]) => far));
  return ranked
    .filter(([far]) => far === least)
    .map(([, name]) => name)
    .slice(0, 3);
}
