import type { Calls, Desk } from "../../../core/worker/desk";
import { readQuery } from "../../../core/worker/read_query";
import { Searches } from "./search";

export function search(desk: Desk): Calls<"readQuery" | "search" | "hits" | "marks"> {
  const searches = new Searches(desk);
  return {
    readQuery: (text, toggles) => desk.ready.then(() => readQuery(text, toggles)),
    search: (text, toggles) => searches.search(text, toggles),
    hits: (id, start, end) => searches.hits(id, start, end),
    marks: (id, rows, hit) => searches.marks(id, rows, hit),
  };
}
