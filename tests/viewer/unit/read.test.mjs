/** Reading in a file that is not held: the same bytes, in few readings where it is read in order. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { load } from "../typescript.mjs";

const { readSlice } = await load("core/worker/read.ts");
const MB = 1 << 20;

let readings;
beforeEach(() => {
  readings = [];
  globalThis.FileReaderSync = class {
    readAsArrayBuffer(bytes) {
      readings.push(bytes.length);
      return bytes.slice().buffer;
    }
  };
});
afterEach(() => {
  delete globalThis.FileReaderSync;
});

/** A file of this length; each byte tells its place. */
function file(length) {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = i * 31 + (i >> 8) * 7 + (i >> 16);
  return { bytes, slice: (start, end) => bytes.subarray(start, end) };
}

const same = (a, b) => Buffer.compare(a, b) === 0;

test("whatever is asked for, in whatever order, is what stands in the file", () => {
  const made = file(9 * MB);
  const read = readSlice(made);
  let state = 5;
  const roll = (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  let at = 0;
  for (let i = 0; i < 300; i++) {
    at = roll(3) === 0 ? roll(made.bytes.length) : at;
    const start = Math.min(at, made.bytes.length);
    const end = Math.min(start + (roll(2) ? roll(3 * MB) : roll(100)), made.bytes.length);
    assert.ok(same(read(start, end), made.bytes.subarray(start, end)), `${start} to ${end}`);
    at = end + roll(20);
  }
});

test("in order it takes few readings, each of 32 MB at most", () => {
  const made = file(150 * MB);
  const read = readSlice(made);
  for (let at = 0; at < made.bytes.length; at += 4 * MB - 100) {
    const end = Math.min(at + 4 * MB - 150, made.bytes.length);
    assert.ok(same(read(at, end), made.bytes.subarray(at, end)));
  }
  assert.ok(readings.length < 10, `${readings.length} readings`);
  assert.ok(Math.max(...readings) <= 32 * MB);
  const all = readings.reduce((sum, length) => sum + length);
  assert.ok(all < 1.3 * made.bytes.length, `${all / MB} MB were read`);
});

test("a message is read by itself, and a search that ends soon reads little", () => {
  const read = readSlice(file(20 * MB));
  read(5 * MB, 5 * MB + 1000);
  read(6 * MB, 6 * MB + 2000);
  read(0, 4 * MB);
  assert.deepEqual(readings, [1000, 2000, 4 * MB]);
});

test("nothing is held when the task is over, and the next begins small", async () => {
  const read = readSlice(file(40 * MB));
  read(0, 4 * MB);
  read(4 * MB, 8 * MB);
  await pause(5);
  read(4 * MB, 8 * MB);
  await pause(5);
  read(8 * MB, 12 * MB);
  assert.deepEqual(
    readings.map((length) => length / MB),
    [4, 8, 4, 4],
  );
});
