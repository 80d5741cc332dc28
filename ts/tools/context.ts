// What a registry gives its tools beside their arguments.
import type { OutputStore, Tool } from "apex-parts:glue";

/** A request of a tool. */
export type PermissionAsk = Parameters<Tool.Context["ask"]>[0] & {
  /** The bash command line whose commands the patterns are. */
  whole?: CommandLine;
};

/** A bash command line, and the names of the variables that its shell has, if they are known. */
export interface CommandLine {
  text: string;
  variables?: string[] | undefined;
}

/** The names of the variables that are set in an environment. */
export const variablesOf = (environment: Record<string, string | undefined>): string[] =>
  Object.keys(environment).filter((name) => environment[name] !== undefined);

/** The context of a tool, with what only those of this package use. */
export interface RunContext extends Omit<Tool.Context, "ask"> {
  ask(request: PermissionAsk): Promise<void>;
  /** Throws for the first of several requests that the rules deny: nothing is asked before what is denied is refused. */
  refuseDenied?(requests: PermissionAsk[]): void;
  /** For tools that cut their own output. */
  store?: OutputStore | undefined;
}
