// The shell of a machine: how commands end, what of them is left, and programs without a shell.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeHost } from "../../../pkg/host.mjs";

const { shell } = nodeHost();
const NEVER = 2 ** 30;
/** A loop that nothing but SIGKILL ends. */
const STUBBORN = "trap '' TERM; while :; do sleep 0.1; done";

let folder;
const folders = [];
const leftovers = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "shell-")));
  folders.push(folder);
});
after(() => {
  for (const id of leftovers) kill(id, "SIGKILL");
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** Whether something got the signal. */
function kill(id, signal) {
  try {
    return process.kill(id, signal);
  } catch {
    return false;
  }
}

async function until(what, condition) {
  for (let tries = 0; tries < 3000; tries++) {
    if (condition()) return;
    await sleep(10);
  }
  assert.fail(`never: ${what}`);
}

const path = (name) => join(folder, name);
/** A number that a command writes into a file. */
const written = (name) => Number(existsSync(path(name)) && readFileSync(path(name), "utf8"));
const isWritten = (name) => until(`${name} is written`, () => written(name) > 0);
const isGone = (group) => until(`group ${group} is gone`, () => !kill(-group, 0));

async function run(command, options) {
  let output = "";
  const decoder = new TextDecoder();
  const end = await shell.run(command, {
    cwd: folder,
    timeoutMs: NEVER,
    abort: new AbortController().signal,
    onOutput: (bytes) => {
      output += decoder.decode(bytes, { stream: true });
    },
    ...options,
  });
  return { ...end, output };
}

describe("a command", () => {
  test("ends with its exit code or its signal", async () => {
    assert.deepEqual(await run("echo a"), { exit: 0, output: "a\n" });
    assert.deepEqual(await run("exit 3"), { exit: 3, output: "" });
    assert.deepEqual(await run("kill -9 $$"), { exit: null, signal: "SIGKILL", output: "" });
    const missing = await run("no_such_command");
    assert.equal(missing.exit, 127);
    assert.match(missing.output, /no_such_command: (command )?not found/);
  });

  test("is text even if it looks like an option", async () => {
    assert.equal((await run("-x; echo b")).output.endsWith("b\n"), true);
  });

  test("prints to both outputs in order", async () => {
    const text = Array.from({ length: 50 }, (_, i) => `echo ${i}${i % 2 ? " >&2" : ""}`);
    const { output } = await run(text.join("; "));
    assert.equal(output, Array.from({ length: 50 }, (_, i) => `${i}\n`).join(""));
  });

  test("has an empty input and no terminal", async () => {
    const { output } = await run(
      "cat; test -t 0 || echo none; (: < /dev/tty) 2> /dev/null || echo no tty",
    );
    assert.equal(output, "none\nno tty\n");
  });

  test("runs in its directory, by the name that it was given", async () => {
    assert.equal((await run('pwd; echo "$PWD"')).output, `${folder}\n${folder}\n`);
    await assert.rejects(run("pwd", { cwd: path("none") }), { code: "ENOENT" });
  });

  test("knows no other directory of this process", async () => {
    Object.assign(process.env, { OLDPWD: "/", CDPATH: "/" });
    const { output } = await run("cd - 2> /dev/null; cd tmp 2> /dev/null; pwd");
    assert.equal(output, `${folder}\n`);
  });

  test("that is too long is an error with a code", async () => {
    await assert.rejects(run(`: ${"x".repeat(4 << 20)}`), { code: "E2BIG" });
  });

  test("has a process group of its own", async () => {
    const { output } = await run("ps -o pgid= -p $$; echo $$");
    const [group, id] = output.split("\n").map(Number);
    assert.equal(group, id);
  });

  test("gives all of a long output", async () => {
    let bytes = 0;
    const onOutput = (piece) => {
      bytes += piece.length;
    };
    const { exit } = await run("head -c 20000000 /dev/zero", { onOutput });
    assert.deepEqual([exit, bytes], [0, 20_000_000]);
  });

  test("is stopped if what takes its output throws", async () => {
    const onOutput = () => {
      throw new Error("full");
    };
    await assert.rejects(run(`echo $$ > id; echo x; ${STUBBORN}`, { onOutput }), /full/);
    await isGone(written("id"));
  });
});

describe("a background child", () => {
  test("that keeps the output open does not hold the call", async () => {
    const end = await run(`sleep 1000 & echo $!`);
    leftovers.push(Number(end.output));
    assert.deepEqual({ ...end, output: "" }, { exit: 0, detached: true, output: "" });
    assert.equal(kill(Number(end.output), 0), true, "it lives on");
  });

  test("in a session of its own neither", async () => {
    const end = await run("setsid sleep 1000 & echo $!");
    leftovers.push(Number(end.output));
    assert.equal(end.detached, true);
  });

  test("with its output elsewhere is not noticed", async () => {
    const end = await run("sleep 1000 > /dev/null 2>&1 & echo $!");
    leftovers.push(Number(end.output));
    assert.equal(end.detached, undefined);
  });

  test("may print later, and is not ended by that", async () => {
    const wait = "until [ -e go ]; do sleep 0.05; done";
    const end = await run(`(${wait}; seq 1 20000; echo 1 > proof) & echo $!`);
    assert.equal(end.detached, true);
    writeFileSync(path("go"), "");
    await isWritten("proof");
    assert.match(end.output, /^\d+\n$/);
  });

  test("does not hold the process", async () => {
    const host = new URL("../../../pkg/host.mjs", import.meta.url).href;
    const program = `
      import { nodeHost } from ${JSON.stringify(host)};
      const options = { cwd: "/", timeoutMs: 1e9, onOutput: (bytes) => process.stdout.write(bytes) };
      await nodeHost().shell.run("sleep 1000 & echo $!", options);`;
    const { code, output } = await node(program);
    leftovers.push(Number(output));
    assert.equal(code, 0);
  });
});

/** Runs a program of Node to its end. */
function node(program) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (bytes) => {
    output += bytes;
  });
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve({ code, output }));
  });
}

