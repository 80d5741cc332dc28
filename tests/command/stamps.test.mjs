// The stamps of what is built: a step is done again when what it read or wrote has changed, and only then.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { cache } from "../../scripts/lib.mjs";
import { held, isDone, outputsOf, unlessDone } from "../../scripts/stamps.mjs";

let folder;
let steps;
beforeEach(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "stamps-"));
  steps = [];
});
afterEach(() => {
  for (const name of steps) rmSync(join(cache, `${name}.stamp.json`), { force: true });
  rmSync(folder, { recursive: true });
});

const path = (name) => join(folder, name);
const write = (name, text) => writeFileSync(path(name), text);

/** A step of its own that reads `inputs` and writes files with these texts; `ran` counts. */
function step(inputs, outputs) {
  const name = `test-${process.pid}-${steps.length}`;
  steps.push(name);
  const one = { name, ran: 0, inputs: () => inputs.map(path), outputs };
  one.work = async () => {
    one.ran += 1;
    for (const [output, text] of Object.entries(one.outputs)) write(output, text);
    return Object.keys(one.outputs).map(path);
  };
  one.run = () => unlessDone(name, one.inputs, one.work);
  return one;
}

test("a step is done once, and again when an input or an output has changed", async () => {
  write("in", "1");
  const one = step(["in"], { out: "made" });
  assert.equal(await one.run(), true);
  assert.equal(await one.run(), false);
  assert.equal(isDone(one.name, one.inputs), true);
  write("in", "2");
  assert.equal(isDone(one.name, one.inputs), false);
  assert.equal(await one.run(), true);
  write("out", "another tool");
  assert.equal(await one.run(), true);
  assert.equal(readFileSync(path("out"), "utf8"), "made");
  rmSync(path("out"));
  assert.equal(await one.run(), true);
  assert.equal(await one.run(), false);
  assert.equal(one.ran, 4);
});

test("a step is done again when it has an input more or less", async () => {
  write("a", "");
  write("b", "");
  const names = ["a"];
  const one = step(names, { out: "" });
  await one.run();
  names.push("b");
  assert.equal(await one.run(), true);
  names.shift();
  assert.equal(await one.run(), true);
  rmSync(path("b"));
  assert.equal(await one.run(), true);
  assert.equal(await one.run(), false);
});

test("what a step no longer writes is deleted, unless another step writes it", async () => {
  const [one, other] = [step([], { kept: "", left: "", moved: "" }), step([], {})];
  await one.run();
  assert.ok(held().has(path("left")));
  other.outputs = { moved: "" };
  await other.run();
  one.outputs = { kept: "" };
  rmSync(path("kept"));
  await one.run();
  assert.deepEqual(outputsOf(one.name), [path("kept")]);
  assert.equal(existsSync(path("left")), false);
  assert.equal(existsSync(path("moved")), true);
});

test("a step whose work fails keeps its stamp, and one that wrote nothing of what it says has none", async () => {
  write("in", "1");
  const one = step(["in"], { out: "" });
  await one.run();
  write("in", "2");
  const fails = () => unlessDone(one.name, one.inputs, () => Promise.reject(new Error("no disk")));
  await assert.rejects(fails(), /^Error: no disk$/);
  assert.deepEqual(outputsOf(one.name), [path("out")]);
  const lies = step([], {});
  await assert.rejects(
    unlessDone(lies.name, lies.inputs, async () => [path("nowhere")]),
    /has not written .*nowhere$/,
  );
  assert.equal(isDone(lies.name, lies.inputs), false);
});

test("a step that says what it read is done again when that has changed, also during its work", async () => {
  write("seen", "1");
  const { name } = step([], {});
  let during = () => {};
  const run = () =>
    unlessDone(name, undefined, async () => {
      during();
      write("out", "");
      return { inputs: [path("seen")], outputs: [path("out")] };
    });
  during = () => write("seen", "2");
  assert.equal(await run(), true);
  assert.equal(isDone(name), false, "it may have read either");
  during = () => {};
  utimesSync(path("seen"), 1, 1);
  assert.equal(await run(), true);
  assert.equal(await run(), false);
  write("seen", "3");
  assert.equal(await run(), true);
});

test("a stamp that was half written counts as none", async () => {
  const one = step([], { out: "" });
  await one.run();
  writeFileSync(join(cache, `${one.name}.stamp.json`), '{"inputs":');
  assert.equal(await one.run(), true);
});
