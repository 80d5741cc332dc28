// mcpContentToParts, mcpResourceToParts: results of servers, as text and files for a model. The rules are the
// module's; the base64 of files stays here.
import { type FilePart, type McpFile, toolsMcpContent, toolsMcpNewId } from "apex-parts:glue";
import { problem } from "../problem.ts";
import type { Fields } from "../tools/boundary.ts";
import { readBase64, textOfBase64 } from "./base64.ts";
import { PlainCopies, read } from "./plain.ts";
import type { McpLimits, McpParts, McpResultContext } from "./types.ts";

/** The most items of a result. */
const MOST_ITEMS = 100_000;
/** How much of base64 says what kind of file it is. */
const HEAD = 24;
/** Blobs of more characters are files even if they are text. */
const LONGEST_TEXT_BLOB = 16 << 20;
/** The characters that are compared to find base64 of items in structured content; beyond that, only its ends. */
const MOST_COMPARED = 1 << 28;
const SAMPLE = 256;
const IS_TEXT = /^\s*(?:text\/|application\/json)/i;

const LIMITS = { maxOutputBytes: 51_200, maxAttachmentBytes: 5 * 1024 * 1024, maxAttachments: 20 };

const isRecord = (value: unknown): value is Fields => {
  try {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** Whether two texts of one length begin and end alike. */
const isAlike = (a: string, b: string) =>
  a.slice(0, SAMPLE) === b.slice(0, SAMPLE) && a.slice(-SAMPLE) === b.slice(-SAMPLE);

/** What the module is told of base64: which of the files it is, how many bytes, how they begin, and their text. */
interface Facts {
  index: number;
  bytes: number;
  mended: boolean;
  head: string;
  text?: string;
}

/** The base64 of a result's files. */
class Files {
  #urls: string[] = [];
  #byLength = new Map<number, string[]>();
  #compared = 0;

  /** What the module is told of base64 that an item has; null if there is none, or it is not valid. */
  add(given: unknown, wantsText: boolean): Facts | null {
    if (typeof given !== "string") return null;
    const index = this.#urls.length;
    const base64 = readBase64(given);
    this.#note(given);
    if (base64 === undefined) return null;
    const { text, bytes, mended } = base64;
    if (mended) this.#note(text);
    this.#urls.push(text);
    const facts: Facts = { index, bytes, mended, head: text.slice(0, HEAD) };
    if (wantsText && text.length <= LONGEST_TEXT_BLOB) {
      // A lone surrogate cannot come out of UTF-8.
      const decoded = textOfBase64(text);
      if (decoded !== undefined) facts.text = decoded;
    }
    return facts;
  }

  #note(text: string) {
    if (text === "") return;
    const same = this.#byLength.get(text.length);
    if (same === undefined) this.#byLength.set(text.length, [text]);
    else same.push(text);
  }

  /** Whether the text is an item's base64. */
  has(text: string): boolean {
    if (this.#isOwn(text)) return true;
    const comma = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 220));
    return comma !== null && this.#isOwn(text.slice(comma[0].length));
  }

  #isOwn(text: string) {
    for (const own of this.#byLength.get(text.length) ?? []) {
      this.#compared += text.length;
      if (this.#compared <= MOST_COMPARED ? own === text : isAlike(own, text)) return true;
    }
    return false;
  }

  url(mime: string, index: number): string {
    return `data:${mime};base64,${this.#urls[index]}`;
  }
}

/** An object with other values for some fields. */
const withFields = (object: Fields, fields: Fields): Fields => {
  const copy: Fields = Object.create(null);
  for (const name of Object.keys(object)) {
    copy[name] = Object.hasOwn(fields, name) ? fields[name] : read(object, name);
  }
  return Object.assign(copy, fields);
};

