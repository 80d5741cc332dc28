// Runs benchmarks one after the other, each in a process of its own, and fails when a figure falls short of its bar.
import { spawn } from "node:child_process";
import { basename } from "node:path";
import { verdict } from "../benches/lib/bars.mjs";
import { environment, root } from "./lib.mjs";

/** Runs a program and shows what it prints: its output, and how it ended if that was not well. */
function shown(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: environment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.on("error", ({ message }) => resolve({ output, error: message }));
    child.on("close", (code, signal) => {
      resolve({ output, ...(code === 0 ? {} : { error: `it ended with ${code ?? signal}` }) });
    });
  });
}

/**
 * Runs every one of these files, then rejects if a figure of one fell short of its bar, or if one failed: the message
 * names them.
 *
 * @param {string[]} paths
 * @param {{ args?: string[] }} [options] arguments for each
 */
export async function benchmarks(paths, { args = [] } = {}) {
  const runs = [];
  for (const path of paths) {
    runs.push({ name: basename(path), ...(await shown(["--expose-gc", path, ...args])) });
  }
  const wrong = verdict(runs);
  if (wrong !== undefined) throw new Error(wrong);
}

/**
 * The benchmarks with these names, all if none is given: `parts` is benches/parts.bench.mjs.
 *
 * @param {string[]} all their paths
 * @param {string[]} names
 */
export function chosen(all, names) {
  const nameOf = (path) => basename(path, ".bench.mjs");
  const unknown = names.filter((name) => !all.some((path) => nameOf(path) === name));
  if (unknown.length > 0) {
    const known = all.map(nameOf).join(", ");
    throw new Error(`no benchmark ${unknown.join(", ")}; there are: ${known}`);
  }
  return names.length === 0 ? all : all.filter((path) => names.includes(nameOf(path)));
}
