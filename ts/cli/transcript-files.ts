// Which files can be transcripts, and how far a folder is searched for them: of the command, the server and the viewer.
import { TRANSCRIPT_FORMAT_INFO } from "apex-parts:formats";

/** The names of files that can be transcripts end so. */
export const ENDINGS: readonly string[] = [
  ...new Set(Object.values(TRANSCRIPT_FORMAT_INFO).flatMap(({ endings }) => [...endings])),
];
/** Folders that are not looked into: what programs keep there is never a transcript. */
export const SKIPPED: readonly string[] = ["node_modules", ".git"];
/** The most files that are listed, and the most folders that are looked into. */
export const MOST_FILES = 10_000;
export const MOST_FOLDERS = 20_000;
/** The most names of a folder, and of all below it, that are looked at. */
export const MOST_ENTRIES = 500_000;
/** Folders in folders are looked into up to this depth. */
export const DEEPEST = 32;

/** The folder beside a session's file in which Claude Code keeps the files of its sub-agents. */
export const SUB_AGENTS = "subagents";
const SUB_AGENT_FILE = /^agent-.+\.jsonl$/iu;
/** Says of which type a sub-agent is; it is read with the sub-agent's file. */
const SUB_AGENT_TYPE = /(^|[\\/])agent-[^\\/]+\.meta\.json$/iu;

/** Whether a file of this name is that of a sub-agent. */
export const isSubAgentFile = (name: string): boolean => SUB_AGENT_FILE.test(name);

/** Whether a file of this name or path can be a transcript. */
export function canBeTranscript(name: string): boolean {
  if (SUB_AGENT_TYPE.test(name)) return false;
  const lower = name.toLowerCase();
  return ENDINGS.some((ending) => lower.endsWith(ending));
}
