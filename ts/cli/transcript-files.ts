// Which files can be transcripts, and how far a folder is searched for them: of the command, the server and the viewer.

/** The names of files that can be transcripts end so. */
export const ENDINGS = [".json", ".jsonl", ".ndjson", ".sse", ".txt", ".log", ".traj", ".eval"];
/** Folders that are not looked into: what programs keep there is never a transcript. */
export const SKIPPED = ["node_modules", ".git"];
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

/** @param {string} name */
export const isSubAgentFile = (name) => SUB_AGENT_FILE.test(name);

/**
 * Of the path of a sub-agent's file: the path of the session's file that it belongs to; undefined of any other file.
 *
 * @param {string} path With `/`
 */
export function sessionFileOf(path) {
  const steps = path.split("/");
  const at = steps.lastIndexOf(SUB_AGENTS);
  if (at < 1 || !isSubAgentFile(steps[steps.length - 1])) return undefined;
  return `${steps.slice(0, at).join("/")}.jsonl`;
}

/** @param {string} name A file's name or path */
export function canBeTranscript(name) {
  if (SUB_AGENT_TYPE.test(name)) return false;
  const lower = name.toLowerCase();
  return ENDINGS.some((ending) => lower.endsWith(ending));
}
