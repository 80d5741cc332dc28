// The command: each file of ts/cli without its types, under the same name. Files of types alone are left out.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { at, files } from "../lib.mjs";

/** The files beside the command that it imports as what users import. */
const ENTRIES = {
  "apex-parts": "node.mjs",
  "apex-parts/node": "host.mjs",
  // The page of the viewer imports the same file, and no module.
  "apex-parts:formats": "node.mjs",
};

/** The sources of the command. */
export const commandSources = () => files(at("ts", "cli.ts"), at("ts", "cli"));

/** The name of a source's file in the package. */
export const shippedName = (source) => relative(at("ts"), source).replace(/\.ts$/, ".mjs");

/** What a file of the package imports where its source imports `from`. */
export function importedName(from, source) {
  if (!Object.hasOwn(ENTRIES, from)) return from.replace(/^(\.\.?\/.*)\.ts$/, "$1.mjs");
  const path = relative(dirname(source), at("ts", ENTRIES[from])).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Writes the command into this folder. */
export async function makeCommandFiles(folder) {
  // Not at the top: on a fresh clone scripts import this file before packages are installed.
  const { erased } = await import("./erase.mjs");
  for (const source of commandSources()) {
    const path = join(folder, shippedName(source));
    const text = erased(readFileSync(source, "utf8"), source, (from) => importedName(from, source));
    if (text === "") continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
