// `npm run bench` and `npm run bench:viewer` fail when a figure falls short of its bar, and say which.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { met, shortfalls, unjudged, verdict } from "../../benches/lib/bars.mjs";
import { chosen } from "../../scripts/benchmarks.mjs";
import { at } from "../../scripts/lib.mjs";

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

test("benchmarks are chosen by name", () => {
  const all = ["a", "b", "c-d"].map((name) => join("benches", `${name}.bench.mjs`));
  assert.deepEqual(chosen(all, []), all);
  assert.deepEqual(chosen(all, ["c-d"]), [all[2]]);
  assert.throws(() => chosen(all, ["e"]), /^Error: no benchmark e; there are: a, b, c-d$/);
});
