// The command: each file of ts/cli without its types, under the same name. Files of types alone are left out.
import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { at, files } from "../lib.mjs";
import { write } from "./package-files.mjs";

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

/** Writes the command into the package. */
export async function makeCommandFiles() {
  // Not at the top: on a fresh clone scripts import this file before packages are installed.
  const { erased } = await import("./erase.mjs");
  for (const source of commandSources()) {
    const text = erased(readFileSync(source, "utf8"), source, (from) => importedName(from, source));
    if (text !== "") write(shippedName(source), text);
  }
}
