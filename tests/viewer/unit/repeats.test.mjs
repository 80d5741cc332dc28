/** Which calls of a loop stand one after another, and so fold into one row. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { stretchesOf, RepeatFolds } = await load("core/store/repeats.ts");
const { RowMap } = await load("core/model/row_map.ts");

const TEXT = 0;
const TOOL = 2;

/** Messages, each with the types of its parts; one that begins with `user` is the user's. */
function made(messages, loops, kind = "exact_repeat") {
  const firstPart = [0];
  const types = messages.flatMap(([, ...parts]) => parts);
  for (const [, ...parts] of messages) firstPart.push(firstPart.at(-1) + parts.length);
  const roles = Uint8Array.from(messages, ([role]) => (role === "user" ? 1 : 2));
  const map = new RowMap(Uint32Array.from(firstPart));
  const layout = { firstPart: map.firstPart, types: Uint8Array.from(types), roles };
  return { layout, map, loops: loops.map((rows) => ({ kind, rows })) };
}

const call = ["assistant", TOOL];

describe("stretches", () => {
  test("are calls with nothing between them but words of the agent", () => {
    const said = ["assistant", TEXT, TOOL];
    // Rows: 0 1 | 2 3 4 | 5 6 | 7 8
    const content = made([call, said, call, call], [[1, 4, 6, 8]]);
    assert.deepEqual(stretchesOf(content), [
      { first: 1, end: 9, calls: [1, 4, 6, 8], equal: true },
    ]);
  });

  test("end at another call, and at a word of the user", () => {
    const messages = [call, call, call, call, ["user", TEXT], call, call, call];
    // Rows: 0 1 | 2 3 | 4 5 | 6 7 | 8 9 | 10 11 | 12 13 | 14 15
    assert.deepEqual(stretchesOf(made(messages, [[1, 3, 5, 7, 11, 13, 15]])), [
      { first: 1, end: 8, calls: [1, 3, 5, 7], equal: true },
      { first: 11, end: 16, calls: [11, 13, 15], equal: true },
    ]);
    assert.deepEqual(stretchesOf(made(messages, [[1, 5, 7]])), []);
  });

  test("of two loops that share calls are those of the longer", () => {
    const content = made([call, call, call, call], [[3, 5, 7], [1, 3, 5, 7], []]);
    assert.deepEqual(stretchesOf(content), [
      { first: 1, end: 8, calls: [1, 3, 5, 7], equal: true },
    ]);
  });

  test("of equal calls go before those of others", () => {
    const content = made(Array(6).fill(call), [
      [3, 5, 7],
      [1, 3, 5, 7, 9, 11],
    ]);
    content.loops[1].kind = "stagnation";
    assert.deepEqual(
      stretchesOf(content).map(({ first, end }) => [first, end]),
      [[3, 8]],
    );
    content.loops.push({ kind: "cycle", rows: [9, 11, 13] });
    const more = made(Array(7).fill(call), []);
    const all = stretchesOf({ ...more, loops: content.loops });
    assert.deepEqual(
      all.map(({ first, end, equal }) => [first, end, equal]),
      [[3, 8, true]],
    );
  });
});

const foldsOf = (content) =>
  new RepeatFolds(
    () => content,
    (row) => row,
  );

test("equal calls begin folded: one row stands for them", () => {
  const folds = foldsOf(made([call, call, call, ["assistant", TEXT]], [[1, 3, 5]]));
  const stretch = folds.at(1);
  assert.deepEqual(folds.folded, [[2, 6]]);
  assert.deepEqual(
    [0, 1, 2, 5, 6].map((row) => folds.hides(row)),
    [false, false, true, true, false],
  );
  assert.deepEqual([folds.standingFor(5), folds.standingFor(6)], [1, 6]);
  folds.open(6);
  assert.ok(folds.isClosed(stretch));
  folds.open(3);
  assert.ok(!folds.isClosed(stretch));
  assert.deepEqual(folds.folded, []);
  folds.close(stretch, true);
  assert.deepEqual(folds.folded, [[2, 6]]);
});

test("other loops begin unfolded: each of their calls says something else", () => {
  const folds = foldsOf(made([call, call, call], [[1, 3, 5]], "stagnation"));
  assert.deepEqual(folds.folded, []);
  folds.close(folds.at(1), true);
  assert.deepEqual(folds.folded, [[2, 6]]);
});
