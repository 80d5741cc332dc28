import type { Track } from "./model/tracks";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The sessions of tasks, which have no rows. */
    tracks(): Track[];
  }
}
