// Commands on a folder: `search` in all its runs, and `redact`, which writes a copy of each in another folder.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { at, folder, run } from "./command.mjs";

const here = (name) => mkdtempSync(join(folder, `${name}-`));

/** A message that is valid, with a text. */
function message(text, id = "msg_1") {
  const info = { id, sessionID: "ses_1", role: "user", time: { created: 1_700_000_000_000 } };
  const part = { id: `prt_${id}`, sessionID: "ses_1", messageID: id, type: "text", text };
  return {
    info: { ...info, agent: "build", model: { providerID: "p", modelID: "m" } },
    parts: [part],
  };
}
const lines = (...records) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const EXPORT = (text) =>
  JSON.stringify({ info: { id: "ses_1", title: "T", version: "1" }, messages: [message(text)] });

/** Writes files into a new folder. */
function folderWith(files) {
  const root = here("folder");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}
const names = (root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
const textOf = (root, name) => readFileSync(join(root, name), "utf8");

describe("redact FOLDER -o FOLDER2", () => {
  test("writes a copy of each run, with equal masks for equal secrets, and names what is none", () => {
    const root = folderWith({
      "b.json": EXPORT("bob@acme.io and ann@acme.io"),
      "a/x.jsonl": lines(message("ann@acme.io")),
      "clean.json": EXPORT("nothing here"),
      "notes.json": '{"a": 1}',
    });
    const out = join(here("out"), "deep", "er");
    const { status, stdout, stderr } = run(["redact", root, "-o", out]);
    assert.deepEqual([status, stdout], [0, ""], stderr);
    assert.match(stderr, /^notes\.json: not copied: /m);
    assert.match(stderr, /^b\.json: the copy is printed anew/m);
    assert.doesNotMatch(stderr, /clean/);
    assert.deepEqual(names(out), ["a/x.json", "b.json", "clean.json"]);
    assert.equal(textOf(out, "clean.json"), textOf(root, "clean.json"));
    assert.match(textOf(out, "a/x.json"), /\[redacted email 1\]/);
    assert.match(textOf(out, "b.json"), /\[redacted email 2\] and \[redacted email 1\]/);
    // The same again, over what is there.
    assert.equal(run(["redact", root, "-o", out]).status, 0);
    assert.deepEqual(names(out), ["a/x.json", "b.json", "clean.json"]);
  });

  test("names that two copies would have are those of the files, with .json behind them", () => {
    const one = lines(message("one"));
    const root = folderWith({
      "a.jsonl": one,
      "a.json": EXPORT("two"),
      "a.json.json": EXPORT("three"),
      "b.jsonl": one,
      "b.ndjson": one,
      "c.log": one,
      // It is not copied, so that it takes no name.
      "c.json": "{}",
    });
    const out = here("out");
    const { status, stderr } = run(["redact", root, "-o", out]);
    assert.equal(status, 0, stderr);
    const expected = ["a.json.json", "a.json.json.json", "a.jsonl.json"];
    assert.deepEqual(names(out), [...expected, "b.jsonl.json", "b.ndjson.json", "c.json"]);
    assert.match(textOf(out, "a.json.json.json"), /three/);
  });

  test("a run of several files is one copy, and the folders are of the same runs", () => {
    const root = at("tests/fixtures/recorded/runs");
    const out = here("out");
    const { status, stderr } = run(["redact", root, "-o", out]);
    assert.equal(status, 0, stderr);
    const inspected = (path) => {
      const { runs } = JSON.parse(run(["inspect", path, "--json"]).stdout);
      return runs
        .map(({ file, format: _, sessions, ...rest }) => ({
          ...rest,
          file: file.replace(/\.\w+$/, ""),
          sessions: sessions.map(({ file: __, ...session }) => session),
        }))
        .sort((a, b) => (a.file < b.file ? -1 : 1));
    };
    const [before, after] = [inspected(root), inspected(out)];
    assert.ok(before.some(({ sessions }) => sessions.length > 1));
    assert.equal(after.length, before.length);
    const plain = (runs) =>
      JSON.parse(JSON.stringify(runs).replace(/\[redacted [\w-]+ \d+\]/g, "…"));
    const masked = (runs) =>
      JSON.parse(JSON.stringify(runs).replace(/\/(home|root|Users)\/[^/"\\ ]+/g, "/$1/…"));
    assert.deepEqual(masked(plain(after)), masked(before));
  });

  test("is refused where the copies would stand among the files, and without a place for them", () => {
    const root = folderWith({ "a.json": EXPORT("one") });
    symlinkSync(root, join(here("link"), "in"));
    for (const out of [root, join(root, "copies"), join(root, ".", "x", "..", "y")]) {
      const { status, stderr } = run(["redact", root, "-o", out]);
      assert.equal(status, 2);
      assert.match(stderr, /is the folder that is read, or in it/);
      assert.deepEqual(names(root), ["a.json"]);
    }
    assert.equal(run(["redact", root]).status, 2);
    assert.equal(run(["redact", root, "-o", "-"]).status, 2);
    assert.equal(run(["redact", root, "-o", here("x"), "--session", "s"]).status, 2);
    // In a folder above, no copy takes the place of what is read.
    const above = folderWith({ "in/in/a.json": EXPORT("ann@acme.io") });
    const { status, stderr } = run(["redact", join(above, "in"), "-o", above]);
    assert.deepEqual([status, /not written/.test(stderr)], [2, true]);
    assert.match(textOf(above, "in/in/a.json"), /ann@acme/);
  });

  test("a file that is there is replaced, a link and a folder too or not at all", () => {
    const root = folderWith({ "a.json": EXPORT("ann@acme.io"), "b.json": EXPORT("two") });
    const other = folderWith({ "kept.json": "kept" });
    const out = here("out");
    symlinkSync(join(other, "kept.json"), join(out, "a.json"));
    mkdirSync(join(out, "b.json"));
    const { status, stderr } = run(["redact", root, "-o", out]);
    assert.equal(status, 2);
    assert.match(stderr, /b\.json: not written/);
    assert.equal(textOf(other, "kept.json"), "kept");
    assert.match(textOf(out, "a.json"), /redacted email/);
    assert.deepEqual(readdirSync(out).sort(), ["a.json", "b.json"]);
  });

  test("without a transcript the exit code is 1", () => {
    const root = folderWith({ "a.json": "{}" });
    const { status, stderr } = run(["redact", root, "-o", here("out")]);
    assert.equal(status, 1);
    assert.match(stderr, /a\.json: not copied/);
    assert.equal(run(["redact", root, "--list"]).status, 1);
  });

  test("--list says what each file has, and --mask masks in all", () => {
    const root = folderWith({ "a.json": EXPORT("ann@acme.io"), "b.json": EXPORT("Adler") });
    const { status, stdout } = run(["redact", root, "--list"]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^a\.json\nemail: 1 .*\n.*\nb\.json\nno secrets or personal data found\n$/,
    );
    const list = JSON.parse(run(["redact", root, "--list", "--json"]).stdout);
    assert.deepEqual(
      list.map(({ path, findings }) => [path, findings.length]),
      [
        ["a.json", 1],
        ["b.json", 0],
      ],
    );
    const out = here("out");
    const masked = run(["redact", root, "-o", out, "--mask", "Adler", "--mask", "nowhere"]);
    assert.equal(masked.status, 0);
    assert.match(masked.stderr, /--mask nowhere: it occurs nowhere/);
    assert.match(textOf(out, "b.json"), /\[redacted masked 1\]/);
    assert.ok(!existsSync(join(out, "c.json")));
  });
});

describe("search FOLDER QUERY", () => {
  const root = folderWith({
    "b/x.jsonl": lines(message("needle one"), message("needle two", "msg_2")),
    "a.json": EXPORT("a needle"),
    "c.json": EXPORT("nothing"),
    "notes.json": "{}",
  });

  test("prints each match with its file, in the order of their names", () => {
    const { status, stdout, stderr } = run(["search", root, "needle"]);
    assert.equal(status, 0);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "a.json 0:0 /text: a needle",
      "b/x.jsonl 0:0 /text: needle one",
      "b/x.jsonl 1:0 /text: needle two",
    ]);
    assert.equal(stderr, "1 other file not read\n");
    assert.equal(run(["search", root, "haystack"]).status, 1);
    assert.equal(run(["search", folderWith({ "a.json": "{}" }), "needle"]).status, 1);
  });

  test("--json has the path of each, and says whether there are others", () => {
    const found = (limit) =>
      JSON.parse(run(["search", root, "needle", "--json", "--limit", `${limit}`]).stdout);
    const { matches, capped } = found(3);
    assert.deepEqual(
      [matches.map(({ path, message: at, part }) => [path, at, part]), capped],
      [
        [
          ["a.json", 0, 0],
          ["b/x.jsonl", 0, 0],
          ["b/x.jsonl", 1, 0],
        ],
        false,
      ],
    );
    assert.deepEqual([found(2).matches.length, found(2).capped], [2, true]);
    assert.deepEqual([found(1).matches.length, found(1).capped], [1, true]);
    const { stderr } = run(["search", root, "needle", "--limit", "1"]);
    assert.match(stderr, /^only the first 1 match; --limit N shows more$/m);
  });

  test("a run of several files is searched once, as one", () => {
    const runs = at("tests/fixtures/recorded/runs");
    const { runs: listed } = JSON.parse(run(["inspect", runs, "--json"]).stdout);
    const { matches, capped } = JSON.parse(run(["search", runs, "status:failed", "--json"]).stdout);
    const failed = listed.reduce((sum, one) => sum + one.failed, 0);
    assert.deepEqual([matches.length, capped], [failed, false]);
    const paths = new Set(listed.map(({ file }) => file.replaceAll("\\", "/")));
    assert.ok(matches.every(({ path }) => paths.has(path)));
  });

  test("a mistake is a sentence, a session is of one file", () => {
    const { status, stderr } = run(["search", root, "cost>abc"]);
    assert.deepEqual([status, stderr.trim().split("\n").length], [2, 1]);
    assert.equal(run(["search", root, "/(/"]).status, 2);
    assert.equal(run(["search", root, ""]).status, 2);
    assert.equal(run(["search", root, "needle", "--session", "ses_1"]).status, 2);
  });
});
