// Builds the npm package into pkg/ (each module with its glue and loaders, types) and the viewer into
// www/dist. Skips what is up to date. Each step is a file of scripts/build/.
import { mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { makeCommandFiles } from "./build/command.mjs";
import { compiledModule, compileOne, sources } from "./build/compile.mjs";
import { makeHost } from "./build/host.mjs";
import { bridgeLoaders } from "./build/loaders.mjs";
import { trim } from "./build/module.mjs";
import { pkg } from "./build/package-files.mjs";
import { makeStore } from "./build/store.mjs";
import { types } from "./build/types.mjs";
import { buildElement, buildPages } from "./build/viewer.mjs";
import { makeModule } from "./build/wasm-module.mjs";
import { checkManifest } from "./entries.mjs";
import { at, cache, files, isDone, isMain, main, run, unlessDone } from "./lib.mjs";
import { MODULES } from "./modules.mjs";
import { expect, step } from "./progress.mjs";
import { setup } from "./setup.mjs";

/** The module of the command and the viewer. */
const FULL = MODULES.find(({ name }) => name === "full");

/** Compiles the modules, unless the package is up to date. Can run while the rest is set up. */
export async function compile() {
  if (!isDone("package", packageFiles)) await compileModules(MODULES);
}

/** Compiles the module that `buildCommand` needs. Can run while the rest is set up. */
export async function compileForCommand() {
  if (!isCommandDone()) await compileModules([FULL]);
}

/** Compiles those of the modules that are not up to date. */
async function compileModules(some) {
  expect("package");
  if (!isDone("viewer", viewerFiles)) expect("viewer");
  // One after the other, because they share the compiled libraries.
  for (const module of some) {
    const outputs = () => files(compiledModule(module.name));
    await unlessDone(`module-${module.name}`, { inputs: sources, outputs }, () =>
      step(module.name, `compiling the ${module.name} WebAssembly module`, () =>
        compileOne(module),
      ),
    );
  }
}

async function buildPackage() {
  await compileModules(MODULES);
  await step("package", "making the package of them", makePackage);
}

function emptyPackage() {
  checkManifest();
  rmSync(join(cache, "bindgen"), { recursive: true, force: true });
  rmSync(pkg, { recursive: true, force: true });
  mkdirSync(pkg, { recursive: true });
}

async function makeCommand() {
  await compileModules([FULL]);
  await step("package", "making the command of it", async () => {
    emptyPackage();
    await makeModule(FULL);
    await makeCommandFiles(pkg);
  });
}

async function makePackage() {
  emptyPackage();
  const modules = await Promise.all(MODULES.map(makeModule));
  bridgeLoaders(modules[1].names);
  await makeHost();
  await makeStore();
  await types();
  await makeCommandFiles(pkg);
  for (const { sizes } of modules) console.log(sizes);
}

function buildViewer() {
  return step("viewer", "building the viewer", async () => {
    await trim(at("www", "src", "worker", "worker.ts"));
    await run("vite", ["build", "-c", "www/vite.config.ts", "--logLevel", "warn"]);
    await buildPages();
    await buildElement();
  });
}

/** Whether a file of the package belongs to the viewer. */
const isViewer = (file) => /^viewer[.\-/]/.test(relative(pkg, file));

const own = () => files(pkg).filter((file) => !isViewer(file));
const packageFiles = {
  inputs: () => [
    ...sources(),
    ...files(at("js"), at("ts"), at("scripts", "build.mjs"), at("scripts", "build")),
  ],
  outputs: own,
};

const dist = at("www", "dist");
const viewerFiles = {
  inputs: () => [
    ...files(at("www")).filter((file) => !file.startsWith(dist)),
    ...own(),
    at("scripts", "build", "viewer.mjs"),
  ],
  outputs: () => files(dist, ...files(pkg).filter(isViewer)),
};

/** Whether the command is built, with the package or without. */
const isCommandDone = () => isDone("package", packageFiles) || isDone("command", packageFiles);

/**
 * Builds the command and the viewer without the rest of the package, which `build` makes: two more modules and the
 * types.
 */
export async function buildCommand() {
  if (!isCommandDone()) await unlessDone("command", packageFiles, makeCommand);
  await unlessDone("viewer", viewerFiles, buildViewer);
}

/** Builds the package and, unless `viewer` is false, the viewer. */
export async function build({ viewer = true } = {}) {
  await unlessDone("package", packageFiles, buildPackage);
  if (viewer) await unlessDone("viewer", viewerFiles, buildViewer);
}

if (isMain(import.meta)) {
  main(async () => {
    await setup({ meanwhile: compile });
    await build({ viewer: !process.argv.includes("--no-viewer") });
  });
}
