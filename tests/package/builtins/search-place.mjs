// Shared by the tests of glob and grep: a folder with the tools over it, once with ripgrep and once without.
import { utimesSync } from "node:fs";
import { describe } from "node:test";
import { workplace } from "./file-tools.mjs";

const main = await import("../../../pkg/node.mjs");
const node = await import("../../../pkg/host.mjs");
const parts = { ...main, ...node };
parts.setLogger(undefined);

/** The path of ripgrep; `null` if it is not on this machine. */
export const ripgrep = node.nodeHost().rgPath;

const WITHOUT = "ripgrep is neither on PATH nor installed as @vscode/ripgrep";

/** Describes what holds for both engines; the one that is ripgrep is left out where that is not there. */
export function describeEngines(name, body) {
  describe(`${name}, without ripgrep`, () => body({ rgPath: null, engine: "js" }));
  describe(`${name}, with ripgrep`, { skip: ripgrep === null && WITHOUT }, () =>
    body({ rgPath: ripgrep, engine: "rg" }),
  );
}

/** A folder with these files, given as texts or bytes by their paths. */
export function place(files = {}, options = {}) {
  const made = workplace(parts, options);
  for (const [path, content] of Object.entries(files)) made.put(path, content);
  return made;
}

/** Sets when a file was changed, in seconds. */
export const changedAt = (path, seconds) => utimesSync(path, seconds, seconds);

/** The paths of a glob's output, below the folder. */
export function pathsOf({ output }, work) {
  const lines = output.split("\n").filter((line) => line.startsWith("/"));
  return lines.map((line) => line.slice(work.length + 1));
}
