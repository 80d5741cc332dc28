// `npm test`: sets everything up and runs every test. `npm test -- NAME…` runs only these stages or test files, and sets up
// what they need.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { at, files, main, say } from "./lib.mjs";
import { provide } from "./needs.mjs";
import { declaredNeeds, runFiles, slowest, takeFlaky } from "./node-tests.mjs";
import { inFolder, needsOf, STAGES, stageOf } from "./stages.mjs";

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
  const stages = paths.map(stageOf);
  const needs = [...stages.flatMap((stage) => stage.needs), ...paths.flatMap(declaredNeeds)];
  await provide(needs, { quick: true });
  await runFiles(paths, { ...inFolder({}), shown: true });
}

/** Runs stages one after the other. */
async function runStages(names) {
  await provide(names.flatMap((name) => needsOf(STAGES[name])));
  const times = [];
  for (const name of names) {
    const stage = STAGES[name];
    say(name);
    const start = Date.now();
    try {
      await stage.run();
    } finally {
      stage.end?.();
    }
    times.push(`${name} ${((Date.now() - start) / 1000).toFixed(0)} s`);
  }
  const slow = slowest(10);
  if (slow.length > 0) say(`the slowest tests:\n${slow.join("\n")}`);
  say(`every test passed (${times.join(", ")})`);
  const { now, before } = takeFlaky();
  for (const name of before) console.log(`flaky in the run before: ${name}`);
  for (const name of now) console.log(`flaky: ${name}`);
}

main(async () => {
  for (const path of files(at("tests"))) if (path.endsWith(".test.mjs")) stageOf(path);
  const wanted = process.argv.slice(2);
  const paths = wanted.filter((name) => name.endsWith(".test.mjs"));
  const names = wanted.filter((name) => !paths.includes(name));
  const unknown = names.filter((name) => !Object.hasOwn(STAGES, name));
  if (unknown.length > 0) {
    const list = Object.keys(STAGES).join(", ");
    throw new Error(
      `no stage ${unknown.join(", ")}; there are: ${list}. A test file is named by its path.`,
    );
  }
  if (paths.length > 0) await runSome(filesAmong(paths));
  if (names.length > 0 || paths.length === 0) {
    await runStages(
      Object.keys(STAGES).filter((name) => names.length === 0 || names.includes(name)),
    );
  }
});
