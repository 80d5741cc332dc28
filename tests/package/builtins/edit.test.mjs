// The edit tool over files. (What is matched and what is refused is tested in Rust.)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { installed, removeFolders, workplace } from "./file-tools.mjs";

let parts;
before(async () => {
  parts = await installed("builtins-edit");
});
after(removeFolders);

const place = (options) => workplace(parts, options);
const edit = (filePath, oldString, newString, more) => [
  "edit",
  { filePath, oldString, newString, ...more },
];

describe("an edit", () => {
  test("replaces the text after its diff was shown", async () => {
    const { done, put, text, at, asks } = place();
    const path = put("src/a.js", "one();\ntwo();\nthree();\n");
    chmodSync(path, 0o640);
    const state = await done(...edit("src/a.js", "two();", "2();\n2.5();"));
    assert.equal(text("src/a.js"), "one();\n2();\n2.5();\nthree();\n");
    assert.equal(statSync(path).mode & 0o7777, 0o640);
    assert.equal(state.output, `Edited ${path}: lines 2-2 (+2 -1).`);
    assert.equal(state.title, "src/a.js");
    const { diff } = state.metadata;
    assert.match(diff, /@@ -1,3 \+1,4 @@\n one\(\);\n-two\(\);\n\+2\(\);\n\+2\.5\(\);\n three/);
    assert.deepEqual(state.metadata, {
      diff,
      filediff: { file: path, patch: diff, additions: 2, deletions: 1 },
      diagnostics: {},
      match: { level: 1, line: 2, endLine: 2, count: 1 },
    });
    const [{ permission, patterns, always, metadata }] = asks;
    assert.deepEqual([permission, patterns, always], ["edit", ["src/a.js"], ["*"]]);
    assert.deepEqual(metadata, { filepath: path, diff });
    assert.deepEqual(readdirSync(at("src")), ["a.js"]);
  });

  test("says what had to be ignored", async () => {
    const { done, put, text } = place();
    put("a.py", "class A:\n    def two(self):\n        return 2\n");
    const state = await done(
      ...edit("a.py", "def two(self):\n    return 2", "def two(self):\n    return 22"),
    );
    assert.match(state.output, /Matched ignoring indentation; newString was moved to fit\.$/);
    assert.equal(state.metadata.match.level, 4);
    assert.equal(text("a.py"), "class A:\n    def two(self):\n        return 22\n");
  });

  test("replaces all, literally", async () => {
    const { done, put, text } = place();
    put("a.js", "log(a);\nlog(a);\n");
    const state = await done(...edit("a.js", "log(a);", "$&!", { replaceAll: true }));
    assert.equal(text("a.js"), "$&!\n$&!\n");
    assert.equal(state.metadata.match.count, 2);
  });

  test("leaves bytes alone that are not UTF-8", async () => {
    const { done, put, at } = place();
    put("a.txt", Buffer.from("caf\xe9\nn\xf6\n", "latin1"));
    await done(...edit("a.txt", "caf", "tea"));
    assert.equal(readFileSync(at("a.txt")).toString("latin1"), "tea\xe9\nn\xf6\n");
  });

  test("finds whole lines in another Unicode form", async () => {
    const { done, refused, put, text } = place();
    const [apart, composed] = ["caf\u0065\u0301 = 1", "caf\u00e9 = 1"];
    put("a.py", `def f():\n    ${apart}\n    g()\n`);
    const state = await done(...edit("a.py", `${composed}\ng()`, "tea = 1\ng()"));
    assert.equal(text("a.py"), "def f():\n    tea = 1\n    g()\n");
    assert.equal(state.metadata.match.level, 9);
    assert.match(state.output, /Matched ignoring Unicode forms/);
    put("b.py", `x = ${apart}\n`);
    assert.match(await refused(...edit("b.py", composed, "y")), /is not in/);
    put("c.txt", "\ud55c\uae00 \uac12 1\n".normalize("NFD"));
    await done(...edit("c.txt", "\ud55c\uae00 \uac12 1", "x 1"));
    assert.equal(text("c.txt"), "x 1\n");
  });

  test("of a file with several names changes them all, if they are all inside", async () => {
    const { done, put, at, text, asks } = place();
    put("a.txt", "one\n");
    mkdirSync(at(".hidden/deep"), { recursive: true });
    linkSync(at("a.txt"), at(".hidden/deep/b.txt"));
    symlinkSync(at("a.txt"), at("link"));
    const longer = await done(...edit("link", "one", "three"));
    assert.deepEqual([text("a.txt"), text(".hidden/deep/b.txt")], ["three\n", "three\n"]);
    assert.equal(longer.metadata.links, 2);
    assert.match(longer.output, /The file has 2 names .*: it was written in place, not atomically/);
    assert.deepEqual(asks[0].patterns.toSorted(), [".hidden/deep/b.txt", "a.txt", "link"]);
    await done(...edit(".hidden/deep/b.txt", "three", "2"));
    assert.deepEqual([text("a.txt"), statSync(at("a.txt")).nlink], ["2\n", 2]);
    // The session knows what is under the other name, too.
    const whole = await done("write", { filePath: "a.txt", content: "all\n" });
    assert.equal(text(".hidden/deep/b.txt"), "all\n");
    assert.equal(whole.metadata.links, 2);
    assert.match(whole.output, /written in place/);
  });

  test("of a file with names elsewhere, or that are not found, replaces it", async () => {
    const { done, put, at, text, outside } = place();
    put("a.txt", "one\n");
    linkSync(at("a.txt"), join(outside, "a.txt"));
    // A link to the other name is not a name.
    symlinkSync(outside, at("folder"));
    const state = await done(...edit("a.txt", "one", "two"));
    assert.deepEqual([text("a.txt"), text("folder/a.txt")], ["two\n", "one\n"]);
    assert.equal(state.metadata.links, 2);
    assert.match(state.output, /The file had 2 names .*: the other names keep the old content/);
    const alone = await done(...edit("a.txt", "two", "three"));
    assert.ok(!("links" in alone.metadata));
    put("x/a.txt", "one\n");
    mkdirSync(at("y"));
    for (let i = 0; i < 20_000; i++) writeFileSync(at(`y/${i}`), "");
    mkdirSync(at("y/z"));
    linkSync(at("x/a.txt"), at("y/z/b.txt"));
    assert.match((await done(...edit("x/a.txt", "one", "two"))).output, /keep the old content/);
    assert.equal(text("y/z/b.txt"), "one\n");
  });

  test("of a file with several names needs the permission for each", async () => {
    const rules = { edit: { "*": "allow", "locked/*": "deny" } };
    const { refused, put, at, text } = place({ rules });
    put("a.txt", "one\n");
    mkdirSync(at("locked"));
    linkSync(at("a.txt"), at("locked/a.txt"));
    assert.match(await refused(...edit("a.txt", "one", "two")), /locked/);
    assert.deepEqual([text("a.txt"), text("locked/a.txt")], ["one\n", "one\n"]);
  });

  test("of two names of a file at once loses neither", async () => {
    const { run, put, at, text } = place();
    put("a.txt", "one two\n");
    linkSync(at("a.txt"), at("b.txt"));
    const parts = await Promise.all([
      run(...edit("a.txt", "one", "1")),
      run(...edit("b.txt", "two", "2")),
    ]);
    const failed = parts.filter(({ state }) => state.status === "error");
    for (const { state } of failed) assert.match(state.error, /changed since permission was asked/);
    assert.equal(text("a.txt"), text("b.txt"));
    const changes = [/1/, /2/].filter((change) => change.test(text("a.txt"))).length;
    assert.equal(changes + failed.length, 2);
  });

  test("puts no other letters where the encoding is not known", async () => {
    const { refused, put, at } = place();
    const latin = Buffer.from("val=1\ncaf\xe9\n", "latin1");
    put("a.txt", latin);
    for (const [from, to] of [
      ["val=1", "val=café"],
      ["café", "cafe"],
    ]) {
      assert.match(await refused(...edit("a.txt", from, to)), /is neither UTF-8 nor UTF-16/);
    }
    assert.deepEqual(readFileSync(at("a.txt")), latin);
  });

  test("takes the file whose name is in another Unicode form", async () => {
    const { done, put, text, asked } = place({ rules: { edit: "ask" } });
    put("caf\u0065\u0301/a.txt", "one\n");
    await done(...edit("caf\u00e9/a.txt", "one", "two"));
    assert.equal(text("caf\u0065\u0301/a.txt"), "two\n");
    // A rule for either spelling counts.
    assert.deepEqual(asked(), [["edit", "caf\u0065\u0301/a.txt", "caf\u00e9/a.txt"]]);
    const denied = place({ rules: { "*": "allow", edit: { "*": "allow", "\u00e9.txt": "deny" } } });
    denied.put("\u0065\u0301.txt", "one\n");
    assert.match(await denied.refused(...edit("\u00e9.txt", "one", "two")), /The rules deny edit/);
  });

  test("keeps line ends, mark and UTF-16", async () => {
    const { done, refused, put, at, text } = place();
    put("a.txt", "\ufeffone\r\ntwo\r\n");
    await done(...edit("a.txt", "one\ntwo", "1\n2"));
    assert.equal(text("a.txt"), "\ufeff1\r\n2\r\n");
    put("b.txt", Buffer.from("\ufeffone 😀\r\ntwo\r\n", "utf16le"));
    await done(...edit("b.txt", "😀\ntwo", "😁\n2"));
    assert.equal(readFileSync(at("b.txt")).toString("utf16le"), "\ufeffone 😁\r\n2\r\n");
    put("c.txt", Buffer.from("\ufeffa\ud800b", "utf16le"));
    assert.match(await refused(...edit("c.txt", "a", "b")), /is not valid UTF-16LE/);
  });

  test("goes through a link to the file", async () => {
    const { done, put, text, at, asked } = place();
    put("real.txt", "world");
    symlinkSync("real.txt", at("link.txt"));
    await done(...edit("link.txt", "world", "link"));
    assert.equal(text("real.txt"), "link");
    assert.deepEqual(asked(), [["edit", "link.txt", "real.txt"]]);
  });

  test("outside is asked for the directory first", async () => {
    const { done, outside, asked } = place();
    const path = join(outside, "a.txt");
    writeFileSync(path, "outside");
    await done(...edit(path, "outside", "changed"));
    assert.deepEqual(asked(), [
      ["external_directory", `${outside}/*`],
      ["edit", "../outside/a.txt"],
    ]);
  });

  test("of one file runs after another, and none is lost", async () => {
    const { done, put, text, at } = place();
    const names = Array.from({ length: 12 }, (_, i) => `name${String(i).padStart(2, "0")}`);
    put("a.txt", names.join("\n"));
    symlinkSync("a.txt", at("b.txt"));
    await Promise.all(
      names.map((name, i) => done(...edit(i % 2 ? "a.txt" : "b.txt", name, name.toUpperCase()))),
    );
    assert.equal(text("a.txt"), names.join("\n").toUpperCase());
  });
});

