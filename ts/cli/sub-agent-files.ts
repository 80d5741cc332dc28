// Where Claude Code keeps the sub-agents of a session: in a folder beside its file, a file each.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSubAgentFile, SUB_AGENTS } from "./transcript-files.ts";

/** The folder beside a session's file, as it is named from there, and how many files of sub-agents it has. */
export function subAgentFiles(file: string): { folder: string; count: number } {
  const name = basename(file).replace(/\.jsonl$/iu, "");
  const folder = `${name}/${SUB_AGENTS}`;
  try {
    const names = readdirSync(join(dirname(file), folder));
    return { folder, count: names.filter(isSubAgentFile).length };
  } catch {
    return { folder, count: 0 };
  }
}
