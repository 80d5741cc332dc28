// Bytes as a data URL, as attachments have it.

/** A multiple of three, so that no padding comes in between. */
const PIECE = 3 * 4096;

export function dataUrl(bytes: Uint8Array, mime: string): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  }
  return `data:${mime};base64,${text}`;
}
