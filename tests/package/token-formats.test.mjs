// Tokens of the formats of gitleaks' rules, in eight surroundings; `npm run token-formats -- DIR --write` stored them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import {
  failures,
  isGone,
  placed,
  readExceptions,
  rulesOf,
  SURROUNDINGS,
  stored,
  valuesOfRules,
} from "../../scripts/token-formats.mjs";
import { at, consumer, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("token-formats"))("apex-parts");
});

const redact = (text) => {
  const redactor = new parts.Redactor();
  const masked = redactor.redact(text);
  redactor.free();
  return masked;
};

test("values of every rule are masked in every surrounding", () => {
  const { values } = stored();
  assert.ok(Object.keys(values).length > 100, "rules are stored");
  assert.deepEqual(failures(values, redact), []);
});

test("what surrounds a token stays, and masking twice is masking once", () => {
  const { values } = stored();
  for (const surrounding of Object.values(SURROUNDINGS)) {
    const place = surrounding.lastIndexOf("@");
    for (const id of ["github-pat", "gitlab-pat", "maxmind-license-key", "stripe-access-token"]) {
      const masked = redact(placed(surrounding, values[id][0]));
      assert.ok(masked.startsWith(surrounding.slice(0, place)), masked);
      assert.ok(masked.endsWith(surrounding.slice(place + 1)), masked);
      assert.equal(redact(masked), masked);
    }
  }
});

test("the table, the stored values and the third party's license are of one commit", () => {
  const { commit } = stored();
  const table = readFileSync(at("crates", "redact", "src", "token_formats.rs"), "utf8");
  const license = readFileSync(at("crates", "redact", "THIRD-PARTY.md"), "utf8");
  for (const text of [table, license]) assert.ok(text.includes(commit), commit);
});

test("an exception says why", () => {
  for (const [id, { all, values, why }] of Object.entries(readExceptions())) {
    assert.ok((all === true) !== (typeof values === "string"), id);
    assert.ok(why.length > 20 && why.endsWith("."), id);
  }
});

const RULES = `
title = "t"
[[rules]]
id = "one"
regex = '''\\b(ab[c-e]{3}(?i)[x]{2}(?:-|_)\\d{2,4})(?:[\\x60'"\\s;]|$)'''
entropy = 1.5
keywords = ["ab"]
[[rules.allowlists]]
regex = '''none of it'''
[[rules]]
id = "two"
regex = '''(?i)[\\w.-]{0,50}?(?:name)([a-z]{8})'''
[[rules]]
id = "three"
path = '''\\.p12$'''
[[rules]]
id = "four"
regex = '''https://[[:alnum:]]+\\.test/([a-f]{2}-){2}(?P<end>z|\\\\)?'''
`;

test("values are made of the expressions of rules", () => {
  const rules = rulesOf(RULES);
  assert.deepEqual(
    rules.map(({ id }) => id),
    ["one", "two", "three", "four"],
  );
  const values = valuesOfRules(rules, { four: { values: "z$" } });
  assert.deepEqual(Object.keys(values), ["one", "four"]);
  assert.equal(values.one.length, 3);
  for (const value of values.one) assert.match(value, /^ab[c-e]{3}[xX]{2}[-_]\d{2,4}$/);
  for (const value of values.four)
    assert.match(value, /^https:\/\/[\dA-Za-z]+\.test\/(?:[a-f]{2}-){2}\\?$/);
  assert.deepEqual(valuesOfRules(rules, {}), valuesOfRules(rules, { four: { why: "" } }));
});

test("a value of which a long piece is left is not gone", () => {
  assert.ok(isGone("0123456789", "a [redacted x 1] b"));
  assert.ok(isGone("0123456789", "a 012[redacted x 1]789"));
  assert.ok(!isGone("0123456789", "a 0123456[redacted x 1]"));
  assert.ok(!isGone("0123456789", "[redacted x 1]3456789"));
  const failed = failures({ r: ["0123456789"], none: [] }, (text) => text);
  assert.equal(failed.length, Object.keys(SURROUNDINGS).length + 1);
});
