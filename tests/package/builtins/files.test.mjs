// The files of nodeHost: what is opened, what is replaced, and what is not.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { installed, removeFolders, workplace } from "./file-tools.mjs";

const bytes = (text) => new TextEncoder().encode(text);
const isRoot = process.getuid?.() === 0;

let parts;
let fs;
let made;
before(async () => {
  parts = await installed("builtins-files");
  ({ fs } = parts.nodeHost());
});
beforeEach(() => {
  made = workplace(parts);
});
after(removeFolders);

async function readAll(path, options) {
  const pieces = [];
  for await (const piece of fs.read(path, options)) pieces.push(piece);
  return Buffer.concat(pieces);
}
const fails = (promise, code) => assert.rejects(promise, (error) => error.code === code);
const idOf = async (path) => (await fs.stat(path)).id;

describe("what is there", () => {
  test("is told by its kind, and the same file has the same id", async () => {
    const path = made.put("a.txt", "abc");
    symlinkSync("a.txt", made.at("link"));
    execFileSync("mkfifo", [made.at("pipe")]);
    const stat = await fs.stat(path);
    assert.deepEqual([stat.kind, stat.size], ["file", 3]);
    assert.equal(stat.mtimeMs, Math.floor(statSync(path).mtimeMs));
    assert.equal((await fs.stat(made.at("link"))).id, stat.id);
    assert.equal((await fs.lstat(made.at("link"))).kind, "link");
    assert.notEqual((await fs.lstat(made.at("link"))).id, stat.id);
    assert.equal((await fs.stat(made.work)).kind, "directory");
    assert.equal((await fs.stat(made.at("pipe"))).kind, "other");
    assert.equal(await fs.realpath(made.at("link")), path);
    assert.equal(await fs.readlink(made.at("link")), "a.txt");
    const kinds = (await fs.readdir(made.work)).map(({ name, kind }) => `${name} ${kind}`);
    assert.deepEqual(kinds.sort(), ["a.txt file", "link link", "pipe other"]);
    await fails(fs.realpath(made.at("nothing")), "ENOENT");
    await fails(fs.readdir(made.at("a.txt")), "ENOTDIR");
    await fails(fs.stat(made.at("a.txt/x")), "ENOTDIR");
  });
});

test("a directory that was checked is listed, and no other one", async () => {
  made.put("dir/sub/a", "");
  const id = await idOf(made.at("dir/sub"));
  assert.equal((await fs.readdir(made.at("dir/sub"), { id })).length, 1);
  renameSync(made.at("dir"), made.at("moved"));
  symlinkSync("moved", made.at("dir"));
  await fails(fs.readdir(made.at("dir/sub"), { id }), "ESTALE");
  rmSync(made.at("dir"));
  mkdirSync(made.at("dir/sub"), { recursive: true });
  await fails(fs.readdir(made.at("dir/sub"), { id }), "ESTALE");
});

