// What a model reads of a tool is what a person sees: which characters are not seen, the module says.

/** Only a text with other characters than these is looked at by the module. */
const OTHERS = /[^\t\n\r -~]/;

/** What is seen of a text, and how many characters and sequences are not. `toolsVisible` is the module's function. */
export function visible(text, toolsVisible) {
  if (typeof text !== "string" || !OTHERS.test(text)) return [text, 0];
  return toolsVisible(text) ?? [text, 0];
}

const counted = (metadata, removed) => ({
  ...metadata,
  invisible: (metadata?.invisible ?? 0) + removed,
});

/** The function of a tool, whose output and errors are what is seen of them; `metadata.invisible` says how much is not. */
export const withVisible = (execute, toolsVisible) => async (args, context) => {
  let result;
  try {
    result = await execute(args, context);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [message, removed] = visible(error.message, toolsVisible);
    if (removed > 0) {
      error.message = message;
      error.metadata = counted(error.metadata, removed);
    }
    throw error;
  }
  const [output, removed] = visible(result?.output, toolsVisible);
  if (removed === 0) return result;
  return { ...result, output, metadata: counted(result.metadata, removed) };
};
