import type { Key } from "../../core/page/keys";
import type { TimelineState } from "./store";

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Page {
    readonly timeline: TimelineState;
  }
}

export const TIMELINE_KEYS: Key[] = [
  { keys: ["0"], does: "fit the timeline", run: (viewer) => viewer.timeline.fit() },
];
