// What the catalogue has of a rule or an error.

/**
 * An example takes the exports of its entry, of which most break what the types say, too: that is what they are
 * examples of.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Example = (exports: any) => unknown;

/** A rule or an error. */
export interface Rule {
  code: string;
  /** What part of the package it is about. */
  source: string;
  severity?: string;
  /** What a loop suggests. */
  action?: string;
  says: string;
  cure: string;
  /** What breaks it: what it returns or throws has the code, or the one that it `gives`. */
  example?: Example;
  gives?: string;
  /** The entry that the example imports from, by default `apex-parts`. */
  from?: string;
  /** Why no input breaks it. */
  never?: string;
}

/** A rule as it is written: what it has in common with others of its list is added. */
export type Entry = Omit<Rule, "source"> & { source?: string };

/** Rules under a title. */
export interface Group {
  title: string;
  rules: Rule[];
}
