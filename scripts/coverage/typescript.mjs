// Line coverage of the TypeScript in ts/ by the tests that run in Node. They run the package, so what is counted is the
// package's code: esbuild names the source of each part of a bundle, and the command has a file for each source.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { commandSources, shippedName } from "../build/command.mjs";
import { pkg } from "../build/package-files.mjs";
import { at, root, say } from "../lib.mjs";
import { runFiles, testFiles } from "../node-tests.mjs";

/** The folders of tests that run the package in Node. */
const FOLDERS = [
  ...["package", "package/builtins", "package/skills", "package/mcp", "package/compaction"],
  ...["store", "command"],
];

/** Files of the package by their path below `pkg`, each with the sources it has: `{source, start, end}` in characters. */
function partsOfPackage() {
  const files = new Map();
  for (const source of commandSources()) {
    const path = shippedName(source);
    if (!existsSync(join(pkg, path))) continue; // only types
    const text = readFileSync(join(pkg, path), "utf8");
    files.set(path, {
      text,
      parts: [{ source: relative(root, source), start: 0, end: text.length }],
    });
  }
  for (const path of readdirSync(pkg).filter((name) => /\.[cm]js$/.test(name))) {
    const text = readFileSync(join(pkg, path), "utf8");
    // Also where another source begins that is not ours.
    const marks = [...text.matchAll(/^\/\/ (\S+\.(?:ts|mjs|js))$/gm)];
    const parts = marks.map(({ 1: source, index, 0: mark }, i) => {
      return { source, start: index + mark.length, end: marks[i + 1]?.index ?? text.length };
    });
    const ours = parts.filter(({ source }) => source.startsWith("ts/"));
    if (ours.length > 0 && !files.has(path)) files.set(path, { text, parts: ours });
  }
  return files;
}

/** Where a script of the package is below `pkg`, in this folder or in a project that installed it. */
const pathInPackage = (url) =>
  /^file:.*\/(?:node_modules\/apex-parts\/pkg|[^/]+\/pkg)\/(.+)$/.exec(url)?.[1];

/** Marks each character that a process executed. */
function addRun(executed, functions) {
  const counts = new Uint8Array(executed.length);
  // Outer functions and blocks come before inner ones.
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges)
      counts.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  for (let i = 0; i < counts.length; i++) executed[i] |= counts[i];
}

/** The lines of a part with code in them, each with whether any of it was executed. */
function linesOf({ text, executed }, { start, end }) {
  const lines = [];
  let offset = start;
  for (const line of text.slice(start, end).split("\n")) {
    const code = line.trim();
    const from = offset + line.indexOf(code);
    offset += line.length + 1;
    if (/^(?:$|\/\/|\/?\*|[\])};,]+$)/.test(code)) continue;
    lines.push({ code, isExecuted: executed.subarray(from, from + code.length).includes(1) });
  }
  return lines;
}

/**
 * The lines of each source of ts/ that ships: how many there are, and how many were executed. A source that is in
 * several bundles counts once, as in the bundle that executes most of it; bundles with the same lines count together.
 *
 * @param {string} folder with the files that Node writes for `NODE_V8_COVERAGE`
 * @returns {{ source: string, lines: number, executed: number }[]}
 */
export function lineCoverage(folder) {
  const files = partsOfPackage();
  for (const file of files.values()) file.executed = new Uint8Array(file.text.length);
  let runs = 0;
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const { url, functions } of result) {
      const file = files.get(pathInPackage(url));
      if (file === undefined) continue;
      addRun(file.executed, functions);
      runs++;
    }
  }
  if (runs === 0) throw new Error("no test has run a file of the package");
  /** Of each source, by what its lines are. */
  const sources = new Map();
  for (const file of files.values()) {
    for (const part of file.parts) {
      const lines = linesOf(file, part);
      const variants = sources.get(part.source) ?? new Map();
      sources.set(part.source, variants);
      const text = lines.map(({ code }) => code).join("\n");
      const same = variants.get(text);
      if (same === undefined) variants.set(text, lines);
      else for (const [i, line] of same.entries()) line.isExecuted ||= lines[i].isExecuted;
    }
  }
  return [...sources].map(([source, variants]) => {
    const counts = [...variants.values()].map((lines) => {
      return { lines: lines.length, executed: lines.filter((line) => line.isExecuted).length };
    });
    const [most] = counts.toSorted((a, b) => b.executed - a.executed || b.lines - a.lines);
    return { source, ...most };
  });
}

const percent = (executed, lines) => ((100 * executed) / lines).toFixed(1).padStart(5);

/**
 * Runs the tests in Node and prints the coverage of ts/ by folder.
 *
 * @param {number} least the percentage of lines under which this fails
 */
export async function typescriptCoverage(least) {
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-coverage-"));
  try {
    for (const tests of FOLDERS) {
      say(`tests/${tests}`);
      await runFiles(testFiles(tests), { env: { NODE_V8_COVERAGE: folder } });
    }
    const sources = lineCoverage(folder);
    const groups = new Map();
    for (const { source, lines, executed } of sources) {
      const name = source.split("/").slice(0, -1).join("/");
      const group = groups.get(name) ?? { lines: 0, executed: 0 };
      groups.set(name, { lines: group.lines + lines, executed: group.executed + executed });
    }
    say("lines of ts/ that the tests in Node execute");
    for (const [name, { lines, executed }] of [...groups].toSorted())
      console.log(`${percent(executed, lines)} % of ${String(lines).padStart(5)}  ${name}`);
    const sum = (field) => sources.reduce((total, source) => total + source[field], 0);
    const total = (100 * sum("executed")) / sum("lines");
    console.log(`${percent(sum("executed"), sum("lines"))} % of ${sum("lines")}  all`);
    const worst = sources.toSorted((a, b) => a.executed - a.lines - (b.executed - b.lines));
    console.log("most lines without a test:");
    for (const { source, lines, executed } of worst.slice(0, 10))
      console.log(`  ${String(lines - executed).padStart(4)} of ${lines}  ${basename(at(source))}`);
    if (total < least) throw new Error(`under ${least} % of the lines of ts/ are executed`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
