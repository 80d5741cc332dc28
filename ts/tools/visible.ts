// What a model reads of a tool is what a person sees: which characters are not seen, the module says.

import type { Tool } from "apex-parts:glue";

type ToolsVisible = typeof import("apex-parts:glue").toolsVisible;
type Metadata = Record<string, unknown> & { invisible?: number };
/** Of a tool, its arguments and what it is called with. */
type Execute<A, C> = (args: A, context: C) => Promise<Tool.Result>;

/** Only a text with other characters than these is looked at by the module. */
const OTHERS = /[^\t\n\r -~]/;

/** What is seen of a text, and how many characters and sequences are not. `toolsVisible` is the module's function. */
export function visible<T>(
  text: T,
  toolsVisible: ToolsVisible,
): [text: T | string, removed: number] {
  if (typeof text !== "string" || !OTHERS.test(text)) return [text, 0];
  return toolsVisible(text) ?? [text, 0];
}

const counted = (metadata: Metadata | undefined, removed: number): Metadata => ({
  ...metadata,
  invisible: (metadata?.invisible ?? 0) + removed,
});

/** The function of a tool, whose output and errors are what is seen of them; `metadata.invisible` says how much is not. */
export const withVisible =
  <A, C>(execute: Execute<A, C>, toolsVisible: ToolsVisible): Execute<A, C> =>
  async (args, context) => {
    let result: Tool.Result;
    try {
      result = await execute(args, context);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const [message, removed] = visible(error.message, toolsVisible);
      if (removed > 0) {
        // What a tool says of its failure is with the error.
        const failed = error as Error & { metadata?: Metadata };
        failed.message = message;
        failed.metadata = counted(failed.metadata, removed);
      }
      throw error;
    }
    const [output, removed] = visible(result?.output, toolsVisible);
    if (removed === 0) return result;
    return { ...result, output, metadata: counted(result.metadata, removed) };
  };
