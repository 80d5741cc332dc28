export type ExportFormat = "json" | "markdown" | "html";

/** A piece of an exported document, and the index of the message after it: the count after the last piece. */
export interface ExportPiece {
  blob: Blob;
  next: number;
}
