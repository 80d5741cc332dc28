// grep finds the same whether a host reads small files together or each by itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { after, describe, test } from "node:test";
import { removeFolders } from "./file-tools.mjs";
import { place } from "./search-place.mjs";
import { randomCalls } from "./search-trees.mjs";

const { builtinTools, nodeHost } = await import("../../../pkg/host.mjs");
const { ToolRegistry } = await import("../../../pkg/node.mjs");
after(removeFolders);

const { fs } = nodeHost();
const LINES_OF_Y = `${"y".repeat(99)}\n`.repeat(700);
const ALONE = { ...fs, readSmall: undefined };
/** Little fits into what is left of the buffer. */
const TIGHT = {
  ...fs,
  readSmall: (paths, buffer) => fs.readSmall(paths, buffer.subarray(0, 6000)),
};
/** Some files are left to `read`, and sometimes all. */
const SOME = {
  ...fs,
  readSmall: async (paths, buffer) => (await fs.readSmall(paths, buffer)).map(leftEveryThird),
};
function leftEveryThird(size, i, sizes) {
  // The bytes of what is left must not be there.
  return sizes.length % 3 === 0 && i === sizes.length - 1 ? -1 : size;
}

/** What calls of grep give over files of `fs`. */
function grepOver(directory, files) {
  const registry = new ToolRegistry({
    rules: [[{ permission: "*", pattern: "*", action: "allow" }]],
  });
  for (const tool of builtinTools({ directory, rgPath: null, fs: files })) registry.register(tool);
  return async (input, options = {}) => {
    const call = { callID: "c", sessionID: "s", messageID: "m", tool: "grep", input, ...options };
    const { time: _, ...state } = (await registry.execute(call)).state;
    return state;
  };
}

/** Compares all hosts over the files of a place. */
function comparison({ work }) {
  const [alone, ...others] = [ALONE, fs, TIGHT, SOME].map((files) => grepOver(work, files));
  return async (input) => {
    const expected = await alone(input);
    for (const other of others) assert.deepEqual(await other(input), expected);
    return expected;
  };
}

describe("small files read together", () => {
  test("give what each by itself gives: random trees", async () => {
    let found = 0;
    for (const { files, links, calls } of randomCalls(20_261_130, 40)) {
      const at = place();
      for (const [path, content] of files) at.put(path, content);
      for (const [path, target] of links) symlinkSync(target, at.at(path));
      const same = comparison(at);
      for (const [tool, input] of calls) {
        if (tool === "grep") found += (await same(input)).metadata?.matches ?? 0;
      }
    }
    assert.ok(found > 300, `${found} found`);
  });

  test("give the same of odd files, in many folders and at every limit", async () => {
    const files = {
      empty: "",
      "one-byte": "n",
      "cut-1": Buffer.from("x\nneedl\xc3", "latin1"),
      "cut-2": Buffer.from("\xa9 needle é\n", "latin1"),
      "cut-3": "ne",
      "cut-4": "edle",
      utf16le: Buffer.from("\ufeffa\nneedle 16\n", "utf16le"),
      utf16be: Buffer.from("\ufeffa\nneedle 16\n", "utf16le").swap16(),
      marked: "\ufeffneedle\n",
      returns: "a\r\nneedle\r\nb\r\n",
      binary: "needle\n\0",
      "binary-late": `needle\n${"x\n".repeat(32_000)}\0`,
      largest: `${LINES_OF_Y.slice(0, 65_500)}needle 12345678901234567890`,
      "too-large": `${LINES_OF_Y}needle\n`,
      "long-line": `${"z".repeat(65_000)}needle`,
      locked: "needle\n",
    };
    const at = place();
    for (let i = 0; i < 16; i++) {
      for (const [name, content] of Object.entries(files))
        at.put(`d${i % 7}/${i}/${name}`, content);
    }
    for (let i = 0; i < 100; i++) at.put(`many/f${i}`, i % 9 === 0 ? `needle ${i}\n` : "é\n");
    chmodSync(at.at("d3/3/locked"), 0);
    if (process.platform !== "win32") execFileSync("mkfifo", [at.at("d4/pipe")]);
    symlinkSync("many/f0", at.at("d0/link"));
    const same = comparison(at);
    const { metadata } = await same({ pattern: "needle", limit: 5000 });
    assert.ok(metadata.matches > 130, `${metadata.matches} found`);
    const patterns = ["needle", "needle \\d+$", "(?i)NEEDLE", "n.*e", "é", "^$", "^n$", "\\xa9"];
    for (const pattern of patterns) {
      for (const limit of [1, 2, 40, 1000]) await same({ pattern, limit });
      await same({ pattern, context: 2, include: "d*/**" });
    }
  });

  test("a program that puts its own `read` in place sees every file", async () => {
    const files = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`${i}.txt`, "x\n"]));
    const { work } = place(files);
    const seen = new Set();
    const read = (path, options) => {
      seen.add(path);
      return fs.read(path, options);
    };
    const { metadata } = await grepOver(work, { ...fs, read })({ pattern: "x", limit: 100 });
    assert.equal(metadata.matches, 90);
    assert.equal(seen.size, 90);
  });

  test("a call that is aborted ends between two batches", async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.txt`, "x\n"]));
    const { work } = place(files);
    const controller = new AbortController();
    let batches = 0;
    const readSmall = (paths, buffer) => {
      if (++batches === 2) controller.abort();
      return fs.readSmall(paths, buffer);
    };
    const grep = grepOver(work, { ...fs, readSmall });
    const { status } = await grep({ pattern: "y" }, { abort: controller.signal });
    assert.equal(status, "error");
    assert.equal(batches, 2);
  });

  test("a buffer without room for one file leaves it to `read`", async () => {
    const { work, at } = place({ "a.txt": "needle\n", "b.txt": "needle\n" });
    const none = await fs.readSmall([at("a.txt"), at("b.txt")], new Uint8Array(5));
    assert.deepEqual(none, []);
    const refusing = { ...fs, readSmall: async () => [] };
    assert.equal((await grepOver(work, refusing)({ pattern: "needle" })).metadata.matches, 2);
  });
});
