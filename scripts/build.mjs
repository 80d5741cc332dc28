// Builds the npm package into pkg/ (each module with its glue and loaders, types) and the viewer into www/dist. Each step
// is a file of scripts/build/, and is done only if what it reads has changed (scripts/stamps.mjs).
import { rmSync } from "node:fs";
import { bindInputs, bindOne } from "./build/bind.mjs";
import { commandSources, makeCommandFiles } from "./build/command.mjs";
import { compileOne, variants } from "./build/compile.mjs";
import { makeHost } from "./build/host.mjs";
import { bridgeLoaders } from "./build/loaders.mjs";
import { isViewer, pkg, writtenBy } from "./build/package-files.mjs";
import { makeStore } from "./build/store.mjs";
import { types } from "./build/types.mjs";
import { buildElement, buildPages } from "./build/viewer.mjs";
import { trim } from "./build/viewer-module.mjs";
import { exportedNames, formatsOf, makeModule, makeNodeEntry } from "./build/wasm-module.mjs";
import { checkManifest } from "./entries.mjs";
import { at, files, isMain, main, run } from "./lib.mjs";
import { EVERY_MODULE, MODULES, NODE_MODULES } from "./modules.mjs";
import { expect, step } from "./progress.mjs";
import { setup } from "./setup.mjs";
import { held, isDone, outputsOf, unlessDone } from "./stamps.mjs";

/** The module of the command and the viewer. */
const FULL = MODULES.find(({ name }) => name === "full");

const compileStep = (variant) => `compile-${variant.step}`;
const bindStep = (variant) => `module-${variant.step}`;
const glueStep = (variant) => `glue-${variant.name}`;

const isCompiled = (variant) => isDone(compileStep(variant));
const isBound = (variant) =>
  isCompiled(variant) && isDone(bindStep(variant), () => bindInputs(variant));

/**
 * The variant of each module that is built. With `quick`, a module that has changed is compiled in seconds and not
 * optimised; one that has not stays as it is.
 */
function chosen(modules, quick) {
  return modules.map((module) => {
    const { whole, quick: other } = variants(module);
    return quick && !isBound(whole) ? other : whole;
  });
}

/** Compiles those of the modules that are not up to date. Can run while the rest is set up. */
async function compileModules(modules) {
  expect(...modules.filter((one) => !isCompiled(one)).map(({ name }) => name));
  if (!modules.every(isBound)) expect("package");
  // One after the other, because they share the compiled libraries.
  for (const module of modules) {
    const { name, isQuick } = module;
    const how = isQuick ? "module, quickly" : "module";
    await unlessDone(compileStep(module), undefined, () =>
      step(name, `compiling the ${name} WebAssembly ${how}`, () => compileOne(module)),
    );
  }
}

/** The compiling of the modules, which can run while the rest is set up. */
export const compile = (quick = false) => compileModules(chosen(EVERY_MODULE, quick));

/** The compiling of the module that `buildCommand` needs. */
export const compileForCommand = () => compileModules(chosen([FULL], false));

/** Binds those of the compiled modules that are not: glue, declarations, the optimised module. */
async function bind(modules) {
  const left = modules.filter((module) => !isBound(module));
  if (left.length === 0) return;
  const one = (module) => {
    const inputs = () => bindInputs(module);
    return unlessDone(bindStep(module), inputs, () => bindOne(module));
  };
  const names = left.map(({ name }) => name).join(", ");
  await step("package", `making the package's files of the modules: ${names}`, () =>
    Promise.all(left.map(one)),
  );
}

const scripts = () => [
  ...files(at("scripts", "build")),
  ...["build.mjs", "entries.mjs", "modules.mjs"].map((name) => at("scripts", name)),
];

/** The TypeScript that is written over the module, and what stands beside the command. */
const overModules = () => {
  const command = new Set(commandSources());
  return files(at("ts")).filter((path) => !command.has(path));
};

/** What the glue, the entries and the types of these modules are made of. */
const inputsOf = (modules) => () => [
  ...modules.flatMap((module) => outputsOf(bindStep(module))),
  ...overModules(),
  ...files(at("js")),
  ...["errors.js", "shared.js"].map((name) => at("src", "wasm", name)),
  ...scripts(),
];

/** Makes the files of a module in the package. */
const makeGlue = (module) =>
  unlessDone(glueStep(module), inputsOf([module]), () => writtenBy(() => makeModule(module)));

/** Makes the entry of the full module for Node, over those of the modules that are up to date: the full one suffices. */
function makeNode(quick) {
  const modules = chosen(NODE_MODULES, quick).filter(isBound);
  return unlessDone("node", inputsOf(modules), () => writtenBy(() => makeNodeEntry(modules)));
}

const makeCommand = () =>
  unlessDone(
    "command",
    () => [...commandSources(), ...scripts()],
    () => writtenBy(makeCommandFiles),
  );

/** Makes what all modules are needed for. */
async function makeEntries(modules) {
  const full = modules.find(({ name }) => name === FULL.name);
  await unlessDone("entries", inputsOf(modules), () =>
    writtenBy(async () => {
      bridgeLoaders(exportedNames(full));
      await makeHost();
      await makeStore();
    }),
  );
  await unlessDone("types", inputsOf(modules), () => writtenBy(() => types(modules)));
}

const dist = at("www", "dist");

const viewerInputs = () => [
  ...files(at("www")).filter((file) => !file.startsWith(dist)),
  ...files(at("ts", "cli")),
  ...outputsOf(glueStep(FULL)),
  ...outputsOf("command"),
  ...scripts(),
];

const makeViewer = (full) =>
  unlessDone("viewer", viewerInputs, () =>
    step("viewer", "building the viewer", async () => {
      await trim(at("www", "src", "worker", "worker.ts"), formatsOf(full));
      await run("vite", ["build", "-c", "www/vite.config.ts", "--logLevel", "warn"]);
      await buildPages();
      await buildElement();
      return [...files(dist), ...files(pkg).filter(isViewer)];
    }),
  );

/**
 * Builds the command and the viewer without the rest of the package, which `build` makes: two more modules and the
 * types.
 */
export async function buildCommand() {
  const [full] = chosen([FULL], false);
  await compileModules([full]);
  await bind([full]);
  await makeGlue(full);
  await makeNode(false);
  await makeCommand();
  await makeViewer(full);
}

/** Deletes files in the package that no step writes: those of earlier versions of the scripts. */
function sweep() {
  const kept = held();
  for (const file of files(pkg)) if (!kept.has(file)) rmSync(file);
}

/**
 * Builds the package and, unless `viewer` is false, the viewer. With `quick`, a module that has changed is not the one
 * that is published.
 *
 * @param {{ viewer?: boolean, quick?: boolean }} [options]
 */
export async function build({ viewer = true, quick = false } = {}) {
  checkManifest();
  const every = chosen(EVERY_MODULE, quick);
  const modules = every.filter(({ entry }) => entry !== undefined);
  const full = modules.find(({ name }) => name === FULL.name);
  await compileModules(every);
  await bind(every);
  for (const module of modules) await makeGlue(module);
  await makeNode(quick);
  await makeEntries(modules);
  await makeCommand();
  if (viewer) await makeViewer(full);
  sweep();
}

if (isMain(import.meta)) {
  main(async () => {
    const viewer = !process.argv.includes("--no-viewer");
    await setup({ meanwhile: compile });
    await build({ viewer });
  });
}
