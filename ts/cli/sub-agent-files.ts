// Where Claude Code keeps the sub-agents of a session: in a folder beside its file, a file each.
import { readdirSync, readFileSync } from "node:fs";
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

/** The type of the agent whose file this is, from the file beside it that says so. */
export function agentTypeOf(path: string): string | undefined {
  try {
    const { agentType } = JSON.parse(readFileSync(path.replace(/\.jsonl$/u, ".meta.json"), "utf8"));
    return typeof agentType === "string" && agentType !== "" ? agentType : undefined;
  } catch {
    return undefined;
  }
}
