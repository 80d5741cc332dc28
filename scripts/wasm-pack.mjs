// Runs the tests of the wasm suite with wasm-pack, in a checkout at any place.
import { run, toolFile } from "./lib.mjs";

const TARGET = "wasm32-unknown-unknown";

/**
 * The arguments with which cargo starts the programs of a target by the runner at this path. wasm-pack names its runner
 * in an environment variable, which cargo splits at spaces; a list is not split, and comes before the variable.
 */
export const runnerArguments = (target, path) => [
  "--config",
  `target.${target}.runner=${JSON.stringify([path])}`,
];

/** The environment in which tests compile a module that runs for a second: in half the time, without optimisation. */
export const QUICKLY = { CARGO_PROFILE_DEV_OPT_LEVEL: "0", CARGO_PROFILE_DEV_DEBUG: "false" };

/** `wasm-pack test` with these flags. */
export function wasmPackTest(flags, env = {}) {
  const runner = runnerArguments(TARGET, toolFile("wasm-bindgen-test-runner"));
  return run("wasm-pack", ["test", ...flags, "--", ...runner], { env: { ...QUICKLY, ...env } });
}
