// Installs what is missing of what is needed, and prints it: the wasm target, wasm-bindgen into .tools, npm packages, and
// for tests wasm-pack, its test runner, a browser and Redis. Takes a second if everything is installed.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, files, isMain, main, run, toolFile, tools } from "./lib.mjs";
import { expect, step } from "./progress.mjs";
import { isDone, unlessDone } from "./stamps.mjs";

const WASM_PACK = "0.15.1";

/** The version of wasm-bindgen that Cargo.toml pins; the command must have the same one. */
function wasmBindgenVersion() {
  const match = /^wasm-bindgen = "=([\d.]+)"/m.exec(readFileSync(at("Cargo.toml"), "utf8"));
  if (!match) throw new Error("Cargo.toml does not pin wasm-bindgen with `=`");
  return match[1];
}

async function has(command, version) {
  try {
    return (await run(command, ["--version"], { quiet: true })).split(/\s+/).includes(version);
  } catch {
    return false;
  }
}

async function rust() {
  try {
    await run("cargo", ["--version"], { quiet: true });
  } catch {
    throw new Error("Rust is missing. Install it with rustup (https://rustup.rs) and try again.");
  }
  const target = "wasm32-unknown-unknown";
  let installed;
  try {
    installed = await run("rustup", ["target", "list", "--installed"], { quiet: true });
  } catch {
    return; // a Rust without rustup: cargo reports what is missing
  }
  if (installed.includes(target)) return;
  await step("target", `installing the Rust target ${target}`, () =>
    run("rustup", ["target", "add", target], { quiet: true }),
  );
}

// The tools run for seconds and are compiled once: without optimisation that takes a third of the time.
const QUICKLY = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "256",
};

/** Installs a command from crates.io that only the tests need. */
async function cargoTool(command, name, version, extra) {
  if (await has(join(tools, "bin", command), version)) return;
  await step(name, `compiling ${name} ${version} into .tools`, () =>
    run(
      "cargo",
      ["install", name, "--version", version, "--root", tools, "--force", "--quiet", ...extra],
      { quiet: true, env: QUICKLY },
    ),
  );
}

const BINDGEN = at("scripts", "bindgen");
const bindgenInputs = () =>
  files(join(BINDGEN, "Cargo.toml"), join(BINDGEN, "Cargo.lock"), join(BINDGEN, "src"));

/** Installs the generator of the glue. */
async function bindgen() {
  const own = /^wasm-bindgen-cli-support = "=([\d.]+)"/m.exec(
    readFileSync(join(BINDGEN, "Cargo.toml"), "utf8"),
  );
  if (own?.[1] !== wasmBindgenVersion()) {
    throw new Error("Cargo.toml and scripts/bindgen/Cargo.toml pin different versions");
  }
  const args = ["install", "--path", BINDGEN, "--root", tools];
  args.push("--target-dir", at("target", "bindgen"), "--locked", "--force", "--quiet");
  await unlessDone("bindgen", bindgenInputs, () =>
    step("bindgen", "compiling wasm-bindgen into .tools", async () => {
      await run("cargo", args, { quiet: true });
      return [toolFile("apex-parts-bindgen")];
    }),
  );
}

const npmInputs = () => [at("package-lock.json")];

/** Installs the npm packages of the lock file. */
export async function npmPackages() {
  // Not `npm ci`, which fails if a registry lacks binaries of other platforms. The versions are still those of the
  // lock file, which is not changed.
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  await unlessDone("npm", npmInputs, () =>
    step("npm", "installing npm packages", async () => {
      await run("npm", args, { quiet: true });
      return [at("node_modules", ".package-lock.json")];
    }),
  );
}

const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The path of a Chromium for tests, if there is one. */
export function findBrowser() {
  return [process.env.CHROMIUM_PATH, ...BROWSERS].find((path) => path && existsSync(path));
}

