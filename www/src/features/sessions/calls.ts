import type { Overview } from "../../core/model/overview";
import type { SessionView } from "../../core/model/sessions";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The sessions of tasks that the open file has. */
    sessions(): SessionView[];
    /** Shows the session of a task in the file's place; with an empty id the file's own, which is known. */
    showSession(id: string): Overview | undefined;
  }
}
