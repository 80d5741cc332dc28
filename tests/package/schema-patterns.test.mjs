// Patterns of a JSON Schema: they say what a RegExp says, and none can block. A test that blocked would never end.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { imported } from "./builtins/source.mjs";
import { consumer, requireFrom } from "./helper.mjs";

const { Automaton } = await imported("tools/pattern/automaton.ts");
const { readPattern } = await imported("tools/pattern/javascript.ts");
const { Pattern, StepBudget } = await imported("tools/pattern/pattern.ts");

const SEED = Number(process.env.PATTERN_SEED ?? 1);
const COUNT = Number(process.env.PATTERNS ?? 5000);

/** Random numbers below `n`, the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

const ATOMS = [
  ...[
    "a",
    "a",
    "b",
    "b",
    "c",
    "-",
    "é",
    "😀",
    ".",
    "^",
    "$",
    "\\b",
    "\\B",
    "[ab]",
    "[^a]",
    "[]",
    "[^]",
  ],
  ...[
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\n",
    "\\x61",
    "\\u0061",
    "\\cJ",
    "\\0",
    "\\.",
    "[a-c\\]]",
  ],
];
const UNICODE = [
  "\\p{L}",
  "\\P{Lu}",
  "\\u{1F600}",
  "\\ud83d\\ude00",
  "\\ud83d",
  "[\\p{L}\\d]",
  "[😀-😂]",
  "[^\\u{61}]",
];
/** Without the flag `u`; none of these is a pattern with it. */
const LEGACY = [
  "\\-",
  "]",
  "{",
  "}",
  "a{",
  "\\p{L}",
  "\\u{2}",
  "\\c",
  "\\cé",
  "\\012",
  "\\x6",
  "[\\w-.]",
  "\\ud83d",
];
const QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{1,3}?", "{0}"];
const LETTERS = [
  "a",
  "b",
  "c",
  "-",
  "é",
  "😀",
  "\ud83d",
  "\ude00",
  "1",
  "_",
  " ",
  "\n",
  "\0",
  "{",
  "\\",
  "p",
  "u",
];

/** A random pattern of a syntax. */
function patternBy(random, syntax, depth = 0) {
  const pick = (list) => list[random(list.length)];
  const more = syntax === "u" ? UNICODE : LEGACY;
  const atom = () => {
    if (depth < 3 && random(4) === 0) {
      const inside = patternBy(random, syntax, depth + 1);
      return `(${pick(["", "?:", `?<n${random(1e9)}>`])}${inside})`;
    }
    return pick(random(4) === 0 ? more : ATOMS);
  };
  const piece = () => {
    const one = atom();
    const isLook = /^(?:\^|\$|\\b|\\B)$/i.test(one);
    return isLook || random(2) ? one : one + pick(QUANTIFIERS);
  };
  const branch = () => Array.from({ length: random(4) }, piece).join("");
  return Array.from({ length: random(4) === 0 ? 2 : 1 }, branch).join("|");
}

/** A RegExp; undefined if the pattern has another syntax. */
function expressionOf(pattern, syntax) {
  try {
    const expression = new RegExp(pattern, "u");
    return syntax === "u" ? expression : undefined;
  } catch {
    try {
      return syntax === "u" ? undefined : new RegExp(pattern);
    } catch {
      return undefined;
    }
  }
}