describe("an empty oldString", () => {
  test("makes a file that is missing", async () => {
    const { done, text, at, asks } = place();
    const state = await done(...edit("made/new.txt", "", "fresh\n"));
    const path = at("made/new.txt");
    assert.equal(text("made/new.txt"), "fresh\n");
    assert.equal(state.output, `Wrote ${path} (1 lines, 6 bytes).`);
    const { diff, filediff } = state.metadata;
    assert.match(diff, /@@ -0,0 \+1,1 @@\n\+fresh\n$/);
    assert.deepEqual(filediff, { file: path, patch: diff, additions: 1, deletions: 0 });
    assert.equal(asks[0].metadata.diff, diff);
  });

  test("does not replace a file that was made meanwhile", async () => {
    const made = place({
      onAsk() {
        made.put("new.txt", "someone else's");
        return "once";
      },
    });
    assert.match(await made.refused(...edit("new.txt", "", "mine")), /changed since/);
    assert.equal(made.text("new.txt"), "someone else's");
  });
});

describe("what is refused, before anything of it is asked", () => {
  test("comes in this order", async () => {
    const { refused, put, at, asks } = place();
    put("a.txt", "text");
    put("app.ts", "");
    put("dir/x", "");
    put("nul.bin", "a\0b");
    const cases = [
      [edit("missing", "same", "same"), /are the same/],
      [edit("nul.bin", "", "x"), /oldString is empty, but .*nul\.bin exists/],
      [edit("App.ts", "a", "b"), `There is no file ${at("App.ts")}. Near names:\n${at("app.ts")}`],
      [edit("a.txt/b", "a", "b"), `${at("a.txt/b")}: ${at("a.txt")} is a file, not a directory.`],
      [edit("dir", "", "b"), `${at("dir")} is a directory, not a file.`],
      [edit("dir", "a", "b"), `${at("dir")} is a directory, not a file.`],
      [edit("nul.bin", "a", "b"), /is binary \(3 bytes, looks like data\)/],
      [edit("a.txt", "absent", "b"), `oldString is not in ${at("a.txt")}.`],
      [edit("a.txt", "t", "b"), /is in .* 2 times \(lines 1, 1\)/],
      [edit("a.txt", "t\ud800", "b"), /^oldString holds half a character at 1\./],
      [edit("a.txt", "text", "b\udc00"), /^newString holds half a character at 1\./],
    ];
    for (const [call, expected] of cases) {
      const error = await refused(...call);
      if (typeof expected === "string") assert.equal(error, expected);
      else assert.match(error, expected);
    }
    assert.equal(asks.length, 0);
  });

  test("tells nothing of a file that may not be edited, or not be read", async () => {
    const text = "a long line that says something secret\n";
    const call = edit("a.txt", "a long line that says something public", "x");
    for (const [rules, expected] of [
      [{}, /closest text[\s\S]*secret/],
      [{ read: { "a.txt": "deny" } }, /^oldString is not in [^ ]*a\.txt\.$/],
      [{ edit: { "a.txt": "deny" } }, /^The rules deny edit of "a\.txt"/],
    ]) {
      const { refused, put } = place({ rules });
      put("a.txt", text);
      assert.match(await refused(...call), expected);
    }
  });

  test("may be a device, a FIFO, or what is too large", async () => {
    const { refused, put, at } = place({ rules: { external_directory: "allow" } });
    execFileSync("mkfifo", [at("pipe")]);
    for (const path of ["pipe", "/dev/zero"]) {
      assert.match(await refused(...edit(path, "a", "b")), /device, a FIFO/);
    }
    put("huge.txt", "x");
    truncateSync(at("huge.txt"), 33 * 1024 * 1024);
    assert.match(await refused(...edit("huge.txt", "x", "y")), /larger than 32 MiB/);
  });
});

describe("while permission is asked", () => {
  test("the file may change, and is then left as it is", async () => {
    const made = place({
      onAsk() {
        made.put("a.txt", "old and new\n");
        return "once";
      },
    });
    made.put("a.txt", "old\n");
    const error = await made.refused(...edit("a.txt", "old", "mine"));
    assert.match(error, /changed since permission was asked: nothing was written/);
    assert.equal(made.text("a.txt"), "old and new\n");
  });

  test("turning it down changes nothing", async () => {
    const { refused, put, text, at } = place({ onAsk: () => "reject" });
    put("a.txt", "old\n");
    await refused(...edit("a.txt", "old", "new"));
    await refused(...edit("x/b.txt", "", "new"));
    assert.equal(text("a.txt"), "old\n");
    assert.ok(!existsSync(at("x")));
  });
});
