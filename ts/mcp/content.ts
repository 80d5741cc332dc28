// mcpContentToParts, mcpResourceToParts: results of servers, as text and files for a model. The rules are the
// module's; the base64 of files stays here.
import { toolsMcpContent, toolsMcpNewId } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { readBase64, textOfBase64 } from "./base64.ts";
import { PlainCopies, read } from "./plain.ts";

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

const isRecord = (value) => {
  try {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** Whether two texts of one length begin and end alike. */
const isAlike = (a, b) =>
  a.slice(0, SAMPLE) === b.slice(0, SAMPLE) && a.slice(-SAMPLE) === b.slice(-SAMPLE);

/** The base64 of a result's files. */
class Files {
  #urls = [];
  #byLength = new Map();
  #compared = 0;

  /** What the module is told of base64 that an item has; null if there is none, or it is not valid. */
  add(given, wantsText) {
    if (typeof given !== "string") return null;
    const index = this.#urls.length;
    const found = readBase64(given);
    this.#note(given);
    if (found === undefined) return null;
    const { text, bytes, mended } = found;
    if (mended) this.#note(text);
    this.#urls.push(text);
    const facts = { index, bytes, mended, head: text.slice(0, HEAD) };
    if (wantsText && text.length <= LONGEST_TEXT_BLOB) {
      // A lone surrogate cannot come out of UTF-8.
      const decoded = textOfBase64(text);
      if (decoded !== undefined) facts.text = decoded;
    }
    return facts;
  }

  #note(text) {
    if (text === "") return;
    const same = this.#byLength.get(text.length);
    if (same === undefined) this.#byLength.set(text.length, [text]);
    else same.push(text);
  }

  /** Whether the text is an item's base64. */
  has(text) {
    if (this.#isOwn(text)) return true;
    const comma = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 220));
    return comma !== null && this.#isOwn(text.slice(comma[0].length));
  }

  #isOwn(text) {
    for (const own of this.#byLength.get(text.length) ?? []) {
      this.#compared += text.length;
      if (this.#compared <= MOST_COMPARED ? own === text : isAlike(own, text)) return true;
    }
    return false;
  }

  url(mime, index) {
    return `data:${mime};base64,${this.#urls[index]}`;
  }
}

/** An object with other values for some fields. */
const withFields = (object, fields) => {
  const made = Object.create(null);
  for (const name of Object.keys(object)) {
    made[name] = Object.hasOwn(fields, name) ? fields[name] : read(object, name);
  }
  return Object.assign(made, fields);
};

/** A resource whose blob is what is known of it. */
function resourceOf(resource, files) {
  if (!isRecord(resource)) return { plain: resource };
  const blob = read(resource, "blob");
  if (blob === undefined) return { plain: resource };
  const mime = read(resource, "mimeType");
  const wantsText = typeof read(resource, "text") !== "string" && IS_TEXT.test(String(mime ?? ""));
  return { plain: withFields(resource, { blob: undefined }), blob: files.add(blob, wantsText) };
}

/** An item as a line of JSON, without its base64. */
function lineOf(item, path, isRead, copies, files) {
  let given = item;
  let facts;
  let field;
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
  const at = within ? copy?.resource : copy;
  if (facts !== undefined && isRecord(at)) at[field] = facts;
  return JSON.stringify(copy);
}

/** A limit that is given and is one. */
function limit(limits, name) {
  const given = isRecord(limits) ? read(limits, name) : undefined;
  return typeof given === "number" && given >= 0
    ? Math.min(Math.floor(given), 2 ** 31)
    : LIMITS[name];
}

const textOf = (value, other) => (typeof value === "string" && value !== "" ? value : other);

/** The structured content of a result, also in its old field, and where it is. */
function structuredOf(result, copies) {
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

function linesOf(list, name, isRead, copies, files) {
  const lines = [];
  for (let i = 0; i < Math.min(list.length, MOST_ITEMS); i++) {
    let item;
    try {
      item = list[i];
    } catch {
      copies.tell(`/${name}/${i}`, "a value that cannot be read: null taken");
    }
    lines.push(lineOf(item, `/${name}/${i}`, isRead, copies, files));
  }
  return lines.join("\n");
}

function partsOf(result, context, isRead, files) {
  const copies = new PlainCopies();
  const isObject = isRecord(result);
  const name = isRead ? "contents" : "content";
  const content = isObject ? read(result, name) : undefined;
  const hasContent = Array.isArray(content);
  const items = hasContent ? linesOf(content, name, isRead, copies, files) : "";
  let structured = "";
  if (isObject && !isRead) {
    const [value, path] = structuredOf(result, copies);
    // An item's own base64 comes as the mark "\0"; a text that begins like it, with one more NUL.
    const mapText = (text) =>
      files.has(text) ? "\0" : text.startsWith("\0") ? `\0${copies.text(text, path)}` : undefined;
    structured = JSON.stringify(copies.copy(value, path, mapText)) ?? "";
  }
  const limits = read(context, "limits");
  const head = {
    client: copies.text(textOf(read(context, "clientName"), "unknown"), ""),
    isRead,
    isObject,
    hasContent,
    isAbsent: content === undefined,
    isError: isObject && read(result, "isError") === true,
    needsInput: isObject && read(result, "resultType") === "input_required",
    leftOut: hasContent ? Math.max(0, content.length - MOST_ITEMS) : 0,
    replaced: copies.replaced,
    maxOutput: limit(limits, "maxOutputBytes"),
    maxFile: limit(limits, "maxAttachmentBytes"),
    maxFiles: limit(limits, "maxAttachments"),
  };
  return toolsMcpContent(JSON.stringify(head), items, structured);
}

/** A new id of the caller's; of ours if it gives none. */
function idOf(context) {
  try {
    const id = context.newId?.();
    if (typeof id === "string" && id !== "") return id;
  } catch {
    // The result is not lost because an id cannot be had.
  }
  return toolsMcpNewId();
}

const unreadable = (error) => ({
  output: "The MCP server sent no result.",
  isError: true,
  attachments: [],
  resources: [],
  links: [],
  problems: [
    problem(
      "error",
      "MC-1",
      `the result cannot be read: ${typeof error?.message === "string" ? error.message : "reading it threw"}`,
    ),
  ],
});

function convert(result, given, isRead) {
  const context = isRecord(given) ? given : {};
  try {
    const files = new Files();
    const parts = partsOf(result, context, isRead, files);
    const sessionID = textOf(read(context, "sessionID"), "");
    const messageID = textOf(read(context, "messageID"), "");
    const filePart = ({ mime, filename, url, data, source }) => {
      const part = { id: idOf(context), sessionID, messageID, type: "file", mime, filename };
      part.url = url ?? files.url(mime, data);
      if (source !== undefined) part.source = source;
      return part;
    };
    parts.attachments = parts.attachments.map(filePart);
    parts.resources = parts.resources.map(filePart);
    return parts;
  } catch (error) {
    return unreadable(error);
  }
}

export const mcpContentToParts = (result, context) => convert(result, context, false);
export const mcpResourceToParts = (read, context) => convert(read, context, true);
