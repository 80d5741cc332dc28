// Runs the tests of the wasm suite with wasm-pack, in a checkout at any place.
import { join } from "node:path";
import { run, tools } from "./lib.mjs";

const TARGET = "wasm32-unknown-unknown";
const RUNNER = `wasm-bindgen-test-runner${process.platform === "win32" ? ".exe" : ""}`;

/**
 * The arguments with which cargo starts the programs of a target by the runner at this path. wasm-pack names its runner
 * in an environment variable, which cargo splits at spaces; a list is not split, and comes before the variable.
 */
export const runnerArguments = (target, path) => [
  "--config",
  `target.${target}.runner=${JSON.stringify([path])}`,
];

/** `wasm-pack test` with these flags. */
export function wasmPackTest(flags, env = {}) {
  const runner = runnerArguments(TARGET, join(tools, "bin", RUNNER));
  return run("wasm-pack", ["test", ...flags, "--", ...runner], { env });
}
