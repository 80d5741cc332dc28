import type { LoopView } from "../../core/model/loops";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The loops in the open transcript. It takes a while where there are many messages. */
    loops(): LoopView[];
  }
}
