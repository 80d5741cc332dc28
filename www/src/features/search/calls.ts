import type { Query } from "../../core/model/query";
import type { HitMarks, HitView, SearchAnswer } from "./model/hits";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** Runs a search, which replaces the one before it. */
    search(query: Query): SearchAnswer;
    /** Some hits of the search with this id, for a list of them. */
    hits(id: number, start: number, end: number): HitView[];
    /** What the search with this id found in these rows; of many hits in one, those around `hit`. */
    marks(id: number, rows: number[], hit: number): HitMarks[];
  }
}
