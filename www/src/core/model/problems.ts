export interface ProblemView {
  severity: "error" | "warning";
  rule: string;
  path: string;
  message: string;
  offset?: number;
  /** The row that it is about, or -1 for the file as a whole. */
  row: number;
}
