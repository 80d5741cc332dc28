// Runs test files with node's test runner, and records which files failed and how long each test took.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { at, cache, root, run, say } from "./lib.mjs";

/** Files that failed once and passed when run alone; kept for the next run. */
const FLAKY = join(cache, "flaky.json");

/** A file that never ends must not take the whole run with it: no file needs a tenth of this. */
const HANGS = `--test-timeout=${15 * 60_000}`;

/** Every finished test with its file and its duration in milliseconds. */
const ended = [];

/** The test files of a folder of tests/ (not of its subfolders), those whose names match. */
export function testFiles(folder, only = /^/) {
  return readdirSync(at("tests", folder))
    .filter((name) => name.endsWith(".test.mjs") && only.test(name))
    .map((name) => at("tests", folder, name));
}

/** What a test file says that it needs beside what its stage has, in a comment such as `// Needs: viewer, browser.` */
export function declaredNeeds(path) {
  const [, list] = /^\/\/ Needs: (.+)\.$/m.exec(readFileSync(path, "utf8")) ?? [];
  return list?.split(", ") ?? [];
}

/**
 * Runs test files, two at a time. With `retry`, each file that fails is run once more, alone: only failing twice is an
 * error, otherwise it is recorded as flaky. With `shown`, the reporter is that for people.
 *
 * @param {string[]} paths
 * @param {{ retry?: boolean, shown?: boolean, env?: Record<string, string> }} [options]
 */
export async function runFiles(paths, { retry = false, shown = false, env = {} } = {}) {
  if (paths.length === 0) throw new Error("there are no such tests");
  const { failed, error } = await testRun(paths, ["--test-concurrency=2"], env, shown);
  if (!error) return;
  // A runner that fails without a failed file did not run: that is not a flaky test.
  if (!retry || failed.length === 0) throw error;
  for (const file of failed) {
    const name = relative(root, file);
    say(`${name} failed: once more, alone`);
    const again = await testRun([file], [], env, shown);
    if (again.error) throw new Error(`${name} failed twice`);
    flaky.push(name);
  }
}

/** One run of the runner: the failed files, and its error if any. */
async function testRun(paths, flags, env, shown) {
  mkdirSync(cache, { recursive: true });
  const events = join(cache, "test-events.jsonl");
  rmSync(events, { force: true });
  const reporter = (name, destination) => [
    `--test-reporter=${name}`,
    `--test-reporter-destination=${destination}`,
  ];
  const reporters = [
    ...reporter(shown || process.stdout.isTTY ? "spec" : "tap", "stdout"),
    ...reporter(at("scripts", "test-events.mjs"), events),
  ];
  let error;
  try {
    await run(process.execPath, ["--test", HANGS, ...flags, ...reporters, ...paths], { env });
  } catch (caught) {
    error = caught;
  }
  const lines = existsSync(events) ? readFileSync(events, "utf8").split("\n") : [];
  const tests = lines.filter(Boolean).map((line) => JSON.parse(line));
  ended.push(...tests.filter(({ isTest }) => isTest));
  const failed = [...new Set(tests.filter((test) => test.failed).map(({ file }) => file))];
  return { failed: failed.filter((file) => paths.includes(file)), error };
}

const flaky = [];

/** The slowest tests, one line each. */
export function slowest(count) {
  return ended
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ file, name, ms }) => `${(ms / 1000).toFixed(1)} s  ${relative(root, file)}: ${name}`);
}

/** The files that were flaky in this run, and in the previous one if it was recorded. */
export function takeFlaky() {
  const before = existsSync(FLAKY) ? JSON.parse(readFileSync(FLAKY, "utf8")) : [];
  mkdirSync(cache, { recursive: true });
  writeFileSync(FLAKY, JSON.stringify(flaky));
  return { now: [...flaky], before };
}
