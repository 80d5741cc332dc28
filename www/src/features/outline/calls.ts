import type { OutlineEntry } from "../../core/model/outline";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    outline(start: number, end: number): OutlineEntry[];
  }
}
