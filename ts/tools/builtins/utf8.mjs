// UTF-8 that may have bytes in it that are none.

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes; undefined if they are no UTF-8. */
export function textOf(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes the character that begins so has; 0 if none does. */
function lengthOf(first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/**
 * The same, with half a character for each byte that is no text: no expression takes these, as ripgrep's take
 * no such byte.
 */
export function marked(bytes) {
  const whole = textOf(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  let good = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at]);
    const isGood =
      length === 1 || (length > 1 && textOf(bytes.subarray(at, at + length)) !== undefined);
    if (isGood) {
      at += length;
      continue;
    }
    text += (textOf(bytes.subarray(good, at)) ?? "") + String.fromCharCode(0xdc00 + bytes[at]);
    good = ++at;
  }
  return text + (textOf(bytes.subarray(good)) ?? "");
}

/** How many bytes at the end begin a character that goes on behind them. */
export function unfinished(bytes) {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