describe("the automaton", () => {
  for (const syntax of ["u", ""]) {
    test(`matches as a RegExp with the flag "${syntax}" does (seed ${SEED})`, (t) => {
      const random = randomFrom(SEED);
      let compared = 0;
      let matched = 0;
      for (let i = 0; i < COUNT; i++) {
        const pattern = patternBy(random, syntax);
        const expression = expressionOf(pattern, syntax);
        if (expression === undefined) continue;
        const { node, isRegular } = readPattern(pattern, syntax);
        if (!isRegular) continue;
        const automaton = new Automaton(node);
        const own = new Pattern(pattern);
        // V8 takes a place between the halves of a pair for one between characters, where nothing is to be matched.
        const letters = pattern.includes("\\B") ? LETTERS.filter((one) => one < "\ud800") : LETTERS;
        for (let j = 0; j < 8; j++) {
          const text = Array.from(
            { length: random(9) },
            () => letters[random(letters.length)],
          ).join("");
          const expected = expression.test(text);
          const what = JSON.stringify({ pattern, syntax, text });
          assert.equal(automaton.matchesWithin(text, 1e9, syntax === ""), expected, what);
          assert.equal(own.test(text, new StepBudget()), expected, what);
          compared++;
          matched += expected;
        }
      }
      t.diagnostic(`${compared} compared, ${matched} matched`);
      assert.ok(compared > COUNT && matched > compared / 10 && matched < compared * 0.9);
    });
  }
});

describe("a pattern of a schema", () => {
  let parts;
  before(async () => {
    parts = requireFrom(await consumer("schema-patterns"))("apex-parts");
  });

  /** The state of a call whose field `value` has this schema. */
  async function stateOf(schema, value) {
    const registry = new parts.ToolRegistry();
    const parameters = { type: "object", properties: { value: schema } };
    registry.register(
      parts.Tool.define("t", { description: "t", parameters, execute: () => "ran" }),
    );
    const call = { callID: "c", sessionID: "s", messageID: "m", tool: "t", input: { value } };
    return (await registry.execute(call)).state;
  }

  for (const [pattern, unit, tail] of [
    ["^(a+)+$", "a", "!"],
    ["(x+x+)+y", "x", ""],
    ["^(a|aa)+$", "a", "!"],
    ["^([a-z]+)*\\d$", "a", "!"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a", ""],
    ["^(?<word>\\w+?\\s?)*$", "a ", "!"],
    ["a*a*a*b", "a", ""],
    ["^(\\p{L}+)+$", "é", "!"],
    ["^(\\-|a|\\-a)+$", "-a", "!"],
    ["^((?:a{1,20}){1,20}){1,20}b$", "a", ""],
  ]) {
    test(`does not block: ${pattern}`, async () => {
      for (const length of [28, 40, 50_000]) {
        const state = await stateOf({ type: "string", pattern }, unit.repeat(length) + tail);
        if (state.metadata.unchecked === undefined) assert.match(state.error, /matches/);
        else assert.deepEqual([state.status, length], ["completed", 50_000]);
      }
    });
  }

  test("is checked where it has look-around or back references, and is named where that could block", async () => {
    const checked = async (pattern, value) => {
      const { status, metadata } = await stateOf({ type: "string", pattern }, value);
      assert.equal(metadata.unchecked, undefined);
      return status === "completed";
    };
    const password = "^(?=.*[A-Z])(?=(?:.*\\d){2})(?!.*\\s).{8,}$";
    assert.equal(await checked(password, "Passw0rd1"), true);
    assert.equal(await checked(password, "Passw0rd"), false);
    assert.equal(await checked("^(['\"]).*\\1$", "'x'"), true);
    assert.equal(await checked("^(['\"]).*\\1$", "'x\""), false);
    for (const pattern of ["^(?=(a+)+$)", "^(a+)+\\1$", "^(?:a+)+(?<!b)$"]) {
      const text = `${"a".repeat(50)}!`;
      for (const schema of [{ pattern }, { not: { pattern } }]) {
        const { status, output, metadata } = await stateOf(schema, text);
        assert.deepEqual([status, output, metadata.unchecked], ["completed", "ran", [pattern]]);
      }
    }
    const both = { pattern: "^(?=(a+)+$)", maxLength: 5 };
    assert.match((await stateOf(both, `${"a".repeat(50)}!`)).error, /value/);
  });

  test("shares its steps with the others of a value", async () => {
    const items = { type: "string", pattern: "(.*)\\1(.*)b" };
    const state = await stateOf({ type: "array", items }, Array(2000).fill("a".repeat(60)));
    assert.deepEqual(state.metadata.unchecked, [items.pattern]);
  });
});
