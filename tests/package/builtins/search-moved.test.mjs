// glob and grep where the place that they search is replaced while someone decides: ripgrep goes wherever its path
// leads by then.
import assert from "node:assert/strict";
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { removeFolders } from "./file-tools.mjs";
import { describeEngines, place } from "./search-place.mjs";

const SEARCHES = [
  ["glob", { pattern: "*", path: "a/in" }],
  ["grep", { pattern: "secret|own", path: "a/in" }],
  ["grep", { pattern: "secret|own", path: "a/in/x.txt" }],
];

/** A place in which `change` happens when the tool asks. */
function changing(change, options) {
  const made = place(
    { "a/in/x.txt": "own" },
    {
      ...options,
      onAsk() {
        change(made);
        return "once";
      },
    },
  );
  mkdirSync(`${made.outside}/in`);
  writeFileSync(`${made.outside}/in/x.txt`, "secret");
  return made;
}

describeEngines("a place that is replaced", ({ rgPath }) => {
  after(removeFolders);
  for (const [tool, input] of SEARCHES) {
    test(`by a link outside is not searched: ${tool} in ${input.path}`, async () => {
      const { refused } = changing(
        ({ at, outside }) => {
          renameSync(at("a"), at("b"));
          symlinkSync(outside, at("a"));
        },
        { rgPath },
      );
      assert.match(
        await refused(tool, input),
        /was replaced, or leads elsewhere.* nothing was read/,
      );
    });

    test(`by another one in its place is searched: ${tool} in ${input.path}`, async () => {
      const { done } = changing(
        ({ at }) => {
          renameSync(at("a"), at("b"));
          mkdirSync(at("a/in"), { recursive: true });
          writeFileSync(at("a/in/x.txt"), "own again");
        },
        { rgPath },
      );
      assert.match((await done(tool, input)).output, /x\.txt/);
    });
  }

  test("a file by a link to one outside is not searched", async () => {
    const { refused } = changing(
      ({ at, outside }) => {
        unlinkSync(at("a/in/x.txt"));
        symlinkSync(`${outside}/in/x.txt`, at("a/in/x.txt"));
      },
      { rgPath },
    );
    assert.match(await refused(...SEARCHES[2]), /was replaced, or leads elsewhere/);
  });
});
