import type { Runs } from "./store/runs";

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Page {
    readonly runs: Runs;
  }
}
