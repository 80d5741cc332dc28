import type { Compare } from "./store/compare";

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Page {
    readonly compare: Compare<Page>;
  }
}