/** A resource whose blob is what is known of it. */
function resourceOf(resource: unknown, files: Files): { plain: unknown; blob?: Facts | null } {
  if (!isRecord(resource)) return { plain: resource };
  const blob = read(resource, "blob");
  if (blob === undefined) return { plain: resource };
  const mime = read(resource, "mimeType");
  const wantsText = typeof read(resource, "text") !== "string" && IS_TEXT.test(String(mime ?? ""));
  return { plain: withFields(resource, { blob: undefined }), blob: files.add(blob, wantsText) };
}

/** An item as a line of JSON, without its base64. */
function lineOf(item: unknown, path: string, isRead: boolean, copies: PlainCopies, files: Files) {
  let given = item;
  let facts: Facts | null | undefined;
  let field = "";
  let within = false;
  try {
    if (isRead) {
      ({ plain: given, blob: facts } = resourceOf(item, files));
      field = "blob";
    } else if (isRecord(item)) {
      const type = read(item, "type");
      if (type === "image" || type === "audio") {
        facts = files.add(read(item, "data"), false);
        given = withFields(item, { data: undefined });
        field = "data";
      } else if (type === "resource") {
        const { plain, blob } = resourceOf(read(item, "resource"), files);
        if (blob !== undefined) given = withFields(item, { resource: plain });
        facts = blob;
        field = "blob";
        within = true;
      }
    }
  } catch {
    // A proxy. It is copied as it is, and told of.
    given = item;
    facts = undefined;
  }
  const copy = copies.copy(given, path) ?? null;
  const at: unknown = within && isRecord(copy) ? copy.resource : copy;
  if (facts !== undefined && isRecord(at)) at[field] = facts;
  return JSON.stringify(copy);
}

/** A limit that is given and is one. */
function limit(limits: unknown, name: keyof Required<McpLimits>) {
  const value = isRecord(limits) ? read(limits, name) : undefined;
  return typeof value === "number" && value >= 0
    ? Math.min(Math.floor(value), 2 ** 31)
    : LIMITS[name];
}

const textOf = (value: unknown, other: string) =>
  typeof value === "string" && value !== "" ? value : other;

/** The structured content of a result, also in its old field, and where it is. */
function structuredOf(result: Fields, copies: PlainCopies): [value: unknown, path: string] {
  for (const name of ["structuredContent", "toolResult"]) {
    try {
      const value = result[name];
      if (value !== undefined) return [value, `/${name}`];
    } catch {
      copies.tell(`/${name}`, "a value that cannot be read: left out");
    }
  }
  return [undefined, ""];
}

function linesOf(
  list: unknown[],
  name: string,
  isRead: boolean,
  copies: PlainCopies,
  files: Files,
) {
  const lines: string[] = [];
  for (let i = 0; i < Math.min(list.length, MOST_ITEMS); i++) {
    let item: unknown;
    try {
      item = list[i];
    } catch {
      copies.tell(`/${name}/${i}`, "a value that cannot be read: null is used");
    }
    lines.push(lineOf(item, `/${name}/${i}`, isRead, copies, files));
  }
  return lines.join("\n");
}

/** The items of a result, where servers that give a text or one item in place of a list are understood. */
function itemsOf(content: unknown, name: string, copies: PlainCopies): unknown[] | undefined {
  if (Array.isArray(content)) return content;
  const isText = typeof content === "string";
  if (!isText && !isRecord(content)) return undefined;
  copies.tell(`/${name}`, `${isText ? "a string" : "an object"}, not a list of items`, "MC-1");
  return [isText ? { type: "text", text: content } : content];
}

/** Other ways of saying that a call did not fail. */
const NO_FAILURE: readonly unknown[] = [undefined, null, false, 0, "", "0", "false"];

/** Whether a server says that a call failed: anything does that is not a way of saying no. */
const isFailure = (given: unknown): boolean =>
  !NO_FAILURE.includes(typeof given === "string" ? given.trim().toLowerCase() : given);

