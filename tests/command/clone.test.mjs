// A clone works at any place: also in a folder with a space in its name.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { at, environment, files } from "../../scripts/lib.mjs";
import { runnerArguments } from "../../scripts/wasm-pack.mjs";

const posix = { skip: process.platform === "win32" ? "it is a script of a shell" : false };

let folder;
before(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "apex-parts a place-")));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a script of the shell. */
function script(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const git = (cwd, ...args) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
    cwd,
    encoding: "utf8",
  });

describe(".ci/run", posix, () => {
  /** What stands in place of npm: notes where it was called, with what, and when these files were written. */
  function note(log, timed) {
    const { appendFileSync, readdirSync, statSync } = require("node:fs");
    const time = (path) => {
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return [path, mtimeMs === undefined ? null : Math.floor(mtimeMs / 1000)];
    };
    const call = {
      cwd: process.cwd(),
      args: process.argv.slice(2),
      beside: readdirSync(".."),
      here: readdirSync("."),
      times: Object.fromEntries(timed.map(time)),
    };
    appendFileSync(log, `${JSON.stringify(call)}\n`);
  }

  /** What `npm` was called with in a run over a checkout, and how the run ended. */
  function ran(checkout, code = 0, timed = []) {
    const log = join(folder, "calls.jsonl");
    rmSync(log, { force: true });
    const noter = join(folder, "noter.cjs");
    writeFileSync(noter, `(${note})(${JSON.stringify(log)}, ${JSON.stringify(timed)})`);
    const bin = dirname(
      script(
        join(folder, "bin", "npm"),
        `'${process.execPath}' '${noter}' "$@"\necho "# pass 1"\nexit ${code}`,
      ),
    );
    const { status, stdout, stderr } = spawnSync("bash", [join(checkout, ".ci", "run")], {
      env: { ...process.env, CI: "true", PATH: [bin, process.env.PATH].join(delimiter) },
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
    });
    assert.ok(existsSync(log), stderr);
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    return { status, stdout, calls: lines.map((line) => JSON.parse(line)) };
  }

  /** A repository with the script and a file that is committed, beside nothing. */
  function repository(name) {
    const checkout = join(folder, name, "checkout");
    mkdirSync(checkout, { recursive: true });
    git(checkout, "init", "--quiet");
    cpSync(at(".ci"), join(checkout, ".ci"), { recursive: true });
    writeFileSync(join(checkout, "committed"), "");
    git(checkout, "add", ".");
    git(checkout, "commit", "--quiet", "--message", "a");
    return checkout;
  }

  test("tests what is committed, in a clone whose path has a space and beside which is nothing", () => {
    const checkout = repository("alone");
    writeFileSync(join(checkout, "uncommitted"), "");
    const { status, stdout, calls } = ran(checkout);
    assert.equal(status, 0);
    assert.match(stdout, /closing lines:\n# pass 1\n$/);
    assert.equal(calls.length, 1);
    const [{ cwd, args, beside, here }] = calls;
    assert.deepEqual(args, ["test"]);
    assert.match(basename(cwd), / /);
    assert.deepEqual(beside, [basename(cwd)]);
    assert.ok(here.includes("committed") && !here.includes("uncommitted"), `${here}`);
    assert.equal(existsSync(cwd), false, "the clone is removed");
  });

  test("tests the recordings beside the checkout, wherever they are", () => {
    const checkout = repository("with recordings");
    const recordings = join(checkout, "..", "shared", "recorded");
    mkdirSync(recordings, { recursive: true });
    const [first, second] = ran(checkout).calls;
    assert.deepEqual(first.args, ["test"]);
    const [run, name, dashes, path] = second.args;
    assert.deepEqual([run, name, dashes], ["run", "test:recorded", "--"]);
    assert.equal(realpathSync(path), recordings);
    assert.deepEqual(second.beside, [basename(second.cwd)]);
  });

  test("takes a checkout as CI makes it: of one commit, on no branch", () => {
    const shallow = join(folder, "shallow", "checkout");
    const from = pathToFileURL(repository("whole")).href;
    git(folder, "clone", "--quiet", "--depth", "1", from, shallow);
    git(shallow, "checkout", "--quiet", "--detach");
    const { status, calls } = ran(shallow);
    assert.equal(status, 0);
    assert.ok(calls[0].here.includes("committed"));
  });

  test("takes over what the checkout has installed and compiled, and the times of what is as committed", () => {
    const checkout = repository("compiled");
    writeFileSync(join(checkout, ".gitignore"), "target\n.tools\n");
    writeFileSync(join(checkout, "changed"), "1");
    git(checkout, "add", ".");
    git(checkout, "commit", "--quiet", "--message", "b");
    writeFileSync(join(checkout, "changed"), "2");
    for (const path of [".tools/bin", "target/debug/deps", "target/debug/incremental"]) {
      mkdirSync(join(checkout, path), { recursive: true });
      writeFileSync(join(checkout, path, "one"), "");
    }
    const old = 1_000_000_000;
    for (const path of ["committed", "changed", "target/debug/deps/one"]) {
      utimesSync(join(checkout, path), old, old);
    }
    const paths = ["committed", "changed", "target/debug/deps/one", ".tools/bin/one"];
    const [{ times, here }] = ran(checkout, 0, [...paths, "target/debug/incremental/one"]).calls;
    assert.ok(here.includes("target") && here.includes(".tools"), `${here}`);
    assert.equal(times.committed, old);
    assert.equal(times["target/debug/deps/one"], old);
    assert.ok(times.changed > old, "what is not as committed counts as new");
    assert.ok(times[".tools/bin/one"] > 0);
    assert.equal(
      times["target/debug/incremental/one"],
      null,
      "it is large, and of no use elsewhere",
    );
  });

  test("ends as the tests do", () => {
    assert.equal(ran(repository("red"), 3).status, 1);
  });
});

test("a runner of tests whose path has a space is started, whatever wasm-pack says", posix, () => {
  const crate = join(folder, "crate");
  mkdirSync(join(crate, "src"), { recursive: true });
  const manifest = '[package]\nname = "none"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n';
  writeFileSync(join(crate, "Cargo.toml"), manifest);
  writeFileSync(join(crate, "src", "main.rs"), "fn main() {}\n");
  const runner = script(join(folder, "bin", "runner"), 'echo "runs $(basename "$1")"');
  const target = /^host: (\S+)$/m.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))[1];
  // As wasm-pack does.
  const name = `CARGO_TARGET_${target.toUpperCase().replace(/\W/g, "_")}_RUNNER`;
  const { stdout, stderr } = spawnSync(
    "cargo",
    ["run", "--quiet", "--offline", ...runnerArguments(target, runner)],
    { cwd: crate, env: environment({ [name]: runner }), encoding: "utf8" },
  );
  assert.equal(stdout, "runs none\n", stderr);
});

