// The options of all commands, and what is given for them.

interface Flag {
  type: "boolean" | "string";
  short?: string;
  multiple?: boolean;
}

/** The options of all commands, in the order of the help, as `parseArgs` takes them. */
export const FLAGS = {
  json: { type: "boolean" },
  ids: { type: "string" },
  for: { type: "string" },
  threshold: { type: "string" },
  "max-iterations": { type: "string" },
  literal: { type: "boolean" },
  regex: { type: "boolean" },
  "case-sensitive": { type: "boolean" },
  limit: { type: "string" },
  to: { type: "string" },
  session: { type: "string" },
  "new-ids": { type: "boolean" },
  title: { type: "string" },
  directory: { type: "string" },
  out: { type: "string", short: "o" },
  port: { type: "string" },
  "no-open": { type: "boolean" },
  context: { type: "string" },
  input: { type: "string" },
  output: { type: "string" },
  plan: { type: "boolean" },
  request: { type: "boolean" },
  summary: { type: "string" },
  prune: { type: "boolean" },
  truncate: { type: "boolean" },
  overflow: { type: "boolean" },
  keep: { type: "string" },
  mask: { type: "string", multiple: true },
  list: { type: "boolean" },
  "tail-turns": { type: "string" },
  reserved: { type: "string" },
  protect: { type: "string" },
  minimum: { type: "string" },
  estimator: { type: "string" },
  format: { type: "string" },
  parts: { type: "boolean" },
  deltas: { type: "boolean" },
  follow: { type: "boolean" },
  "think-tags": { type: "boolean" },
  dir: { type: "string" },
  allow: { type: "string", multiple: true },
  strict: { type: "boolean" },
} as const;

/** The name of an option. */
export type FlagName = keyof typeof FLAGS;

type ValueOf<F extends Flag> = F["type"] extends "boolean"
  ? boolean
  : F extends { multiple: true }
    ? string[]
    : string;

/** What is given for the options. */
export type Values = { [Name in FlagName]?: ValueOf<(typeof FLAGS)[Name]> };

/** The names of options that take a string. */
export type TextFlag = {
  [Name in FlagName]: Values[Name] extends string | undefined ? Name : never;
}[FlagName];

/** The one letter by which an option can be given, too. */
export function shortOf(name: FlagName): string | undefined {
  const flag: Flag = FLAGS[name];
  return flag.short;
}