function partsOf(result: unknown, context: Fields, isRead: boolean, files: Files) {
  const copies = new PlainCopies();
  const isObject = isRecord(result);
  const name = isRead ? "contents" : "content";
  const given = isObject ? read(result, name) : undefined;
  const content = itemsOf(given, name, copies);
  const items = content ? linesOf(content, name, isRead, copies, files) : "";
  let structured = "";
  if (isObject && !isRead) {
    const [value, path] = structuredOf(result, copies);
    // An item's own base64 comes as the mark "\0"; a text that begins like it, with one more NUL.
    const mapText = (text: string) =>
      files.has(text) ? "\0" : text.startsWith("\0") ? `\0${copies.text(text, path)}` : undefined;
    structured = JSON.stringify(copies.copy(value, path, mapText)) ?? "";
  }
  const limits = read(context, "limits");
  const head = {
    client: copies.text(textOf(read(context, "clientName"), "unknown"), ""),
    isRead,
    isObject,
    hasContent: content !== undefined,
    isAbsent: given === undefined,
    isError: isObject && !isRead && isFailure(read(result, "isError")),
    needsInput: isObject && read(result, "resultType") === "input_required",
    leftOut: Math.max(0, (content?.length ?? 0) - MOST_ITEMS),
    replaced: copies.replaced,
    maxOutput: limit(limits, "maxOutputBytes"),
    maxFile: limit(limits, "maxAttachmentBytes"),
    maxFiles: limit(limits, "maxAttachments"),
  };
  return toolsMcpContent(JSON.stringify(head), items, structured);
}

/** A new id of the caller's; of ours if it gives none. */
function idOf(context: Fields) {
  try {
    const { newId } = context;
    const id = typeof newId === "function" ? newId.call(context) : undefined;
    if (typeof id === "string" && id !== "") return id;
  } catch {
    // The result is not lost because an id cannot be had.
  }
  return toolsMcpNewId();
}

const unreadable = (error: unknown): McpParts => ({
  output: "The MCP server sent no result.",
  isError: true,
  attachments: [],
  resources: [],
  links: [],
  problems: [
    problem(
      "error",
      "MC-1",
      `the result cannot be read: ${isRecord(error) && typeof error.message === "string" ? error.message : "reading it threw"}`,
    ),
  ],
});

function convert(result: unknown, given: unknown, isRead: boolean): McpParts {
  const context = isRecord(given) ? given : {};
  try {
    const files = new Files();
    const parts = partsOf(result, context, isRead, files);
    const sessionID = textOf(read(context, "sessionID"), "");
    const messageID = textOf(read(context, "messageID"), "");
    const filePart = ({ mime, filename, url, data, source }: McpFile) => {
      const part: FilePart = {
        ...{ id: idOf(context), sessionID, messageID, type: "file", mime, filename },
        url: url ?? files.url(mime, data),
      };
      if (source !== undefined) part.source = source;
      return part;
    };
    return {
      ...parts,
      attachments: parts.attachments.map(filePart),
      resources: parts.resources.map(filePart),
    };
  } catch (error) {
    return unreadable(error);
  }
}

/**
 * The result of `tools/call`. Never throws for what is in it.
 * @param result - What the server answered.
 * @param context - Whose result it is, and how much of it is kept.
 * @returns Text and files for a model, and what is wrong.
 * @example
 * ```ts
 * const context = { clientName: "demo", sessionID: "s", messageID: "m" };
 * mcpContentToParts({ content: [{ type: "text", text: "Hi" }] }, context).output; // "Hi"
 * ```
 */
export const mcpContentToParts = (result: unknown, context: McpResultContext): McpParts =>
  convert(result, context, false);

/**
 * The result of `resources/read`. Never throws for what is in it.
 * @param read - What the server answered.
 * @param context - Whose result it is, and how much of it is kept.
 * @returns Text and files for a model, and what is wrong.
 * @example
 * ```ts
 * const context = { clientName: "demo", sessionID: "s", messageID: "m" };
 * const read = { contents: [{ uri: "a.txt", mimeType: "text/plain", text: "Hi" }] };
 * mcpResourceToParts(read, context).isError; // false
 * ```
 */
export const mcpResourceToParts = (read: unknown, context: McpResultContext): McpParts =>
  convert(read, context, true);
