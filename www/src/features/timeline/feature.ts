import type { TimelineState } from "./store";

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Page {
    readonly timeline: TimelineState;
  }
}
