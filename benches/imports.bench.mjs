// What a process pays for importing each entry, and for a first call of each module, over an empty program: a process each, in turn, the median of many.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { figure } from "./lib/figures.mjs";

const ROUNDS = 15;
const pkg = (file) => fileURLToPath(new URL(`../pkg/${file}`, import.meta.url));
const imported = (file) => `import ${JSON.stringify(pathToFileURL(pkg(file)).href)};`;
const called = (name, call) =>
  `import { ${name} } from ${JSON.stringify(pathToFileURL(pkg("node.mjs")).href)}; ${call};`;
const required = (file) => `require(${JSON.stringify(pkg(file))});`;

/** The programs, by the line that a user writes: their extension and text, and the name of the figure. */
const PROGRAMS = {
  "an empty program": ["mjs", ""],
  'import "apex-parts"': ["mjs", imported("node.mjs"), "full"],
  'require("apex-parts")': ["cjs", required("node.cjs"), "full.require"],
  "`apex-parts`, and `PartValidator.validatePart({})`": [
    "mjs",
    called("PartValidator", "PartValidator.validatePart({})"),
    "full.agent",
  ],
  "`apex-parts`, and `new Transcript()`": [
    "mjs",
    called("Transcript", "new Transcript()"),
    "full.transcript",
  ],
  'import "apex-parts/core"': ["mjs", imported("core.node.mjs"), "core"],
  'require("apex-parts/core")': ["cjs", required("core.node.cjs"), "core.require"],
  'import "apex-parts/tools"': ["mjs", imported("tools.node.mjs"), "tools"],
  'import "apex-parts/node"': ["mjs", imported("host.mjs"), "node"],
};

const folder = mkdtempSync(join(tmpdir(), "apex-parts-imports-"));
try {
  const files = Object.entries(PROGRAMS).map(([name, [ending, text, id]], index) => {
    const path = join(folder, `${index}.${ending}`);
    writeFileSync(path, text);
    return { name, path, id, times: [] };
  });
  // The first round fills the caches of the file system.
  for (let round = 0; round <= ROUNDS; round++)
    for (const { path, name, times } of files) {
      const start = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, [path]);
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      if (round > 0) times.push(ms);
    }
  const median = (times) => times.toSorted((a, b) => a - b)[ROUNDS >> 1];
  const [empty, ...entries] = files;
  const base = median(empty.times);
  console.log(`\n# Importing, over an empty program of ${base.toFixed(0)} ms`);
  for (const { name, id, times } of entries) {
    const sorted = times.toSorted((a, b) => a - b);
    const over = (ms) => (ms - base).toFixed(0).padStart(4);
    const [from, to] = [sorted[ROUNDS >> 2], sorted.at(-1 - (ROUNDS >> 2))].map((ms) =>
      Math.max(0, ms - base).toFixed(0),
    );
    figure({
      id: `imports.${id}`,
      "over an empty program": name.includes("`") ? name : `\`${name}\``,
      median: `${over(median(times)).trim()} ms`,
      "half of the processes": from === to ? `${from} ms` : `${from} to ${to} ms`,
    });
    console.log(
      `${name.padEnd(52)} ${over(median(times))} ms  (${over(sorted[1])} to ${over(sorted.at(-2))})`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
