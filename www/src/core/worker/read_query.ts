import { parseQuery } from "apex-parts";
import type { QueryReading, Toggles } from "../model/query";

/** Reads a query, by the language of the module; anything at all is one, or has a mistake. */
export function readQuery(text: string, toggles: Toggles): QueryReading {
  const { terms, filters, unknown, mistake } = parseQuery(text, toggles);
  if (mistake) return { mistake };
  return { query: { terms, filters }, ...(unknown === undefined ? {} : { unknown }) };
}
