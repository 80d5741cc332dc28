import type { QueryFilter } from "apex-parts";
import { STATUS_NAMES } from "./layout";

/**
 * The language of the search field, as the module reads it (`parseQuery`): the page asks its worker for a query and its
 * mistakes. Here is what the page itself says of it, and what a filter means.
 */
export interface Query {
  terms: Term[];
  filters: Filter[];
}

export interface Term {
  text: string;
  regex: boolean;
  caseSensitive: boolean;
}

export type Filter = QueryFilter;
export type NumberFilter = "cost" | "tokens" | "dur";
export type Comparator = "<" | "<=" | ">" | ">=";

/** What is wrong with a query: one sentence, and the place in it, from 0. */
export interface Mistake {
  sentence: string;
  at: number;
}

/** How the words of a query are read. */
export interface Toggles {
  /** Words are a regular expression. */
  regex: boolean;
  /** Case matters. */
  caseSensitive: boolean;
}

/** A query as it was read; `unknown` is the first word that is written as a filter, and names none. */
export type QueryReading =
  | { query: Query; unknown?: string; mistake?: undefined }
  | { query?: undefined; mistake: Mistake };

const STATUSES: readonly string[] = STATUS_NAMES.filter((name) => name !== "");
const ROLES = ["user", "assistant", "other"];
const EXAMPLES: Record<Filter["name"], string> = {
  tool: "tool:bash",
  status: "status:failed",
  exit: "exit:101",
  role: "role:user",
  type: "type:reasoning",
  agent: "agent:build",
  cost: "cost>0.05",
  tokens: "tokens>1000",
  dur: "dur>10s",
};

export function isEmpty({ terms, filters }: Query): boolean {
  return terms.length === 0 && filters.length === 0;
}

/** Does a name match, where `*` stands for any letters? Case does not matter. */
export function matchesName(pattern: string, name: string): boolean {
  const pieces = pattern.toLowerCase().split("*");
  const whole = name.toLowerCase();
  const first = pieces.shift() ?? "";
  const last = pieces.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first) || whole.length < first.length + last.length) return false;
  if (!whole.endsWith(last)) return false;
  let at = first.length;
  const end = whole.length - last.length;
  for (const piece of pieces) {
    const found = whole.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** The filters, in the order in which they are told, each as it is begun: `tool:`, `cost>`. */
export const FILTER_HEADS: readonly string[] = Object.values(EXAMPLES).map(
  (example) => /^\w+[:<>]/.exec(example)?.[0] ?? example,
);

/** The values of the filters that have a few only. */
export const FILTER_VALUES: Readonly<Record<string, readonly string[]>> = {
  status: STATUSES,
  role: ROLES,
};
