// The read tool: pages, directories, attachments, what is refused, what is asked. (Lines and their numbers are
// tested in Rust.)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { installed, removeFolders, workplace } from "./file-tools.mjs";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

let parts;
before(async () => {
  parts = await installed("builtins-read");
});
after(removeFolders);

const place = (options) => workplace(parts, options);
const shown = ({ output }) => /<(?:content|entries)>\n([\s\S]*)\n\n\(/.exec(output)[1];
const note = ({ output }) => /\n(\(.*\))\n<\/(?:content|entries)>$/.exec(output)[1];

describe("a file", () => {
  test("is shown with its lines numbered, and described", async () => {
    const { done, put, asked, asks } = place();
    const path = put("src/a.txt", "one\r\ntwo\r\n");
    const state = await done("read", { filePath: "src/a.txt" });
    assert.equal(
      state.output,
      `<path>${path}</path>\n<type>file</type>\n<content>\n1: one\n2: two\n\n(End of file: 2 lines)\n</content>`,
    );
    assert.equal(state.title, "src/a.txt");
    const { hash, ...metadata } = state.metadata;
    assert.match(hash, /^[0-9a-f]{16}-10$/);
    assert.deepEqual(metadata, {
      preview: "one\ntwo",
      truncated: false,
      loaded: [],
      display: {
        type: "file",
        path,
        text: "one\ntwo",
        lineStart: 1,
        lineEnd: 2,
        totalLines: 2,
        truncated: false,
      },
      eol: "crlf",
      finalNewline: true,
    });
    assert.deepEqual(asked(), [["read", "src/a.txt"]]);
    assert.deepEqual(asks[0].always, ["*"]);
  });

  test("is shown from offset on, as far as limit", async () => {
    const { done, refused, put } = place();
    put("a.txt", "1\n2\n3\n4\n");
    const page = await done("read", { filePath: "a.txt", offset: 2, limit: 2 });
    assert.equal(shown(page), "2: 2\n3: 3");
    assert.equal(note(page), "(Lines 2-3 of 4. Go on with offset=4.)");
    assert.equal(page.metadata.truncated, true);
    assert.equal(shown(await done("read", { filePath: "a.txt", offset: 0, limit: 1 })), "1: 1");
    const none = await done("read", { filePath: "a.txt", limit: 0 });
    assert.equal(shown(none), "");
    assert.equal(note(none), "(Lines 1-0 of 4. Go on with offset=1.)");
    for (const offset of [5, 2 ** 40]) {
      assert.match(
        await refused("read", { filePath: "a.txt", offset }),
        /^offset \d+ is past the end: the file has 4 lines\.$/,
      );
    }
  });

  test("may be empty, and then line 1 is not past its end", async () => {
    const { done, put } = place();
    put("empty.bin", "");
    const state = await done("read", { filePath: "empty.bin" });
    assert.equal(note(state), "(End of file: 0 lines)");
    assert.equal(state.metadata.finalNewline, false);
  });

  test("has the same hash whatever part of it is shown, and another one once it changed", async () => {
    const { done, put } = place();
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i} ${"x".repeat(i % 50)}\n`);
    put("long.txt", lines.join(""));
    const hashes = new Set();
    for (const more of [{}, { limit: 1 }, { offset: 29_990 }, { limit: 100_000 }]) {
      hashes.add((await done("read", { filePath: "long.txt", ...more })).metadata.hash);
    }
    assert.equal(hashes.size, 1);
    lines[29_999] = lines[29_999].replace("29999", "29998");
    put("long.txt", lines.join(""));
    hashes.add((await done("read", { filePath: "long.txt", limit: 1 })).metadata.hash);
    assert.equal(hashes.size, 2);
  });

  test("is cut at 50 KB by the tool itself, and not once more", async () => {
    const { done, put } = place();
    put("wide.txt", `${"w".repeat(999)}\n`.repeat(100));
    const state = await done("read", { filePath: "wide.txt" });
    assert.equal(note(state), "(Cut at 50 KB after line 51. Go on with offset=52.)");
    assert.equal(state.metadata.truncated, true);
    assert.equal(state.metadata.omitted, undefined);
    put("numbers.txt", "\n".repeat(2500));
    const many = await done("read", { filePath: "numbers.txt", limit: 2500 });
    assert.equal(many.metadata.truncated, false);
    assert.equal(many.metadata.display.totalLines, 2500);
    assert.equal(many.metadata.omitted, undefined);
  });

  test("says how it is encoded where that is not plain UTF-8", async () => {
    const { done, put } = place();
    put("bom.txt", "\ufeffmarked\n");
    put("latin1.txt", Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
    put("utf16.txt", Buffer.from("\ufeffsixteen\n", "utf16le"));
    const bom = await done("read", { filePath: "bom.txt" });
    assert.equal(shown(bom), "1: marked");
    assert.deepEqual([bom.metadata.bom, bom.metadata.encoding], [true, undefined]);
    const latin1 = await done("read", { filePath: "latin1.txt" });
    assert.equal(shown(latin1), "1: caf\ufffd");
    assert.equal(latin1.metadata.encoding, "invalid-utf8");
    const utf16 = await done("read", { filePath: "utf16.txt" });
    assert.equal(shown(utf16), "1: sixteen");
    assert.equal(utf16.metadata.encoding, "utf-16le");
  });
});

test("a name in another Unicode form is read where nothing has the one that was given", async () => {
  const { done, put } = place();
  const [composed, apart] = [
    "\u00fcn\u00ef/\ud55c.txt",
    "\u0075\u0308n\u00ef/\u1112\u1161\u11ab.txt",
  ];
  put(apart, "apart\n");
  assert.match((await done("read", { filePath: composed })).output, /apart/);
  put(composed, "composed\n");
  assert.match((await done("read", { filePath: composed })).output, /composed/);
  assert.match((await done("read", { filePath: apart })).output, /apart/);
});

describe("a directory", () => {
  test("is listed by code point, with / after directories and links to them", async () => {
    const { done, put, at, work, outside } = place();
    for (const name of ["b.txt", "B.txt", ".hidden", "日本.txt", "sub/x"]) put(name, "");
    symlinkSync("sub", at("to-sub"));
    symlinkSync("b.txt", at("to-b"));
    symlinkSync("nowhere", at("broken"));
    symlinkSync(outside, at("out"));
    const state = await done("read", { filePath: "." });
    const entries = [
      ".hidden",
      "B.txt",
      "b.txt",
      "broken",
      "out/",
      "sub/",
      "to-b",
      "to-sub/",
      "日本.txt",
    ];
    assert.equal(
      state.output,
      `<path>${work}</path>\n<type>directory</type>\n<entries>\n${entries.join("\n")}\n\n(9 entries)\n</entries>`,
    );
    assert.deepEqual(state.metadata, {
      preview: entries.join("\n"),
      truncated: false,
      loaded: [],
      display: {
        type: "directory",
        path: work,
        entries,
        offset: 1,
        totalEntries: 9,
        truncated: false,
      },
    });
  });

  test("counts offset and limit in entries", async () => {
    const { done, refused, put } = place();
    for (let i = 0; i < 30; i++) put(`many/f${String(i).padStart(2, "0")}`, "");
    const page = await done("read", { filePath: "many", offset: 3, limit: 2 });
    assert.equal(shown(page), "f02\nf03");
    assert.equal(note(page), "(2 of 30 entries. Go on with offset=5.)");
    const all = await done("read", { filePath: "many" });
    assert.equal(all.metadata.preview.split("\n").length, 20);
    assert.equal(
      await refused("read", { filePath: "many", offset: 31 }),
      "offset 31 is past the end: the directory has 30 entries.",
    );
  });
});

describe("what is no text", () => {
  test("is attached if it is an image or a PDF, by its content", async () => {
    const { done, put } = place();
    const cases = [
      ["picture.txt", PNG, "image/png", "Image attached."],
      ["a", Buffer.from("GIF89a\x01\x00\x01\x00\x00", "latin1"), "image/gif", "Image attached."],
      ["b", Buffer.from("RIFF\x04\0\0\0WEBPVP8 ", "latin1"), "image/webp", "Image attached."],
      ["c", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]), "image/jpeg", "Image attached."],
      ["d", Buffer.from("%PDF-1.4\n%%EOF\n"), "application/pdf", "PDF attached."],
      ["e", Buffer.concat([PNG, Buffer.alloc(300_001, 7)]), "image/png", "Image attached."],
    ];
    for (const [name, bytes, mime, output] of cases) {
      put(name, bytes);
      const state = await done("read", { filePath: name });
      assert.equal(state.output, output);
      const { hash, ...metadata } = state.metadata;
      assert.ok(hash);
      assert.deepEqual(metadata, { preview: output, truncated: false, loaded: [] });
      const [{ type, mime: told, url }] = state.attachments;
      assert.deepEqual([type, told], ["file", mime]);
      assert.equal(url, `data:${mime};base64,${bytes.toString("base64")}`);
    }
  });

  test("is not attached from 20 MB on", async () => {
    const { refused, put, at } = place();
    put("huge.png", PNG);
    truncateSync(at("huge.png"), 20 * 1024 * 1024 + 1);
    assert.match(await refused("read", { filePath: "huge.png" }), /too large .*PNG image.* 20 MB/);
  });

  test("is refused if it is binary; a name does not make it so", async () => {
    const { done, refused, put, at } = place();
    put("nul.txt", "before\0after\n");
    put("a.zip", Buffer.from("504b0506000000000000", "hex"));
    put("text.bin", "plain\n");
    put("icon.svg", "<svg/>\n");
    put("fake.png", "not a picture\n");
    assert.equal(
      await refused("read", { filePath: "nul.txt" }),
      `${at("nul.txt")} is binary (13 bytes, looks like data); it cannot be shown as text.`,
    );
    assert.match(await refused("read", { filePath: "a.zip" }), /10 bytes, looks like ZIP archive/);
    for (const name of ["text.bin", "icon.svg", "fake.png"]) {
      assert.match(shown(await done("read", { filePath: name })), /^1: /);
    }
  });

  test("is refused at once if it is a device or a FIFO", async () => {
    const { refused, at } = place();
    execFileSync("mkfifo", [at("pipe")]);
    for (const filePath of ["pipe", "/dev/zero"]) {
      assert.match(await refused("read", { filePath }), /is a device, a FIFO or a socket/);
    }
  });
});

describe("a path where nothing is", () => {
  test("gives near names, the best first and never itself", async () => {
    const { refused, put, at } = place();
    for (const name of ["src/app.ts", "src/app.test.ts", "src/apq.ts", "src/other.md"]) {
      put(name, "");
    }
    symlinkSync("nowhere", at("src/broken.ts"));
    assert.equal(
      await refused("read", { filePath: "src/APP.ts" }),
      `There is no file ${at("src/APP.ts")}. Near names:\n${at("src/app.ts")}\n${at("src/apq.ts")}`,
    );
    assert.equal(
      await refused("read", { filePath: "src/broken.ts" }),
      `There is no file ${at("src/broken.ts")}.`,
    );
    assert.equal(
      await refused("read", { filePath: "scr/app.ts" }),
      `There is no file ${at("scr/app.ts")}. Near names:\n${at("src/app.ts")}`,
    );
    put("sources/b.ts", "");
    assert.equal(
      await refused("read", { filePath: "source/c.ts" }),
      `There is no file ${at("source/c.ts")}. Near names:\n${at("sources")}/`,
    );
    assert.equal(
      await refused("read", { filePath: "src/src" }),
      `There is no file ${at("src/src")}.`,
    );
  });

  test("never gives names outside", async () => {
    const { refused, put, at, folder, outside } = place();
    writeFileSync(join(outside, "secret.txt"), "");
    mkdirSync(join(folder, "works"));
    put("a", "");
    symlinkSync(at("gone.txt"), join(outside, "secret.tx"));
    for (const filePath of ["work", "../work/wrk", join(outside, "secret.tx")]) {
      assert.doesNotMatch(await refused("read", { filePath }), /secret\.txt|works/);
    }
  });

  test("says so if a file is where a directory must be", async () => {
    const { refused, put, at } = place();
    put("hello.py", "");
    assert.equal(
      await refused("read", { filePath: "hello.py/x/y.txt" }),
      `${at("hello.py/x/y.txt")}: ${at("hello.py")} is a file, not a directory.`,
    );
  });

  test("is none with NUL", async () => {
    const { refused } = place();
    assert.match(await refused("read", { filePath: "a\0b" }), /NUL/);
  });
});

test("an empty path is the working directory", async () => {
  const { done, put } = place();
  put("a.txt", "");
  const { output, title } = await done("read", { filePath: "" });
  assert.match(output, /<entries>\na\.txt\n/);
  assert.equal(title, "");
});

describe("permission", () => {
  test("is asked for the path as given and as it is without links", async () => {
    const { done, put, at, asked } = place();
    put("real.txt", "x\n");
    symlinkSync("real.txt", at("link.txt"));
    await done("read", { filePath: "link.txt" });
    assert.deepEqual(asked(), [["read", "link.txt", "real.txt"]]);
  });

  test("is denied by a rule for the real path", async () => {
    const { refused, put, at, asks } = place({ rules: { read: { "*": "allow", ".env": "deny" } } });
    put(".env", "TOKEN=1\n");
    symlinkSync(".env", at("harmless.txt"));
    assert.match(await refused("read", { filePath: "harmless.txt" }), /rules deny read/);
    assert.equal(asks.length, 0);
  });

  test("is asked for the directory first where the file is outside, by its real path", async () => {
    const { done, at, outside, asks } = place();
    writeFileSync(join(outside, "secret.txt"), "s\n");
    symlinkSync(outside, at("way"));
    await done("read", { filePath: "way/secret.txt" });
    const [first, second] = asks;
    assert.equal(first.permission, "external_directory");
    assert.deepEqual(first.patterns, [`${outside}/*`]);
    assert.deepEqual(first.always, [`${outside}/*`]);
    assert.deepEqual(first.metadata, {
      filepath: at("way/secret.txt"),
      realpath: join(outside, "secret.txt"),
      parentDir: outside,
    });
    assert.deepEqual(second.patterns, ["way/secret.txt", "../outside/secret.txt"]);
    await done("read", { filePath: outside });
    assert.deepEqual(asks[2].patterns, [`${outside}/*`]);
  });

  test("that is denied for the directory ends the call", async () => {
    const { refused, outside, asks } = place({ rules: { external_directory: "deny" } });
    writeFileSync(join(outside, "secret.txt"), "s\n");
    assert.match(await refused("read", { filePath: join(outside, "secret.txt") }), /rules deny/);
    assert.equal(asks.length, 0);
  });

  test("does not count for what was put there while it was asked", async () => {
    const made = place({
      onAsk() {
        rmSync(made.at("dir"), { recursive: true });
        symlinkSync(made.outside, made.at("dir"));
        return "once";
      },
    });
    made.put("dir/a.txt", "inside\n");
    writeFileSync(join(made.outside, "a.txt"), "hush\n");
    const error = await made.refused("read", { filePath: "dir/a.txt" });
    assert.match(error, /leads elsewhere, since it was checked: nothing was read/);
    assert.doesNotMatch(error, /hush/);
  });

  test("counts for a file that was saved anew meanwhile", async () => {
    const made = place({
      onAsk() {
        unlinkSync(made.at("a.txt"));
        made.put("a.txt", "new\n");
        return "once";
      },
    });
    made.put("a.txt", "old\n");
    assert.equal(shown(await made.done("read", { filePath: "a.txt" })), "1: new");
  });
});

test("a call that is stopped reads no further", async () => {
  const made = place({ rules: { "*": "allow" } });
  const { fs } = parts.nodeHost();
  let pieces = 0;
  let run;
  const endless = {
    ...fs,
    async *read() {
      for (;;) {
        if (++pieces === 3) run.abort();
        yield new Uint8Array(4096).fill(97);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
  const slow = workplace(parts, { rules: { "*": "allow" }, fs: endless });
  slow.put("a.txt", "x");
  run = slow.run("read", { filePath: "a.txt" });
  const { state } = await run;
  assert.equal(state.metadata.aborted, true);
  assert.ok(pieces <= 5);
  assert.deepEqual(readdirSync(made.work), []);
});
