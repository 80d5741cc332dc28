// Prints the slow steps while they run, with an estimate of the remaining time.
import { say } from "./lib.mjs";

/**
 * What each step adds to the set-up of a new machine with two cores, in seconds. Some run in parallel, so
 * each is less than its own duration.
 */
const SHARES = {
  target: 5,
  npm: 10,
  bindgen: 30,
  agent: 35,
  core: 35,
  full: 55,
  tools: 20,
  package: 35,
  viewer: 15,
  testing: 60,
  browser: 30,
  redis: 10,
};

/** The expected steps that are not finished. */
const ahead = new Set();

/** Adds steps to the remaining time. */
export function expect(...names) {
  for (const name of names) {
    if (!(name in SHARES))
      throw new Error(`the step "${name}" has no share in scripts/progress.mjs`);
    ahead.add(name);
  }
}

/** Runs a step and prints its title, its duration, and the remaining time. */
export async function step(name, words, work) {
  expect(name);
  say(`${words}${left()}`);
  const began = Date.now();
  const result = await work();
  ahead.delete(name);
  console.log(`✓ ${words}: ${Math.round((Date.now() - began) / 1000)} s${left()}`);
  return result;
}

/** The remaining time as text. */
function left() {
  const seconds = [...ahead].reduce((sum, name) => sum + SHARES[name], 0);
  if (seconds === 0) return "";
  const rounded = Math.ceil(seconds / 10) * 10;
  return rounded < 100
    ? ` (about ${rounded} s left)`
    : ` (about ${Math.round(rounded / 60)} min left)`;
}
