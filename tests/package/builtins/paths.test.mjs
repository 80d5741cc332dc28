// Paths that a model gives and that are no ordinary ones.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { removeFolders } from "./file-tools.mjs";
import { place } from "./search-place.mjs";

const CALLS = [
  ["read", {}],
  ["write", { content: "x" }],
  ["edit", { oldString: "", newString: "x" }],
];

describe("a path", () => {
  after(removeFolders);

  test("with half a character is refused before anyone is asked: no file has it", async () => {
    const { refused, asked } = place();
    for (const [tool, input] of CALLS) {
      const error = await refused(tool, { ...input, filePath: "a\ud800b" });
      assert.equal(error, "The path holds half a character at 1. Give it without that.");
    }
    assert.deepEqual(asked(), []);
  });

  test("that begins like a drive is one in the directory where there are no drives", async (t) => {
    if (process.platform === "win32") return t.skip("there are drives");
    const { done, asked, text } = place();
    await done("write", { filePath: "C:/x/y.txt", content: "here" });
    assert.deepEqual(asked(), [["edit", "C:/x/y.txt"]]);
    assert.equal(text("C:/x/y.txt"), "here");
    await done("read", { filePath: "C:/x/y.txt" });
  });

  test("of the root has a title without a name that is empty", async (t) => {
    if (process.platform === "win32") return t.skip("there are drives");
    const { done } = place();
    assert.match((await done("read", { filePath: "/", limit: 1 })).title, /^(\.\.\/)*\.\.$/);
  });

  test("that is missing may be that of a directory one level up", async () => {
    const { refused, work } = place({ "src/a.txt": "x", "lib/b.txt": "x" });
    const error = await refused("read", { filePath: "src/lib" });
    assert.equal(error, `There is no file ${work}/src/lib. Near names:\n${work}/lib/`);
  });

  test("of a directory with long names is listed up to 50 KB", async () => {
    const name = (i) => `${i}`.padStart(199, "n");
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`d/${name(i)}`, ""]));
    const { done } = place(files);
    const first = await done("read", { filePath: "d" });
    assert.match(first.output, /\n\(256 of 300 entries\. Go on with offset=257\.\)\n/);
    assert.equal(first.metadata.truncated, true);
    const { metadata } = await done("read", { filePath: "d", offset: 257 });
    assert.equal(metadata.display.entries.length, 44);
  });
});
