// Installs what is missing of what is needed, and prints it: the wasm target, wasm-bindgen into .tools, npm packages, and
// for tests wasm-pack, its test runner, a browser and Redis. Takes a second if everything is installed.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { at, files, isMain, main, run, toolFile } from "./lib.mjs";
import { expect, step } from "./progress.mjs";
import { isDone, unlessDone } from "./stamps.mjs";

const WASM_TOOLS = at("scripts", "wasm-tools");

/** The version of wasm-bindgen that a manifest pins. */
function pinned(path, name) {
  const pattern = new RegExp(`^${name} = "=([\\d.]+)"`, "m");
  const version = pattern.exec(readFileSync(path, "utf8"))?.[1];
  if (!version) throw new Error(`${path} does not pin ${name} with \`=\``);
  return version;
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

/** The packages of `scripts/wasm-tools`: what they are, and their programs. */
const WASM_TOOL = {
  bindgen: { words: "wasm-bindgen", binaries: ["apex-parts-bindgen"] },
  testing: {
    words: "wasm-pack and its test runner",
    binaries: ["wasm-bindgen", "wasm-bindgen-test-runner", "wasm-pack"],
  },
};

/** What such a package is compiled from. */
const wasmToolInputs = (name) => () =>
  files(...["Cargo.toml", "Cargo.lock", "offline", name].map((file) => join(WASM_TOOLS, file)));

/** What a package writes into modules, or reads of them, must be of the very version that is compiled into them. */
function checkVersion(name) {
  const own = pinned(at("Cargo.toml"), "wasm-bindgen");
  const crate = name === "bindgen" ? "wasm-bindgen-cli-support" : "wasm-bindgen-cli";
  if (pinned(join(WASM_TOOLS, name, "Cargo.toml"), crate) !== own) {
    throw new Error(`Cargo.toml and scripts/wasm-tools/${name}/Cargo.toml pin different versions`);
  }
}

/**
 * Installs packages of `scripts/wasm-tools` into .tools. They are compiled by one call of cargo: then what they have in
 * common has the same features, and is compiled once.
 */
async function wasmTools(names) {
  const missing = names.filter((name) => !isDone(name, wasmToolInputs(name)));
  if (missing.length === 0) return;
  missing.forEach(checkVersion);
  const folder = at("target", "wasm-tools");
  const args = ["build", "--release", "--locked", "--quiet", "--target-dir", folder];
  args.push("--manifest-path", join(WASM_TOOLS, "Cargo.toml"));
  args.push(...missing.flatMap((name) => ["--package", `apex-parts-${name}`]));
  const words = missing.map((name) => WASM_TOOL[name].words).join(", ");
  await step(missing.at(-1), `compiling ${words} into .tools`, () =>
    run("cargo", args, { quiet: true }),
  );
  mkdirSync(dirname(toolFile("any")), { recursive: true });
  for (const name of missing) {
    await unlessDone(name, wasmToolInputs(name), async () => {
      const paths = WASM_TOOL[name].binaries.map(toolFile);
      for (const path of paths) copyFileSync(join(folder, "release", basename(path)), path);
      return paths;
    });
  }
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

/** Needs that packages of `scripts/wasm-tools` meet. */
const TOOLS = { bindgen: "bindgen", "wasm-pack": "testing" };
/** Needs that packages of the system meet: one after the other, because apt-get allows no second one beside it. */
const SYSTEM = { browser, redis };

/** What may be passed to `setup`. */
export const INSTALLABLE = ["rust", "npm", ...Object.keys(TOOLS), ...Object.keys(SYSTEM)];

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
  const chosen = (list) => Object.keys(list).filter((need) => needs.includes(need));
  const names = chosen(TOOLS).map((need) => TOOLS[need]);
  if (needs.includes("npm") && !isDone("npm", npmInputs)) expect("npm");
  expect(...names.filter((name) => !isDone(name, wasmToolInputs(name))).slice(-1));
  if (needs.includes("rust")) await rust();
  // Created first: two cargo processes that both create this folder can fail.
  mkdirSync(at("target", "wasm-tools"), { recursive: true });
  const npm = async () => {
    if (needs.includes("npm")) await npmPackages();
  };
  const system = async () => {
    for (const need of chosen(SYSTEM)) await SYSTEM[need]();
  };
  await Promise.all([meanwhile(), system(), npm(), wasmTools(names)]);
}

const BUILDING = ["rust", "npm", "bindgen"];

if (isMain(import.meta)) {
  main(() => setup({ needs: process.argv.includes("--tests") ? INSTALLABLE : BUILDING }));
}
