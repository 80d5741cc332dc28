import type { Feature } from "../../core/page/feature";
import type { Track } from "./model/tracks";
import { stores, type TimelineState } from "./store";
import { TimelinePane } from "./view/timeline";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The sessions of tasks, which have no rows. */
    tracks(): Track[];
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly timeline: TimelineState;
  }
}

/** The course of the session in time. */
export const timeline = {
  stores,
  panes: { timeline: { View: TimelinePane } },
  keys: [{ keys: ["0"], does: "fit the timeline", run: ({ timeline }) => timeline.fit() }],
} satisfies Feature;
