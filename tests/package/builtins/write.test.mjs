// The write tool: what is written and where, the guard, what happens while permission is asked.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { installed, removeFolders, workplace } from "./file-tools.mjs";

let parts;
before(async () => {
  parts = await installed("builtins-write");
});
after(removeFolders);

const place = (options) => workplace(parts, options);
const UNREAD = /exists and was not read \(or changed since\); read it first\.$/;

describe("a new file", () => {
  test("is written, with the directories above it, after its diff was shown", async () => {
    const { done, at, text, asks } = place();
    const state = await done("write", { filePath: "x/y/z.txt", content: "one\ntwo" });
    const path = at("x/y/z.txt");
    assert.equal(text("x/y/z.txt"), "one\ntwo");
    assert.equal(state.output, `Wrote ${path} (2 lines, 7 bytes).`);
    assert.equal(state.title, "x/y/z.txt");
    const { diff } = state.metadata;
    assert.match(diff, /@@ -0,0 \+1,2 @@\n\+one\n\+two\n\\ No newline at end of file\n$/);
    assert.deepEqual(state.metadata, { filepath: path, exists: false, diff, diagnostics: {} });
    const [{ permission, patterns, always, metadata }] = asks;
    assert.deepEqual([permission, patterns, always], ["edit", ["x/y/z.txt"], ["*"]]);
    assert.deepEqual(metadata, { filepath: path, diff });
  });

  test("has the name that was given, unless it is there in another Unicode form", async () => {
    const { done, text, put, work } = place({ guard: "off" });
    const [composed, apart] = ["\u00e9.md", "\u0065\u0301.md"];
    await done("write", { filePath: composed, content: "1" });
    assert.deepEqual(readdirSync(work), [composed]);
    await done("write", { filePath: apart, content: "2" });
    assert.deepEqual([readdirSync(work), text(composed)], [[composed], "2"]);
    put(apart, "3");
    await done("write", { filePath: apart, content: "4" });
    assert.deepEqual([text(composed), text(apart)], ["2", "4"]);
  });

  test("is not written if that is turned down", async () => {
    const { refused, at } = place({ onAsk: () => "reject" });
    await refused("write", { filePath: "x/new.txt", content: "x" });
    assert.ok(!existsSync(at("x")));
  });

  test("may be empty, and may have characters of any kind", async () => {
    const { done, text } = place();
    const empty = await done("write", { filePath: "empty", content: "" });
    assert.match(empty.output, /\(0 lines, 0 bytes\)/);
    const content = "文字 😀\r\nb\rc\n";
    const state = await done("write", { filePath: "ünï/文.txt", content });
    assert.equal(text("ünï/文.txt"), content);
    assert.match(state.output, /\(3 lines, 17 bytes\)/);
  });

  test("has no half characters", async () => {
    const { refused, asks, at } = place();
    for (const [content, index] of [
      ["a\ud800b", 1],
      ["😀\udc00", 2],
      ["\ude00", 0],
    ]) {
      const error = await refused("write", { filePath: "lone.txt", content });
      assert.match(error, new RegExp(`^content holds half a character at ${index}\\.`));
    }
    assert.equal(asks.length, 0);
    assert.ok(!existsSync(at("lone.txt")));
  });

  test("cannot be where a file is on the way, or a directory", async () => {
    const { refused, put, at } = place();
    put("hello.py", "h");
    mkdirSync(at("dir"));
    assert.equal(
      await refused("write", { filePath: "hello.py/x.txt", content: "x" }),
      `${at("hello.py/x.txt")}: ${at("hello.py")} is a file, not a directory.`,
    );
    assert.equal(
      await refused("write", { filePath: "dir", content: "x" }),
      `${at("dir")} is a directory, not a file.`,
    );
  });

  test("outside is asked for its directory first", async () => {
    const { done, at, outside, asked } = place();
    symlinkSync(outside, at("way"));
    await done("write", { filePath: "way/sub/new.txt", content: "x" });
    assert.deepEqual(asked(), [
      ["external_directory", `${outside}/sub/*`],
      ["edit", "way/sub/new.txt", "../outside/sub/new.txt"],
    ]);
    assert.equal(readFileSync(join(outside, "sub/new.txt"), "utf8"), "x");
  });
});

