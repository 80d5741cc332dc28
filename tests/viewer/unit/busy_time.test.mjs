/** Where the time of a stretch went: the model, tools, and waiting for a person. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { busyTime } = await load("features/breakdown/worker/busy_time.ts");

const TOOL = 2;
const NAMES = ["bash", "question"];

/** Messages: a role, when it was created and completed, and its calls as [tool, start, end]. */
function layoutOf(...messages) {
  const calls = messages.flatMap(([, , , ...own]) => own);
  const firstPart = [0];
  for (const [, , , ...own] of messages) firstPart.push(firstPart.at(-1) + own.length);
  return {
    firstPart: Uint32Array.from(firstPart),
    roles: Uint8Array.from(messages, ([role]) => (role === "user" ? 1 : 2)),
    created: Float64Array.from(messages, ([, created]) => created),
    completed: Float64Array.from(messages, ([, , completed]) => completed),
    types: Uint8Array.from(calls, () => TOOL),
    tools: Uint16Array.from(calls, ([name]) => NAMES.indexOf(name) + 1),
    starts: Float64Array.from(calls, ([, start]) => start),
    ends: Float64Array.from(calls, ([, , end]) => end),
    toolNames: NAMES,
  };
}

/** As the module's own test of its summary has it: no time is counted twice. */
const run = layoutOf(
  ["user", 100, Number.NaN],
  ["assistant", 101, 200, ["bash", 110, 130], ["bash", 120, 140], ["question", 135, 160]],
  ["user", 10_100, Number.NaN],
  ["assistant", 10_101, 10_200],
);

describe("busy time", () => {
  test("of all is what the module's summary says", () => {
    assert.deepEqual(busyTime(run, 0, 20_000), { model: 150, tools: 30, waiting: 20 });
  });

  test("of a stretch counts what of calls and turns is in it", () => {
    assert.deepEqual(busyTime(run, 125, 150), { model: 0, tools: 15, waiting: 10 });
    assert.deepEqual(busyTime(run, 150, 10_150), { model: 90, tools: 0, waiting: 10 });
  });

  test("of a night is nothing, and without times is not known", () => {
    assert.equal(busyTime(run, 300, 10_000), undefined);
    const bare = layoutOf(["user", Number.NaN, Number.NaN], ["assistant", Number.NaN, Number.NaN]);
    assert.equal(busyTime(bare, 0, 1000), undefined);
  });

  test("of times that run backwards is never less than nothing", () => {
    const odd = layoutOf(
      ["user", 500, Number.NaN],
      ["assistant", 400, 300, ["bash", 450, 350], ["bash", -7, 1e18]],
    );
    for (const value of Object.values(busyTime(odd, 0, 1000))) assert.ok(value >= 0);
  });
});
