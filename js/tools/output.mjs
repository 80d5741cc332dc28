// The output of a call: cut at whole lines, with a note that says where the whole is.
import { log } from "apex-parts:bridge";
import { toolsNote, toolsTruncate } from "apex-parts:glue";

export const MAX_LINES = 2000;
export const MAX_BYTES = 51_200;
/** The most bytes that are given to a store. */
const MAX_SAVED = 64 * 1024 * 1024;

const limit = (value, otherwise) =>
  Number.isSafeInteger(value) && value >= 0 && value <= 0xffffffff ? value : otherwise;

/** The text as far as it is saved. */
function savable(text) {
  if (text.length * 3 <= MAX_SAVED) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_SAVED));
  return text.slice(0, read);
}

/**
 * Cuts an output that is too long, and puts the whole of it into the store. Gives the text and the metadata
 * to add; undefined if nothing is cut.
 */
export async function truncated(output, options, store, about) {
  const isTail = options?.direction === "tail";
  const lines = limit(options?.maxLines, MAX_LINES);
  const bytes = limit(options?.maxBytes, MAX_BYTES);
  // Most outputs are short, and are not copied to find that out.
  if (output.length * 3 <= bytes && output.length < lines) return undefined;
  const cut = toolsTruncate(output, lines, bytes, isTail);
  if (cut === undefined) return undefined;
  const [kept, omittedLines, omittedBytes] = cut;
  let path = "";
  let isCut = false;
  if (store) {
    try {
      const whole = savable(output);
      isCut = whole.length < output.length;
      path = String(await store.save(whole, about));
    } catch (error) {
      log("error", `the output of ${about.tool} could not be saved`, error);
    }
  }
  const note = toolsNote(omittedLines, omittedBytes, path, isCut);
  const metadata = { truncated: true, omitted: { lines: omittedLines, bytes: omittedBytes } };
  if (path !== "") metadata.outputPath = path;
  return { output: isTail ? `${note}\n\n${kept}` : `${kept}\n\n${note}`, metadata };
}
