// Installs what is missing, and says so: the wasm target, wasm-bindgen and wasm-pack into .tools,
// npm packages, and (for tests) a browser. Takes a second when all is there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, isMain, main, run, say, tools, unlessDone } from "./lib.mjs";

const WASM_PACK = "0.15.1";

/** The version of wasm-bindgen that Cargo.toml pins. The command must be of the very same one. */
function wasmBindgenVersion() {
  const found = /^wasm-bindgen = "=([\d.]+)"/m.exec(readFileSync(at("Cargo.toml"), "utf8"));
  if (!found) throw new Error("Cargo.toml does not pin wasm-bindgen with `=`");
  return found[1];
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
    return; // a Rust without rustup: cargo will say what it lacks
  }
  if (!installed.includes(target)) {
    say(`installing the Rust target ${target}`);
    await run("rustup", ["target", "add", target]);
  }
}

async function cargoTool(command, name, version, extra) {
  if (await has(join(tools, "bin", command), version)) return;
  say(`installing ${name} ${version} into .tools (about 2 minutes, once)`);
  await run("cargo", ["install", name, "--version", version, "--root", tools, "--force", ...extra]);
}

async function npmPackages() {
  const lock = at("package-lock.json");
  await unlessDone(
    "npm",
    {
      inputs: () => [lock],
      outputs: () => [at("node_modules", ".package-lock.json")].filter(existsSync),
    },
    async () => {
      say("installing npm packages");
      // Not `npm ci`: some registries lack the binaries of foreign platforms, which it insists on.
      // The versions are those of the lock file all the same, and it is left as it is.
      await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
    },
  );
}

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A Chromium to test with, if there is one. */
export function findBrowser() {
  return [process.env.CHROMIUM_PATH, ...BROWSERS].find((path) => path && existsSync(path));
}

/** A driver for it, if there is one. */
export function findDriver() {
  const places = [process.env.CHROMEDRIVER, "/usr/bin/chromedriver", "/usr/local/bin/chromedriver"];
  return places.find((path) => path && existsSync(path));
}

async function browser() {
  if (findBrowser() && findDriver()) return;
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!mayInstall) {
    throw new Error(
      "The tests need Chromium and its driver. Install them (Debian: apt-get install chromium " +
        "chromium-driver), or say where they are in CHROMIUM_PATH and CHROMEDRIVER.",
    );
  }
  say("installing chromium and chromium-driver");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  const names = ["chromium", "chromium-driver"];
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], { env });
}

/** Sets up what building needs, and with `tests` what testing needs besides. */
export async function setup({ tests = false } = {}) {
  const [major] = process.versions.node.split(".");
  if (Number(major) < 20) throw new Error(`Node 20 or newer is needed; this is ${process.version}`);
  await rust();
  await npmPackages();
  await cargoTool("wasm-bindgen", "wasm-bindgen-cli", wasmBindgenVersion(), []);
  if (!tests) return;
  await cargoTool("wasm-pack", "wasm-pack", WASM_PACK, ["--locked"]);
  await browser();
}

if (isMain(import.meta)) main(() => setup({ tests: process.argv.includes("--tests") }));
