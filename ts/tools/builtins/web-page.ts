// What a model is shown of the bytes that a URL gave.
import {
  toolsBase,
  toolsBinaryMessage,
  toolsFileType,
  toolsMarkdown,
  toolsText,
} from "apex-parts:glue";
import { dataUrl, encodeBase64 } from "../../base64.ts";
import { Expected } from "../expected.ts";
import { decoded } from "./charset.ts";

/** As what a page is given. */
export type PageFormat = "markdown" | "text" | "html";
type FileType = ReturnType<typeof toolsFileType>;

const HEAD = 4096;
const HTML = new Set(["text/html", "application/xhtml+xml"]);

/** The media type of a header, without its parameters. */
const mimeOf = (type: string) => type.replace(/;.*$/s, "").trim().toLowerCase();

/** Whether a text, as no header says what it is, begins as HTML does. */
const looksLikeHtml = (text: string) => text.trimStart().startsWith("<");

/** Makes the links of a page absolute. */
function resolver(html: string, url: string) {
  const base = absolute(toolsBase(html) ?? "", url) ?? url;
  return (target: string) => absolute(target, base);
}

function absolute(target: string, base: string) {
  try {
    return new URL(target, base).href;
  } catch {
    return undefined;
  }
}

/** The media type of an image, by its bytes first; undefined if it is none, or SVG, which is text. */
function imageType({ isBinary, mime: known }: FileType, mime: string) {
  if (!isBinary) return undefined;
  const type = known ?? (mime === "image/svg+xml" ? "" : mime);
  return type.startsWith("image/") ? type : undefined;
}

function converted(html: string, url: string, format: PageFormat) {
  if (format === "html") return html;
  return format === "text" ? toolsText(html) : toolsMarkdown(html, resolver(html, url));
}

/** What a model is shown of a page. */
export interface ShownPage {
  output: string;
  /** The media type. */
  type: string;
  /** Of an image. */
  attachment?: { type: "file"; mime: string; url: string };
}

/**
 * What is shown of bytes with the media type of a header, "" if there is none. Throws what the model is told of bytes
 * that are neither an image nor text.
 */
export function shownPage(
  bytes: Uint8Array,
  { type, url, format }: { type: string; url: string; format: PageFormat },
): ShownPage {
  const head = bytes.subarray(0, HEAD);
  const file = toolsFileType(head);
  const mime = mimeOf(type);
  const image = imageType(file, mime);
  if (image !== undefined) {
    const attachment = {
      type: "file",
      mime: image,
      url: dataUrl(image, encodeBase64(bytes)),
    } as const;
    return { output: "Image attached.", type: type || image, attachment };
  }
  const text = decoded(bytes, type, mime === "" || HTML.has(mime));
  // Text in UTF-16 has bytes that no other text has, and a PDF may begin with many that are.
  const isText = !file.isBinary || /charset\s*=\s*["']?utf-?16/i.test(type);
  if (!isText || file.mime === "application/pdf" || text.slice(0, HEAD).includes("\0")) {
    throw new Expected(toolsBinaryMessage(url, bytes.length, head));
  }
  if (mime !== "") return { output: HTML.has(mime) ? converted(text, url, format) : text, type };
  if (!looksLikeHtml(text)) return { output: text, type: "text/plain" };
  return { output: converted(text, url, format), type: "text/html" };
}