describe("reading", () => {
  test("gives pieces, of which together nothing is missing", async () => {
    const content = Buffer.alloc(3_000_003, "0123456789");
    const path = made.put("a", content);
    let largest = 0;
    for await (const { length } of fs.read(path)) largest = Math.max(largest, length);
    assert.ok(largest <= 1024 * 1024);
    assert.ok((await readAll(path, { id: await idOf(path) })).equals(content));
    assert.equal((await readAll(made.put("empty", ""))).length, 0);
  });

  test("may be stopped, and the file is closed", async () => {
    const path = made.put("a", Buffer.alloc(1_000_000));
    const open = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
    const before = open();
    for (let i = 0; i < 20; i++) {
      for await (const _ of fs.read(path)) break;
    }
    assert.ok(open() < before + 10);
  });

  test("does not follow a link at the end of the path", async () => {
    made.put("a.txt", "abc");
    symlinkSync("a.txt", made.at("link"));
    await fails(readAll(made.at("link")), "ELOOP");
  });

  test("takes regular files only, and waits for none", async () => {
    execFileSync("mkfifo", [made.at("pipe")]);
    await fails(readAll(made.at("pipe")), "EINVAL");
    await fails(readAll(made.work), "EISDIR");
    await fails(readAll("/dev/zero"), "EINVAL");
    await fails(readAll(made.at("nothing")), "ENOENT");
    const server = createServer().listen(made.at("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    await assert.rejects(readAll(made.at("socket")));
    server.close();
  });

  test("does not take another file than the one that was checked", async () => {
    const path = made.put("dir/a.txt", "inside");
    const id = await idOf(path);
    renameSync(path, made.at("dir/kept.txt"));
    made.put("dir/a.txt", "another");
    await fails(readAll(path, { id }), "ESTALE");
  });

  test("does not take the same file by a link above it", async () => {
    const path = made.put("dir/a.txt", "inside");
    const id = await idOf(path);
    renameSync(made.at("dir"), made.at("moved"));
    symlinkSync("moved", made.at("dir"));
    await fails(readAll(path, { id }), "ESTALE");
  });
});

describe("writing", () => {
  test("makes what is missing above the file", async () => {
    await fs.write(made.at("x/y/z.txt"), bytes("new"), { id: null });
    assert.equal(made.text("x/y/z.txt"), "new");
    assert.deepEqual(readdirSync(made.at("x/y")), ["z.txt"]);
    const mask = process.umask();
    assert.equal(statSync(made.at("x/y/z.txt")).mode & 0o777, 0o666 & ~mask);
  });

  test("replaces a file, whose mode and owner stay", async (t) => {
    const path = made.put("a", "old");
    chmodSync(path, 0o6751);
    if (isRoot) {
      const { chownSync } = await import("node:fs");
      chownSync(path, 4321, 1234);
      chmodSync(path, 0o6751);
    } else {
      t.diagnostic("only root can give a file away");
    }
    const { uid, gid, mode, ino } = statSync(path);
    await fs.write(path, bytes("new"), { id: await idOf(path) });
    const stat = statSync(path);
    assert.deepEqual([stat.uid, stat.gid, stat.mode], [uid, gid, mode]);
    assert.notEqual(stat.ino, ino);
    assert.equal(made.text("a"), "new");
  });

  test("leaves another name of the file as it was", async () => {
    const path = made.put("a", "old");
    linkSync(path, made.at("b"));
    await fs.write(path, bytes("new"));
    assert.equal(made.text("b"), "old");
  });

  test("leaves nothing behind when it fails", async () => {
    const path = made.put("a", "old");
    for (const id of [undefined, await idOf(path)]) {
      await assert.rejects(fs.write(path, { not: "bytes" }, { id }));
    }
    await assert.rejects(fs.write(made.at("b"), { not: "bytes" }, { id: null }));
    assert.deepEqual(readdirSync(made.work), ["a"]);
    assert.equal(made.text("a"), "old");
  });

  test("does not replace a link, a directory or a FIFO", async () => {
    made.put("a", "old");
    symlinkSync("a", made.at("link"));
    execFileSync("mkfifo", [made.at("pipe")]);
    mkdirSync(made.at("dir"));
    for (const [name, code] of [
      ["link", "ELOOP"],
      ["dir", "EISDIR"],
      ["pipe", "EINVAL"],
      ["a/b", "ENOTDIR"],
    ]) {
      await fails(fs.write(made.at(name), bytes("new")), code);
      await assert.rejects(fs.write(made.at(name), bytes("new"), { id: null }));
    }
    assert.equal(made.text("a"), "old");
    assert.deepEqual(readdirSync(made.work).sort(), ["a", "dir", "link", "pipe"]);
  });

  test("does not replace a file that may not be written", { skip: isRoot }, async () => {
    const path = made.put("a", "old");
    chmodSync(path, 0o444);
    await fails(fs.write(path, bytes("new")), "EACCES");
    assert.equal(made.text("a"), "old");
  });

  test("does not replace another file than the one that was checked", async () => {
    const path = made.put("dir/a", "old");
    const id = await idOf(path);
    renameSync(path, made.at("dir/kept"));
    await fails(fs.write(path, bytes("new"), { id }), "ESTALE");
    made.put("dir/a", "another");
    await fails(fs.write(path, bytes("new"), { id }), "ESTALE");
    await fails(fs.write(path, bytes("new"), { id: null }), "ESTALE");
    assert.equal(made.text("dir/a"), "another");
    rmSync(made.at("dir"), { recursive: true });
    await fails(fs.write(path, bytes("new"), { id }), "ESTALE");
    assert.ok(!existsSync(made.at("dir")));
  });

  test("does not go through a link above the file once the path was checked", async () => {
    const path = made.put("dir/a", "old");
    const id = await idOf(path);
    writeFileSync(join(made.outside, "a"), "outside");
    renameSync(made.at("dir"), made.at("moved"));
    symlinkSync(made.outside, made.at("dir"));
    await fails(fs.write(path, bytes("new"), { id }), "ESTALE");
    await fails(fs.write(made.at("dir/new"), bytes("new"), { id: null }), "ESTALE");
    await fails(fs.write(made.at("dir/x/new"), bytes("new"), { id: null }), "ESTALE");
    assert.deepEqual(readdirSync(made.outside), ["a"]);
    assert.equal(readFileSync(join(made.outside, "a"), "utf8"), "outside");
    rmSync(made.at("dir"));
    symlinkSync("moved", made.at("dir"));
    await fails(fs.write(path, bytes("new"), { id }), "ESTALE");
    assert.equal(made.text("moved/a"), "old");
  });

  test("of a new file by many lets one of them make it", async () => {
    const writes = Array.from({ length: 16 }, (_, i) =>
      fs.write(made.at("x/a"), bytes(`writer ${i}`), { id: null }).then(
        () => `writer ${i}`,
        (error) => error.code,
      ),
    );
    const results = await Promise.all(writes);
    const [winner, ...others] = results.filter((result) => result !== "ESTALE");
    assert.deepEqual(others, []);
    assert.equal(made.text("x/a"), winner);
    assert.deepEqual(readdirSync(made.at("x")), ["a"]);
  });

  test("is never seen half done", async () => {
    const path = made.put("a", "a".repeat(100_000));
    let isDone = false;
    const writing = (async () => {
      for (let i = 0; i < 40; i++) await fs.write(path, bytes("ab"[i % 2].repeat(100_000)));
      isDone = true;
    })();
    while (!isDone) {
      const text = (await readAll(path)).toString();
      assert.match(text, /^(?:a{100000}|b{100000})$/);
    }
    await writing;
  });
});
