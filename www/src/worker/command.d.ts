/** The types of what the viewer takes of the command. */

/** What the command writes at the head of an exported document. */
declare module "*/js/cli/page.mjs" {
  import type { PageOptions, Transcript } from "apex-parts";

  export function pageOf(
    transcript: Transcript,
    name: string,
    session: string | undefined,
    options?: { isOfMain?: boolean },
  ): PageOptions;
}

/** Which files can be transcripts, and how far a folder is searched for them. */
declare module "*/js/cli/transcript-files.mjs" {
  export const ENDINGS: readonly string[];
  export const SKIPPED: readonly string[];
  export const MOST_FILES: number;
  export const MOST_FOLDERS: number;
  export const DEEPEST: number;
  export function canBeTranscript(name: string): boolean;
  export function sessionFileOf(path: string): string | undefined;
}
