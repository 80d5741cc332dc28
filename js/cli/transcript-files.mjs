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

/** @param {string} name */
export function canBeTranscript(name) {
  const lower = name.toLowerCase();
  return ENDINGS.some((ending) => lower.endsWith(ending));
}
