// Recordings: sessions, streams and tool calls of real programs. `npm test` reads those of the repository;
// `npm run test:recorded -- DIR` runs the same tests over those of other people, which are not in it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { at } from "../scripts/lib.mjs";
import { inputs } from "./inputs.mjs";

const { APEX_PARTS_RECORDED: others } = process.env;

/** Whether the recordings are those of other people, in the folder that `npm run test:recorded` was given. */
export const isOthers = Boolean(others);

const base = isOthers ? others : at("tests", "fixtures", "recorded");
const HELP = isOthers
  ? "give `npm run test:recorded -- DIR` a folder with opencode, compaction, tools, agents and providers"
  : "it belongs to the repository: `git checkout -- tests/fixtures/recorded` brings it back";

/** The path of a file or folder among the recordings in use; an error if it is not there. */
export function recorded(...parts) {
  const path = join(base, ...parts);
  if (!existsSync(path)) throw new Error(`There is no recording ${path}: ${HELP}.`);
  return path;
}

/** The paths of the recordings of a kind (a folder) whose names match, sorted; an error if there are none. */
export function recordedFiles(kind, pattern) {
  const folder = recorded(kind);
  return inputs(folder, pattern, HELP).map((name) => join(folder, name));
}
