import type { Query } from "../../core/model/query";
import type { RunFacts, RunHits } from "./model/runs";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** What a list of runs says of a file, which is read whole for that and left again. */
    runFacts(source: Source): RunFacts;
    /** What a query finds in a file, likewise. */
    runHits(source: Source, query: Query): RunHits;
  }
}
