// Texts on their way into files.
import { Expected } from "../expected.ts";

/** Half a surrogate pair: a whole one is one character here, and no surrogate. */
const LONE = /\p{Surrogate}/u;
export const BOM = "\ufeff";

/** Refuses a text with half a character: no encoding has bytes for it. */
export function assertWhole(text: string, name: string): void {
  const at = text.search(LONE);
  if (at >= 0) {
    throw new Expected(`${name} holds half a character at ${at}. Give it without that.`);
  }
}

/** How many lines a text has; the last need not have an end. */
export function lineCount(text: string): number {
  let lines = 0;
  let isOpen = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    isOpen = unit !== 10 && unit !== 13;
    if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) lines++;
  }
  return isOpen ? lines + 1 : lines;
}

/** An encoding of two bytes a unit. */
export type Utf16 = "utf-16le" | "utf-16be";

/** The encoding whose mark a file begins with; undefined if there is none. */
export function utf16Of(bytes: Uint8Array | undefined): Utf16 | undefined {
  if (bytes?.[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes?.[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** A file in UTF-16 as UTF-8, without its mark; undefined if there is half a character in it. */
export function fromUtf16(bytes: Uint8Array, encoding: Utf16): Uint8Array | undefined {
  try {
    return new TextEncoder().encode(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** A text in UTF-16, with its mark. */
export function toUtf16(text: string, encoding: Utf16): Uint8Array {
  const marked = text.startsWith(BOM) ? text : BOM + text;
  const view = new DataView(new ArrayBuffer(marked.length * 2));
  for (let i = 0; i < marked.length; i++) {
    view.setUint16(i * 2, marked.charCodeAt(i), encoding === "utf-16le");
  }
  return new Uint8Array(view.buffer);
}
