import type { Calls, Desk } from "../../../core/worker/desk";
import { hits, marks, search as searchIn } from "./search";

export const search = (desk: Desk): Calls<"search" | "hits" | "marks"> => ({
  search: (query) => searchIn(desk, query),
  hits,
  marks,
});
