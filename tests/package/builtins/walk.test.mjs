// The search never leaves its directory: random trees of links, over a file system that tells what was touched.
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { after, describe, test } from "node:test";
import { removeFolders } from "./file-tools.mjs";
import { place } from "./search-place.mjs";

const { nodeHost } = await import("../../../pkg/host.mjs");
after(removeFolders);

/** The files of this machine, and the paths of what was read. */
function watched() {
  const { fs } = nodeHost();
  const read = new Set();
  const told = (name) => (path, options) => {
    read.add(path);
    return fs[name](path, options);
  };
  return { read, fs: { ...fs, read: told("read"), readdir: told("readdir") } };
}

describe("a walk", () => {
  test("touches nothing outside, whatever links there are", async () => {
    const { read, fs } = watched();
    const {
      done,
      put,
      at: own,
      outside,
      work,
    } = place({}, { rgPath: null, fs, rules: { "*": "allow" } });
    const folders = [""];
    for (let i = 0; i < 12; i++) {
      const folder = `${folders[(i * 7) % folders.length]}d${i}/`;
      folders.push(folder);
      put(`${folder}f.txt`, "needle\n");
    }
    const targets = [outside, "..", ".", "/", "../..", "../../outside", "f.txt", work, "loop"];
    for (const [i, target] of targets.entries()) {
      for (const folder of folders.slice(1, 6)) symlinkSync(target, own(`${folder}link${i}`));
    }
    symlinkSync("loop", own("loop"));
    const grep = await done("grep", { pattern: "needle" });
    assert.equal(grep.metadata.matches, 12);
    const glob = await done("glob", { pattern: "**" });
    assert.equal(glob.metadata.total, 12);
    // Above the directory, only ignore files are looked at.
    const strange = [...read].filter((path) => path !== work && !path.startsWith(`${work}/`));
    assert.deepEqual(
      strange.filter((path) => !/\/(\.(git|rg)?ignore|exclude|commondir|\.git)$/.test(path)),
      [],
    );
  });

  test("reads few directories at once, and closes what it opened", async () => {
    const { fs } = nodeHost();
    let open = 0;
    let most = 0;
    const counted = {
      ...fs,
      async readdir(path, options) {
        most = Math.max(most, ++open);
        const entries = await fs.readdir(path, options);
        open--;
        return entries;
      },
      async *read(path, options) {
        most = Math.max(most, ++open);
        try {
          yield* fs.read(path, options);
        } finally {
          open--;
        }
      },
    };
    const { done, put } = place({}, { rgPath: null, fs: counted, rules: { "*": "allow" } });
    for (let i = 0; i < 200; i++) put(`d${i}/f.txt`, "needle\n");
    const all = await done("grep", { pattern: "needle", limit: 1000 });
    assert.equal(all.metadata.matches, 200);
    assert.ok(most <= 64, `${most} at once`);
    const few = await done("grep", { pattern: "needle", limit: 3 });
    assert.equal(few.metadata.matches, 3);
    // Files that were begun early are closed.
    for (let tries = 0; open > 0 && tries < 1000; tries++) await new Promise(setImmediate);
    assert.equal(open, 0);
  });

  test("goes on where a directory or a file cannot be read, and says so", async () => {
    const { fs } = nodeHost();
    const refuse = (path) => {
      if (/locked/.test(path)) throw Object.assign(new Error("no"), { code: "EACCES" });
    };
    const locked = {
      ...fs,
      async readdir(path, options) {
        refuse(path);
        return fs.readdir(path, options);
      },
      async *read(path, options) {
        refuse(path);
        yield* fs.read(path, options);
      },
    };
    const files = { "a.txt": "x", "locked/b.txt": "x", "c/locked.txt": "x", "d.txt": "x" };
    const { done } = place(files, { rgPath: null, fs: locked, rules: { "*": "allow" } });
    const grep = await done("grep", { pattern: "x" });
    assert.equal(grep.metadata.matches, 2);
    assert.match(grep.output, /\n\(Some files could not be read\.\)$/);
    const glob = await done("glob", { pattern: "*.txt" });
    assert.equal(glob.metadata.total, 3);
    assert.match(glob.output, /\(Some directories could not be read\.\)/);
  });

  test("holds little of a line of any length", async () => {
    const { fs } = nodeHost();
    const piece = new Uint8Array(256 * 1024).fill(97);
    const long = {
      ...fs,
      async *read(path, options) {
        if (!path.endsWith("long.txt")) return yield* fs.read(path, options);
        for (let i = 0; i < 200; i++) yield piece;
        yield new TextEncoder().encode("needle\nneedle\n");
      },
    };
    const { done } = place({ "long.txt": "" }, { rgPath: null, fs: long, rules: { "*": "allow" } });
    const { output } = await done("grep", { pattern: "a{3}needle$|^needle" });
    assert.match(
      output,
      /Line 1: \(longer than 64 KB; its text is left out\)\n {2}Line 2: needle$/,
    );
  });
});
