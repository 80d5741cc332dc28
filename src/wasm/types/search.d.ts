/** The options of a search. */
export interface SearchOptions {
  /**
   * The query is in the language of the viewer's search field: words are one phrase, `"…"` is a text of its own, `/…/` a
   * regular expression, `tool:bash` and the like are filters. Default: false, the query is one literal text.
   */
  query?: boolean;
  /** The query is a JavaScript regular expression; with `query`, its words are one. Default: false. */
  regex?: boolean;
  /** Match case. Default: false. */
  caseSensitive?: boolean;
  /** The maximum number of matches. Default: 1,000. */
  limit?: number;
  /** The index of the first message to search: of `session`, or of the main one, which is searched alone then. */
  from?: number;
  /** The index before which the search ends, like `from`. */
  to?: number;
  /** Search this one of `sessions`. Default: all, the main one first. */
  session?: string;
}
/** Matches as columns: the values at one index of the arrays are one match. */
export interface SearchColumns {
  /** The index of its message. */
  messages: Uint32Array;
  /** The index of its part in the message; 2**32 - 1 if it is in the error of the message itself. */
  parts: Uint32Array;
  /** The string in the part: an index in `fieldNames`. */
  fields: Uint32Array;
  /** The offset of its start in that string, in UTF-16 units. */
  starts: Uint32Array;
  /** The offset of its end. */
  ends: Uint32Array;
  /** JSON Pointers of strings in parts, without duplicates. */
  fieldNames: string[];
  /** Whether there are more matches than these. */
  capped: boolean;
}
/** How the words of a query are read. */
export interface QueryOptions {
  /** They are a regular expression. Default: false. */
  regex?: boolean;
  /** Case matters. Default: false. */
  caseSensitive?: boolean;
}
/** A query as it was read. With a mistake, nothing else of it is given. */
export interface ParsedQuery {
  /** The texts that a part must have. */
  terms: { text: string; regex: boolean; caseSensitive: boolean }[];
  /** The filters that it must pass. */
  filters: QueryFilter[];
  /** The first word that is written as a filter, and names none: it is searched for as it stands. */
  unknown?: string;
  /** What is wrong, in one sentence, and where in the query, in UTF-16 units from 0. */
  mistake?: { sentence: string; at: number };
}
/** A filter of a query; `negated` turns it round. Amounts are dollars, tokens or milliseconds. */
export type QueryFilter =
  | {
      name: "tool" | "status" | "exit" | "role" | "type" | "agent";
      negated: boolean;
      values: string[];
    }
  | {
      name: "cost" | "tokens" | "dur";
      negated: boolean;
      than: "<" | "<=" | ">" | ">=";
      value: number;
    };