describe("a command that is stopped", () => {
  test("after its time says so", async () => {
    const end = await run("sleep 1000", { timeoutMs: 50 });
    assert.deepEqual(end, { exit: null, signal: "SIGTERM", timedOut: true, output: "" });
  });

  test("on abort says so, with what it printed until then and after SIGTERM", async () => {
    const abort = new AbortController();
    let output = "";
    const onOutput = (bytes) => {
      output += new TextDecoder().decode(bytes);
      if (output === "going\n") abort.abort();
    };
    const command = "trap 'echo bye; exit 4' TERM; echo going; sleep 1000 & wait";
    const end = await run(command, { abort: abort.signal, onOutput });
    assert.deepEqual({ ...end, output }, { exit: 4, aborted: true, output: "going\nbye\n" });
  });

  test("before it began is not started", async () => {
    const end = await run("echo 1 > id", { abort: AbortSignal.abort() });
    assert.deepEqual(end, { exit: null, aborted: true, output: "" });
    assert.equal(existsSync(path("id")), false);
  });

  test("leaves no process of its group, though they ignore SIGTERM", async () => {
    const abort = new AbortController();
    const ended = run(`trap '' TERM; (${STUBBORN}) & echo $$ > id; ${STUBBORN}`, {
      abort: abort.signal,
    });
    await isWritten("id");
    abort.abort();
    assert.equal((await ended).signal, "SIGKILL");
    await isGone(written("id"));
  });

  test("nor a child without output, whose shell ended at once", async () => {
    const abort = new AbortController();
    const child = `(exec > /dev/null 2>&1; trap '' TERM; echo 1 > ready; ${STUBBORN})`;
    const ended = run(`echo $$ > id; ${child} & wait`, { abort: abort.signal });
    await isWritten("ready");
    abort.abort();
    assert.equal((await ended).signal, "SIGTERM");
    await isGone(written("id"));
  });

  test("nor children whose shell had exited before", async () => {
    const abort = new AbortController();
    const noisy = "(trap '' TERM; echo $$ > id; exec yes) & until [ -e id ]; do sleep 0.01; done";
    const ended = run(noisy, { abort: abort.signal, onOutput() {} });
    await isWritten("id");
    await until("the shell has exited", () => !kill(written("id"), 0));
    abort.abort();
    assert.equal((await ended).aborted, true);
    await isGone(written("id"));
  });

  test("does not wait for one that left the group and prints for ever", async () => {
    const abort = new AbortController();
    const command = "setsid bash -c 'echo $$ > id; exec yes' & wait";
    const ended = run(command, { abort: abort.signal, onOutput() {} });
    await isWritten("id");
    abort.abort();
    assert.equal((await ended).aborted, true);
    await isGone(written("id"));
  });

  test("goes with the process that runs it", async () => {
    const host = new URL("../../../pkg/host.mjs", import.meta.url).href;
    const program = `
      import { nodeHost } from ${JSON.stringify(host)};
      nodeHost().shell.run("echo $$; exec sleep 1000", {
        cwd: "/",
        timeoutMs: 1e9,
        onOutput: (bytes) => process.stdout.write(bytes, () => process.exit()),
      });`;
    const { output } = await node(program);
    await isGone(Number(output));
  });
});

describe("a program", () => {
  const spawned = async (program, args, options) => {
    let output = "";
    const end = await shell.spawn(program, args, {
      cwd: folder,
      abort: new AbortController().signal,
      onOutput: (bytes) => {
        output += new TextDecoder().decode(bytes);
      },
      ...options,
    });
    return { ...end, output };
  };

  test("gives its output, its error output and its exit code", async () => {
    const end = await spawned("sh", ["-c", "cat; pwd; echo b >&2; exit 2"]);
    assert.deepEqual(end, { exit: 2, stderr: "b\n", output: `${folder}\n` });
  });

  test("gets its arguments as they are", async () => {
    const { output } = await spawned("printf", ["%s|", "a b", "$HOME", "*", ""]);
    assert.equal(output, "a b|$HOME|*||");
  });

  test("that is missing is an error with a code", async () => {
    await assert.rejects(spawned(path("none"), []), { code: "ENOENT" });
  });

  test("is stopped when its output is enough", async () => {
    let pieces = 0;
    const onOutput = () => {
      pieces++;
      return false;
    };
    const end = await spawned("yes", [], { onOutput });
    assert.deepEqual([pieces, end.exit, end.signal], [1, null, "SIGKILL"]);
  });

  test("is stopped on abort, and not started after it", async () => {
    const abort = new AbortController();
    const end = await spawned("yes", [], { abort: abort.signal, onOutput: () => abort.abort() });
    assert.deepEqual([end.exit, end.signal], [null, "SIGKILL"]);
    const none = await spawned("sh", ["-c", "echo 1 > id"], { abort: abort.signal });
    assert.deepEqual([none.exit, existsSync(path("id"))], [null, false]);
  });

  test("is stopped if what takes its output throws", async () => {
    const onOutput = () => {
      throw new Error("full");
    };
    await assert.rejects(spawned("yes", [], { onOutput }), /full/);
  });

  test("keeps at most 64 KiB of its error output, whole characters", async () => {
    const { stderr } = await spawned("sh", ["-c", "yes 漢字 | head -c 1000000 >&2"]);
    assert.equal(stderr.includes("\ufffd"), false);
    const { length } = new TextEncoder().encode(stderr);
    assert.equal(length <= 65_536 && length > 65_530, true, String(length));
  });
});
