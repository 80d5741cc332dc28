import type { Row } from "../model/rows";
import type { Cards } from "./feature";

/** What a row is, in words, for labels. */
export function rowName(row: Row, nameOf: Cards["nameOf"]): string {
  if (row.kind === "message") return `Message ${row.message}, ${row.roleName}`;
  return `Message ${row.message}, part ${row.part}: ${nameOf(row)}`;
}
