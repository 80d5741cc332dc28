// The output of a call: cut at whole lines, with a note that says where the whole is.

import {
  type OutputStore,
  type TruncateOptions,
  toolsLineFeeds,
  toolsNote,
  toolsTruncate,
} from "apex-parts:glue";
import { log } from "apex-parts:shared";

export const MAX_LINES = 2000;
export const MAX_BYTES = 51_200;
/** The most bytes that are given to a store. */
export const MAX_SAVED: number = 64 * 1024 * 1024;

const limit = (value: number | undefined, otherwise: number) =>
  value !== undefined && Number.isSafeInteger(value) && value >= 0 && value <= 0xffffffff
    ? value
    : otherwise;

/** The text as far as it is saved. */
function savable(text: string) {
  if (text.length * 3 <= MAX_SAVED) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_SAVED));
  return text.slice(0, read);
}

/** The longest note of an earlier truncation: a text that is longer by more is too long in any case. */
const LONGEST_NOTE = 4300;
/** How much is counted at a time, in UTF-16 units. */
const PIECE = 1 << 18;

const isFirstHalf = (code: number) => code >= 0xd800 && code < 0xdc00;

/** The line feeds and the bytes of a text, which is not copied as a whole. */
function counted(text: string) {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(Math.min(text.length, PIECE) * 3);
  let lines = 0;
  let bytes = 0;
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    if (to < text.length && isFirstHalf(text.charCodeAt(to - 1))) to--;
    const { written } = encoder.encodeInto(text.slice(from, to), buffer);
    lines += toolsLineFeeds(buffer.subarray(0, written));
    bytes += written;
    from = to;
  }
  return { lines, bytes };
}

/** What is kept of a text, and the lines and bytes left out; undefined if all of it is kept. */
function cut(text: string, lines: number, bytes: number, isTail: boolean) {
  if (text.length > bytes + LONGEST_NOTE) {
    // What is kept depends on one end of the text only.
    const size = bytes + 4;
    const piece = isTail ? text.slice(-size) : text.slice(0, size);
    const [kept] = toolsTruncate(piece, lines, bytes, isTail) ?? [];
    if (kept !== undefined) {
      const end = text.endsWith("\n") ? text.length - 1 : text.length;
      const rest = isTail ? text.slice(0, end - kept.length) : text.slice(kept.length, end);
      const left = counted(rest);
      return [
        kept,
        left.lines + (kept === "" ? 1 : 0),
        left.bytes + text.length - end,
      ] satisfies ReturnType<typeof toolsTruncate>;
    }
  }
  return toolsTruncate(text, lines, bytes, isTail);
}

/** What takes the place of an output that is too long. */
export interface TruncatedOutput {
  output: string;
  /** To add to that of the call. */
  metadata: Record<string, unknown>;
}

/** Cuts an output that is too long, and puts the whole of it into the store; undefined if nothing is cut. */
export async function truncated(
  output: string,
  options: TruncateOptions | undefined,
  store: OutputStore | undefined,
  about: Parameters<OutputStore["save"]>[1],
): Promise<TruncatedOutput | undefined> {
  const isTail = options?.direction === "tail";
  const lines = limit(options?.maxLines, MAX_LINES);
  const bytes = limit(options?.maxBytes, MAX_BYTES);
  // Most outputs are short, and are not copied to find that out.
  if (output.length * 3 <= bytes && output.length < lines) return undefined;
  const shortened = cut(output, lines, bytes, isTail);
  if (shortened === undefined) return undefined;
  const [kept, omittedLines, omittedBytes] = shortened;
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
  const metadata: Record<string, unknown> = {
    truncated: true,
    omitted: { lines: omittedLines, bytes: omittedBytes },
  };
  if (path !== "") metadata.outputPath = path;
  return { output: isTail ? `${note}\n\n${kept}` : `${kept}\n\n${note}`, metadata };
}
