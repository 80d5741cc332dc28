import type { Feature } from "../../core/page/feature";
import type { ExportFormat, ExportOptions, ExportPiece, SecretsFound } from "./model";
import { type Exporting, stores } from "./store/exporting";
import { ExportDialog } from "./view";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The next piece of the transcript as a document. */
    export(format: ExportFormat, name: string, from: number, options: ExportOptions): ExportPiece;
    /** The next step of a search for secrets in the messages from `first` to before `end`. */
    secrets(name: string, first: number, from: number, end: number): SecretsFound;
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly exporting: Exporting;
  }
}

/** The open transcript as a file for others. */
export const exporting = {
  stores,
  slots: { dialog: ExportDialog },
  dialogButton: { name: "Share…", icon: "export", dialog: "export" },
} satisfies Feature;
