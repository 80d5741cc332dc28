import type { SummaryView } from "../../core/model/summary";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** What the run of the open transcript did. It takes a while where there are many messages. */
    summary(): SummaryView;
  }
}
