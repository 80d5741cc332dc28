// What has been made, and of what: a stamp is a file of .cache/ with the hash of every input and of every output of a
// step. A step whose stamp holds is not done again, and nothing that a stamp holds is deleted.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { cache, root } from "./lib.mjs";

const ENDING = ".stamp.json";
const COARSE_MS = 20;
const stampOf = (name) => join(cache, `${name}${ENDING}`);

/** The names of files in stamps: below the project, with slashes. */
const named = (path) => relative(root, path).replaceAll("\\", "/");
const located = (name) => join(root, name);

/** The hashes of files that this process read, with what changes when a file is written. */
const known = new Map();

/** The hash of a file; "" if there is none. */
function hashOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return "";
  const version = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  const before = known.get(path);
  if (before?.version === version) return before.hash;
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  known.set(path, { version, hash });
  return hash;
}

/** The hash of each file by its name. */
const hashes = (paths, hash = hashOf) =>
  Object.fromEntries([...new Set(paths)].map((path) => [named(path), hash(path)]));

const isSame = (some) =>
  Object.entries(some).every(([name, hash]) => hashOf(located(name)) === hash);

/** The stamp of a step; undefined if the step was never finished. */
function stamp(name) {
  if (!existsSync(stampOf(name))) return undefined;
  try {
    return JSON.parse(readFileSync(stampOf(name), "utf8"));
  } catch {
    return undefined; // its process ended while it was written
  }
}

/**
 * Whether a step is done: of these inputs, and with its outputs as it left them (another tool may have written them).
 *
 * @param {string} name
 * @param {() => string[]} [inputs] the files that it reads; without it, those that its work said that it read
 */
export function isDone(name, inputs) {
  const done = stamp(name);
  if (!done) return false;
  const now = inputs ? [...new Set(inputs().map(named))] : Object.keys(done.inputs);
  const isOfThese =
    now.length === Object.keys(done.inputs).length &&
    now.every((input) => Object.hasOwn(done.inputs, input));
  return isOfThese && isSame(done.inputs) && isSame(done.outputs);
}

/**
 * Does the work of a step unless it is done. The work returns the files that it wrote; without `inputs` it returns
 * those that it read as well. Files that the step wrote before, and that no step writes now, are deleted.
 *
 * @param {string} name
 * @param {(() => string[]) | undefined} inputs
 * @param {() => Promise<string[] | { inputs: string[], outputs: string[] }>} work
 * @returns {Promise<boolean>} whether it was done now
 */
export async function unlessDone(name, inputs, work) {
  if (isDone(name, inputs)) return false;
  const before = Object.keys(stamp(name)?.outputs ?? {});
  // A file that changes while the work reads it makes the step be done again. The clock of files is a coarse one.
  const began = Date.now() - COARSE_MS;
  const read = inputs && hashes(inputs());
  const isOlder = (path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < began;
  const made = await work();
  const outputs = hashes(Array.isArray(made) ? made : made.outputs);
  const missing = Object.keys(outputs).filter((output) => outputs[output] === "");
  if (missing.length > 0) throw new Error(`${name} has not written ${missing.join(", ")}`);
  const of = read ?? hashes(made.inputs, (path) => (isOlder(path) ? hashOf(path) : ""));
  mkdirSync(cache, { recursive: true });
  writeFileSync(stampOf(name), JSON.stringify({ inputs: of, outputs }));
  const kept = held();
  for (const output of before.map(located)) {
    if (!kept.has(output)) rmSync(output, { force: true });
  }
  return true;
}

/** The files that stamps hold. */
export function held() {
  const names = existsSync(cache) ? readdirSync(cache) : [];
  const steps = names.filter((name) => name.endsWith(ENDING)).map((name) => basename(name, ENDING));
  return new Set(steps.flatMap(outputsOf));
}

/** The files that a step wrote when it was last done. */
export const outputsOf = (name) => Object.keys(stamp(name)?.outputs ?? {}).map(located);