describe("a file that is there", () => {
  const over = (options) => place({ guard: "off", ...options });

  test("keeps its mode, and is replaced whole", async () => {
    const { done, put, text, at } = over();
    const path = put("run.sh", "#!/bin/sh\nold\n");
    chmodSync(path, 0o750);
    const state = await done("write", { filePath: "run.sh", content: "new\n" });
    assert.equal(text("run.sh"), "new\n");
    assert.equal(statSync(path).mode & 0o7777, 0o750);
    assert.equal(state.metadata.exists, true);
    assert.match(state.metadata.diff, /-#!\/bin\/sh\n-old\n\+new\n$/);
    assert.deepEqual(readdirSync(at(".")), ["run.sh"]);
  });

  test("is written through links to it", async () => {
    const { done, put, text, at } = over();
    put("real/a.txt", "old");
    symlinkSync("real/a.txt", at("link"));
    symlinkSync("real/made.txt", at("to-nothing"));
    await done("write", { filePath: "link", content: "new" });
    await done("write", { filePath: "to-nothing", content: "made" });
    assert.ok(lstatSync(at("link")).isSymbolicLink());
    assert.ok(lstatSync(at("to-nothing")).isSymbolicLink());
    assert.equal(text("real/a.txt"), "new");
    assert.equal(text("real/made.txt"), "made");
  });

  test("keeps its byte order mark, once", async () => {
    const { done, put, text } = over();
    put("bom.txt", "\ufeffold\n");
    await done("write", { filePath: "bom.txt", content: "new\n" });
    assert.equal(text("bom.txt"), "\ufeffnew\n");
    await done("write", { filePath: "bom.txt", content: "\ufeffmarked\n" });
    assert.equal(text("bom.txt"), "\ufeffmarked\n");
    put("plain.txt", "old\n");
    await done("write", { filePath: "plain.txt", content: "\ufeffnew\n" });
    assert.equal(text("plain.txt"), "\ufeffnew\n");
  });

  test("stays in UTF-16, as its mark says", async () => {
    const { done, put, at } = over();
    put("le.txt", Buffer.from("\ufeffold\n", "utf16le"));
    const { metadata } = await done("write", { filePath: "le.txt", content: "neu 😀\n" });
    assert.match(metadata.diff, /\n-old\n\+neu 😀\n$/);
    assert.equal(readFileSync(at("le.txt")).toString("utf16le"), "\ufeffneu 😀\n");
    put("be.txt", Buffer.from("\ufeffold\n", "utf16le").swap16());
    await done("write", { filePath: "be.txt", content: "neu\n" });
    assert.equal(readFileSync(at("be.txt")).swap16().toString("utf16le"), "\ufeffneu\n");
  });

  test("is not written if it is a FIFO or a device", async () => {
    const { refused, at, asks } = over({ rules: { external_directory: "allow" } });
    execFileSync("mkfifo", [at("pipe")]);
    for (const filePath of ["pipe", "/dev/null"]) {
      assert.match(await refused("write", { filePath, content: "x" }), /device, a FIFO/);
    }
    assert.equal(asks.length, 0);
  });

  test("may be too large to show what changes", async () => {
    const { done, put, at, text } = over();
    put("huge.txt", "x");
    truncateSync(at("huge.txt"), 40 * 1024 * 1024);
    const state = await done("write", { filePath: "huge.txt", content: "small\n" });
    assert.match(state.metadata.diff, /too large \(41943040 bytes\) to show what changes/);
    assert.equal(text("huge.txt"), "small\n");
  });
});

test("a file in an encoding that is not known becomes UTF-8, and that is said", async () => {
  const { done, put, text } = place({ guard: "off" });
  put("a.txt", Buffer.from("caf\xe9\n", "latin1"));
  const state = await done("write", { filePath: "a.txt", content: "café\n" });
  assert.equal(text("a.txt"), "café\n");
  assert.deepEqual(state.metadata.encoding, { was: "unknown", now: "utf-8" });
  assert.match(state.output, /Its encoding changed/);
  const again = await done("write", { filePath: "a.txt", content: "thé\n" });
  assert.equal(again.metadata.encoding, undefined);
  assert.doesNotMatch(again.output, /encoding/);
});

test("a host that does not tell files apart still notices what changed", async () => {
  const { fs } = parts.nodeHost();
  const without = async (stat) => ({ ...(await stat), id: undefined });
  const made = place({
    guard: "off",
    fs: { ...fs, stat: (path) => without(fs.stat(path)), lstat: (path) => without(fs.lstat(path)) },
    onAsk({ metadata }) {
      if (metadata.diff.includes("+third")) made.put("a.txt", "someone else's\n");
      return "once";
    },
  });
  await made.done("write", { filePath: "a.txt", content: "first\n" });
  await made.done("write", { filePath: "a.txt", content: "second\n" });
  await made.done("edit", { filePath: "a.txt", oldString: "sec", newString: "Sec" });
  const third = { filePath: "a.txt", content: "third\n" };
  assert.match(await made.refused("write", third), /changed since permission was asked/);
  assert.equal(made.text("a.txt"), "someone else's\n");
});

describe("the guard", () => {
  const write = { filePath: "a.txt", content: "new\n" };

  test("refuses a file that was not read, before anything is asked", async () => {
    const { refused, put, text, asks, outside } = place();
    put("a.txt", "old\n");
    assert.match(await refused("write", write), UNREAD);
    writeFileSync(join(outside, "b.txt"), "old\n");
    const error = await refused("write", { filePath: join(outside, "b.txt"), content: "" });
    assert.match(error, UNREAD);
    assert.equal(asks.length, 0);
    assert.equal(text("a.txt"), "old\n");
  });

  test("lets a file be overwritten of which a page was read, by any path", async () => {
    const { done, put, text, at } = place();
    put("a.txt", "1\n2\n3\n");
    symlinkSync("a.txt", at("link.txt"));
    await done("read", { filePath: "link.txt", offset: 2, limit: 1 });
    await done("write", write);
    assert.equal(text("a.txt"), "new\n");
  });

  test("compares content, not times", async () => {
    const { done, refused, put } = place();
    const path = put("a.txt", "old\n");
    await done("read", { filePath: "a.txt" });
    utimesSync(path, 1, 1);
    writeFileSync(path, "old\n");
    await done("write", write);
    const { mtime } = statSync(path);
    writeFileSync(path, "odd\n");
    utimesSync(path, mtime, mtime);
    assert.match(await refused("write", write), UNREAD);
  });

  test("counts what the session wrote itself, and forgets nothing of it", async () => {
    const { done, text } = place();
    await done("write", write);
    await done("write", { ...write, content: "newer\n" });
    await done("edit", { filePath: "a.txt", oldString: "newer", newString: "newest" });
    await done("write", { ...write, content: "last\n" });
    assert.equal(text("a.txt"), "last\n");
  });

  test("counts an edit as reading", async () => {
    const { done, put } = place();
    put("a.txt", "old\n");
    await done("edit", { filePath: "a.txt", oldString: "old", newString: "edited" });
    await done("write", write);
  });

  test("is one for each session", async () => {
    const { done, refused, put } = place();
    put("a.txt", "old\n");
    await done("read", { filePath: "a.txt" });
    assert.match(await refused("write", write, { sessionID: "ses_2" }), UNREAD);
    await done("write", write);
  });

  test("only warns, or is off, where the host says so", async () => {
    const warns = place({ guard: "warn" });
    warns.put("a.txt", "old\n");
    const { output } = await warns.done("write", write);
    assert.match(output, /^Wrote .* \(1 lines, 4 bytes\)\. It existed and was not read before/);
    assert.match((await warns.done("write", write)).output, /bytes\)\.$/);
    const off = place({ guard: "off" });
    off.put("a.txt", "old\n");
    assert.match((await off.done("write", write)).output, /bytes\)\.$/);
  });
});

