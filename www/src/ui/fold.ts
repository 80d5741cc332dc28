import type { LongText } from "./values";

const FOLD_LINES = 40;
const FOLD_BYTES = 8192;

/** Where a text folds: after 40 lines or 8 KB, whichever comes first; at its end where it is shorter. */
export function foldAt({ head, length, lines }: LongText): number {
  const end = Math.min(fits(head, length), length);
  if (end === length && lines <= FOLD_LINES) return length;
  let at = -1;
  for (let line = 0; line < FOLD_LINES; line++) {
    const next = head.indexOf("\n", at + 1);
    if (next === -1 || next > end) return end;
    at = next;
  }
  return at;
}

/** How many UTF-16 units of a text 8 KB of UTF-8 have room for; a pair of surrogates stays together. */
function fits(head: string, length: number): number {
  // No unit takes more than three bytes.
  if (length * 3 <= FOLD_BYTES) return length;
  let bytes = 0;
  for (let at = 0; at < head.length; ) {
    const code = head.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > FOLD_BYTES) return at;
    at += code < 0x10000 ? 1 : 2;
  }
  return head.length;
}
