// UTF-8 in which some bytes may not be UTF-8.

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes; undefined if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes the character that begins so has; 0 if none does. */
function lengthOf(first: number) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/**
 * The same, with half a character for each byte that is not text: no expression matches these, as those of ripgrep
 * match no such byte.
 */
export function marked(bytes: Uint8Array): string {
  const whole = textOf(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  let good = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = lengthOf(byte);
    const isGood =
      length === 1 || (length > 1 && textOf(bytes.subarray(at, at + length)) !== undefined);
    if (isGood) {
      at += length;
      continue;
    }
    text += (textOf(bytes.subarray(good, at)) ?? "") + String.fromCharCode(0xdc00 + byte);
    good = ++at;
  }
  return text + (textOf(bytes.subarray(good)) ?? "");
}

/** How many bytes at the end begin a character that goes on behind them. */
export function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
