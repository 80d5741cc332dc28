import type { Calls, Desk } from "../../../core/worker/desk";
import { Searches } from "./search";

export function search(desk: Desk): Calls<"search" | "hits" | "marks"> {
  const searches = new Searches(desk);
  return {
    search: (query) => searches.search(query),
    hits: (id, start, end) => searches.hits(id, start, end),
    marks: (id, rows, hit) => searches.marks(id, rows, hit),
  };
}
