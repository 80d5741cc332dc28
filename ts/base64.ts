// Bytes as base64, and back; base64 as an address.

/** A multiple of three, so that no padding comes in between. A call has only so many arguments. */
const PIECE = 3 * 4096;

/** The base64 of these bytes, in the standard alphabet and with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  }
  return text;
}

/**
 * The bytes of base64 in the standard alphabet; white space in it is ignored.
 *
 * @throws {DOMException} If it is not base64.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The address of bytes that are given as base64. */
export const dataUrl = (mime: string, base64: string): string => `data:${mime};base64,${base64}`;
