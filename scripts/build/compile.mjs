// Compiles the crates to the modules of the package, as rustc writes them.
import { cpSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { at, cache, files, run } from "../lib.mjs";

const modules = join(cache, "modules");
/** The file that rustc wrote for a module. */
export const compiledModule = (name) => join(modules, name, "apex_parts.wasm");

const TARGET = "wasm32-unknown-unknown";
// A module names the files of the libraries where they panic: it is the same in every home folder. (Cargo adds
// these flags to those of .cargo/config.toml.)
const registry = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
const SAME_PATHS = ["--remap-path-prefix", `${registry}=/registry`];

export async function compileOne({ name, features, flags, fast }) {
  const args = ["rustc", "--release", "--lib", "--target", TARGET, "--locked", "--quiet"];
  // For every crate of the workspace: each is optimised before all are together.
  args.push("--config", `target.${TARGET}.rustflags=${JSON.stringify([...SAME_PATHS, ...flags])}`);
  for (const crate of fast) args.push("--config", `profile.release.package.${crate}.opt-level=2`);
  // Without the library for other crates, whose functions the optimiser would keep: 2 % smaller.
  await run("cargo", [...args, ...features, "--crate-type", "cdylib"]);
  mkdirSync(join(modules, name), { recursive: true });
  cpSync(at("target", TARGET, "release", "apex_parts.wasm"), compiledModule(name));
}

/** What the modules are compiled from. */
export const sources = () =>
  files(
    at("Cargo.toml"),
    at("Cargo.lock"),
    at(".cargo"),
    at("src"),
    at("crates"),
    at("scripts", "build", "compile.mjs"),
    at("scripts", "modules.mjs"),
  );