/** What takes a path apart where a folder's name has a space, `#` or `%`, and what to write instead. */
const SPLITS = [
  [/\bnew URL\((?:[^()]|\([^()]*\))*import\.meta\.url\s*\)\.pathname/, "fileURLToPath"],
  [/\bimport\(\s*(?:at|join|resolve)\(/, "a relative path, or pathToFileURL(…).href"],
  [/`file:\/\/\$\{(?:at|join|resolve|root)\b/, "pathToFileURL(…).href"],
  [/["'`]wasm-pack["'`],\s*\[\s*["'`]test\b/, "wasmPackTest of scripts/wasm-pack.mjs"],
];

test("no script, test, example or page takes a path apart", () => {
  const places = ["benches", "docs", "examples", "js", "scripts", "tests", "ts", "README.md"];
  // This file, and the one place where wasm-pack is told which runner to take.
  const leftOut = [fileURLToPath(import.meta.url), at("scripts", "wasm-pack.mjs")];
  const isText = (path) => /\.(?:[cm]?[jt]sx?|md)$/.test(path) && !leftOut.includes(path);
  const sources = files(...places.map((name) => at(name))).filter(isText);
  assert.ok(sources.length > 500, "the files are where they were");
  const found = sources.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return SPLITS.filter(([pattern]) => pattern.test(text)).map(
      ([, instead]) => `${relative(at(), path)}: ${instead}`,
    );
  });
  assert.deepEqual(found, []);
});

test("what is recognised as taking a path apart", () => {
  const [pathname, bare, file, pack] = SPLITS.map(([pattern]) => pattern);
  assert.match('new URL("../pkg/", import.meta.url).pathname', pathname);
  assert.match("new URL(`lib/$" + "{name(a)}.mjs`, import.meta.url).pathname", pathname);
  assert.match("new URL(import.meta.url).pathname", pathname);
  assert.doesNotMatch('new URL(request.url, "http://host").pathname', pathname);
  assert.doesNotMatch('fileURLToPath(new URL("a", import.meta.url))', pathname);
  assert.match('await import(at("pkg", "node.mjs"))', bare);
  assert.doesNotMatch('import(pathToFileURL(at("pkg")).href)', bare);
  assert.match("`file://$" + "{at('a')}`", file);
  assert.match('run("wasm-pack", ["test", "--node"])', pack);
  assert.doesNotMatch('run("wasm-pack", ["build"])', pack);
});
