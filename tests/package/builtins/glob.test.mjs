// glob: which files it lists, in which order, and what it refuses.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { removeFolders } from "./file-tools.mjs";
import { changedAt, describeEngines, pathsOf, place } from "./search-place.mjs";

after(removeFolders);

const TREE = {
  "a.ts": "",
  "b.txt": "",
  ".env": "",
  "src/c.ts": "",
  "src/d.tsx": "",
  "src/deep/e.ts": "",
  "src/.f.ts": "",
  ".hidden/g.ts": "",
  ".git/h.ts": "",
  "out/i.ts": "",
  ".gitignore": "out/\n",
};

describeEngines("glob", ({ rgPath }) => {
  const over = (files, options) => {
    const made = place(files, { rgPath, ...options });
    const list = async (pattern, path) => {
      const state = await made.done("glob", path === undefined ? { pattern } : { pattern, path });
      return pathsOf(state, made.work).sort();
    };
    return { ...made, list };
  };

  test("has the meaning of a line of an ignore file", async () => {
    const { list, work } = over(TREE);
    const all = ["a.ts", "src/.f.ts", "src/c.ts", "src/deep/e.ts"];
    assert.deepEqual(await list("*.ts"), all);
    assert.deepEqual(await list("**/*.ts"), all);
    assert.deepEqual(await list("/*.ts"), ["a.ts"]);
    assert.deepEqual(await list("src/*.{ts,tsx}"), ["src/.f.ts", "src/c.ts", "src/d.tsx"]);
    assert.deepEqual(await list("[!a].t?t"), ["b.txt"]);
    assert.deepEqual(await list(".e*"), [".env"]);
    assert.deepEqual(await list("!*.ts"), ["b.txt", "src/d.tsx"]);
    assert.deepEqual(await list(`${work}/src/*.ts`), ["src/.f.ts", "src/c.ts"]);
    assert.deepEqual(await list("*.ts", "src/deep"), ["src/deep/e.ts"]);
    assert.deepEqual(await list("*.ts", ".hidden"), [".hidden/g.ts"]);
    assert.equal((await list("")).length, 8);
  });

  test("takes brackets as they stand where a class finds nothing", async () => {
    const { list } = over({ "[id].ts": "", "[user-id].ts": "", "x.ts": "", "i.js": "" });
    assert.deepEqual(await list("[id].ts"), ["[id].ts"]);
    assert.deepEqual(await list("[user-id].ts"), ["[user-id].ts"]);
    assert.deepEqual(await list("[id].js"), ["i.js"]);
  });

  test("reads ignore files above the directory, and those of repositories", async () => {
    const { list } = over({
      ".gitignore": "*.log\n",
      ".ignore": "tmp\n",
      "a/x.log": "",
      "a/tmp": "",
      "a/keep.log": "",
      "a/.gitignore": "!keep.log\n",
      "a/y.out": "",
      "a/sub/z.out": "",
      ".git/info/exclude": "*.out\n",
    });
    assert.deepEqual(await list("*", "a"), ["a/.gitignore", "a/keep.log"]);
    assert.deepEqual(await list("*", "a/sub"), []);
  });

  test("ends what is above at the root of a repository", async () => {
    const { list } = over({
      ".gitignore": "*\n",
      "repo/.git/HEAD": "",
      "repo/.gitignore": "b\n",
      "repo/a": "",
      "repo/b": "",
    });
    assert.deepEqual(await list("*", "repo"), ["repo/.gitignore", "repo/a"]);
  });

  test("gives the newest first, ties by path, at most 100", async () => {
    const { done, put, work } = over();
    for (let i = 0; i < 104; i++) changedAt(put(`f${i}.txt`, ""), 1e9 + (i === 57 ? 5 : 0));
    changedAt(put("old.txt", ""), 1e8);
    const state = await done("glob", { pattern: "*.txt" });
    const paths = pathsOf(state, work);
    const others = Array.from({ length: 104 }, (_, i) => `f${i}.txt`).filter(
      (p) => p !== "f57.txt",
    );
    assert.deepEqual(paths, ["f57.txt", ...others.sort().slice(0, 99)]);
    assert.match(state.output, /\n\(First 100 of 105\. Narrow the pattern or path\.\)$/);
    assert.deepEqual(state.metadata, { count: 100, total: 105, truncated: true });
    for (const name of ["f0", "f1", "f2", "f3"]) put(`sub/${name}.ts`, "");
    const few = await done("glob", { pattern: "*.ts" });
    assert.deepEqual(few.metadata, { count: 4, total: 4, truncated: false });
  });

  test("does not call exactly 100 truncated", async () => {
    const { done, put } = over();
    for (let i = 0; i < 100; i++) put(`f${i}.txt`, "");
    const { metadata, output } = await done("glob", { pattern: "*.txt" });
    assert.deepEqual(metadata, { count: 100, total: 100, truncated: false });
    assert.doesNotMatch(output, /First/);
  });

  test("lists no links and follows none", async () => {
    const { list, at, outside, work } = over({ "a/x.ts": "" });
    symlinkSync(outside, at("out"));
    symlinkSync(work, at("a/round"));
    symlinkSync("a/x.ts", at("link.ts"));
    symlinkSync("nowhere", at("broken.ts"));
    assert.deepEqual(await list("**"), ["a/x.ts"]);
  });

  test("asks for a directory outside, also one behind a link, before its own permission", async () => {
    const { done, asked, at, asks, outside } = over({ "a.ts": "" });
    await done("glob", { pattern: "*.ts" });
    symlinkSync(outside, at("out"));
    await done("glob", { pattern: "*.ts", path: "out" });
    assert.deepEqual(asked(), [
      ["glob", "*.ts"],
      ["external_directory", `${outside}/*`],
      ["glob", "*.ts"],
    ]);
    assert.deepEqual(asks[0].always, ["*"]);
    assert.deepEqual(asks[0].metadata, { pattern: "*.ts" });
    assert.deepEqual(asks[2].metadata, { pattern: "*.ts", path: "out" });
  });

  test("looks at nothing before the answer", async () => {
    const { run, outside } = over({}, { onAsk: () => "reject" });
    const { state } = await run("glob", { pattern: "*", path: outside });
    assert.equal(state.status, "error");
    assert.equal(state.metadata.kind, "permission");
  });

  test("refuses patterns that are none and says where; paths that are no directory", async () => {
    const { refused, work } = over({ "src/a.ts": "" });
    assert.match(
      await refused("glob", { pattern: "src/[a" }),
      /src\/\[a is not a glob: .*at byte 4/,
    );
    assert.match(await refused("glob", { pattern: "*.{ts" }), /at byte 2/);
    assert.match(
      await refused("glob", { pattern: `${work}/[a` }),
      new RegExp(`at byte ${work.length + 1}`),
    );
    const missing = await refused("glob", { pattern: "*", path: "srcs" });
    assert.ok(missing.startsWith(`There is no directory ${work}/srcs.`));
    assert.match(missing, /\/src/);
    assert.match(
      await refused("glob", { pattern: "*", path: "src/a.ts" }),
      /is a file, not a directory/,
    );
  });

  test("lists no files that may not be read", async () => {
    const files = { "a.txt": "", "b.key": "", "sub/c.key": "", "no/d.txt": "" };
    const rules = { read: { "*": "allow", "*.key": "deny", no: "deny", "no/*": "deny" } };
    const { done, run, list, at, work } = over(files, { rules });
    const { output, metadata } = await done("glob", { pattern: "*" });
    assert.equal(output, `${work}/a.txt\n\n(3 files are withheld: the rules deny reading them.)`);
    assert.deepEqual(metadata, { count: 1, total: 1, truncated: false, withheld: 3 });
    assert.deepEqual(await list("*.key"), []);
    assert.equal(
      (await done("glob", { pattern: "*.txt", path: "sub" })).metadata.withheld,
      undefined,
    );
    symlinkSync(at("no"), at("yes"));
    for (const path of ["no", "yes", "gone.key"]) {
      const { state } = await run("glob", { pattern: "*", path });
      assert.deepEqual([state.status, state.metadata.kind], ["error", "permission"], path);
    }
  });

  test("says that nothing matches; its title is the path", async () => {
    const { done, at } = over({ "src/a.ts": "" });
    mkdirSync(join(at("src"), "empty"));
    const none = await done("glob", { pattern: "*.nope", path: "src" });
    assert.equal(none.output, "No files match.");
    assert.deepEqual(none.metadata, { count: 0, total: 0, truncated: false });
    assert.equal(none.title, "src");
  });
});
