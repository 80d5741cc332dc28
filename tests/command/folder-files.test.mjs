// Which files below a folder can be transcripts: for `inspect DIR` and `apex-parts view DIR`.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, test } from "node:test";
import { filesOf } from "../../pkg/cli/folder-files.mjs";
import { DEEPEST, MOST_FILES } from "../../pkg/cli/transcript-files.mjs";
import { folder } from "./command.mjs";

const here = (name) => mkdtempSync(join(folder, `${name}-`));
const names = (root, found) => found.files.map(({ path }) => relative(root, path));

describe("the files of a folder", () => {
  test("are those whose names end as transcripts' do, in the order of their paths", () => {
    const root = here("names");
    for (const name of ["b.JSONL", "a.json", "c.eval", "d.traj", "no.png", "none", "json"]) {
      writeFileSync(join(root, name), "12");
    }
    for (const inside of ["deep", "node_modules", ".git"]) {
      mkdirSync(join(root, inside));
      writeFileSync(join(root, inside, "x.log"), "");
    }
    const found = filesOf(root);
    assert.deepEqual(names(root, found), ["a.json", "b.JSONL", "c.eval", "d.traj", "deep/x.log"]);
    assert.deepEqual([found.more, found.files[0].size], [false, 2]);
  });

  test("are as many as the limit says, and no more; so deep, and no deeper", () => {
    const root = here("many");
    for (let i = 0; i <= MOST_FILES; i++) writeFileSync(join(root, `${i}.json`), "");
    const found = filesOf(root);
    assert.deepEqual([found.files.length, found.more], [MOST_FILES, true]);
    const deep = here("deep");
    let path = deep;
    for (let depth = 0; depth <= DEEPEST + 2; depth++) {
      writeFileSync(join(path, `${depth}.json`), "");
      path = join(path, "in");
      mkdirSync(path);
    }
    const some = filesOf(deep);
    assert.deepEqual([some.files.length, some.more], [DEEPEST + 1, true]);
  });

  test("are listed once where links go in circles, and left out where they lead to what is not wanted", () => {
    const outside = here("outside");
    writeFileSync(join(outside, "secret.json"), "");
    const root = here("links");
    mkdirSync(join(root, "in"));
    writeFileSync(join(root, "in", "one.json"), "");
    symlinkSync(root, join(root, "in", "up"));
    symlinkSync("one.json", join(root, "in", "two.json"));
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "secret.json"), join(root, "out.json"));
    symlinkSync(join(root, "gone"), join(root, "gone.json"));
    assert.deepEqual(names(root, filesOf(root)), [...["in/one.json", "out/secret.json"]]);
    assert.deepEqual(
      names(
        root,
        filesOf(root, (real) => real.startsWith(root)),
      ),
      ["in/one.json"],
    );
  });
});
