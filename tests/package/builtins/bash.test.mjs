// The bash tool: what it asks, what it gives to the model, and how much it keeps.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { builtinTools, nodeHost } from "../../../pkg/host.mjs";
import { Permission, ToolRegistry } from "../../../pkg/node.mjs";

const folders = [];
let base;
let directory;
let outside;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "bash-")));
  folders.push(base);
  directory = join(base, "work");
  outside = join(base, "outside");
  mkdirSync(join(directory, "src"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "secret\n");
});
after(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

async function until(what, condition) {
  for (let tries = 0; tries < 3000; tries++) {
    if (condition()) return;
    await sleep(10);
  }
  assert.fail(`never: ${what}`);
}

/** A registry with the tool, and what it was asked. */
function prepared(options, rules = {}) {
  const asks = [];
  const gate = new Permission.Gate({
    onAsk(request) {
      asks.push(request);
      return "once";
    },
  });
  const registry = new ToolRegistry({ gate, rules: [Permission.fromConfig(rules)] });
  const tools = builtinTools({ directory, worktree: directory, home: base, ...options });
  registry.register(tools.find(({ id }) => id === "bash"));
  return { registry, asks };
}

const CALL = { callID: "call_1", sessionID: "ses_1", messageID: "msg_1", tool: "bash" };

async function bash(input, options, rules) {
  const { registry, asks } = prepared(options, rules);
  const states = [];
  const run = registry.execute({ ...CALL, input }, { onState: ({ state }) => states.push(state) });
  const { state } = await run;
  return { state, states, asks: asks.map((ask) => [ask.permission, ask.patterns]), requests: asks };
}

/** A shell that prints pieces: texts to standard output, or pairs of a text or bytes and a stream. */
function printing(pieces, end = { exit: 0 }) {
  const encoder = new TextEncoder();
  return {
    async run(_command, { onOutput }) {
      for (const piece of pieces) {
        const [said, stream] = Array.isArray(piece) ? piece : [piece, "stdout"];
        onOutput(typeof said === "string" ? encoder.encode(said) : said, stream);
      }
      return end;
    },
  };
}

/** The state after a command that printed these pieces. */
const printed = async (pieces, options) =>
  (await bash({ command: "x" }, { shell: printing(pieces), ...options })).state;

describe("bash asks", () => {
  test("for each command", async () => {
    const { asks, requests } = await bash({ command: "echo a && cat x | wc -l" });
    assert.deepEqual(asks, [["bash", ["echo a", "cat x", "wc -l"]]]);
    assert.deepEqual(requests[0].always, ["echo *", "cat *", "wc *"]);
    assert.deepEqual(requests[0].metadata, { command: "echo a && cat x | wc -l" });
  });

  test("for directories outside first, all in one request", async () => {
    mkdirSync(join(outside, "sub"));
    const command = `cat ../outside/secret.txt; ls ${outside}/sub; cat ~/outside/none/x`;
    const { asks, requests } = await bash({ command });
    const folder = [`${outside}/*`, `${outside}/sub/*`, `${outside}/none/*`];
    assert.deepEqual(asks[0], ["external_directory", folder]);
    assert.equal(asks[1][0], "bash");
    assert.equal(asks.length, 2);
    assert.deepEqual(requests[0].always, folder);
  });

  test("with * for a path that is not known, and never for always", async () => {
    const { requests } = await bash({ command: 'cat "$X/y" /etc/hostname || true' });
    assert.deepEqual(requests[0].patterns.toSorted(), ["*", "/etc/*"]);
    assert.deepEqual(requests[0].always, ["/etc/*"]);
  });

  test("for what a link leads to, not for how it is written", async () => {
    symlinkSync(outside, join(directory, "link"));
    symlinkSync(join(directory, "src"), join(outside, "back"));
    const out = await bash({ command: "cat ./link/secret.txt" });
    assert.deepEqual(out.asks[0], ["external_directory", [`${outside}/*`]]);
    symlinkSync(join(outside, "secret.txt"), join(directory, "name"));
    for (const command of ["cat name", "sort < name", "cd src && cd - && cat ../outside/x"]) {
      const { asks } = await bash({ command });
      assert.deepEqual(asks[0], ["external_directory", [`${outside}/*`]], command);
    }
    const back = await bash({ command: `ls ${outside}/back` });
    assert.deepEqual(back.asks, [["bash", [`ls ${outside}/back`]]]);
  });

  test("nothing for files that read denies, which are refused", async () => {
    const rules = { "*": "allow", read: { "*": "allow", "*.env": "deny" } };
    writeFileSync(join(directory, ".env"), "secret\n");
    writeFileSync(join(directory, ".env.example"), "\n");
    symlinkSync(".env", join(directory, "plain"));
    for (const command of ["cat .env", "cat .en*", "sort < .env", "cat plain", "source .env"]) {
      const { state } = await bash({ command }, {}, rules);
      assert.equal(state.status, "error", command);
      assert.match(state.error, /read/u, command);
    }
    for (const command of ["ls .env", "cat .env.example", "cat none.env || true", "test -f .env"]) {
      const { state } = await bash({ command }, {}, rules);
      assert.equal(state.status, "completed", command);
    }
  });

  test("nothing at all where something is denied", async () => {
    const rules = {
      external_directory: "ask",
      bash: { "*": "ask", "rm *": "deny" },
      edit: { "*": "ask", "src/*": "deny" },
    };
    for (const command of ["ls ../outside; rm x", "ls ../outside > src/n", "a > b; rm c"]) {
      const { state, asks } = await bash({ command }, {}, rules);
      assert.deepEqual([state.status, asks], ["error", []], command);
    }
  });

  test("nothing for a variable that only the command reads", async () => {
    const { asks } = await bash({ command: "own_x=5; echo $own_x" });
    assert.deepEqual(asks, [["bash", ["echo $own_x"]]]);
    const shell = { ...printing([]), environment: () => ({ own_x: "1" }) };
    const known = await bash({ command: "own_x=5; echo $own_x" }, { shell });
    assert.deepEqual(known.asks, [["bash", ["own_x=5", "echo $own_x"]]]);
    const unknown = await bash({ command: "own_x=5" }, { shell: printing([]) });
    assert.deepEqual(unknown.asks, [["bash", ["own_x=5"]]]);
  });

  test("nothing for paths inside, however many", async () => {
    const paths = Array.from({ length: 700 }, (_, i) => `src/${i}.txt`);
    const { asks } = await bash({ command: `: ${paths.join(" ")}` });
    assert.deepEqual(
      asks.map(([permission]) => permission),
      ["bash"],
    );
  });

  test("for a path outside behind many inside", async () => {
    const paths = Array.from({ length: 700 }, (_, i) => `src/${i}.txt`);
    const { asks } = await bash({ command: `: ${paths.join(" ")} ${outside}/secret.txt` });
    assert.deepEqual(asks[0], ["external_directory", [`${outside}/*`]]);
  });

  test("about paths of thousands of names that are not there with few looks at the disk", async () => {
    const { fs } = nodeHost();
    let looks = 0;
    const realpath = (path) => {
      looks++;
      return fs.realpath(path);
    };
    const path = `../outside/${"a/".repeat(1500)}x`;
    const { asks } = await bash({ command: `: ${path}` }, { fs: { ...fs, realpath } });
    assert.deepEqual(asks[0], ["external_directory", [`${outside}/${"a/".repeat(1500)}*`]]);
    assert.ok(looks < 100, `${looks} looks`);
  });

  test("no permission of bash for a change of the directory alone", async () => {
    assert.deepEqual((await bash({ command: "cd src" })).asks, []);
    assert.deepEqual((await bash({ command: "cd ../outside" })).asks, [
      ["external_directory", [`${outside}/*`]],
    ]);
  });

  test("for a workdir outside", async () => {
    const { state, asks } = await bash({ command: "pwd", workdir: "../outside" });
    assert.deepEqual(asks, [
      ["external_directory", [`${outside}/*`]],
      ["bash", ["pwd"]],
    ]);
    assert.equal(state.output, `${outside}\n`);
  });

  test("for what .. means in a workdir that is a link", async () => {
    mkdirSync(join(directory, "a", "b"), { recursive: true });
    symlinkSync(directory, join(directory, "a", "b", "link"));
    const input = { command: "cat ../outside/secret.txt", workdir: "a/b/link" };
    const { state, asks } = await bash(input);
    assert.deepEqual(asks[0], ["external_directory", [`${outside}/*`]]);
    assert.equal(state.output, "secret\n");
  });

  test("and runs nothing that is denied", async () => {
    const command = "echo x > ../outside/made; touch here";
    const denied = [{ external_directory: "deny", bash: "allow" }, { bash: { "touch *": "deny" } }];
    for (const rules of denied) {
      const { state } = await bash({ command }, {}, rules);
      assert.deepEqual([state.status, state.metadata.kind], ["error", "permission"]);
      assert.equal(existsSync(join(outside, "made")), false);
      assert.equal(existsSync(join(directory, "here")), false);
    }
  });

  test("edit for the files that redirects write to, behind directories and before the command", async () => {
    symlinkSync("real.txt", join(directory, "link.txt"));
    const shell = printing([]);
    const command = "ls > src/a.txt 2>&1; ls >> ../outside/b; ls > link.txt > $X < c > /dev/null";
    const { asks, requests } = await bash({ command }, { shell });
    assert.deepEqual(
      asks.map(([permission]) => permission),
      ["external_directory", "edit", "bash"],
    );
    const files = ["src/a.txt", "../outside/b", "link.txt", "real.txt", "*"];
    assert.deepEqual(asks[1][1], files);
    assert.deepEqual(requests[1].always, files.slice(0, -1));
    const rules = { "*": "allow", edit: { "*": "allow", "src/*": "deny" } };
    const denied = await bash({ command: "cd src && ls > a" }, { shell }, rules);
    assert.match(denied.state.error, /edit of "src\/a"/);
    assert.equal((await bash({ command: "ls > a" }, { shell }, rules)).state.status, "completed");
  });

  test("for what .. means behind a link, and for what globs find", async () => {
    mkdirSync(join(outside, "deep"));
    symlinkSync(join(outside, "deep"), join(directory, "link"));
    symlinkSync(join(outside, "secret.txt"), join(directory, "lnk.txt"));
    const shell = printing([]);
    const rules = { "*": "allow", external_directory: "ask" };
    const asked = async (command) => (await bash({ command }, { shell }, rules)).asks;
    for (const command of [
      "cat link/../secret.txt",
      "echo x > link/../new.txt",
      "cat *.txt",
      "cat l?k.txt",
      "cat [[:lower:]]nk.txt",
      "cat {lnk,a}.txt",
      "x=lnk.txt; cat $x",
      "iconv lnk.txt",
      "dd if=lnk.txt",
      "ls l*",
      "for f in *; do ls $f; done",
    ]) {
      const expected = command.startsWith("ls l") || command.startsWith("for") ? 2 : 1;
      const [[permission, patterns]] = await asked(command);
      assert.equal(permission, "external_directory", command);
      assert.ok(patterns.includes(join(outside, "*")), command);
      assert.equal(patterns.length, expected, command);
    }
    for (const command of [
      "cat s*",
      "for f in src/*; do cat $f; done",
      "cat src/../x",
      "cat li*",
    ]) {
      assert.deepEqual(await asked(command), [], command);
    }
  });

  test("for a file that is not known by all rules that may decide about it", async () => {
    const shell = printing([]);
    const decided = async (command, edit, pattern = "*") => {
      const { state, requests } = await bash({ command }, { shell }, { "*": "allow", edit });
      if (requests.length === 0) return state.status === "completed" ? "allow" : "deny";
      const [{ permission, patterns, always }] = requests;
      assert.deepEqual([permission, patterns, always], ["edit", [pattern], []], command);
      return "ask";
    };
    const mixed = { "*": "allow", "src/*": "deny" };
    for (const command of ["ls > $X", "read x; ls > $x", "cd $(printf src); ls > n"]) {
      // What is outside is not the matter here.
      assert.equal(await decided(command, mixed), "ask", command);
      assert.equal(await decided(command, { "src/*": "deny", "*": "allow" }), "allow", command);
      assert.equal(await decided(command, { "*": "deny", "src/*": "deny" }), "deny", command);
    }
    for (const command of ["x=src; ls > $x/n", "for f in a src/n; do ls > $f; done"]) {
      assert.equal(await decided(command, mixed), "deny", command);
    }
    for (const command of ["x=out; ls > $x/n", "for i in $(seq 3); do ls > out/$i; done"]) {
      assert.equal(await decided(command, mixed), "allow", command);
    }
    assert.equal(await decided("ls > s$$", mixed, "s*"), "ask");
  });

  test("for a numbered file that may be a link", async () => {
    const shell = printing([]);
    mkdirSync(join(directory, "out"));
    symlinkSync("../src/n", join(directory, "out", "last"));
    const rules = { "*": "allow", edit: { "*": "allow", "src/*": "deny" } };
    const asked = async () => (await bash({ command: "ls > out/$$.log" }, { shell }, rules)).asks;
    assert.deepEqual(await asked(), []);
    symlinkSync("../src/n", join(directory, "out", "1.log"));
    assert.deepEqual(await asked(), [["edit", ["*"]]]);
  });

  test("for a walk that may leave its folder", async () => {
    const shell = printing([]);
    writeFileSync(join(directory, "src", "a.txt"), "a\n");
    mkdirSync(join(directory, "sub"));
    symlinkSync("../src", join(directory, "sub", "near"));
    const rules = { "*": "allow", external_directory: "ask" };
    const asked = async (command) => (await bash({ command }, { shell }, rules)).asks;
    const walks = ["grep -R x .", "find . -exec cat {} +", "ls -LR", "cp -rL sub q", "tar chf - ."];
    for (const command of walks) assert.deepEqual(await asked(command), [], command);
    // Only through the link in the folder that is named.
    symlinkSync(outside, join(directory, "src", "up"));
    for (const command of walks) {
      assert.deepEqual(await asked(command), [["external_directory", ["*"]]], command);
    }
    for (const command of ["find . -type f -exec cat {} +", "grep -r x .", "zip -ry q.zip ."]) {
      assert.deepEqual(await asked(command), [], command);
    }
    rmSync(join(directory, "src", "up"));
    symlinkSync("nowhere", join(directory, "src", "nothing"));
    for (const command of walks) assert.deepEqual(await asked(command), [], command);
    // The same text may make a link.
    for (const made of ["ln -s ../outside src/up", "git pull", "tar xf a"]) {
      const [[permission, patterns]] = await asked(`${made}; grep -R x src`);
      assert.deepEqual([permission, patterns.includes("*")], ["external_directory", true], made);
    }
  });

  test("for names that a list splits", async () => {
    const shell = printing([]);
    const rules = { "*": "allow", external_directory: "ask" };
    const asked = async (command) => (await bash({ command }, { shell }, rules)).asks;
    const split = "find src -type f | xargs cat";
    assert.deepEqual(await asked(split), []);
    writeFileSync(join(directory, "src", "x y"), "a\n");
    assert.deepEqual(await asked(split), [["external_directory", ["*"]]]);
    assert.deepEqual(await asked("find src -type f -print0 | xargs -0 cat"), []);
    assert.deepEqual(await asked("tar cf - -T list"), [["external_directory", ["*"]]]);
  });

  test("for a walk through more than it can look at", async () => {
    const shell = printing([]);
    const rules = { "*": "allow", external_directory: "ask" };
    const entries = Array.from({ length: 20_001 }, (_, i) => ({ name: `f${i}`, kind: "file" }));
    const { fs } = nodeHost({ directory });
    const full = { ...fs, readdir: async () => entries };
    const { asks } = await bash({ command: "grep -R x src" }, { shell, fs: full }, rules);
    assert.deepEqual(asks, [["external_directory", ["*"]]]);
    const fewer = { ...fs, readdir: async () => entries.slice(1) };
    assert.deepEqual(
      (await bash({ command: "grep -R x src" }, { shell, fs: fewer }, rules)).asks,
      [],
    );
  });

  test("never for cd and tests, but they may be denied", async () => {
    const shell = printing([]);
    const rules = { "*": "allow", bash: { "*": "allow", "cd *": "deny" } };
    const status = async (command, config) =>
      (await bash({ command }, { shell }, config)).state.status;
    for (const command of ["cd src && ls", "\\cd src", "(cd src; ls)", "eval cd src"]) {
      assert.equal(await status(command, rules), "error", command);
    }
    assert.equal(await status("ls src", rules), "completed");
    for (const command of ["cd src", "[ -f x ]", "[[ a == a ]]", "((1))", "X=1", "> a", "# x"]) {
      assert.equal(await status(command, { "*": "allow", bash: "deny" }), "error", command);
    }
    const { asks } = await bash({ command: "cd src; [[ a == a ]]; ((1))" }, { shell });
    assert.deepEqual(asks, []);
  });

  test("about the whole text where it cannot be read", async () => {
    const { asks } = await bash(
      { command: "echo a; eval $X" },
      {},
      { bash: { "echo *": "allow" } },
    );
    // It may read and write any file.
    assert.deepEqual(asks.slice(0, 2), [
      ["external_directory", ["*"]],
      ["edit", ["*"]],
    ]);
    assert.equal(asks.length, 3);
    assert.equal(asks[2][1].includes("eval $X"), true);
  });
});

describe("bash refuses", () => {
  const refusal = async (input, options) => {
    const { state, asks } = await bash(input, options);
    assert.equal(state.status, "error");
    return [state.error, state.metadata.kind, asks.length];
  };

  test("a command that is empty or has a NUL", async () => {
    assert.deepEqual(await refusal({ command: " \n" }), [
      "The command is empty. Give a command.",
      "expected",
      0,
    ]);
    const [error, kind] = await refusal({ command: "echo \0" });
    assert.match(error, /NUL/);
    assert.equal(kind, "expected");
  });

  test("a workdir that is missing or a file", async () => {
    const [missing, kind] = await refusal({ command: "pwd", workdir: "none" });
    assert.equal(missing, `There is no directory ${directory}/none. Give a workdir that exists.`);
    assert.equal(kind, "expected");
    writeFileSync(join(directory, "file"), "");
    const [file] = await refusal({ command: "pwd", workdir: "file" });
    assert.match(file, /is a file, not a directory/);
  });

  test("a timeout out of its range", async () => {
    for (const timeout of [0, -1, 600_001, 1.5]) {
      const [error, kind, asked] = await refusal({ command: "true", timeout });
      assert.deepEqual([kind, asked], ["arguments", 0], error);
      assert.match(error, /timeout/);
    }
  });

  test("a command that no shell can take", async () => {
    const commands = [`: ${"x".repeat(4 << 20)}`];
    // Longer in bytes only.
    if (process.platform === "linux") commands.push(`: ${"漢".repeat(100_000)}`);
    for (const command of commands) {
      const [error, kind] = await refusal({ command });
      assert.match(error, /too long for the shell .* Write it into a file/);
      assert.equal(kind, "expected");
    }
  });

  test("nothing that would count against its health", async () => {
    const { registry } = prepared({ home: undefined });
    for (let i = 0; i < 5; i++) {
      await registry.execute({ ...CALL, input: { command: "pwd", workdir: "none" } });
    }
    assert.equal(
      (await registry.execute({ ...CALL, input: { command: "true" } })).state.status,
      "completed",
    );
  });
});

describe("the result of bash", () => {
  test("has what was printed, the description and the exit code", async () => {
    const { state, states } = await bash({ command: "echo a; echo b >&2", description: "Says a" });
    assert.deepEqual([state.title, state.output], ["Says a", "a\nb\n"]);
    assert.deepEqual(state.metadata, {
      output: "a\nb\n",
      exit: 0,
      truncated: false,
      description: "Says a",
    });
    assert.deepEqual(
      [...new Set(states.map(({ status }) => status))],
      ["pending", "running", "completed"],
    );
  });

  test("has the command as title where there is no description", async () => {
    assert.equal((await bash({ command: "true", description: "" })).state.title, "true");
  });

  test("says what went wrong", async () => {
    const end = async (command) => {
      const { output, metadata } = (await bash({ command })).state;
      return [output, metadata.exit, metadata.signal];
    };
    assert.deepEqual(await end("true"), ["(no output)", 0, undefined]);
    assert.deepEqual(await end("false"), ["(no output)\n\n(exit code 1)", 1, undefined]);
    assert.deepEqual(await end("echo a; exit 3"), ["a\n\n(exit code 3)", 3, undefined]);
    assert.deepEqual(await end("printf a; exit 3"), ["a\n\n(exit code 3)", 3, undefined]);
    assert.deepEqual(await end("kill -9 $$"), [
      "(no output)\n\n(killed by SIGKILL)",
      null,
      "SIGKILL",
    ]);
  });

  test("keeps blank lines", async () => {
    assert.equal((await bash({ command: "printf 'a\\n\\n\\n'" })).state.output, "a\n\n\n");
  });

  test("of a background child comes at once", async () => {
    const { state } = await bash({ command: "sleep 1000 & echo $!" });
    process.kill(Number(state.output));
    assert.deepEqual([state.metadata.exit, state.metadata.detached], [0, true]);
  });

  test("after its time is a result", async () => {
    const { state } = await bash({ command: "sleep 1000", timeout: 100 });
    assert.equal(state.status, "completed");
    assert.equal(
      state.output,
      "(no output)\n\n(stopped after 100 ms; give a larger timeout if it needs longer)",
    );
    assert.deepEqual([state.metadata.exit, state.metadata.timedOut], [null, true]);
  });

  test("after an abort is a result with what was printed", async () => {
    const { registry } = prepared();
    const command = "echo $$ > id; echo going; exec sleep 1000";
    const run = registry.execute({ ...CALL, input: { command } });
    await until("it prints", () => run.part.state.metadata?.output === "going\n");
    run.abort("enough");
    const { state } = await run;
    assert.deepEqual(
      [state.status, state.output],
      ["completed", "going\n\n(stopped: the call was aborted)"],
    );
    assert.deepEqual([state.metadata.exit, state.metadata.aborted], [null, true]);
    const group = Number(readFileSync(join(directory, "id"), "utf8"));
    assert.throws(() => process.kill(-group, 0), { code: "ESRCH" });
  });

  test("keeps nothing for the next call", async () => {
    const { registry } = prepared();
    await registry.execute({ ...CALL, input: { command: "cd src; export X=1" } });
    const { state } = await registry.execute({ ...CALL, input: { command: 'pwd; echo "<$X>"' } });
    assert.equal(state.output, `${directory}\n<>\n`);
  });
});

describe("the output of bash", () => {
  const lines = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i).join("\n");

  test("of 2,000 lines is whole, of one more loses the first", async () => {
    const whole = await printed([`${lines(1, 2000)}\n`]);
    assert.deepEqual([whole.output, whole.metadata.truncated], [`${lines(1, 2000)}\n`, false]);
    const cut = await printed([`${lines(1, 2001)}\n`]);
    assert.equal(cut.output, `[1 more lines left out.]\n\n${lines(2, 2001)}`);
    assert.deepEqual(cut.metadata.omitted, { lines: 1, bytes: 3 });
  });

  test("of one long line is cut at a character", async () => {
    const { output, metadata } = await printed([`${"漢".repeat(30_000)}\n`]);
    assert.match(output, /^\[38803 more bytes left out\.\]\n\n漢+$/);
    assert.deepEqual(metadata.omitted, { lines: 0, bytes: 38_803 });
  });

  test("counts all that is left out, however much it is", async () => {
    const piece = "0123456789abcde\n".repeat(4096);
    const pieces = Array.from({ length: 100 }, () => piece);
    const { output, metadata } = await printed([...pieces, "end\n"], { store: undefined });
    assert.equal(metadata.omitted.lines, 100 * 4096 + 1 - 2000);
    assert.equal(metadata.omitted.bytes, 100 * piece.length + 4 - (1999 * 16 + 3));
    assert.equal(output.endsWith("e\nend"), true);
    assert.equal(output.startsWith(`[${metadata.omitted.lines} more lines left out.]\n\n0`), true);
  });

  test("is saved whole where it is cut, and only there", async () => {
    const saved = [];
    const store = {
      async save(text, about) {
        saved.push([text, about]);
        return "/saved/1";
      },
    };
    await printed(["short"], { store });
    assert.deepEqual(saved, []);
    const text = `${"漢字\n".repeat(100_000)}`;
    const bytes = new TextEncoder().encode(text);
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 1000) pieces.push([bytes.subarray(at, at + 1000)]);
    const { output, metadata } = await printed(pieces, { store });
    assert.equal(saved[0][0] === text, true);
    assert.deepEqual(saved[0][1], { sessionID: "ses_1", callID: "call_1", tool: "bash" });
    assert.equal(metadata.outputPath, "/saved/1");
    assert.match(output, /^\[98000 more lines left out\. Whole output: \/saved\/1: read it/);
  });

  test("is saved up to 64 MiB, and the note says so", async () => {
    let saved = 0;
    const store = {
      async save(text) {
        saved = new TextEncoder().encode(text).length;
        return "/saved/1";
      },
    };
    const piece = new TextEncoder().encode(`x${"漢".repeat(20_000)}\n`);
    const shell = {
      async run(_command, { onOutput }) {
        for (let i = 0; i < 1200; i++) onOutput(piece, "stdout");
        return { exit: 0 };
      },
    };
    const { output, metadata } = await printed([], { store, shell });
    assert.equal(saved <= 64 << 20 && saved > (64 << 20) - 4, true, String(saved));
    assert.match(output, /^\[\d+ more lines left out\. The first 64 MiB of the output: \/saved\/1/);
    assert.equal(metadata.truncated, true);
  });

  test("is cut all the same if it cannot be saved", async () => {
    const store = { save: () => Promise.reject(new Error("full")) };
    const { output, metadata } = await printed([`${lines(1, 3000)}\n`], { store });
    assert.match(output, /^\[1000 more lines left out\.\]\n\n1001\n/);
    assert.equal("outputPath" in metadata, false);
  });

  test("is decoded over pieces, each stream by itself", async () => {
    const [a, b, c] = new TextEncoder().encode("漢");
    const bytes = (...values) => Uint8Array.from(values);
    const pieces = [
      [bytes(a), "stdout"],
      [bytes(a, b), "stderr"],
      [bytes(b, c), "stdout"],
    ];
    const { output } = await printed([...pieces, [bytes(c, 10, 0xff, 10, a), "stderr"]]);
    assert.equal(output, "漢漢\n\ufffd\n\ufffd");
  });

  test("shows its last 30,000 characters while it grows", async () => {
    const shell = {
      async run(_command, { onOutput }) {
        const encoder = new TextEncoder();
        for (let i = 0; i < 20; i++) {
          onOutput(encoder.encode(`${"😀".repeat(5000)}a`), "stdout");
          await sleep(0);
        }
        return { exit: 0 };
      },
    };
    const { state, states } = await bash({ command: "x" }, { shell });
    const shown = states.filter(({ metadata }) => metadata?.output !== undefined);
    assert.equal(shown.length > 1, true);
    for (const { metadata } of [...shown, state]) {
      const { output } = metadata;
      assert.equal(output.length <= 30_000, true);
      assert.equal(output.isWellFormed?.() ?? true, true);
    }
    assert.equal(state.metadata.output.length >= 29_999, true);
  });
});
