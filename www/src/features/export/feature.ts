import type { Exporting } from "./store/exporting";

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Page {
    readonly exporting: Exporting;
  }
}
