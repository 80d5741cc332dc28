// `npm test`: sets everything up and runs every test. `npm test -- NAME…` runs only these stages or test files, and sets up
// what they need. With `--write`, the seconds of each stage go into the table of CONTRIBUTING.md.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { at, files, main, say } from "./lib.mjs";
import { provide } from "./needs.mjs";
import { runFiles, slowest } from "./node-tests.mjs";
import { writeSeconds } from "./stage-table.mjs";
import { needsOf, needsOfFile, STAGES, stageOf, usesBrowser } from "./stages.mjs";
import { TestPool } from "./test-pool.mjs";

/** The test files among the arguments: paths in the user's folder, or in the project. */
function filesAmong(names) {
  const places = [process.env.INIT_CWD ?? process.cwd(), at()];
  return names.map((name) => {
    const paths = places.map((place) => resolve(place, name));
    const path = paths.find((one) => existsSync(one));
    if (!path) throw new Error(`no test file ${name}`);
    return path;
  });
}

/** Runs test files, with a module that is compiled in seconds where it has changed. */
async function runSome(paths) {
  await provide(paths.flatMap(needsOfFile), { quick: true });
  await runFiles(paths, { browser: usesBrowser, shown: true });
}

/** Runs a stage, and keeps its seconds: of its files together, which run beside each other. */
async function runStage(name, seconds, pool) {
  say(name);
  const began = Date.now();
  const ofFiles = await STAGES[name].run(pool);
  seconds.set(name, pool ? ofFiles : (Date.now() - began) / 1000);
}

/** The reasons of promises that were rejected, after all have ended. */
async function failures(promises) {
  const ends = await Promise.allSettled(promises);
  return ends.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
}

/**
 * Runs stages. Those that call cargo wait for each other, and run beside the set-up and the test files of the others:
 * what one leaves of the processors, the other uses.
 */
async function runStages(names, writes) {
  await provide(names.flatMap((name) => STAGES[name].needs).filter((need) => need === "rust"));
  const ready = provide(names.flatMap((name) => needsOf(STAGES[name])));
  const seconds = new Map();
  const pool = new TestPool();
  const ofCargo = async (all) => {
    const failed = [];
    for (const name of all) {
      if (STAGES[name].needs.some((need) => need !== "rust")) await ready;
      failed.push(...(await failures([runStage(name, seconds)])));
    }
    if (failed.length > 0) throw new AggregateError(failed);
  };
  const ofFiles = async (all) => {
    await ready;
    const failed = await failures(all.map((name) => runStage(name, seconds, pool)));
    if (failed.length > 0) throw new AggregateError(failed);
  };
  const isOfFiles = (name) => STAGES[name].folder !== undefined;
  try {
    const ends = await failures([
      ofCargo(names.filter((name) => !isOfFiles(name))),
      ofFiles(names.filter(isOfFiles)),
    ]);
    const failed = ends.flatMap((error) => error.errors ?? error);
    if (failed.length > 0) {
      throw new Error([...new Set(failed.map(({ message }) => message))].join("\n✗ "));
    }
  } finally {
    await pool.close();
  }
  const slow = slowest(10);
  if (slow.length > 0) say(`the slowest tests:\n${slow.join("\n")}`);
  const times = names.map((name) => `${name} ${seconds.get(name).toFixed(0)} s`);
  say(`every test passed (${times.join(", ")})`);
  if (writes) writeSeconds(seconds);
}

main(async () => {
  for (const path of files(at("tests"))) if (path.endsWith(".test.mjs")) stageOf(path);
  const wanted = process.argv.slice(2);
  const writes = wanted.includes("--write");
  const paths = wanted.filter((name) => name.endsWith(".test.mjs"));
  const names = wanted.filter((name) => !paths.includes(name) && name !== "--write");
  const unknown = names.filter((name) => !Object.hasOwn(STAGES, name));
  if (unknown.length > 0) {
    const list = Object.keys(STAGES).join(", ");
    throw new Error(
      `no stage ${unknown.join(", ")}; there are: ${list}. A test file is named by its path.`,
    );
  }
  if (paths.length > 0) await runSome(filesAmong(paths));
  if (names.length > 0 || paths.length === 0) {
    const chosen = Object.keys(STAGES).filter((name) => !names.length || names.includes(name));
    await runStages(chosen, writes);
  }
});
