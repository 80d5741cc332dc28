// The fingerprint of very many values distinguishes exactly what JSON distinguishes.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { beginningOf, MANY, printHigh, printLow } from "../../src/wasm/api/fingerprint.js";

const MOST = 6_000;

/** The fingerprint; undefined if there is none. */
const printOf = (value) =>
  beginningOf(value, MOST) === undefined ? undefined : `${printHigh()} ${printLow()}`;

/** JSON with sorted fields. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join()}}`;
}

/** Enough values for a fingerprint, including `value`. */
const padded = (value) => ({ value, rest: Array.from({ length: MANY }, (_, i) => i) });

/** The same with the fields of all objects in the opposite order. */
function turned(value) {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  );
}

const json = fc.jsonValue({ maxDepth: 4 });

test("values with the same JSON have the same fingerprint, in any order of fields", () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      const print = printOf(padded(a));
      assert.equal(printOf(turned(padded(a))), print);
      assert.equal(printOf(JSON.parse(JSON.stringify(padded(a)))), print);
      assert.equal(printOf(padded(b)) === print, canonical(a) === canonical(b));
    }),
    { numRuns: 200 },
  );
});

test("values that differ in a few bits have different fingerprints", () => {
  const values = [
    ...[null, false, true, 0, 1, -1, 1.5, 2 ** 53, 5e-324, 1e308, "", "0", "1", "null", "true"],
    ...[[], [[]], [0], [0, 0], ["0"], {}, { a: 0 }, { a: "0" }, { b: 0 }, { "": 0 }, [{}], [null]],
    ...["ab", "ba", "a\0", "\0a", "\ud800", "\udc00", "\ufffd", ["a", "b"], ["ab", ""], ["", "ab"]],
    ...[{ a: 1, b: 2 }, { a: 2, b: 1 }, { a: { b: 1 } }, { b: { a: 1 } }, { a: [1] }],
  ];
  const seen = new Map();
  for (const value of values) {
    const print = printOf(padded(value));
    assert.equal(seen.get(print), undefined, canonical(value));
    seen.set(print, canonical(value));
  }
  // Consecutive numbers and texts, such as ids and lines.
  const many = new Set();
  for (let i = 0; i < 1_000; i++) {
    many.add(printOf(Array.from({ length: MANY }, (_, k) => (k === 7 ? i : 0))));
    if (i % 10 === 0) many.add(printOf(Array.from({ length: MANY }, () => `line ${i}`)));
  }
  assert.equal(many.size, 1_100);
});

test("values that JSON writes in the same way have the same fingerprint", () => {
  assert.equal(printOf(padded(-0)), printOf(padded(0)));
  assert.equal(printOf(padded(Number.NaN)), printOf(padded(null)));
  assert.equal(printOf(padded(Object.create(null))), printOf(padded({})));
  const hidden = Object.defineProperty({ a: 1 }, "b", { value: 2, enumerable: false });
  assert.equal(printOf(padded(hidden)), printOf(padded({ a: 1 })));
  assert.equal(printOf(padded({ a: 1, [Symbol("b")]: 2 })), printOf(padded({ a: 1 })));
  const wide = Object.fromEntries(Array.from({ length: 2 * MANY }, (_, i) => [`key ${i}`, i]));
  assert.notEqual(printOf(wide), undefined);
  assert.equal(printOf(turned(wide)), printOf(wide));
});

test("the text is the beginning of their JSON", () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 0, max: 9_000 }), (value, most) => {
      const all = padded(value);
      const text = beginningOf(all, most);
      assert.equal(text.slice(0, most), JSON.stringify(all).slice(0, most));
      assert.ok(text.length >= Math.min(most, JSON.stringify(all).length));
    }),
    { numRuns: 100 },
  );
  const long = padded("é\n".repeat(MOST));
  assert.ok(JSON.stringify(long).startsWith(beginningOf(long, MOST).slice(0, MOST)));
});

test("there is none for few values, and for values that JSON does not write as they are", () => {
  for (const value of [undefined, null, "text", 1, [], {}, { a: [1, 2] }]) {
    assert.equal(beginningOf(value, MOST), undefined);
  }
  const cycle = padded(1);
  cycle.value = cycle;
  let deep = 1;
  for (let i = 0; i < 300; i++) deep = [deep];
  const odd = [
    ...[undefined, 1n, () => 1, Symbol("a"), new Date(0), new Number(1), new String("a")],
    ...[new Map(), deep, { toJSON: () => 1 }, { a: undefined }, [undefined, 1]],
  ];
  for (const value of [cycle, ...odd.map(padded)])
    assert.equal(beginningOf(value, MOST), undefined);
  const thrown = Object.defineProperty({}, "a", {
    enumerable: true,
    get() {
      throw new Error("no");
    },
  });
  assert.equal(beginningOf(padded(thrown), MOST), undefined);
});
