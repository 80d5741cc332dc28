// Files of the user and of results, as formats take them.

import type { FilePart } from "apex-parts:glue";
import { dataUrl, decodeBase64, encodeBase64 } from "../base64.ts";
import type { Fields } from "../tools/boundary.ts";
import type { Place } from "./entries.ts";
import { type Report, warn } from "./placed.ts";
import { stateFor } from "./state.ts";
import type { RequestFormat } from "./types.ts";
import { isBlank } from "./unsent.ts";
import { wellFormed } from "./well-formed.ts";

/** What a format can do with a file. */
export type FileKind = "image" | "pdf" | "text" | "audio" | "other";
/** A file that comes as bytes or as an address. */
export interface SentFile {
  kind: FileKind;
  mime: string;
  name: string | undefined;
  /** Its bytes in base64. */
  data: string | undefined;
  /** Its address on the web. */
  url: string | undefined;
  /** What the format has of it besides. */
  state: Fields;
}

/** The head of a `data:` URL: its MIME type, and whether base64 follows. */
const DATA = /^data:([^;,]*)((?:;[^;,]*)*),/i;
const LONGEST_HEAD = 1024;
/** The audio of Chat Completions, by its MIME type. */
export const AUDIO: { [mime: string]: "wav" | "mp3" } = {
  ...{ "audio/wav": "wav", "audio/x-wav": "wav", "audio/wave": "wav" },
  ...{ "audio/mpeg": "mp3", "audio/mp3": "mp3" },
};

function kindOfFile(mime: string, isData: boolean): FileKind {
  if (mime.startsWith("image/")) return "image";
  if (mime === "application/pdf") return "pdf";
  if (mime.startsWith("text/") && isData) return "text";
  return Object.hasOwn(AUDIO, mime) && isData ? "audio" : "other";
}

/** The bytes of what is percent-encoded, in base64; undefined if it cannot be decoded. */
function unescaped(text: string): string | undefined {
  try {
    return encodeBase64(new TextEncoder().encode(decodeURIComponent(text)));
  } catch {
    return undefined;
  }
}

export function sentFile(file: FilePart, format: RequestFormat): SentFile {
  const { mime: given, url, filename } = file;
  const state = stateFor(format, file) ?? {};
  const mime = given.toLowerCase();
  const name = typeof filename === "string" && filename !== "" ? filename : undefined;
  const head = DATA.exec(url.slice(0, LONGEST_HEAD));
  if (head) {
    const [whole, ofURL = "", options = ""] = head;
    const rest = url.slice(whole.length);
    const data = /;\s*base64\s*$/i.test(options) ? rest : unescaped(rest);
    const type = (mime === "" || mime.endsWith("/*")) && ofURL !== "" ? ofURL.toLowerCase() : mime;
    const kind = data === undefined ? "other" : kindOfFile(type, true);
    return { kind, mime: type, name, data, url: undefined, state };
  }
  const isWeb = /^https?:\/\//i.test(url.slice(0, 8));
  const kind = isWeb ? kindOfFile(mime, false) : "other";
  return { kind, mime, name, data: undefined, url: isWeb ? url : undefined, state };
}

export const dataURL = ({ mime, data = "" }: SentFile): string => dataUrl(mime, data);

/** The text of a file of text; undefined if it is not UTF-8, or says nothing. */
function textOf({ data = "" }: SentFile): string | undefined {
  try {
    const text = wellFormed(new TextDecoder("utf-8", { fatal: true }).decode(decodeBase64(data)));
    return isBlank(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What a format makes of files. */
export interface FileRules<Block> {
  format: RequestFormat;
  text(text: string): Block;
  /** A block; undefined if the format has none for it. Files of text come only to a format with `isRawText`. */
  file(file: SentFile): Block | undefined;
  /** Whether files of text go as bytes. */
  isRawText?: boolean;
}

/** The block of a file, else text that names it (RQ-1). */
export function fileBlock<Block>(
  file: FilePart,
  rules: FileRules<Block>,
  place: Place,
  report: Report,
): Block {
  const sent = sentFile(file, rules.format);
  let block: Block | undefined;
  if (sent.kind === "text" && rules.isRawText !== true) {
    const text = textOf(sent);
    block = text === undefined ? undefined : rules.text(text);
  } else block = rules.file(sent);
  if (block !== undefined) return block;
  const attached = `[Attached ${sent.mime}: ${sent.name ?? "file"}]`;
  const message = `the provider does not take this file: ${attached.slice(0, 200)} is sent in its place`;
  warn(report, "RQ-1", message, place.index, place.at);
  return rules.text(attached);
}
