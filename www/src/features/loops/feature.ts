import type { LoopView } from "../../core/model/loops";
import type { Feature } from "../../core/page/feature";
import { LoopMark } from "./view";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The loops in the open transcript. It takes a while where there are many messages. */
    loops(): LoopView[];
  }
}

/** What is said of the rows of a loop. */
export const loops = {
  slots: { loop: LoopMark },
} satisfies Feature;
