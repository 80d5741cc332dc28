// Folders of skills that a test makes, which are removed when it has ended.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { consumer, requireFrom } from "../helper.mjs";

const made = [];
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** The text of a `SKILL.md`; `more` are further lines of its frontmatter. */
export const skill = (name, { body = `Do ${name}.`, more = [] } = {}) =>
  [`---`, `name: ${name}`, `description: About ${name}.`, ...more, `---`, body, ``].join("\n");

/** Writes files into a folder, given as `{path: text}`. */
export function put(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** A new folder with these files. */
export function place(files = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "apex-parts-skills-")));
  made.push(folder);
  put(folder, files);
  return folder;
}

/** The packed package: the main entry, and that for Node. */
export async function packed(name) {
  const require = requireFrom(await consumer(name));
  const parts = require("apex-parts");
  parts.setLogger(undefined);
  return { ...parts, ...require("apex-parts/node") };
}

/** `severity RULE` of each problem. */
export const rules = (problems) => problems.map(({ severity, rule }) => `${rule} ${severity}`);

/** Whether this user may read what its permissions forbid: then there is nothing to test. */
export const readsAll = () => process.platform === "win32" || process.getuid() === 0;
