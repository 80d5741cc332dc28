// What rules deny of files, whoever might be asked.
import type { RunContext } from "../context.ts";
import type { Place } from "./paths.ts";

/** Whether the rules deny this for a file, by its path or by where that leads. */
export const isDenied = (
  { evaluate }: Pick<RunContext, "evaluate">,
  permission: string,
  patterns: string[],
): boolean => patterns.some((pattern) => evaluate?.(permission, pattern).action === "deny");

/** Rejects, as the rules have it, if they deny this for a place. */
export async function assertNotDenied(
  context: RunContext,
  permission: string,
  { patterns }: Pick<Place, "patterns">,
): Promise<void> {
  if (!isDenied(context, permission, patterns)) return;
  await context.ask({ permission, patterns, always: [], metadata: {} });
}

/** Whether a file below a place may be read; undefined if no rule denies anything. */
export function readableBelow(
  context: RunContext,
  { patternsBelow }: Pick<Place, "patternsBelow">,
): ((path: string) => boolean) | undefined {
  const { evaluate, rules } = context;
  if (evaluate === undefined) return undefined;
  if (rules !== undefined && !rules().some(({ action }) => action === "deny")) return undefined;
  return (path) => !isDenied(context, "read", patternsBelow(path));
}

/** The note on files of which nothing is shown. */
export const withheldNote = (count: number): string =>
  count === 1
    ? "(1 file is withheld: the rules deny reading it.)"
    : `(${count} files are withheld: the rules deny reading them.)`;
