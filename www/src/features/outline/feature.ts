import type { OutlineEntry } from "../../core/model/outline";
import type { Feature } from "../../core/page/feature";
import { Outline } from "./view";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    outline(start: number, end: number): OutlineEntry[];
  }
}

/** The messages by turn, at the side. */
export const outline = {
  side: { title: "Outline", View: Outline },
} satisfies Feature;
