// The charset of a text: named by its header, then by its byte order mark, then by the page itself.

/** The bytes in which a page may name its charset. */
const META_BYTES = 4096;

/** What windows-1252 has at 0x80 to 0x9f, where ISO-8859-1, for which it is taken, has controls. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** The decoder of a label; undefined if there is no such charset here. */
function decoderOf(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** The charset that the parameters of a media type name. */
function ofHeader(type: string) {
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|'?([^\s;"']+))/i.exec(type) ?? [];
  return quoted ?? bare;
}

function ofMark([a, b, c]: Uint8Array) {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : undefined;
}

/** The charset that a `meta` element names. */
function ofMeta(bytes: Uint8Array) {
  const head = String.fromCharCode(...bytes.subarray(0, META_BYTES)).replace(/<!--.*?-->/gs, "");
  for (const [tag] of head.matchAll(/<meta\s[^>]*>/gi)) {
    const [, label] = /[\s"';/]charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag) ?? [];
    // A page in UTF-16 could not have been read so far.
    if (label !== undefined) return /^utf-?16/i.test(label) ? "utf-8" : label;
  }
  return undefined;
}

/** Every byte as a character. TextDecoder of some versions of Node takes 0x80 to 0x9f for controls. */
function decodedBytes(bytes: Uint8Array) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text.replace(/[\x80-\x9f]/g, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80] ?? c);
}

function decodedBy(decoder: TextDecoder, bytes: Uint8Array) {
  return decoder.encoding === "windows-1252" ? decodedBytes(bytes) : decoder.decode(bytes);
}

/**
 * The text of bytes with this media type. A charset that is not known counts as not named. Where none is named
 * it is UTF-8, and windows-1252 if it cannot be UTF-8, as in browsers.
 */
export function decoded(bytes: Uint8Array, type: string, isHtml: boolean): string {
  const named = [
    () => ofHeader(type),
    () => ofMark(bytes),
    () => (isHtml ? ofMeta(bytes) : undefined),
  ];
  for (const label of named) {
    const decoder = decoderOf(label() || "none");
    if (decoder) return decodedBy(decoder, bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodedBytes(bytes);
  }
}
