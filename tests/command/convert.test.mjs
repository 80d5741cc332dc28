// The command `apex-parts convert`, and how the commands open a file.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { hasColours } from "../../pkg/cli/colour.mjs";
import { CliError, outgrown } from "../../pkg/cli/output.mjs";
import { progress } from "../../pkg/cli/progress.mjs";
import { checkRun, toMessages, toModelMessage } from "../../pkg/node.mjs";
import { generate } from "../../scripts/generate.mjs";
import { at, file, folder, run } from "./command.mjs";

const subtask = at("tests/fixtures/subtask.export.json");
const { messages } = JSON.parse(readFileSync(subtask, "utf8"));
const made = (format, bytes) => {
  const path = join(folder, `made-${bytes}.${format}`);
  if (!existsSync(path)) writeFileSync(path, Buffer.concat([...generate({ format, bytes })]));
  return path;
};
const converted = (to, path) => {
  const { status, stdout, stderr } = run(["convert", path, "--to", to]);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return stdout;
};

/** The messages of a copy without its note, which it has to have: its ids are those of OpenCode. */
function unnoted(text) {
  const [{ info, ...rest }, ...others] = JSON.parse(text);
  const { apexTranscript: note, ...own } = info;
  assert.equal(note.ids, "opencode");
  return [{ info: own, ...rest }, ...others];
}

