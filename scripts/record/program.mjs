// The program of `opencode-ai` for this machine.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { at } from "../lib.mjs";

/** The packages that may hold the program for this machine, the most likely first. */
function packages() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const base = `opencode-${system}-${process.arch}`;
  return ["", "-baseline", "-musl", "-baseline-musl"].map((kind) => base + kind);
}

/** The programs that are installed: OPENCODE_PATH, or those that came with `opencode-ai`. */
export function programs() {
  const { OPENCODE_PATH: own } = process.env;
  if (own) return [own];
  // The program is taken from the package of the platform: nothing here depends on an install script.
  const { resolve } = createRequire(at("package.json"));
  const list = [];
  for (const name of packages()) {
    try {
      const folder = dirname(resolve(`${name}/package.json`));
      list.push(join(folder, "bin", process.platform === "win32" ? "opencode.exe" : "opencode"));
    } catch {
      // not for this machine, or not installed
    }
  }
  return list.filter(existsSync);
}
