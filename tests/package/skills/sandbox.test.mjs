// Sandbox mode: each promise of docs/skills.md and each thing that it does not promise, with real scripts.
// Long because every sentence there is a test here.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { packed, place, skill } from "./place.mjs";

const isLinux = process.platform === "linux";
const isWindows = process.platform === "win32";
const POSIX = { skip: isWindows && "no signals and no process groups there" };

let node;
before(async () => {
  node = await packed("skills-sandbox");
});

/** Skills `a`, `b` … with these scripts. */
const scripts = (...codes) =>
  place(
    Object.fromEntries(
      codes.flatMap((code, i) => {
        const name = String.fromCharCode(97 + i);
        return [
          [`${name}/SKILL.md`, skill(name)],
          [`${name}/scripts/execute.js`, code],
        ];
      }),
    ),
  );

/** The tool over the skills of a folder, with a workspace of its own to look into. */
async function defined(root, sandbox = {}) {
  const { skills } = await node.scanSkills([root]);
  const workspaceRoot = place();
  const tool = node.skillTool(() => skills, { sandbox: { workspaceRoot, ...sandbox } });
  return { workspaceRoot, ...(await tool.init()) };
}

/** The result of skill `a` with this script. */
async function run(code, { sandbox, args, context = {} } = {}) {
  const tool = await defined(scripts(code), sandbox);
  try {
    return await tool.execute({ name: "a", args }, context);
  } finally {
    assert.deepEqual(readdirSync(tool.workspaceRoot), [], "the workspace was removed");
  }
}

/** The error with which it ends. */
async function fails(code, options) {
  try {
    await run(code, options);
  } catch (error) {
    assert.equal(error.expected, true, error.stack);
    return error;
  }
  assert.fail("it did not fail");
}

/** What the script printed, as JSON. */
const printed = async (code, options) => JSON.parse((await run(code, options)).output);

/** Code that tries something and prints its result, or the code of its error. */
const trying = (code) => `
const fs = require("node:fs");
(async () => {
  try { console.log(JSON.stringify({ ok: (await (async () => { ${code} })()) ?? null })); }
  catch (error) { console.log(JSON.stringify({ code: error.code ?? String(error) })); }
})();`;

