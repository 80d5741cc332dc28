// Sessions that `apex-parts convert --to opencode` makes, and the files that they are made of.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { openCodeProblems, Transcript } from "../../../pkg/node.mjs";
import { inputs } from "../../inputs.mjs";

export const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const cli = at("pkg/cli.mjs");

/** A folder of this test file's own. */
export const folder = mkdtempSync(join(tmpdir(), "apex-parts-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** The path of a file that is not there yet. */
export const newFile = () => join(folder, `${++files}.json`);

/** The streams among our own fixtures. */
export const streams = inputs(at("tests/fixtures/streams"), /\.sse$/).map((name) =>
  at(join("tests", "fixtures", "streams", name)),
);

export function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** Converts a file as a user does: the path of what was made, its content, and what was said. */
export function converted(file, ...options) {
  const path = newFile();
  const { status, stderr } = run("convert", file, "--to", "opencode", "-o", path, ...options);
  assert.equal(status, 0, stderr);
  const bytes = readFileSync(path);
  assert.deepEqual(openCodeProblems(Transcript.open(bytes)), [], basename(file));
  return { path, session: JSON.parse(bytes), stderr };
}
