// write: a whole file.
import { type Tool, toolsDiff } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { changeFile } from "./change.ts";
import { type Content, contentAt, hashAt, statOf } from "./content.ts";
import { define } from "./define.ts";
import { special } from "./failures.ts";
import { withFileLock } from "./file-lock.ts";
import { guardOf } from "./guard.ts";
import { linksSentence } from "./hard-links.ts";
import { askOutside, type Place, resolved, titleOf } from "./paths.ts";
import { assertWhole, BOM, fromUtf16, lineCount, toUtf16, utf16Of } from "./texts.ts";
import type { FileStat, Host } from "./types.ts";
import { locatedFile } from "./unicode-form.ts";
import { textOf } from "./utf8.ts";

const DESCRIPTION = `Writes a file, whole: what was in it is replaced. Directories above it are created.

Read a file before you overwrite it. To change a part of a file use edit; write is for new files and for files that change as a whole.`;

const PARAMETERS = {
  type: "object",
  properties: {
    filePath: {
      type: "string",
      description: "The path of the file, absolute or from the working directory",
    },
    content: { type: "string", description: "The whole content of the file" },
  },
  required: ["filePath", "content"],
};

const unread = (path: string) =>
  `${path} exists and was not read (or changed since); read it first.`;

/**
 * Whether a session knows what is in a file that it is about to overwrite. Only a file that it has read, and so was
 * permitted to read, is looked at.
 */
async function isKnown(host: Host, context: RunContext, place: Place, stat: FileStat) {
  const known = guardOf(host).known(context.sessionID, place.real);
  return known !== undefined && known === (await hashAt(host, place, stat, context));
}

/** The bytes to write: in UTF-16 over a file in UTF-16, else UTF-8, with a mark if the file has one. */
function encoded(content: string, old: Uint8Array | undefined) {
  const encoding = utf16Of(old);
  if (encoding !== undefined) return toUtf16(content, encoding);
  const hasMark = old?.[0] === 0xef && old[1] === 0xbb && old[2] === 0xbf;
  return new TextEncoder().encode(hasMark && !content.startsWith(BOM) ? BOM + content : content);
}

/** The encodings of a file before and after, where they differ: one that is not known becomes UTF-8. */
function changeOfEncoding(old: Uint8Array | undefined) {
  const isKept = old === undefined || utf16Of(old) !== undefined || textOf(old) !== undefined;
  return isKept ? undefined : { was: "unknown", now: "utf-8" };
}

function diffOf(path: string, old: Content | undefined, content: string, bytes: Uint8Array) {
  if (old && !old.bytes) return `${path} is too large (${old.size} bytes) to show what changes.`;
  const before = old?.bytes ?? new Uint8Array();
  const encoding = utf16Of(before);
  const text = encoding === undefined ? undefined : fromUtf16(before, encoding);
  if (text === undefined) return toolsDiff(path, before, bytes).patch;
  return toolsDiff(path, text, new TextEncoder().encode(content)).patch;
}

async function write(
  host: Host,
  context: RunContext,
  place: Place,
  content: string,
): Promise<Tool.Result> {
  const { path } = place;
  const stat = await statOf(host, place);
  const guard = host.guard ?? "require";
  const isUnread =
    stat?.kind === "file" && guard !== "off" && !(await isKnown(host, context, place, stat));
  if (isUnread && guard !== "warn") throw new Expected(unread(path));
  await askOutside(context, place, { isDirectory: stat?.kind === "directory" });
  if (stat?.kind === "directory") throw new Expected(`${path} is a directory, not a file.`);
  if (stat !== undefined && stat.kind !== "file") throw special(path);
  const old = stat && (await contentAt(host, place, stat, context));
  const bytes = encoded(content, old?.bytes);
  const diff = diffOf(path, old, content, bytes);
  const before = stat && old && { ...stat, hash: old.hash };
  const links = await changeFile(host, context, place, { before, bytes, diff });
  const encoding = changeOfEncoding(old?.bytes);
  const output = [
    `Wrote ${path} (${lineCount(content)} lines, ${bytes.length} bytes).`,
    ...(isUnread ? ["It existed and was not read before (or changed since)."] : []),
    ...(encoding
      ? ["Its encoding changed: it was neither UTF-8 nor UTF-16, and is UTF-8 now."]
      : []),
    ...(links ? [linksSentence(links)] : []),
  ];
  return {
    title: titleOf(host, path),
    output: output.join(" "),
    metadata: {
      ...{ filepath: path, exists: stat !== undefined, diff, diagnostics: {} },
      ...(encoding && { encoding }),
      ...(links && { links: links.links }),
    },
  };
}

interface WriteArgs {
  filePath: string;
  content: string;
}

export const writeTool = (host: Host): Tool.Info =>
  define<WriteArgs>("write", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    lock: ({ filePath }) => resolved(host.directory, filePath),
    async execute({ filePath, content }, context) {
      assertWhole(content, "content");
      const place = await locatedFile(host, filePath);
      return withFileLock(host, place, context, () => write(host, context, place, content));
    },
  });
