// `npm run token-formats -- DIR [--write]` compares the table of tokens (crates/redact/src/token_formats.rs) with a
// checkout of gitleaks in DIR: values made from the expression of each of its rules must be masked in eight
// surroundings, or the rule stands in exceptions.json beside the table with the reason. `--write` stores the values for
// `npm test`. It needs the built package.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, isMain, main } from "./lib.mjs";
import { randomNumbers, valuesOf } from "./token-formats/expression.mjs";

const STORED = at("tests", "fixtures", "token-formats.json");
const EXCEPTIONS = at("crates", "redact", "src", "token_formats", "exceptions.json");
/** Values of each rule. */
const COUNT = 3;
/** What stands before the value in an expression that needs a name beside it. */
const NAME_BESIDE = String.raw`[\w.-]{0,50}?`;

/** Where a token stands in a session, at the `@`. */
export const SURROUNDINGS = {
  env: "$ printenv | sort\nVALUE=@\nPWD=/w\n",
  JSON: '{"output":"created @\\nok","n":3}',
  "log in colours": "12:01 \u001b[36mINFO\u001b[0m using \u001b[1m@\u001b[0m for client",
  diff: "@@ -1,2 +1,2 @@\n-const k = '';\n+const k = '@';\n",
  "numbered lines": '    12→  value = "@"\n    13→  run()',
  "attribute of HTML": '<div data-x="@">x</div>',
  table: "| name | value |\n|---|---|\n| main | @ |",
  backticks: "then I put `@` in the file",
};

/** A text with a value in a surrounding. */
export const placed = (surrounding, value) => {
  // A diff has signs of its own.
  const place = surrounding.lastIndexOf("@");
  return surrounding.slice(0, place) + value + surrounding.slice(place + 1);
};

/** Whether so much of a value is gone that nobody could use it. */
export function isGone(value, masked) {
  const length = Math.ceil(value.length * 0.7);
  return !masked.includes(value.slice(0, length)) && !masked.includes(value.slice(-length));
}

/** The rules of gitleaks' configuration: id, expression, the least entropy. */
export function rulesOf(toml) {
  return toml
    .split(/^\[\[rules\]\]$/mu)
    .slice(1)
    .map((text) => {
      const [own] = text.split(/^\[/mu);
      return {
        id: /^id = "([^"]+)"/mu.exec(own)?.[1],
        expression: /^regex = '''([\s\S]*?)'''/mu.exec(own)?.[1],
        entropy: Number(/^entropy = ([\d.]+)/mu.exec(own)?.[1] ?? 0),
      };
    });
}

/** Values of each rule whose expression needs no name beside it, by the rule's id. */
export function valuesOfRules(rules, exceptions) {
  const random = randomNumbers(20261130);
  const values = {};
  for (const { id, expression, entropy } of rules) {
    if (!expression || expression.includes(NAME_BESIDE) || exceptions[id]?.all) continue;
    const others = exceptions[id]?.values ? new RegExp(exceptions[id].values, "u") : undefined;
    values[id] = valuesOf(expression, 2 * COUNT, random, entropy)
      .filter((value) => !others?.test(value))
      .slice(0, COUNT);
  }
  return values;
}

/** Whatever is left of a value in a surrounding, as sentences. */
export function failures(values, redact) {
  const failed = [];
  for (const [id, ofRule] of Object.entries(values)) {
    if (ofRule.length === 0) failed.push(`${id}: no value could be made of its expression`);
    for (const value of ofRule) {
      for (const [name, surrounding] of Object.entries(SURROUNDINGS)) {
        const masked = redact(placed(surrounding, value));
        if (!isGone(value, masked)) failed.push(`${id}, ${name}: ${value} stays`);
      }
    }
  }
  return failed;
}

/** Values in pieces: a file with tokens in it would alarm every scanner. */
const inPieces = (value) => value.replace(/.{4}(?=.)/gsu, "$& ");

/** The stored values, by rule, and the commit that they are from. */
export function stored() {
  const { commit, rules } = JSON.parse(readFileSync(STORED, "utf8"));
  const whole = (values) => values.map((value) => value.replaceAll(" ", ""));
  return {
    commit,
    values: Object.fromEntries(Object.entries(rules).map(([id, values]) => [id, whole(values)])),
  };
}

export const readExceptions = () => JSON.parse(readFileSync(EXCEPTIONS, "utf8"));

async function compare([folder, ...options]) {
  if (!folder)
    throw new Error("npm run token-formats -- DIR [--write]: DIR is a checkout of gitleaks");
  const exceptions = readExceptions();
  const rules = rulesOf(readFileSync(join(folder, "config", "gitleaks.toml"), "utf8"));
  const values = valuesOfRules(rules, exceptions);
  const unknown = Object.keys(exceptions).filter((id) => !rules.some((rule) => rule.id === id));
  const { Redactor } = await import("../pkg/node.mjs");
  const failed = failures(values, (text) => {
    const redactor = new Redactor();
    const masked = redactor.redact(text);
    redactor.free();
    return masked;
  });
  failed.push(...unknown.map((id) => `${id}: an exception for a rule that there is not`));
  if (options.includes("--write")) {
    const git = ["-C", folder, "rev-parse", "HEAD"];
    const commit = execFileSync("git", git, { encoding: "utf8" }).trim();
    const pieces = Object.entries(values).map(([id, list]) => [id, list.map(inPieces)]);
    const content = { commit, rules: Object.fromEntries(pieces) };
    writeFileSync(STORED, `${JSON.stringify(content, undefined, 2)}\n`);
  }
  const count = Object.keys(values).length;
  console.log(`${rules.length} rules, ${count} of them without a name beside the value.`);
  if (failed.length > 0) throw new Error(failed.join("\n"));
  console.log("Every value is masked in every surrounding.");
}

if (isMain(import.meta)) main(() => compare(process.argv.slice(2)));
