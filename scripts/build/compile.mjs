// Compiles the crates to the modules of the package, as rustc writes them.
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { at, cache, root, run } from "../lib.mjs";

const TARGET = "wasm32-unknown-unknown";
// A module names the files of the libraries where they panic: it is the same in every home folder. (Cargo adds
// these flags to those of .cargo/config.toml.)
const registry = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
const SAME_PATHS = ["--remap-path-prefix", `${registry}=/registry`];

/**
 * How a module is compiled: as it is published, or in seconds (`quick`), for tests of a change. In `folder` stands what
 * is made of it.
 */
export function variants(module) {
  const folder = (name) => join(cache, "modules", name);
  const { name } = module;
  return {
    whole: { ...module, step: name, folder: folder(name), profile: "release" },
    quick: {
      ...module,
      step: `${name}.quick`,
      folder: folder(`${name}.quick`),
      profile: "quick",
      // The same flags for every module: their libraries are compiled once.
      flags: [],
      fast: [],
      isQuick: true,
    },
  };
}

/** The file that rustc wrote for a variant of a module. */
export const compiledModule = ({ folder }) => join(folder, "apex_parts.wasm");

/** Compiles a variant of a module. Returns what it was made of, and what was written. */
export async function compileOne(variant) {
  const { profile, features, flags, fast, folder } = variant;
  const args = ["rustc", "--profile", profile, "--lib", "--target", TARGET, "--locked", "--quiet"];
  // For every crate of the workspace: each is optimised before all are together.
  args.push("--config", `target.${TARGET}.rustflags=${JSON.stringify([...SAME_PATHS, ...flags])}`);
  for (const crate of fast)
    args.push("--config", `profile.release.package.apex-parts-${crate}.opt-level=2`);
  // Without the library for other crates, whose functions the optimiser would keep: 2 % smaller.
  await run("cargo", [...args, ...features, "--crate-type", "cdylib"]);
  mkdirSync(folder, { recursive: true });
  const made = at("target", TARGET, profile, "apex_parts");
  cpSync(`${made}.wasm`, compiledModule(variant));
  return { inputs: sources(`${made}.d`), outputs: [compiledModule(variant)] };
}

/** What a module was compiled from: the sources that cargo lists, and what says how they are compiled. */
function sources(list) {
  const [, paths] = readFileSync(list, "utf8").split(/:\s/, 2);
  const ours = paths
    .trim()
    .split(/(?<!\\)\s+/)
    .map((path) => path.replaceAll("\\ ", " "))
    .filter((path) => !relative(root, path).startsWith(".."));
  if (ours.length < 100) throw new Error(`${list} does not list the sources`);
  const crates = new Set(ours.map((path) => /^crates[\\/][^\\/]+/.exec(relative(root, path))?.[0]));
  crates.delete(undefined);
  return [
    ...ours,
    ...[...crates].map((crate) => at(crate, "Cargo.toml")),
    ...["Cargo.toml", "Cargo.lock", join(".cargo", "config.toml")].map((name) => at(name)),
    ...["compile.mjs", "../modules.mjs"].map((name) => at("scripts", "build", name)),
  ];
}