describe("convert", () => {
  test("--to with-parts: the unchanged messages, also if converted again", () => {
    const text = converted("with-parts", subtask);
    assert.deepEqual(unnoted(text), messages);
    assert.equal(converted("with-parts", file("again.json", text)), text);
  });

  test("--to ui-messages and messages: the same as the library gives for all at once", () => {
    const path = made("opencode-export", 300_000);
    const all = JSON.parse(readFileSync(path, "utf8")).messages;
    const plain = (value) => JSON.parse(JSON.stringify(value), (key, v) => (key === "id" ? "" : v));
    const ui = JSON.parse(converted("ui-messages", path));
    assert.deepEqual(plain(ui), plain(toModelMessage(all)));
    const own = JSON.parse(converted("messages", path));
    assert.deepEqual(own, JSON.parse(JSON.stringify(toMessages(all))));
    assert.ok(own.some(({ role }) => role === "tool"));
    assert.deepEqual(checkRun(own), []);
  });

  test("--to markdown: one heading for each message, and no others", () => {
    const text = converted("markdown", subtask);
    assert.match(text, /^# subtask\n/);
    assert.match(text, /^## 0\. User · mock\/script · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m);
    assert.equal(text.match(/^## /gm).length, messages.length);
    assert.ok(text.includes("**Tool** `task` · completed"));
  });

  test("--to html: one page without scripts, one article for each message", () => {
    const text = converted("html", made("opencode-export", 300_000));
    assert.match(text, /^<!DOCTYPE html>/);
    assert.match(text, /<\/html>\n$/);
    assert.ok(text.includes("default-src 'none'"));
    assert.doesNotMatch(text, /<script|<iframe|<object|<link|\son\w+=(?=")|url\(/);
    const articles = text.match(/<article /g).length;
    assert.equal(text.match(/<\/article>/g).length, articles);
    const opened = text.match(/<details/g).length;
    assert.equal(text.match(/<\/details>/g).length, opened);
  });

  test("every format that is read", () => {
    const deltas = made("deltas", 60_000);
    assert.ok(JSON.parse(converted("messages", deltas)).length > 3);
    const lines = made("with-parts", 60_000);
    const all = readFileSync(lines, "utf8").trim().split("\n");
    assert.deepEqual(
      JSON.parse(converted("with-parts", lines)),
      all.map((text) => JSON.parse(text)),
    );
  });

  test("no messages are an empty array", () => {
    for (const to of ["ui-messages", "messages"]) {
      const path = file("none.json", [
        { info: { id: "m", sessionID: "s", role: "user" }, parts: [] },
      ]);
      assert.deepEqual(JSON.parse(converted(to, path)), []);
    }
  });

  test("-o writes a file, but not the one that is read", () => {
    const out = join(folder, "out.json");
    assert.equal(run(["convert", subtask, "--to", "with-parts", "-o", out]).status, 0);
    assert.deepEqual(unnoted(readFileSync(out, "utf8")), messages);
    const { status, stderr } = run(["convert", out, "--to", "html", "-o", out]);
    assert.equal(status, 2);
    assert.match(stderr, /cannot be both read and written/);
    assert.deepEqual(unnoted(readFileSync(out, "utf8")), messages);
    const nowhere = join(folder, "no", "where");
    const refused = run(["convert", subtask, "--to", "html", "--out", nowhere]);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /^\S+where: ENOENT[^\n]*\n$/);
  });

  test("-o refuses the input file under another name: standard input, a symbolic or a hard link", () => {
    const text = readFileSync(subtask, "utf8");
    const own = file("own.json", text);
    const [soft, hard] = [join(folder, "soft.json"), join(folder, "hard.json")];
    symlinkSync(own, soft);
    linkSync(own, hard);
    const cli = `'${process.execPath}' '${at("pkg/cli.mjs")}'`;
    for (const [from, out] of [
      [`- < '${own}'`, own],
      [`- < '${own}'`, soft],
      [`/dev/stdin < '${own}'`, hard],
      [`'${own}'`, soft],
      [`'${soft}'`, own],
      [`'${own}'`, hard],
    ]) {
      const script = `${cli} convert --to html -o '${out}' ${from}`;
      const { status, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
      assert.equal(stderr, `${out}: it cannot be both read and written\n`, script);
      assert.equal(status, 2, script);
      assert.equal(readFileSync(own, "utf8"), text, script);
    }
    // Another file and a pipe are accepted.
    const out = join(folder, "other.json");
    for (const from of [`- < '${own}'`, `- -o '${out}' < '${own}'`]) {
      const script = `cat '${own}' | ${cli} convert --to with-parts -o '${out}' ${from}`;
      assert.equal(spawnSync("sh", ["-c", script]).status, 0, script);
      assert.deepEqual(unnoted(readFileSync(out, "utf8")), messages);
    }
  });

  test("- reads standard input; so do pipes and /dev/stdin as FILE", { timeout: 20_000 }, () => {
    const input = readFileSync(subtask);
    for (const name of ["-", "/dev/stdin"]) {
      const { status, stdout, stderr } = run(["convert", name, "--to", "with-parts"], input);
      assert.equal(status, 0, stderr);
      assert.deepEqual(unnoted(stdout), messages);
    }
    const pipe = join(folder, "pipe");
    assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
    const script = `cat '${subtask}' > '${pipe}' & exec '${process.execPath}' '${at("pkg/cli.mjs")}' validate '${pipe}'`;
    const { status, stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    assert.equal(status, 0);
    assert.match(stdout, /in 3 messages/);
  });

  test("lost data is reported, and the rest is converted", () => {
    const cut = file("cut-convert.json", readFileSync(subtask, "utf8").slice(0, -500));
    const { status, stdout, stderr } = run(["convert", cut, "--to", "with-parts"]);
    assert.equal(status, 0);
    const [first, second, last] = messages;
    const rest = { info: last.info, parts: last.parts.slice(0, 2) };
    assert.deepEqual(unnoted(stdout), [first, second, rest]);
    assert.match(stderr, /byte \d+: .*cut off/);
  });

  test("misuse", () => {
    const cases = [
      [["convert", subtask], 2, /--to must be one of with-parts/],
      [["convert", subtask, "--to", "pdf"], 2, /not pdf/],
      [["convert", subtask, "--to", "constructor"], 2, /not constructor/],
      [["convert", subtask, "--to", "html", "--session", "ses_x"], 1, /no session ses_x/],
      [["convert", subtask, "more", "--to", "html"], 2, /takes one FILE/],
      [["convert", subtask, "--to", "html", "--json"], 2, /convert has no --json/],
      [["convert", join(folder, "nowhere"), "--to", "html"], 2, /no such file/],
      [["convert", file("page.html", "<html>"), "--to", "html"], 1, /HTML/],
    ];
    for (const [args, code, says] of cases) {
      const { status, stdout, stderr } = run(args);
      assert.equal(status, code, `${args}: ${stderr}`);
      assert.equal(stdout, "");
      assert.match(stderr, says);
    }
  });

  test("a reader that closes early is not an error", () => {
    const path = made("opencode-export", 1_000_000);
    const script = `'${process.execPath}' '${at("pkg/cli.mjs")}' convert '${path}' --to html | head -c 1000`;
    const { stdout, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", script], {
      encoding: "utf8",
    });
    assert.equal(stdout.length, 1000);
    assert.equal(stderr, "");
  });
});

describe("a terminal shows", () => {
  const terminal = (fields = {}) => ({
    written: [],
    isTTY: true,
    columns: 40,
    write(text) {
      this.written.push(text);
    },
    ...fields,
  });

  test("the progress of reading a large file, which is removed at the end", () => {
    const stream = terminal();
    const shown = progress("/a/very/long/way/to/the/file/session.json", 100e6, stream, {});
    shown.at(43e6);
    shown.at(44e6); // too soon after the previous one
    shown.end();
    const name = "…y/to/the/file/session.json".slice(-23);
    assert.deepEqual(stream.written, [`\r\x1b[Kreading …${name} 43 %`, "\r\x1b[K"]);
  });

  test("no progress for small files, dumb terminals, and without a terminal", () => {
    for (const [stream, size, env] of [
      [terminal(), 50e6, {}],
      [terminal({ isTTY: false }), 1e9, {}],
      [terminal(), 1e9, { TERM: "dumb" }],
    ]) {
      const shown = progress("f", size, stream, env);
      shown.at(1);
      shown.end();
      assert.deepEqual(stream.written, []);
    }
  });

  test("colours: NO_COLOR turns them off, FORCE_COLOR on, a file has none", () => {
    const tty = { isTTY: true };
    assert.equal(hasColours(tty, {}), true);
    assert.equal(hasColours({}, {}), false);
    assert.equal(hasColours(tty, { NO_COLOR: "1" }), false);
    assert.equal(hasColours(tty, { NO_COLOR: "" }), true);
    assert.equal(hasColours({}, { FORCE_COLOR: "1" }), true);
    assert.equal(hasColours(tty, { FORCE_COLOR: "0" }), false);
    assert.equal(hasColours(tty, { TERM: "dumb" }), false);
    assert.equal(hasColours(tty, { FORCE_COLOR: "1", NO_COLOR: "1" }), true);
  });
});

test("the error for piped input larger than memory says what to do in a shell", () => {
  const full = new Error(
    "there is no memory for more of the file, which is kept in memory: pass `read`",
  );
  const said = outgrown("-", full);
  assert.ok(said instanceof CliError);
  assert.equal(said.code, 2);
  assert.match(said.message, /^standard input: .*save it as a file/);
  assert.doesNotMatch(said.message, /`read`/);
  const other = new Error("the file is empty");
  assert.equal(outgrown("-", other), other);
});
