/** The command's own words above a document; see js/cli/page.mjs. */
declare module "*/js/cli/page.mjs" {
  import type { PageOptions, Transcript } from "apex-parts";

  export function pageOf(
    transcript: Transcript,
    name: string,
    session: string | undefined,
  ): PageOptions;
}
