import type { SummaryView } from "../../core/model/summary";
import type { Feature } from "../../core/page/feature";
import { SummaryCard } from "./view/card";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** What the run of the open transcript did. It takes a while where there are many messages. */
    summary(): SummaryView;
  }
}

/** What the run did, above its rows. */
export const summary = {
  slots: { head: SummaryCard },
} satisfies Feature;
