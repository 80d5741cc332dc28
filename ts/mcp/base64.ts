// Base64 of files: checked and fixed here, because it never crosses into the module.
import { decodeBase64 } from "../base64.ts";

/** The most characters of what may stand before base64 in a `data:` URL. */
const LONGEST_PREFIX = 1024;
const ALPHABET = /^[A-Za-z0-9+/]+$/;

const paddingOf = (text: string) => (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);

/** The bytes that base64 stands for as it is; 0 if it is empty or not strict. */
function strictBytes(text: string) {
  const { length } = text;
  if (length === 0 || length % 4 !== 0) return 0;
  const padding = paddingOf(text);
  const bytes = (length / 4) * 3 - padding;
  // The engine's own decoder is four times as fast as any loop or expression over the characters. It passes over
  // white space, but then it gives fewer bytes than so many characters stand for.
  if (typeof atob === "function") {
    try {
      return atob(text).length === bytes ? bytes : 0;
    } catch {
      return 0;
    }
  }
  return ALPHABET.test(text.slice(0, length - padding)) ? bytes : 0;
}

/**
 * `{text, bytes, mended}`, where the text is strict base64; undefined if it is not base64. What is fixed: a `data:`
 * prefix, white space, the alphabet of URLs and padding that is missing.
 */
export function readBase64(
  given: string,
): { text: string; bytes: number; mended: boolean } | undefined {
  let bytes = strictBytes(given);
  if (bytes > 0) return { text: given, bytes, mended: false };
  let text = given.trimStart();
  if (/^data:/i.test(text)) {
    const comma = text.slice(0, LONGEST_PREFIX).indexOf(",");
    if (comma < 0 || !/;\s*base64\s*$/i.test(text.slice(0, comma))) return undefined;
    text = text.slice(comma + 1);
  }
  text = text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  const lacking = (4 - (text.length % 4)) % 4;
  if (lacking > 0) text += "=".repeat(lacking);
  bytes = strictBytes(text);
  // What one or two of `=` follow must be whole: `QUI=` lacks nothing, `QQ=` lacks one, `Q` lacks a character.
  return bytes > 0 ? { text, bytes, mended: true } : undefined;
}

/** The text of base64; undefined if its bytes are not UTF-8. */
export function textOfBase64(text: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(decodeBase64(text));
  } catch {
    return undefined;
  }
}
