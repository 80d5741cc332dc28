// Tools that cut their own output put the whole of it into the store of the registry: a program that gives one
// there need not know which tools do so.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { removeFolders } from "./file-tools.mjs";
import { place } from "./search-place.mjs";

/** A store that keeps what it is given. */
function memory() {
  const saved = [];
  const save = async (text, { tool }) => {
    saved.push({ text, tool });
    return `memory:${saved.length}`;
  };
  return { saved, save };
}

const text = Array.from({ length: 2500 }, (_, i) => `line ${i}\n`).join("");
const shell = {
  async run(_command, { onOutput }) {
    onOutput(new TextEncoder().encode(text), "stdout");
    return { exit: 0 };
  },
};
const deep = Array.from({ length: 4 }, (_, i) => `${i}`.repeat(200)).join("/");
const FILES = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${deep}/${i}.txt`, text]));
const CALLS = [
  ["bash", { command: "seq" }],
  ["glob", { pattern: "*.txt" }],
  ["grep", { pattern: "line", limit: 3000 }],
];

describe("the whole output is put into", () => {
  after(removeFolders);
  for (const [tool, input] of CALLS) {
    test(`the store of the registry, by ${tool}`, async () => {
      const registryStore = memory();
      const { done } = place(FILES, { registryStore, shell, rgPath: null });
      const { output, metadata } = await done(tool, input);
      assert.equal(metadata.outputPath, "memory:1");
      assert.match(output, /Whole output: memory:1: read it with offset and limit, or grep it\.\]/);
      assert.equal(registryStore.saved.length, 1);
      assert.equal(registryStore.saved[0].tool, tool);
    });

    test(`the store of the host if it has its own, by ${tool}`, async () => {
      const registryStore = memory();
      const store = memory();
      const { done } = place(FILES, { registryStore, store, shell, rgPath: null });
      await done(tool, input);
      assert.deepEqual([store.saved.length, registryStore.saved.length], [1, 0]);
    });
  }
});
