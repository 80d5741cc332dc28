export type ExportFormat = "json" | "markdown" | "html";

/** Some of a document that is made, and the message that comes next; all are in when it is the count. */
export interface ExportPiece {
  blob: Blob;
  next: number;
}
