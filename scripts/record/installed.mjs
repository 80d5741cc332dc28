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
 * @param {object} [options]
 * @param {boolean} [options.hasScripts] whether their install scripts run: that of `node` unpacks it
 * @returns {Promise<NodeJS.Require & { folder: string }>} what finds them, and where they are
 */
export async function installed(t, dependencies, { hasScripts = false } = {}) {
  const folder = temporary(t, "packages");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const flags = ["--no-audit", "--no-fund", "--silent"];
  if (!hasScripts) flags.push("--ignore-scripts");
  await run("npm", ["install", ...flags], { quiet: true, cwd: folder });
  return Object.assign(createRequire(join(folder, "package.json")), { folder });
}
