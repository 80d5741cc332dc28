// Packages that only recordings need: installed at fixed versions into a folder that goes afterwards.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { run } from "../lib.mjs";
import { temporary } from "./demo.mjs";

/**
 * Installs packages.
 *
 * @param {{ after(work: () => unknown): void }} t
 * @param {Record<string, string>} dependencies names and versions
 * @returns {Promise<NodeJS.Require>} what finds them
 */
export async function installed(t, dependencies) {
  const folder = temporary(t, "packages");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
  await run("npm", ["install", ...flags], { quiet: true, cwd: folder });
  return createRequire(join(folder, "package.json"));
}
