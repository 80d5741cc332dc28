// `npm run bench` and `npm run bench:viewer` fail when a figure falls short of its bar, and say which.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { met, shortfalls, unjudged, verdict } from "../../benches/lib/bars.mjs";
import { asked, benchmarks, chosen } from "../../scripts/benchmarks.mjs";
import { at, files } from "../../scripts/lib.mjs";

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "apex-parts a bench-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const OUTPUT = `
# Sizes
core   180 KB (at most 184) ${met(true)}
full   900 KB (at most 832) ${met(false)}

## Times
 open: 3.00 ms (at most 2 ms) ${met(false)}; closed: 1 ms (at most 2 ms) ${met(true)}
a figure without a bar: 3 ms
`;

test("a figure that falls short is named with its heading and its bar", () => {
  assert.deepEqual(shortfalls(OUTPUT), [
    "Sizes: full 900 KB (at most 832) ✗ MISSED",
    "Times: open: 3.00 ms (at most 2 ms) ✗ MISSED; closed: 1 ms (at most 2 ms) ✓",
  ]);
  assert.deepEqual(shortfalls(`a ${met(true)}`), []);
  assert.deepEqual(shortfalls(`a ${met(false)}`), ["a ✗ MISSED"]);
});

test("a bar without a verdict is found", () => {
  assert.deepEqual(unjudged(OUTPUT), []);
  const line = "import: 3 ms over an empty program (at most 25 ms)";
  assert.deepEqual(unjudged(line), [line]);
  const both = `a (at most 1) ${met(true)}, b (p99 at most 20)`;
  assert.deepEqual(unjudged(both), [both]);
  assert.deepEqual(unjudged("# Formats (at least 150 MB/s)"), []);
});

test("figures that fall short and benchmarks that fail are counted and named", () => {
  assert.equal(verdict([]), undefined);
  assert.equal(verdict([{ name: "a", output: `b ${met(true)}` }]), undefined);
  const runs = [
    { name: "a.bench.mjs", output: `b ${met(false)}\n` },
    { name: "c.bench.mjs", output: "", error: "it ended with 1" },
  ];
  assert.equal(
    verdict(runs),
    "1 figure falls short, 1 failure of benchmarks:\n  a.bench.mjs: b ✗ MISSED\n  c.bench.mjs: it ended with 1",
  );
});

/** A run over made-up benchmarks, in a folder with a space in its name. */
function ran(contents) {
  const paths = Object.entries(contents).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
  const address = (path) => JSON.stringify(pathToFileURL(at("scripts", path)).href);
  const program = `import { benchmarks } from ${address("benchmarks.mjs")};
    import { main } from ${address("lib.mjs")};
    main(() => benchmarks(${JSON.stringify(paths)}, { args: ["10MB"] }));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", program],
    { encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

test("a run goes to its end, and its exit code is 1 if a figure fell short", () => {
  const good = `console.log("size (at most 2) ✓", process.argv[2], typeof gc)`;
  const short = `console.log("# One\\nspeed (at least 2) ✗ MISSED")`;
  const broken = `throw new Error("broken")`;
  const red = ran({ "a.bench.mjs": short, "b.bench.mjs": broken, "c.bench.mjs": good });
  assert.equal(red.status, 1);
  assert.match(red.stdout, /speed[\s\S]*size \(at most 2\) ✓ 10MB function/);
  assert.match(red.stderr, /✗ 1 figure falls short, 1 failure of benchmarks:\n/);
  assert.match(red.stderr, /^ {2}a\.bench\.mjs: One: speed \(at least 2\) ✗ MISSED$/m);
  assert.match(red.stderr, /^ {2}b\.bench\.mjs: it ended with 1$/m);
  assert.equal(ran({ "c.bench.mjs": good }).status, 0);
});

const named = (...names) => names.map((name) => join("benches", `${name}.bench.mjs`));

test("benchmarks are chosen by name", () => {
  const all = named("a", "b", "c-d");
  assert.deepEqual(chosen(all, []), all);
  assert.deepEqual(chosen(all, ["c-d"]), [all[2]]);
  assert.throws(() => chosen(all, ["e"]), /^Error: no benchmark e; there are: a, b, c-d$/);
});

test("real sessions come first", () => {
  const all = named("deltas", "sessions", "tools");
  assert.deepEqual(chosen(all, []), named("sessions", "deltas", "tools"));
  assert.deepEqual(chosen(all, ["tools", "sessions"]), named("sessions", "tools"));
});

test("a folder is for the benchmark of sessions, from where npm was called", () => {
  const all = named("deltas", "sessions");
  const own = join(folder, "my sessions");
  mkdirSync(own, { recursive: true });
  mkdirSync(join(folder, "deltas"), { recursive: true });
  const sessions = { paths: named("sessions"), args: [own], isWriting: false };
  assert.deepEqual(asked([own], all, "/"), sessions);
  assert.deepEqual(asked(["my sessions"], all, folder), sessions);
  assert.deepEqual(asked(["./my sessions/"], all, folder), sessions);
  // A name is one, whatever folders there are.
  assert.deepEqual(asked(["deltas"], all, folder).paths, named("deltas"));
  assert.deepEqual(asked(["./deltas"], all, folder).args, [join(folder, "deltas")]);
  assert.throws(
    () => asked(["none"], all, folder),
    /^Error: no benchmark none; there are: deltas, /,
  );
  assert.throws(() => asked(["./none"], all, folder), /^Error: there is no folder \.\/none$/);
  assert.throws(() => asked(["deltas", own], all, folder), /alone: only sessions reads it$/);
  assert.throws(() => asked(["--write", own], all, folder), /^Error: --write writes the figures/);
  const written = { paths: named("deltas"), args: [], isWriting: true };
  assert.deepEqual(asked(["--write", "deltas"], all, folder), written);
});

test("figures are handed over for the page, and only for it", async () => {
  const path = join(folder, "f.bench.mjs");
  const figures = JSON.stringify(pathToFileURL(at("benches", "lib", "figures.mjs")).href);
  writeFileSync(path, `import { figure } from ${figures}; figure({ id: "f.a", ratio: "2" });`);
  const broken = join(folder, "broken.bench.mjs");
  writeFileSync(broken, "process.exitCode = 1;");
  let written;
  const write = async (results) => {
    written = results;
  };
  await benchmarks([path]);
  await assert.rejects(
    benchmarks([path, broken], { write }),
    /broken\.bench\.mjs: it ended with 1/,
  );
  assert.deepEqual(written, [{ name: "f", rows: [{ id: "f.a", ratio: "2" }] }]);
});

test("the sessions of a folder with a space in its name are opened", () => {
  const own = join(folder, "my runs");
  mkdirSync(join(own, "of codex"), { recursive: true });
  const [recorded] = files(at("tests", "fixtures", "recorded", "runs", "codex.ordinary"));
  copyFileSync(recorded, join(own, "of codex", "session one.jsonl"));
  // The last line was not written to its end.
  const cut = readFileSync(recorded).subarray(0, -40);
  writeFileSync(join(own, "cut.jsonl"), cut);
  writeFileSync(join(own, "none.json"), "{}");
  const args = ["--expose-gc", at("benches", "sessions.bench.mjs")];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, own], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^of codex\/session one\.jsonl, 20 KB × \d+, \d+\.\d MB$/m);
  // Of a file that was cut off, what can be read is.
  assert.match(stdout, /^cut\.jsonl, 20 KB × \d+, \d+\.\d MB$/m);
  assert.doesNotMatch(stdout, /none\.json/);
  const ratios = "(?: +\\d+\\.\\d\\d × (?:parse|bytes|plain)){3}";
  for (const what of ["open", "open, stats\\(\\), summary\\(\\)", "open, problems\\(\\)"]) {
    assert.match(stdout, new RegExp(`^  ${what} +\\d+ MB/s${ratios}$`, "m"));
  }
  assert.match(
    stdout,
    /^ {2}the first open of 1 MB +\S+ ms of CPU, JSON\.parse \S+ ms, \d+\.\d\d × parse$/m,
  );
  assert.match(stdout, /^Codex: open: .* \(at least 2 × parse\) (?:✓|✗ MISSED)$/m);
  assert.deepEqual(unjudged(stdout), []);
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const none = spawnSync(process.execPath, [...args, empty], { encoding: "utf8" });
  assert.equal(none.status, 1);
  assert.match(none.stderr, /no sessions below /);
});
