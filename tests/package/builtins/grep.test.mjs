// grep: which lines it finds, how they are shown, and what it refuses.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { after, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { removeFolders } from "./file-tools.mjs";
import { describeEngines, place, ripgrep } from "./search-place.mjs";
import { randomCalls } from "./search-trees.mjs";

after(removeFolders);

/** A backtracking search would try all ways through it. */
const HARD = `^${"a?".repeat(40)}${"a".repeat(40)}${"(a|a)".repeat(40)}$`;

describeEngines("grep", ({ rgPath, engine }) => {
  const over = (files, options) => {
    const made = place(files, { rgPath, ...options });
    /** The output with paths below the folder. */
    const found = async (pattern, more = {}) => {
      const { output } = await made.done("grep", { pattern, ...more });
      return output.replaceAll(`${made.work}/`, "");
    };
    return { ...made, found };
  };

  test("shows matching lines by file, sorted", async () => {
    const { done, work } = over({ "b.txt": "x\nneedle one\n", "a/c.txt": "needle\nno\nneedle" });
    const { output, metadata, title } = await done("grep", { pattern: "needle" });
    const lines = [
      "Found 3 matches",
      `${work}/a/c.txt:`,
      "  Line 1: needle",
      "  Line 3: needle",
      `${work}/b.txt:`,
      "  Line 2: needle one",
    ];
    assert.equal(output, lines.join("\n"));
    assert.deepEqual(metadata, { matches: 3, files: 2, truncated: false, engine });
    assert.equal(title, "needle");
  });

  test("searches hidden files, and neither ignored ones nor .git nor binary ones", async () => {
    const { found } = over({
      ".env": "x",
      ".h/a": "x",
      "out/b": "x",
      ".git/config": "x",
      bin: "x\n\0",
      late: `x\n${"y\n".repeat(200_000)}\0`,
      ".gitignore": "out\n",
    });
    assert.equal(await found("x"), "Found 2 matches\n.env:\n  Line 1: x\n.h/a:\n  Line 1: x");
    assert.equal(await found("nothing"), "No matches.");
  });

  test("takes include as glob takes its pattern, and never un-ignores by it", async () => {
    const { found } = over({
      "a.ts": "x",
      "a.js": "x",
      "src/b.ts": "x",
      "src/[id].ts": "x",
      "c.log": "x",
      ".gitignore": "*.log\n",
    });
    const files = async (include) => (await found("x", { include })).match(/^\S+(?=:$)/gm);
    assert.deepEqual(await files("*.ts"), ["a.ts", "src/[id].ts", "src/b.ts"]);
    assert.deepEqual(await files("src/**/*.{ts,js}"), ["src/[id].ts", "src/b.ts"]);
    assert.deepEqual(await files("[id].ts"), ["src/[id].ts"]);
    assert.deepEqual(await files("[ab].ts"), ["a.ts", "src/b.ts"]);
    assert.deepEqual(await files("!*.ts"), ["a.js"]);
    assert.equal(await files("*.log"), null);
  });

  test("reads the syntax of ripgrep", async () => {
    const { found } = over({ "a.txt": "foo(bar)\nTODO: x\ntodo: y\nпривет мир\na-b_c\n" });
    const lines = async (pattern, more) =>
      [...(await found(pattern, more)).matchAll(/Line (\d+):/g)].map(([, n]) => Number(n));
    assert.deepEqual(await lines("foo\\(bar\\)"), [1]);
    assert.deepEqual(await lines("(?i)todo"), [2, 3]);
    assert.deepEqual(await lines("todo", { ignoreCase: true }), [2, 3]);
    assert.deepEqual(await lines("^\\w+ \\w+$"), [4]);
    assert.deepEqual(await lines("\\bмир\\b"), [4]);
    assert.deepEqual(await lines("(?P<first>[[:alpha:]])-[[:alpha:]&&[^a]]_"), [5]);
    assert.deepEqual(await lines("\\Afoo|y\\z"), [1, 3]);
    assert.deepEqual(await lines("(?i:T)odo"), [3]);
    assert.deepEqual(await lines("-b"), [5]);
    assert.deepEqual(await lines("(T|t)(O|o)+(D|d)"), [2, 3]);
  });

  test("has line ends of both kinds, byte order marks and UTF-16", async () => {
    const utf16 = Buffer.from("\ufeffone\r\nsixteen\r\n", "utf16le");
    const { found } = over({ crlf: "one match\r\nx\r\n", bom: "\ufeffwith\n", utf16 });
    assert.equal(await found("match$"), "Found 1 matches\ncrlf:\n  Line 1: one match");
    assert.equal(await found("^with$"), "Found 1 matches\nbom:\n  Line 1: with");
    assert.equal(await found("^sixteen$"), "Found 1 matches\nutf16:\n  Line 2: sixteen");
  });

  test("leaves out the text of lines that are no UTF-8, or too long", async () => {
    const latin1 = Buffer.from("caf\xe9\nn\xf6 caf\nplain caf\n", "latin1");
    const long = `${"l".repeat(65_537)}caf\n${"l".repeat(1_000_000)}caf\ncaf\n`;
    const { found } = over({ latin1, long });
    const lines = [
      "Found 6 matches",
      "latin1:",
      "  Line 1: (not UTF-8; its text is left out)",
      "  Line 2: (not UTF-8; its text is left out)",
      "  Line 3: plain caf",
      "long:",
      "  Line 1: (longer than 64 KB; its text is left out)",
      "  Line 2: (longer than 64 KB; its text is left out)",
      "  Line 3: caf",
    ];
    assert.equal(await found("caf"), lines.join("\n"));
  });

  test("cuts a text around its match, at characters", async () => {
    const long = "😀".repeat(3000);
    const { found } = over({ "a.txt": `${long} NEEDLE ${long}\nNEEDLE ${long}\n${long}NEEDLE\n` });
    const [, , ...lines] = (await found("NEEDLE")).split("\n");
    assert.equal(lines.length, 3);
    for (const line of lines) {
      const text = line.replace(/^ {2}Line \d: /, "");
      assert.ok(text.includes("NEEDLE") && text.length <= 2000 && text.isWellFormed(), text);
    }
  });

  test("shows lines around a match, each once", async () => {
    const { found } = over({ "a.txt": "1\n2\nx\n4\nx\n6\n7\n8\nx\n" });
    const lines = ["3: x", "4- 4", "5: x", "6- 6", "8- 8", "9: x"].map((line) => `  Line ${line}`);
    const shown = await found("x", { context: 1 });
    assert.equal(shown, ["Found 3 matches", "a.txt:", "  Line 2- 2", ...lines].join("\n"));
    const cut = await found("x", { context: 1, limit: 1 });
    assert.match(cut, /Line 2- 2\n {2}Line 3: x\n {2}Line 4- 4\n\(First 1 of at least 2/);
  });

  test("shows at most 100 matches unless a limit is given", async () => {
    const { done, put } = over({ "a.txt": "x\n".repeat(100) });
    const all = await done("grep", { pattern: "x" });
    assert.equal(all.metadata.truncated, false);
    put("b.txt", "x\n");
    const cut = await done("grep", { pattern: "x" });
    assert.deepEqual(cut.metadata, { matches: 100, files: 1, truncated: true, engine });
    assert.match(cut.output, /\(First 100 of at least 101 matches\. Narrow/);
    const two = await done("grep", { pattern: "x", limit: 2 });
    assert.equal(two.metadata.matches, 2);
  });

  test("gives the first matches by path, of many too", async () => {
    const { done, put, work } = over();
    const line = `needle ${"y".repeat(1000)}\n`;
    for (let i = 999; i >= 0; i--) put(`d${i % 10}/f${String(i).padStart(3, "0")}`, line.repeat(2));
    const { output, metadata } = await done("grep", { pattern: "needle", limit: 3 });
    const files = [...output.matchAll(/^\/.*(?=:$)/gm)].map(([path]) =>
      path.slice(work.length + 1),
    );
    assert.deepEqual(files, ["d0/f000", "d0/f010"]);
    assert.equal(metadata.truncated, true);
  });

  test("keeps its output short", async () => {
    const { done } = over({ "a.txt": `${"x".repeat(1900)}\n`.repeat(100) });
    const { output, metadata } = await done("grep", { pattern: "x" });
    assert.ok(Buffer.byteLength(output) < 52_000);
    assert.equal(metadata.truncated, true);
    assert.match(output, /more lines left out/);
  });

  test("searches a file alone, whatever ignores it, and not a binary one", async () => {
    const { found, at } = over({ "a.log": "x", "b.txt": "x", ".ignore": "*.log", bin: "x\0" });
    assert.equal(await found("x", { path: "a.log" }), "Found 1 matches\na.log:\n  Line 1: x");
    assert.match(await found("x", { path: "bin" }), /^No matches\.\n\(bin is binary/);
    symlinkSync("b.txt", at("link"));
    assert.equal(await found("x", { path: "link" }), "Found 1 matches\nlink:\n  Line 1: x");
  });

  test("says that a match is within a line", async () => {
    const { found } = over({ "a.txt": "start\nmiddle\n" });
    for (const pattern of ["start\\nmiddle", "start\nmiddle"]) {
      assert.match(await found(pattern), /^No matches\.\n\(A match is within one line/);
    }
  });

  test("refuses expressions with a message for the model", async () => {
    const { refused } = over({ "a.txt": "x" });
    const message = (pattern) => refused("grep", { pattern });
    assert.match(await message("foo("), /unclosed group\nTo find \( or \{ itself, escape it/);
    assert.match(await message("x{y"), /escape it: \\\( or \\\{/);
    assert.match(await message("[z-a]"), /\^\^\^\nerror: invalid character class range/);
    assert.match(await message("\\h"), /unrecognized escape sequence$/);
    assert.match(await message("\\1"), /backreferences are not supported$/);
    for (const pattern of ["foo(?=bar)", "(?<!a)b"]) {
      assert.match(await message(pattern), /^Look-around, .* is not supported/);
    }
    assert.match(await message(""), /pattern is empty/);
  });

  test("refuses a pattern that nothing can match before anybody is asked", async () => {
    const { refused, asks, outside } = over({ "a.txt": "x" }, { onAsk: () => "reject" });
    for (const given of [{ pattern: "" }, { pattern: "a\0b" }]) {
      await refused("grep", { ...given, path: outside });
    }
    assert.deepEqual(asks, []);
  });

  test("shows nothing of files that may not be read, by their own or their real path", async () => {
    const files = { "a.txt": "key", ".env": "key=1", "x.env": "-", "sub/.env": "key=2" };
    const rules = { read: { "*": "allow", "*.env": "deny", "hidden/*": "deny" } };
    const { done, found, run, at, put } = over(files, { rules });
    const { output, metadata } = await done("grep", { pattern: "key", context: 2 });
    assert.match(
      output,
      /^Found 1 matches\n[^\n]*a\.txt:\n {2}Line 1: key\n\(3 files are withheld/,
    );
    assert.deepEqual([metadata.matches, metadata.files, metadata.withheld], [1, 1, 3]);
    // How many there are says nothing of what is in them.
    const none = await done("grep", { pattern: "nothing" });
    assert.deepEqual([none.metadata.matches, none.metadata.withheld], [0, 3]);
    assert.equal((await done("grep", { pattern: "key", path: "sub" })).metadata.withheld, 1);
    assert.equal(
      (await done("grep", { pattern: "key", include: "*.txt" })).metadata.withheld,
      undefined,
    );
    put("hidden/b.txt", "key");
    symlinkSync(at("hidden"), at("seen"));
    symlinkSync(at(".env"), at("link"));
    assert.match(await found("key", { path: "seen" }), /^No matches\.\n\(1 file is withheld/);
    for (const path of [".env", "sub/.env", "link", "hidden/b.txt", "seen/b.txt", "no.env"]) {
      const { state } = await run("grep", { pattern: "key", path });
      assert.deepEqual([state.status, state.metadata.kind], ["error", "permission"], path);
      assert.match(state.error, /^The rules deny read of/);
    }
  });

  test("refuses paths that are not there, and other things than files", async () => {
    const { refused, at, work } = over({ "hello.py": "x" });
    const missing = await refused("grep", { pattern: "x", path: "helo.py" });
    assert.ok(missing.startsWith(`There is no file or directory ${work}/helo.py.`));
    assert.match(missing, /hello\.py/);
    if (process.platform === "win32") return;
    execFileSync("mkfifo", [at("pipe")]);
    assert.match(await refused("grep", { pattern: "x", path: "pipe" }), /neither a file nor/);
    assert.match(
      await refused("grep", { pattern: "x", include: "{a" }),
      /include \{a is not a glob/,
    );
  });

  test("asks for the folder outside, then for itself", async () => {
    const { done, asked, asks, outside, at } = over({ "a.txt": "" });
    symlinkSync(outside, at("out"));
    await done("grep", { pattern: "x", path: "out", include: "*.ts" });
    assert.deepEqual(asked(), [
      ["external_directory", `${outside}/*`],
      ["grep", "x"],
    ]);
    assert.deepEqual(asks[1].always, ["*"]);
    assert.deepEqual(asks[1].metadata, { pattern: "x", path: "out", include: "*.ts" });
  });

  test("ends on expressions that backtrack for ever elsewhere", async () => {
    const { found } = over({ "a.txt": `${"a".repeat(5000)}!\n` });
    for (const pattern of ["(a+)+$", "(a|aa)+$", "(a*)*b", "a*a*a*a*b", "(\\w+\\s?)+$", HARD]) {
      assert.equal(await found(pattern), "No matches.", pattern);
    }
  });

  test("ends when it is aborted", async () => {
    const { run } = over({ "a.txt": `${"a".repeat(1_000_000)}\n`.repeat(20) });
    const call = run("grep", { pattern: "(a+)+b$" });
    call.abort("enough");
    const { state } = await call;
    assert.equal(state.status, "error");
    assert.match(state.error, /enough/);
  });
});

describe("ripgrep that cannot be used", () => {
  test("is done without", async () => {
    const { done, put } = place({ "a.ts": "x" }, { rgPath: "/nowhere/rg" });
    const grep = await done("grep", { pattern: "x" });
    assert.deepEqual(grep.metadata, { matches: 1, files: 1, truncated: false, engine: "js" });
    assert.equal((await done("glob", { pattern: "*.ts" })).metadata.count, 1);
    if (process.platform === "win32") return;
    const broken = put("broken", "#!/bin/sh\necho 'unrecognized flag' >&2\nexit 2\n");
    chmodSync(broken, 0o755);
    const other = place({ "a.ts": "x" }, { rgPath: broken });
    assert.equal((await other.done("grep", { pattern: "x" })).metadata.engine, "js");
  });

  test("is stopped on abort", { skip: process.platform === "win32", timeout: 60_000 }, async () => {
    const made = place({ "a.ts": "x" });
    const slow = made.put("slow", '#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 600\n');
    chmodSync(slow, 0o755);
    const { run } = place({ "a.ts": "x" }, { rgPath: slow });
    const call = run("grep", { pattern: "x" });
    const started = () => existsSync(`${slow}.pid`) && made.text("slow.pid") !== "";
    while (!started()) await sleep(5);
    call.abort("enough");
    const { state } = await call;
    assert.match(state.error, /enough/);
    const pid = Number(made.text("slow.pid"));
    const isThere = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    while (isThere()) await sleep(5);
  });
});

describe("both engines", { skip: ripgrep === null && "ripgrep is not there" }, () => {
  test("give the same answer for random trees", async () => {
    for (const { files, links, calls } of randomCalls(2026, 12)) {
      const made = [ripgrep, null].map((rgPath) => place({}, { rgPath, rules: { "*": "allow" } }));
      for (const one of made) {
        for (const [path, content] of files) one.put(path, content);
        for (const [path, target] of links) symlinkSync(target, one.at(path));
      }
      for (const [tool, input] of calls) {
        const [first, second] = await Promise.all(
          made.map(async ({ run, work }) => {
            const { state } = await run(tool, input);
            const { count, matches, truncated } = state.metadata;
            const text = (state.output ?? state.status).replaceAll(work, "");
            return { status: state.status, count, matches, truncated, lines: text.split("\n") };
          }),
        );
        // Files of two trees were not made in the same millisecond.
        if (tool === "glob") for (const one of [first, second]) one.lines.sort();
        assert.deepEqual(second, first, JSON.stringify({ tool, input, files: [...files.keys()] }));
      }
    }
  });
});
