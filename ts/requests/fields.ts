// What all formats need, on the way in and out: fields that may be anything, files, JSON.
import { type Fields, isObject } from "../tools/boundary.ts";

/** The most elements of an array that is read: a proxy, or an empty array, can claim any length. */
export const MAX_ELEMENTS: number = 1 << 24;

/** A copy of the fields of an object, each read once; undefined if it is not an object. */
export const fieldsOf = (value: unknown): Fields | undefined =>
  isObject(value) ? { ...value } : undefined;

/** A string that is not empty; undefined for everything else. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A string as it is; "" for everything else. */
export const stringOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

/** Marks for a cache: they are the caller's, not the history's. */
const MARKS = ["cache_control", "cachePoint"];

/** The fields of an object that are neither known nor null, nor marks. */
export const others = (value: Fields, known: string[]): Fields =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([name, field]) => field != null && !known.includes(name) && !MARKS.includes(name),
    ),
  );

/** Whether an object has no fields. */
export const isEmpty = (value: Fields): boolean => Object.keys(value).length === 0;

/** `metadata` with these fields under the key of a provider; nothing if there are none. */
export const kept = (key: string, fields: Fields): { metadata?: Fields } =>
  isEmpty(fields) ? {} : { metadata: { [key]: fields } };

/** The fields that are given: those that are undefined or null are left out. */
export const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field != null));

/** A string as it is, of everything else its JSON; "" for undefined. Throws for what cannot be JSON. */
export const jsonText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** MIME types by the ending of an address. */
const MIME: { [ending: string]: string } = {
  ...{ png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif" },
  ...{ webp: "image/webp", svg: "image/svg+xml", pdf: "application/pdf", txt: "text/plain" },
  ...{ mp3: "audio/mp3", wav: "audio/wav", mp4: "video/mp4" },
};

/** The MIME type that an address states or whose ending it has; otherwise the default. */
export function mimeOf(url: string, otherwise: string = "image/*"): string {
  const data = /^data:([^;,]+)/i.exec(url.slice(0, 200))?.[1];
  if (data !== undefined) return data.toLowerCase();
  const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(url.slice(0, 4096))?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(MIME, ending) ? (MIME[ending] ?? otherwise) : otherwise;
}