/** The path of its driver, if there is one. */
export function findDriver() {
  // CHROMEWEBDRIVER is a folder: hosted runners of CI set it.
  const { CHROMEDRIVER: own, CHROMEWEBDRIVER: hosted } = process.env;
  const ending = process.platform === "win32" ? ".exe" : "";
  const places = [
    own,
    hosted && join(hosted, `chromedriver${ending}`),
    "/usr/bin/chromedriver",
    "/usr/local/bin/chromedriver",
  ];
  return places.find((path) => path && existsSync(path));
}

/** Whether this process may install packages of the system. */
const mayInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Installs packages of the system, without what they only recommend. */
async function systemPackages(names, env = {}) {
  const quiet = { env: { DEBIAN_FRONTEND: "noninteractive", ...env }, quiet: true };
  await run("apt-get", ["update", "-qq"], quiet);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], quiet);
}

async function browser() {
  if (findBrowser() && findDriver()) return;
  if (!mayInstall()) {
    throw new Error(
      "The tests need Chromium and its driver. Install them (Debian: apt-get install chromium " +
        "chromium-driver), or say where they are in CHROMIUM_PATH and CHROMEDRIVER.",
    );
  }
  await step("browser", "installing chromium and chromium-driver", () =>
    systemPackages(["chromium", "chromium-driver"]),
  );
}

async function hasRedis() {
  try {
    await run("redis-server", ["--version"], { quiet: true });
    return true;
  } catch {
    return false;
  }
}

/** The tests of the run store start servers of their own; without one they say what they leave out. */
async function redis() {
  if ((await hasRedis()) || !mayInstall()) return;
  // RUNLEVEL: the service of the package, which nobody needs, is not started.
  await step("redis", "installing redis-server", () =>
    systemPackages(["redis-server"], { RUNLEVEL: "1" }),
  );
}

/** Installs `wasm-pack` and its test runner. */
async function wasmPack() {
  await cargoTool("wasm-bindgen", "wasm-bindgen-cli", wasmBindgenVersion(), []);
  await cargoTool("wasm-pack", "wasm-pack", WASM_PACK, ["--locked"]);
}

/**
 * What can be needed, and how it is installed. What is of the system is installed one after the other: apt-get allows no
 * second one beside it.
 */
const INSTALLS = { npm: npmPackages, bindgen, "wasm-pack": wasmPack };
const SYSTEM = { browser, redis };

/** What may be passed to `setup`. */
export const INSTALLABLE = ["rust", ...Object.keys(INSTALLS), ...Object.keys(SYSTEM)];

/**
 * Installs what is missing of what is needed, by default what building needs. `meanwhile` runs in parallel, as soon as
 * Rust and its target are installed.
 *
 * @param {{ needs?: string[], meanwhile?: () => Promise<void> }} [options]
 */
export async function setup({ needs = BUILDING, meanwhile = async () => {} } = {}) {
  const [major] = process.versions.node.split(".");
  if (Number(major) < 20) throw new Error(`Node 20 or newer is needed; this is ${process.version}`);
  const unknown = needs.filter((need) => !INSTALLABLE.includes(need));
  if (unknown.length > 0) throw new Error(`setup installs no ${unknown.join(", ")}`);
  if (needs.includes("npm") && !isDone("npm", npmInputs)) expect("npm");
  if (needs.includes("bindgen") && !isDone("bindgen", bindgenInputs)) expect("bindgen");
  if (needs.includes("rust")) await rust();
  // Created first: two cargo processes that both create this folder can fail.
  mkdirSync(at("target", "bindgen"), { recursive: true });
  const chosen = (list) => Object.entries(list).filter(([name]) => needs.includes(name));
  const system = async () => {
    for (const [, install] of chosen(SYSTEM)) await install();
  };
  await Promise.all([meanwhile(), system(), ...chosen(INSTALLS).map(([, install]) => install())]);
}

const BUILDING = ["rust", "npm", "bindgen"];

if (isMain(import.meta)) {
  main(() => setup({ needs: process.argv.includes("--tests") ? INSTALLABLE : BUILDING }));
}
