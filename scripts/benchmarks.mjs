// Runs benchmarks one after the other, each in a process of its own, and fails when a figure falls short of its bar.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { verdict } from "../benches/lib/bars.mjs";
import { environment, root } from "./lib.mjs";

/** Runs a program and shows what it prints: its output, and how it ended if that was not well. */
function shown(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: environment(env),
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

/** The rows that a benchmark handed over. */
const rowsIn = (file) =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(JSON.parse) : [];

/** The name of a benchmark: `parts` is benches/parts.bench.mjs. */
const nameOf = (path) => basename(path, ".bench.mjs");

/**
 * Runs every one of these files, then rejects if a figure of one fell short of its bar, or if one failed: the message
 * names them.
 *
 * @param {string[]} paths
 * @param {object} [options]
 * @param {string[]} [options.args] arguments for each
 * @param {(results: { name: string, rows: object[] }[]) => Promise<void>} [options.write] gets what those that did not fail
 *   handed over (benches/lib/figures.mjs), before it rejects
 */
export async function benchmarks(paths, { args = [], write } = {}) {
  const runs = [];
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-figures-"));
  try {
    for (const path of paths) {
      const file = join(folder, `${nameOf(path)}.jsonl`);
      const env = write === undefined ? {} : { APEX_PARTS_FIGURES: file };
      const run = await shown(["--expose-gc", path, ...args], env);
      runs.push({ name: basename(path), ...run, rows: rowsIn(file) });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const ended = runs.filter(({ error }) => error === undefined);
  await write?.(ended.map(({ name, rows }) => ({ name: nameOf(name), rows })));
  const wrong = verdict(runs);
  if (wrong !== undefined) throw new Error(wrong);
}

/** Real sessions come before all that is made up. */
const FIRST = "sessions";

/**
 * The benchmarks with these names, all if none is given.
 *
 * @param {string[]} all their paths
 * @param {string[]} names
 */
export function chosen(all, names) {
  const unknown = names.filter((name) => !all.some((path) => nameOf(path) === name));
  if (unknown.length > 0) {
    const known = all.map(nameOf).join(", ");
    throw new Error(`no benchmark ${unknown.join(", ")}; there are: ${known}`);
  }
  const some = names.length === 0 ? all : all.filter((path) => names.includes(nameOf(path)));
  return some.toSorted((a, b) => Number(nameOf(b) === FIRST) - Number(nameOf(a) === FIRST));
}

/**
 * What `npm run bench` is asked for: benchmarks by their names, or a folder with sessions, from where npm was called.
 *
 * @param {string[]} args
 * @param {string[]} all the paths of the benchmarks
 * @param {string} from
 * @returns {{ paths: string[], args: string[], isWriting: boolean }}
 */
export function asked(args, all, from) {
  const isWriting = args.includes("--write");
  const names = args.filter((arg) => arg !== "--write");
  const isName = (arg) => all.some((path) => nameOf(path) === arg);
  const isFolder = (arg) => statSync(resolve(from, arg), { throwIfNoEntry: false })?.isDirectory();
  const folders = names.filter((arg) => !isName(arg) && (/[\\/]/.test(arg) || isFolder(arg)));
  if (folders.length === 0) return { paths: chosen(all, names), args: [], isWriting };
  const [folder] = folders;
  if (!isFolder(folder)) throw new Error(`there is no folder ${folder}`);
  if (names.length > 1) throw new Error(`give the folder ${folder} alone: only ${FIRST} reads it`);
  if (isWriting) throw new Error("--write writes the figures of the project's own sessions only");
  return { paths: chosen(all, [FIRST]), args: [resolve(from, folder)], isWriting };
}
