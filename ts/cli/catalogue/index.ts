// The catalogue of rules and errors in one place: what `apex-parts explain` and docs/rules.md read. Only they load
// it. A test runs every example against the package, and compares the codes with those of the source.
import { CALLS } from "./calls.ts";
import { CLASSES } from "./classes.ts";
import { DELTAS } from "./deltas.ts";
import { LOOPS } from "./loops.ts";
import { MCP } from "./mcp.ts";
import { COMPACTIONS, PARTS } from "./parts.ts";
import { SKILLS } from "./skills.ts";
import { LOGS, RUN_ENDS, STORE_ERRORS } from "./store.ts";
import { COMPACTION_ERRORS, WORDS } from "./words.ts";

/**
 * Groups of rules. A rule has a `code`, what it `says`, its `cure`, what part of the package it is about
 * (`source`), its `severity` or the `action` that a loop suggests, and an `example` that breaks it, or why there is none (`never`). An example takes the
 * exports of its entry, `from`; what it gives or throws has the code, or the one that it `gives`.
 */
export const GROUPS = [
  { title: "Parts and messages", rules: PARTS },
  { title: "Streams and runs", rules: DELTAS },
  { title: "Compactions", rules: COMPACTIONS },
  { title: "All input and files", rules: WORDS },
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

export const RULES = GROUPS.flatMap(({ rules }) => rules);

/** The rule of this code, in any case of letters. */
export const ruleOf = (code) => {
  const wanted = code.toLowerCase();
  return RULES.find((rule) => rule.code.toLowerCase() === wanted);
};

/** How many letters have to change to make one text of the other. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

/** The codes that are nearest to what is none, at most three. */
export function nearest(code) {
  const wanted = code.slice(0, 40).toLowerCase();
  const ranked = RULES.map((rule) => [distance(wanted, rule.code.toLowerCase()), rule.code]);
  const least = Math.min(...ranked.map(([far]) => far));
  return ranked
    .filter(([far]) => far === least)
    .map(([, name]) => name)
    .slice(0, 3);
}