describe("while permission is asked", () => {
  /** Writes `a/f.txt` while something happens. */
  const during = (happens, options) => {
    const made = place({
      guard: "off",
      onAsk(request) {
        if (request.permission === "edit") happens(made);
        return "once";
      },
      ...options,
    });
    return made;
  };
  const write = { filePath: "a/f.txt", content: "new" };

  test("the file may change, and is then left as it is", async () => {
    const made = during(({ put }) => put("a/f.txt", "someone else's"));
    made.put("a/f.txt", "old");
    const error = await made.refused("write", write);
    assert.match(error, /changed since permission was asked: nothing was written/);
    assert.equal(made.text("a/f.txt"), "someone else's");
  });

  test("the file may be made, or removed", async () => {
    const making = during(({ put }) => put("a/f.txt", "someone else's"));
    assert.match(await making.refused("write", write), /changed since/);
    assert.equal(making.text("a/f.txt"), "someone else's");
    const removing = during(({ at }) => rmSync(at("a/f.txt")));
    removing.put("a/f.txt", "old");
    assert.match(await removing.refused("write", write), /changed since/);
    assert.ok(!existsSync(removing.at("a/f.txt")));
  });

  test("the directory may be swapped for a link, and nothing is written outside", async () => {
    for (const isThere of [true, false]) {
      const made = during(({ at, outside }) => {
        rmSync(at("a"), { recursive: true });
        symlinkSync(outside, at("a"));
      });
      mkdirSync(made.at("a"));
      if (isThere) made.put("a/f.txt", "old");
      writeFileSync(join(made.outside, "other.txt"), "");
      assert.match(await made.refused("write", write), /leads elsewhere/);
      assert.deepEqual(readdirSync(made.outside), ["other.txt"]);
    }
  });

  test("the file may be swapped for a link", async () => {
    const made = during(({ at, outside }) => {
      rmSync(at("a/f.txt"));
      symlinkSync(join(outside, "s"), at("a/f.txt"));
    });
    writeFileSync(join(made.outside, "s"), "old");
    made.put("a/f.txt", "old");
    assert.match(await made.refused("write", write), /leads elsewhere/);
    assert.equal(readFileSync(join(made.outside, "s"), "utf8"), "old");
  });

  test("another call for the same file waits, by whatever path", async () => {
    let asking = 0;
    let most = 0;
    const made = place({
      guard: "off",
      async onAsk() {
        most = Math.max(most, ++asking);
        await new Promise((resolve) => setImmediate(resolve));
        asking--;
        return "once";
      },
    });
    made.put("a.txt", "0");
    symlinkSync("a.txt", made.at("b.txt"));
    const paths = ["a.txt", "b.txt", "./a.txt", "a.txt", "b.txt"];
    await Promise.all(paths.map((filePath) => made.done("write", { filePath, content: filePath })));
    assert.equal(most, 1);
  });

  test("a call that waits for another one ends when it is stopped", async () => {
    let answer;
    const made = place({
      guard: "off",
      onAsk: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    made.put("a.txt", "0");
    symlinkSync("a.txt", made.at("b.txt"));
    const first = made.run("write", { filePath: "a.txt", content: "1" });
    while (!answer) await new Promise((resolve) => setImmediate(resolve));
    const second = made.run("write", { filePath: "b.txt", content: "2" });
    second.abort();
    assert.equal((await second).state.metadata.aborted, true);
    answer("once");
    assert.equal((await first).state.status, "completed");
    assert.equal(made.text("a.txt"), "1");
  });
});
