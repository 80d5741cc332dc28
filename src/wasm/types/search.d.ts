/** The options of a search. */
export interface SearchOptions {
  /** The query is a JavaScript regular expression. Default: false. */
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
  /** The index of its part in the message. */
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
