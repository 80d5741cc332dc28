// The lists of others that secrets are counted of: how their rules are read, and what counts as found.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isBeside, secretsIn, toRegExp } from "../../scripts/recall/rules.mjs";
import { measure, reasonOf } from "../../scripts/recall.mjs";

const rule = (more) => ({
  id: "a.1",
  name: "A key",
  pattern: "(k_[a-z]{4})",
  examples: [],
  others: [],
  ...more,
});

test("an expression of Rust is read, in verbose mode too", () => {
  const verbose = "(?x)(?i)\n \\b (?# a key ) (k_ [[:alnum:] \\ ]{2} | (?i:x)) # the end\n \\z";
  const regExp = toRegExp(verbose);
  assert.equal(regExp.source, "\\b(k_[0-9A-Za-z\\ ]{2}|(?:x))$");
  assert.equal(regExp.flags, "dgi");
  assert.equal(toRegExp("(?<="), undefined);
});

test("a secret is what the groups take, or the whole match, or the whole text", () => {
  assert.deepEqual(secretsIn("u=k_abcd", /u=(k_\w+)/dgu), [[2, 8]]);
  assert.deepEqual(secretsIn("u=k_abcd", /k_\w+/dgu), [[2, 8]]);
  assert.deepEqual(secretsIn("none", /k_\w+/dgu), [[0, 4]]);
});

test("a rule whose value is told by a name near it is known", () => {
  assert.ok(isBeside("(?xi) heroku (?:.|[\\n\\r]){0,32}? ([a-f]{8})"));
  assert.ok(!isBeside("(k_[a-z]{4})"));
});

test("found, missed, left out and negative examples are counted", () => {
  const find = (text) => {
    const start = text.indexOf("k_a");
    return start < 0 ? [] : [{ kind: "service-key", start, end: start + 6 }];
  };
  const { counts, missed, wrong } = measure(
    [
      rule({ examples: ["k_abcd", "k_bbcd", "k_cccc"], others: ["k_aaaa", "none"] }),
      rule({ name: "A Password Hash", examples: ["k_abcd"] }),
      rule({ pattern: "a(?:.|[\\n\\r]){0,9}?(k_[a-z]{4})", examples: ["a k_abcd"] }),
    ],
    find,
  );
  assert.deepEqual([counts.found, counts.rules, counts.foundBeside, counts.besides], [1, 3, 1, 1]);
  assert.deepEqual(
    missed.map(({ text }) => text),
    ["k_bbcd", "k_cccc"],
  );
  assert.deepEqual(
    wrong.map(({ text }) => text),
    ["k_aaaa"],
  );
  assert.deepEqual(counts.leftOut, { "hashes of passwords": 1 });
  assert.equal(reasonOf(rule({})), undefined);
});
