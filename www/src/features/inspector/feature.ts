import type { Feature } from "../../core/page/feature";
import type { Detail } from "./model";
import { Inspector, InspectorPane } from "./view";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    detail(row: number): Detail;
  }
}

/** The selected part in full. */
export const inspector = {
  slots: { inspector: Inspector },
  panes: { inspector: { View: InspectorPane } },
} satisfies Feature;
