import type { ExportFormat, ExportOptions, ExportPiece, SecretsFound } from "./model";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The next piece of the transcript as a document. */
    export(format: ExportFormat, name: string, from: number, options: ExportOptions): ExportPiece;
    /** The next step of a search for secrets in the messages from `first` to before `end`. */
    secrets(name: string, first: number, from: number, end: number): SecretsFound;
  }
}
