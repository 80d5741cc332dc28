import type { Detail } from "./model";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    detail(row: number): Detail;
  }
}