/** Whether a process runs; one that has ended and that nobody has collected yet does not. */
function runs(pid) {
  try {
    process.kill(pid, 0);
    return !isLinux || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until a condition is met; the test runner's own limit ends it otherwise. */
async function until(isMet) {
  while (!isMet()) await sleep(10);
}

const text = JSON.stringify;

describe("a run", () => {
  const FACTS = `
    let input = "open";
    try { input = require("node:fs").readFileSync(0, "utf8"); } catch (error) { input = error.code; }
    console.log(JSON.stringify({
      argv: process.argv.slice(2), execPath: process.execPath, file: __filename, cwd: process.cwd(),
      env: process.env, mode: require("node:fs").statSync(".").mode & 0o777, input, left: require("node:fs").readdirSync("."),
    }));`;

  test("gets its arguments as JSON, a new workspace, and no other variables than those named", async () => {
    const root = scripts(FACTS);
    process.env.APEX_PARTS_SECRET = "s";
    process.env.APEX_PARTS_NAMED = "n";
    const tool = await defined(root, { env: ["PATH", "APEX_PARTS_NAMED", "APEX_PARTS_UNSET"] });
    const { output } = await tool.execute({ name: "a", args: { x: "ü\n", y: [1] } }, {});
    const facts = JSON.parse(output);
    assert.deepEqual(facts.argv, ['{"x":"ü\\n","y":[1]}']);
    assert.equal(facts.execPath, process.execPath);
    assert.equal(facts.file, join(root, "a/scripts/execute.js"));
    assert.equal(facts.input, "", "standard input is at its end");
    assert.deepEqual(facts.left, []);
    assert.ok(facts.cwd.startsWith(tool.workspaceRoot));
    if (!isWindows) assert.equal(facts.mode, 0o700);
    const { PATH, APEX_PARTS_NAMED, SKILL_DIR, SKILL_WORKSPACE, ...others } = facts.env;
    assert.equal(PATH, process.env.PATH);
    assert.equal(APEX_PARTS_NAMED, "n");
    assert.equal(SKILL_DIR, join(root, "a"));
    assert.equal(SKILL_WORKSPACE, facts.cwd);
    if (!isWindows) {
      // macOS sets one of its own.
      assert.deepEqual(
        Object.keys(others).filter((name) => !name.startsWith("__CF")),
        [],
      );
    }
    assert.deepEqual(readdirSync(tool.workspaceRoot), []);
  });

  test("gives its output, and facts in the metadata", async () => {
    const { title, output, metadata } = await run(`console.log("out"); console.error("err");`);
    assert.equal(title, "Ran skill: a");
    assert.equal(output, "out\n");
    const { durationMs, skill, ...facts } = metadata;
    assert.deepEqual(facts, { exitCode: 0, stderr: "err\n" });
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
    assert.equal(skill.mode, "sandbox");
    assert.equal(skill.name, "a");
    assert.equal((await run(`console.log(" ")`)).output, "(no output)");
    assert.equal((await run("")).output, "(no output)");
  });

  test("takes arguments of every kind, up to 64 KiB as JSON", async () => {
    const echo = "process.stdout.write(process.argv[2])";
    for (const [args, given] of [
      [undefined, "{}"],
      [null, "{}"],
      ["a b", '"a b"'],
      ["\0\ud800", '"\\u0000\\ud800"'],
      [{ "--flag": "$(x) `y` ; z" }, '{"--flag":"$(x) `y` ; z"}'],
      ["x".repeat(65_534), `"${"x".repeat(65_534)}"`],
    ]) {
      assert.equal((await run(echo, { args })).output, given);
    }
    const many = await fails(echo, { args: "x".repeat(65_535) });
    assert.equal(many.message, "args is 65537 bytes as JSON; a script takes at most 65536");
    assert.match((await fails(echo, { args: "ü".repeat(40_000) })).message, /^args is 80002 bytes/);
    assert.match((await fails(echo, { args: { n: 1n } })).message, /cannot be written as JSON/);
  });

  test("may be a module, and may use what is beside it", async () => {
    const root = place({
      "a/SKILL.md": skill("a"),
      "a/package.json": '{"type":"module"}',
      "a/scripts/execute.js": `import { x } from "./lib.js"; import { readFileSync } from "node:fs";
        console.log(x, readFileSync(new URL("../data.txt", import.meta.url), "utf8"), readFileSync(process.env.SKILL_DIR + "/data.txt", "utf8"));`,
      "a/scripts/lib.js": "export const x = 1;",
      "a/data.txt": "data",
    });
    const tool = await defined(root);
    assert.equal((await tool.execute({ name: "a" }, {})).output, "1 data data\n");
  });

  test("NODE_OPTIONS never reaches it, also if it is named", async () => {
    const canary = join(place(), "canary.cjs");
    writeFileSync(canary, 'console.log("required")');
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = `--require ${text(canary)} --allow-fs-read=*`;
    try {
      const env = ["PATH", "NODE_OPTIONS"];
      for (const sandbox of [{}, { env }, { env, permission: false }]) {
        const { output } = await run("console.log(process.env.NODE_OPTIONS)", { sandbox });
        assert.equal(output, "undefined\n");
      }
    } finally {
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
    }
  });

  test("a failure is an error with the exit code, the tail of stderr and the output", async () => {
    const error = await fails(`console.log("so far"); console.error("why"); process.exitCode = 3;`);
    assert.equal(error.message, "Skill a failed with exit code 3\n\nwhy");
    assert.equal(error.metadata.exitCode, 3);
    assert.equal(error.metadata.stdout, "so far\n");
    assert.equal(error.metadata.stderr, "why\n");
    assert.equal((await fails("process.exit(7)")).message, "Skill a failed with exit code 7");
    assert.match((await fails(`throw new Error("oh")`)).message, /exit code 1\n\n[\s\S]*Error: oh/);
    if (!isWindows) {
      const killed = await fails(`process.kill(process.pid, "SIGKILL")`);
      assert.equal(killed.message, "Skill a was ended by SIGKILL");
    }
  });

  test("stderr: the last 4 KiB, cut on a character", async () => {
    const { metadata } = await run(`process.stderr.write("ü".repeat(4000) + "x")`);
    assert.equal(metadata.stderr, `${"ü".repeat(2047)}x`);
    const exact = await run(`process.stderr.write("y".repeat(4096))`);
    assert.equal(exact.metadata.stderr, "y".repeat(4096));
  });

  test("failures are error states with their metadata, and no fault of the tool", async () => {
    const { skills } = await node.scanSkills([scripts("console.log(1); process.exit(3)", "")]);
    const registry = new node.ToolRegistry();
    registry.register(
      node.skillTool(() => skills),
      "skill",
    );
    const ids = { callID: "c", sessionID: "s", messageID: "m", tool: "skill" };
    for (let i = 0; i < 4; i++) {
      const { state } = await registry.execute({ ...ids, input: { name: "a" } });
      assert.equal(state.status, "error");
      assert.equal(state.error, "Skill a failed with exit code 3");
      const { kind, exitCode, stdout, skill } = state.metadata;
      assert.deepEqual([kind, exitCode, stdout, skill.name], ["expected", 3, "1\n", "a"]);
    }
    assert.ok(registry.get("skill"), "other skills can be called");
    const { state } = await registry.execute({ ...ids, input: { name: "b" } });
    assert.equal(state.status, "completed");
  });
});

describe("what is refused", () => {
  const DENIED = { code: "ERR_ACCESS_DENIED" };

  test("reading and writing outside the granted folders", async () => {
    const outside = place({ "secret.txt": "the secret" });
    const secret = text(join(outside, "secret.txt"));
    const gone = text(join(outside, "new"));
    for (const code of [
      `return fs.readFileSync(${secret}, "utf8")`,
      `return fs.promises.readFile(${secret}, "utf8")`,
      `return fs.readFileSync(Buffer.from(${secret}), "utf8")`,
      `return fs.readFileSync(require("node:path").relative(process.cwd(), ${secret}), "utf8")`,
      `return fs.readdirSync(${text(outside)})`,
      `return fs.existsSync(${secret}) || fs.statSync(${secret})`,
      `return fs.readdirSync("..")`,
      `fs.writeFileSync(${gone}, "x")`,
      `fs.copyFileSync(__filename, ${gone})`,
      `fs.renameSync(${secret}, ${gone})`,
      `fs.rmSync(${secret})`,
      `fs.mkdirSync(${gone})`,
      `fs.chmodSync(${secret}, 0o777)`,
      `fs.truncateSync(${secret})`,
      `fs.symlinkSync(${secret}, "link")`,
      `fs.linkSync(${secret}, "hard")`,
      `require(${secret})`,
    ]) {
      assert.deepEqual(await printed(trying(code)), DENIED, code);
    }
    assert.deepEqual(readdirSync(outside), ["secret.txt"]);
    assert.equal(readFileSync(join(outside, "secret.txt"), "utf8"), "the secret");
  });

  test("writing into the skill's own folder, and reading one whose name begins alike", async () => {
    assert.deepEqual(await printed(trying(`fs.writeFileSync(__filename, "x")`)), DENIED);
    const root = scripts(trying(`return fs.readFileSync(process.env.SKILL_DIR + "b/x", "utf8")`));
    mkdirSync(join(root, "ab"));
    writeFileSync(join(root, "ab/x"), "x");
    const tool = await defined(root);
    assert.deepEqual(JSON.parse((await tool.execute({ name: "a" }, {})).output), DENIED);
  });

  test("child processes, workers and native addons", async () => {
    for (const code of [
      `require("node:child_process").spawnSync(process.execPath, ["-v"])`,
      `require("node:child_process").execSync("true")`,
      `require("node:child_process").fork(__filename)`,
      `new (require("node:worker_threads").Worker)("1", { eval: true })`,
      `require("node:cluster").fork()`,
    ]) {
      assert.deepEqual(await printed(trying(code)), DENIED, code);
    }
    const addon = trying(`process.dlopen({ exports: {} }, __dirname + "/x.node")`);
    assert.deepEqual(await printed(addon), { code: "ERR_DLOPEN_DISABLED" });
  });

  test("not its workspace, and not the folders of allowWrite", async () => {
    const own = `fs.mkdirSync("d/e", { recursive: true }); fs.writeFileSync("d/e/f", "x");
      return [fs.readFileSync("d/e/f", "utf8"), fs.readdirSync(process.env.SKILL_WORKSPACE)];`;
    assert.deepEqual(await printed(trying(own)), { ok: ["x", ["d"]] });
    const out = place({ "in.txt": "in" });
    const code = trying(
      `const d = ${text(out)}; fs.writeFileSync(d + "/out.txt", "out"); return fs.readFileSync(d + "/in.txt", "utf8")`,
    );
    assert.deepEqual(await printed(code), DENIED);
    assert.deepEqual(await printed(code, { sandbox: { allowWrite: [out] } }), { ok: "in" });
    assert.equal(readFileSync(join(out, "out.txt"), "utf8"), "out");
  });

  test("a path in which a character would widen the permission", POSIX, async () => {
    const root = place({ "a*/SKILL.md": skill("a"), "a*/scripts/execute.js": "console.log(1)" });
    const tool = await defined(root);
    await assert.rejects(tool.execute({ name: "a" }, {}), /no permission can be granted for/);
    const strange = place({
      "a, b/SKILL.md": skill("a"),
      "a, b/scripts/execute.js": "console.log(1)",
    });
    const { output } = await (await defined(strange)).execute({ name: "a" }, {});
    assert.equal(output, "1\n");
  });

  test("a skill folder with a link that leaves it, before the start", POSIX, async () => {
    const out = place({ "secret.txt": "x" });
    const started = join(out, "started");
    const code = `require("node:fs").writeFileSync(${text(started)}, "")`;
    for (const link of ["link", "node_modules/link", ".hidden/deep/link"]) {
      for (const target of [join(out, "secret.txt"), out, "/", "../../../..", "missing"]) {
        const root = scripts(code);
        mkdirSync(join(root, "a", link, ".."), { recursive: true });
        symlinkSync(target, join(root, "a", link));
        const tool = await defined(root, { allowWrite: [out] });
        await assert.rejects(
          tool.execute({ name: "a" }, {}),
          /^Expected: Skill a cannot run in its folder: .*link is a link that leads (out of it|to nothing)$/,
        );
        assert.ok(!existsSync(started));
        assert.deepEqual(readdirSync(tool.workspaceRoot), []);
      }
    }
    const inner = scripts("console.log(1)");
    symlinkSync("scripts", join(inner, "a/link"));
    assert.equal((await (await defined(inner)).execute({ name: "a" }, {})).output, "1\n");
  });

  test("a script that has become a link since the folders were searched", POSIX, async () => {
    const other = place({ "x.js": "console.log(2)" });
    const root = scripts("console.log(1)");
    const tool = await defined(root, { permission: false });
    const file = join(root, "a/scripts/execute.js");
    writeFileSync(join(root, "a/own.js"), "console.log(3)");
    for (const target of [join(other, "x.js"), "../own.js"]) {
      rmSync(file);
      symlinkSync(target, file);
      await assert.rejects(tool.execute({ name: "a" }, {}), /is not a plain file in its folder$/);
    }
  });
});

describe("what is not promised", () => {
  test("the network can be reached, unless Node has a permission for it", async () => {
    const server = createServer((socket) => socket.end("hello"));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const code = trying(`return new Promise((resolve, reject) => {
      const socket = require("node:net").connect(${server.address().port}, "127.0.0.1");
      socket.on("data", (bytes) => resolve(String(bytes)));
      socket.on("error", reject);
    })`);
    const result = await printed(code);
    server.close();
    const isRefused = process.allowedNodeEnvironmentFlags.has("--allow-net");
    assert.deepEqual(result, isRefused ? { code: "ERR_ACCESS_DENIED" } : { ok: "hello" });
  });

  test("a signal to another process of the user is let through", POSIX, async () => {
    assert.deepEqual(await printed(trying("return process.kill(process.ppid, 0)")), { ok: true });
  });

  test("a link in a folder of allowWrite that points out of it is followed", POSIX, async () => {
    const outside = place({ "secret.txt": "the secret" });
    const out = place();
    symlinkSync(join(outside, "secret.txt"), join(out, "link"));
    const code = trying(`return fs.readFileSync(${text(join(out, "link"))}, "utf8")`);
    assert.deepEqual(await printed(code, { sandbox: { allowWrite: [out] } }), { ok: "the secret" });
  });

  test("what is written to the workspace is limited by time only, and removed", async () => {
    const code = `const fs = require("node:fs");
      for (let i = 0; ; i++) fs.writeFileSync(String(i % 20), Buffer.alloc(1e6));`;
    assert.match((await fails(code, { sandbox: { timeout: 1500 } })).message, /after 1500 ms/);
  });

  test("without permission: false nothing is refused, on this user's word", async () => {
    const outside = place({ "x.txt": "x" });
    const code = trying(`
      require("node:child_process").execFileSync(process.execPath, ["-v"]);
      return fs.readFileSync(${text(join(outside, "x.txt"))}, "utf8")`);
    assert.deepEqual(await printed(code, { sandbox: { permission: false } }), { ok: "x" });
  });
});

describe("limits", () => {
  test("time: an endless script is stopped", async () => {
    const sandbox = { timeout: 300 };
    for (const code of ["setInterval(() => {}, 1000)", "for (;;);"]) {
      const error = await fails(code, { sandbox });
      assert.equal(error.message, "Skill a was stopped after 300 ms");
    }
  });

  test("a script that ignores SIGTERM is killed; what it printed is kept", POSIX, async () => {
    const out = place();
    const file = join(out, "pid");
    const code = `process.on("SIGTERM", () => console.log("no"));
      console.log("so far"); console.error("hm");
      require("node:fs").writeFileSync(${text(file)}, String(process.pid));
      setInterval(() => {}, 1000);`;
    const stop = new AbortController();
    const failing = fails(code, {
      sandbox: { allowWrite: [out] },
      context: { abort: stop.signal },
    });
    await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
    stop.abort();
    const error = await failing;
    assert.equal(error.message, "Skill a was stopped\n\nhm");
    assert.equal(error.metadata.stdout, "so far\nno\n", "it was asked first");
    assert.equal(error.metadata.signal, "SIGKILL");
    assert.ok(!runs(Number(readFileSync(file, "utf8"))));
  });

  test("output: stdout and stderr, in bytes, cut on a character", async () => {
    const sandbox = { maxOutputBytes: 1001 };
    const exact = await run(`process.stdout.write("x".repeat(1001))`, { sandbox });
    assert.equal(exact.output.length, 1001);
    const error = await fails(
      `process.stdout.write("ü".repeat(501)); setInterval(() => {}, 1000)`,
      { sandbox },
    );
    assert.equal(error.message, "Skill a wrote more than 1001 bytes");
    assert.equal(error.metadata.stdout, "ü".repeat(500));
    const other = await fails(
      `process.stderr.write("x".repeat(1002)); setInterval(() => {}, 1000)`,
      { sandbox },
    );
    assert.match(other.message, /^Skill a wrote more than 1001 bytes\n\nx+$/);
    const endless = `const s = "x".repeat(65536); const go = () => { while (process.stdout.write(s)); process.stdout.once("drain", go); }; go();`;
    assert.match((await fails(endless)).message, /^Skill a wrote more than 1048576 bytes$/);
  });

  test("memory: the heap is bounded", async () => {
    const code = "const all = []; for (;;) all.push(new Array(1000).fill({}));";
    const error = await fails(code, { sandbox: { memoryMB: 128 } });
    assert.match(error.message, /^Skill a used more than 128 MB of memory/);
  });

  const LINUX = { skip: !isLinux && "the resident set is watched on Linux only" };

  test("memory: buffers are beyond the heap, and are watched", LINUX, async () => {
    const code = `const all = [];
      const fill = () => { if (all.length < 40) all.push(Buffer.alloc(10e6, 1)); setTimeout(fill, 5); };
      fill();`;
    const error = await fails(code, { sandbox: { memoryMB: 150 } });
    assert.match(error.message, /^Skill a used more than 150 MB of memory/);
  });

  test("memory: that of child processes counts, too, where there may be some", LINUX, async () => {
    const child =
      "const all = Array.from({ length: 20 }, () => Buffer.alloc(10e6, 1)); setInterval(() => all, 1000)";
    const code = `require("node:child_process").spawn(process.execPath, ["-e", ${text(child)}]);
      setInterval(() => {}, 1000);`;
    const error = await fails(code, { sandbox: { memoryMB: 200, permission: false } });
    assert.match(error.message, /^Skill a used more than 200 MB of memory/);
  });

  test("a script that closes its output and goes on is waited for, and stopped", async () => {
    const out = place();
    const code = `process.stdout.write("x", () => { process.stdout.destroy(); require("node:fs").closeSync(1); });
      process.stderr.destroy();
      setTimeout(() => require("node:fs").writeFileSync(${text(join(out, "end"))}, "x"), 500);`;
    const ends = await run(code, { sandbox: { allowWrite: [out] } }).catch((error) => error);
    assert.ok(existsSync(join(out, "end")), `it ran to its end: ${ends.message}`);
    const goesOn =
      "require('node:fs').closeSync(1); require('node:fs').closeSync(2); setInterval(() => {}, 1000);";
    assert.match((await fails(goesOn, { sandbox: { timeout: 500 } })).message, /after 500 ms/);
  });

  test("so many at once; the others wait", async () => {
    const out = place();
    const log = text(join(out, "log"));
    const code = `const fs = require("node:fs");
      fs.appendFileSync(${log}, "+"); setTimeout(() => fs.appendFileSync(${log}, "-"), 100);`;
    const tool = await defined(scripts(code), { allowWrite: [out], maxConcurrent: 2 });
    await Promise.all(Array.from({ length: 6 }, () => tool.execute({ name: "a" }, {})));
    let now = 0;
    let most = 0;
    for (const sign of readFileSync(join(out, "log"), "utf8")) {
      now += sign === "+" ? 1 : -1;
      most = Math.max(most, now);
    }
    assert.ok(most <= 2, `${most} ran at once`);
    assert.equal(now, 0);
  });
});

describe("an abort", () => {
  test("ends what runs, and what waits", async () => {
    const out = place();
    const code = `require("node:fs").appendFileSync(${text(join(out, "started"))}, "x");
      setInterval(() => {}, 1000);`;
    const tool = await defined(scripts(code), { allowWrite: [out], maxConcurrent: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const one = tool.execute({ name: "a" }, { abort: first.signal });
    await until(() => existsSync(join(out, "started")));
    const two = tool.execute({ name: "a" }, { abort: second.signal });
    second.abort();
    await assert.rejects(two, /^Expected: Skill a was stopped$/);
    first.abort();
    await assert.rejects(one, /^Expected: Skill a was stopped$/);
    assert.equal(readFileSync(join(out, "started"), "utf8"), "x", "the second was not started");
    assert.deepEqual(readdirSync(tool.workspaceRoot), []);
    await assert.rejects(
      tool.execute({ name: "a" }, { abort: AbortSignal.abort() }),
      /was stopped$/,
    );
  });

  test("is the end of the call in a registry", async () => {
    const out = place();
    const code = `require("node:fs").writeFileSync(${text(join(out, "pid"))}, String(process.pid)); setInterval(() => {}, 1000);`;
    const { skills } = await node.scanSkills([scripts(code)]);
    const registry = new node.ToolRegistry();
    registry.register(
      node.skillTool(() => skills, { sandbox: { allowWrite: [out] } }),
      "skill",
    );
    const ids = { callID: "c", sessionID: "s", messageID: "m", tool: "skill" };
    const running = registry.execute({ ...ids, input: { name: "a" } });
    const file = join(out, "pid");
    await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
    running.abort("enough");
    const { state } = await running;
    assert.equal(state.error, "Aborted: enough");
    assert.equal(state.metadata.kind, "aborted");
    await until(() => !runs(Number(readFileSync(file, "utf8"))));
  });
});

describe("nothing is left", () => {
  /** Code that starts a process which writes its id to a file and lives on. */
  const starting = (file, { detached, stdio }) => `
    const code = "require('node:fs').writeFileSync(" + ${text(text(file))} + ", String(process.pid)); setInterval(() => {}, 1000)";
    require("node:child_process").spawn(process.execPath, ["-e", code], { detached: ${detached}, stdio: ${text(stdio)} }).unref();
    const wait = () => require("node:fs").existsSync(${text(file)}) ? process.exit(0) : setTimeout(wait, 10);
    wait();`;
  const pidIn = (file) => Number(readFileSync(file, "utf8"));

  test("processes that it started end with it, with its outputs or without", POSIX, async () => {
    for (const stdio of ["ignore", "inherit"]) {
      const file = join(place(), "pid");
      const { metadata } = await run(starting(file, { detached: false, stdio }), {
        sandbox: { permission: false },
      });
      assert.equal(metadata.exitCode, 0);
      assert.ok(!runs(pidIn(file)), stdio);
    }
  });

  test("one that left its group and holds its output is not waited for", POSIX, async () => {
    const file = join(place(), "pid");
    const { metadata } = await run(starting(file, { detached: true, stdio: "inherit" }), {
      sandbox: { permission: false },
    });
    assert.equal(metadata.exitCode, 0);
    // It cannot be reached through its group: that is not promised.
    process.kill(pidIn(file), "SIGKILL");
  });

  test("a fork bomb ends with its group", POSIX, async () => {
    const out = place();
    const file = join(out, "pids");
    writeFileSync(file, "");
    const pids = () => readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
    // Ten or so at most, that a machine bears it if it is not stopped.
    const code = `const fs = require("node:fs");
      fs.appendFileSync(${text(file)}, process.pid + "\\n");
      const count = fs.readFileSync(${text(file)}, "utf8").split("\\n").length;
      if (count < 10) for (let i = 0; i < 2; i++) require("node:child_process").spawn(process.execPath, [__filename], { stdio: "inherit" });
      setInterval(() => {}, 1000);`;
    const stop = new AbortController();
    const sandbox = { permission: false, memoryMB: 8192 };
    const failing = fails(code, { sandbox, context: { abort: stop.signal } });
    await until(() => pids().length >= 5);
    stop.abort();
    assert.match((await failing).message, /^Skill a was stopped/);
    assert.deepEqual(pids().filter(runs), []);
  });

  test("no timer, no listener and no folder", async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => /Timeout|Process|Pipe/.test(name)).length;
    const before = timers();
    const exits = process.listenerCount("exit");
    const { signal } = new AbortController();
    let listeners = 0;
    const abort = {
      aborted: false,
      addEventListener: (...given) => {
        listeners++;
        signal.addEventListener(...given);
      },
      removeEventListener: (...given) => {
        listeners--;
        signal.removeEventListener(...given);
      },
    };
    await run("console.log(1)", { context: { abort } });
    await fails("process.exit(1)", { context: { abort } });
    assert.equal(listeners, 0);
    assert.equal(process.listenerCount("exit"), exits);
    assert.ok(timers() <= before);
  });

  test("no workspace, whatever permissions a script took from itself", POSIX, async () => {
    const { output } = await run(`const fs = require("node:fs");
      fs.mkdirSync("d/e", { recursive: true }); fs.writeFileSync("d/e/f", "x");
      fs.chmodSync("d/e", 0); fs.chmodSync("d", 0); console.log("done");`);
    assert.equal(output, "done\n");
  });

  test("workspaces are in the folder for temporary files by default", async () => {
    const { skills } = await node.scanSkills([scripts("console.log(process.cwd())")]);
    const { execute } = await node.skillTool(() => skills).init();
    const folder = (await execute({ name: "a" }, {})).output.trim();
    assert.ok(folder.startsWith(realpathSync(tmpdir())), folder);
    assert.ok(!existsSync(folder));
  });

  test("a workspace that cannot be made is a fault, not the skill's", async () => {
    const workspaceRoot = join(place(), "missing");
    const { skills } = await node.scanSkills([scripts("")]);
    const { execute } = await node.skillTool(() => skills, { sandbox: { workspaceRoot } }).init();
    await assert.rejects(execute({ name: "a" }, {}), ({ code, expected }) => {
      assert.equal(code, "ENOENT");
      assert.equal(expected, undefined);
      return true;
    });
  });
});

test("without a permission model a call is an error, unless none is wanted", async () => {
  const flags = Object.getOwnPropertyDescriptor(process, "allowedNodeEnvironmentFlags");
  const value = new Set();
  Object.defineProperty(process, "allowedNodeEnvironmentFlags", { value, configurable: true });
  try {
    const error = await fails("console.log(1)");
    assert.match(error.message, /^Node [\d.]+ has no permission model/);
    assert.equal((await run("console.log(1)", { sandbox: { permission: false } })).output, "1\n");
  } finally {
    Object.defineProperty(process, "allowedNodeEnvironmentFlags", flags);
  }
});
