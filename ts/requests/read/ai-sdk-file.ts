// The files of the AI SDK's messages, in every form that its versions 6 and 7 take.
import { dataUrl, encodeBase64 } from "../../base64.ts";
import { type Fields, isObject } from "../../tools/boundary.ts";
import { fieldsOf, mimeOf, stringOf } from "../fields.ts";
import type { NewFile, NewPart } from "./builder.ts";

/** The key of what only the AI SDK knows. */
export const AI_SDK = "ai-sdk";

/** Files of these types are sent by `toModelMessage` only if they say that they are the AI SDK's. */
const SAID = ["text/plain", "application/x-directory"];

/** A part that no type of the model has a place for, in the form of a part of a UI message. */
export const customOf = (type: string, part: unknown): NewPart => ({
  type: `${AI_SDK}-${type}`,
  metadata: { [AI_SDK]: { part } },
});

/** State of providers, as `metadata`; nothing if there is none. */
export function stateOf(state: unknown, more: Fields = {}): { metadata?: Fields } {
  const metadata = { ...(fieldsOf(state) ?? {}), ...more };
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

/** A file with this address. */
export function fileAt(url: string, type: unknown, filename: unknown, state: unknown): NewFile {
  const mime = stringOf(type) ?? mimeOf(url);
  const name = stringOf(filename);
  return {
    ...{ type: "file", mime, url, ...(name !== undefined && { filename: name }) },
    ...stateOf(state, SAID.includes(mime) ? { [AI_SDK]: { mediaType: mime } } : {}),
  };
}

/** The bytes of an array of them, or of a `Buffer` that JSON has; undefined for everything else. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const fields = isObject(value) ? value : {};
  const { type, data } = fields;
  return type === "Buffer" && Array.isArray(data) && data.length <= 1 << 30
    ? Uint8Array.from(data)
    : undefined;
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

/** The address of a file's data: a string, a URL, bytes, or one of these with a tag. Undefined for a reference. */
export function addressOf(data: unknown, mime: string): string | undefined {
  if (typeof data === "string") {
    // Base64 has no colon.
    return ADDRESS.test(data.slice(0, 64)) ? data : dataUrl(mime, data);
  }
  if (data instanceof URL) return data.href;
  const bytes = bytesOf(data);
  if (bytes !== undefined) return dataUrl(mime, encodeBase64(bytes));
  const tagged = fieldsOf(data);
  switch (tagged?.type) {
    case "data":
      return isObject(tagged.data) && "type" in tagged.data && tagged.data.type !== "Buffer"
        ? undefined
        : addressOf(tagged.data, mime);
    case "url":
      return tagged.url instanceof URL ? tagged.url.href : stringOf(tagged.url);
    case "text":
      return typeof tagged.text === "string"
        ? dataUrl(mime, encodeBase64(new TextEncoder().encode(tagged.text)))
        : undefined;
    default:
      return undefined;
  }
}

/** The reference to a file that providers hold; undefined if the data is not one. */
export function referenceOf(data: unknown): Fields | undefined {
  const fields = fieldsOf(data);
  if (fields === undefined) return undefined;
  if (fields.type === "reference") return fieldsOf(fields.reference);
  const names = Object.values(fields);
  const isPlain = names.length > 0 && names.every((name) => typeof name === "string");
  return isPlain && fields.type === undefined ? fields : undefined;
}
