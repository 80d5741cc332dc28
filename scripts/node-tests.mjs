// Finds test files and what they need, runs them in a pool, and prints what became of each.
import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { at, root } from "./lib.mjs";
import { TestPool } from "./test-pool.mjs";

/** The test files of a folder of tests/ (not of its subfolders), those whose names match. */
export function testFiles(folder, only = /^/) {
  return readdirSync(at("tests", folder))
    .filter((name) => name.endsWith(".test.mjs") && only.test(name))
    .map((name) => at("tests", folder, name));
}

/**
 * What a test file says that it needs, in a comment such as `// Needs: viewer, browser.`: beside what its stage has, or
 * nothing else with `// Needs only: npm.` (`nothing` is a need, too).
 */
export function declaredNeeds(path) {
  const [, only, list] = /^\/\/ Needs( only)?: (.+)\.$/m.exec(readFileSync(path, "utf8")) ?? [];
  const names = list?.split(", ") ?? [];
  return { only: only !== undefined, needs: names.filter((name) => name !== "nothing") };
}

/** Every test that has ended, with its file. */
const ended = [];

/** The slowest tests, one line each. */
export function slowest(count) {
  return ended
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ path, name, ms }) => `${(ms / 1000).toFixed(1)} s  ${relative(root, path)}: ${name}`);
}

/** Prints what became of a file: what it printed if a test failed or with `all`, else one line. */
function print({ path, tests, failed, output, seconds }, all) {
  const count = tests.filter(({ isTest }) => isTest).length;
  const words = `${relative(root, path)}: ${count} tests, ${seconds.toFixed(1)} s`;
  if (failed || all) console.log(output.trimEnd());
  console.log(`${failed ? "✗" : "✓"} ${words}`);
  const reasons = new Set(tests.map(({ skipped }) => skipped).filter(Boolean));
  for (const reason of reasons) console.log(`  left out: ${reason}`);
}

/** The closing lines that node's test runner prints. */
function printSums(runs) {
  const tests = runs.flatMap((run) => run.tests).filter(({ isTest }) => isTest);
  const count = (is) => tests.filter(is).length;
  const failed = count((test) => test.failed);
  const skipped = count((test) => test.skipped !== undefined);
  console.log(`# tests ${tests.length}`);
  console.log(`# pass ${tests.length - failed - skipped}`);
  // A file that ends before its tests has none that failed.
  console.log(`# fail ${Math.max(failed, runs.filter((run) => run.failed).length)}`);
  if (skipped > 0) console.log(`# skipped ${skipped}`);
}

/**
 * Runs test files. Those of which `browser` says so share the Chromium of the process that runs them; with `shown`, all that they
 * print is printed. An error names the files that failed.
 *
 * @param {string[]} paths
 * @param {{
 *   pool?: TestPool,
 *   browser?: (path: string) => boolean,
 *   shown?: boolean,
 *   env?: Record<string, string>,
 * }} [options]
 * @returns {Promise<number>} the seconds of all files together
 */
export async function runFiles(
  paths,
  { pool, browser = () => false, shown = false, env = {} } = {},
) {
  if (paths.length === 0) throw new Error("there are no such tests");
  const own = pool ?? new TestPool();
  const one = async (path) => {
    const run = await own.run(path, { env, browser: browser(path) });
    print(run, shown);
    ended.push(
      ...run.tests.filter(({ isTest }) => isTest).map((test) => ({ ...test, path: run.path })),
    );
    return run;
  };
  try {
    const runs = await Promise.all(paths.map(one));
    printSums(runs);
    const failed = runs.filter((run) => run.failed).map(({ path }) => relative(root, path));
    if (failed.length > 0) throw new Error(`failed: ${failed.join(", ")}`);
    return runs.reduce((sum, { seconds }) => sum + seconds, 0);
  } finally {
    if (!pool) await own.close();
  }
}
