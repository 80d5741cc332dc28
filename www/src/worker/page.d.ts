/** The types of js/cli/page.mjs: what the command writes at the head of an exported document. */
declare module "*/js/cli/page.mjs" {
  import type { PageOptions, Transcript } from "apex-parts";

  export function pageOf(
    transcript: Transcript,
    name: string,
    session: string | undefined,
  ): PageOptions;
}
