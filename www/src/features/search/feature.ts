import type { Search } from "./store/search";

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Page {
    readonly search: Search;
  }
}
