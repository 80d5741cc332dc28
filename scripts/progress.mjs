// Says what takes long while it is done, and how long the rest of it takes.
import { say } from "./lib.mjs";

/**
 * What the steps add to a set-up of a bare machine, in seconds, on two cores: some run side by side, so
 * each is less than what it takes alone.
 */
const SHARES = {
  target: 5,
  npm: 10,
  bindgen: 30,
  core: 35,
  full: 55,
  package: 35,
  viewer: 15,
  "wasm-bindgen-cli": 60,
  "wasm-pack": 70,
  browser: 30,
};

/** The steps that are known to come and are not over. */
const ahead = new Set();

/** Has these steps counted from now on in what is left. */
export function expect(...names) {
  for (const name of names) ahead.add(name);
}

/** Does the work of a step, and says what it is, how long it took, and how much is left. */
export async function step(name, words, work) {
  expect(name);
  say(`${words}${left()}`);
  const began = Date.now();
  const result = await work();
  ahead.delete(name);
  console.log(`✓ ${words}: ${Math.round((Date.now() - began) / 1000)} s${left()}`);
  return result;
}

/** How long what is ahead takes, in words. */
function left() {
  const seconds = [...ahead].reduce((sum, name) => sum + SHARES[name], 0);
  if (seconds === 0) return "";
  const rounded = Math.ceil(seconds / 10) * 10;
  return rounded < 100
    ? ` (about ${rounded} s left)`
    : ` (about ${Math.round(rounded / 60)} min left)`;
}
