// read: a page of a file or a directory, or an image or PDF as an attachment.
import {
  type Tool,
  ToolsPage,
  toolsBinaryMessage,
  toolsDirectory,
  toolsFileType,
} from "apex-parts:glue";
import { dataUrl, encodeBase64 } from "../../base64.ts";
import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { MAX_BYTES } from "../output.ts";
import { assertUnmoved, joined, piecesOf, sameAs, statOf } from "./content.ts";
import { define } from "./define.ts";
import { failed, special } from "./failures.ts";
import { guardOf } from "./guard.ts";
import { hashOf } from "./hash.ts";
import { missing } from "./missing.ts";
import { askOutside, below, type Place, titleOf } from "./paths.ts";
import type { FileStat, FileSystem, Host } from "./types.ts";
import { locatedFile } from "./unicode-form.ts";

type FileType = ReturnType<typeof toolsFileType>;
/** What is shown of a file or a directory. */
type Page = Omit<Tool.Result, "title" | "metadata"> & { metadata: Record<string, unknown> };

const DEFAULT_LIMIT = 2000;
const PREVIEW_ENTRIES = 20;
/** The bytes from which it is told what a file is. */
const HEAD = 4096;
const LARGEST_ATTACHMENT = 20 * 1024 * 1024;
/** Links of a directory that are looked at at once. */
const LINKS_AT_ONCE = 64;

const DESCRIPTION = `Reads a file or lists a directory.

Lines are shown as "N: line", numbered from 1; the numbers are not part of the file. Without offset and limit the first 2000 lines are shown, at most 50 KB. The closing note says whether more follows, and at which offset to go on.
Lines longer than 2000 characters are cut. Images (png, jpeg, gif, webp) and PDFs are attached, so that you see them.
A directory is listed with one name a line, "/" after those of directories.
Read several files in one go where you need several.`;

const PARAMETERS = {
  type: "object",
  properties: {
    filePath: {
      type: "string",
      description: "The path of the file or directory, absolute or from the working directory",
    },
    offset: {
      type: "integer",
      minimum: 0,
      description: "The first line (or entry) to show, from 1",
    },
    limit: {
      type: "integer",
      minimum: 0,
      description: "The most lines (or entries) to show: 2000 unless given",
    },
  },
  required: ["filePath"],
};

/** A number as the module takes it. */
const whole = (value: number | undefined, otherwise: number) =>
  Math.min(value ?? otherwise, 0xffffffff);

// ── Directories ─────────────────────────────────────────────────────────────────────────────────

async function isDirectory({ fs }: Host, path: string) {
  try {
    return (await fs.stat(path)).kind === "directory";
  } catch {
    return false;
  }
}

/** The names in a directory, `/` after directories and links to them. */
async function namesIn(host: Host, { path, real }: Place, stat: FileStat) {
  let entries: Awaited<ReturnType<FileSystem["readdir"]>>;
  try {
    entries = await host.fs.readdir(real, sameAs(stat));
  } catch (error) {
    throw failed(error, path, "read");
  }
  const names = entries.map(({ name, kind }) => (kind === "directory" ? `${name}/` : name));
  const links = entries.flatMap((entry, index) =>
    entry.kind === "link" ? [{ index, name: entry.name }] : [],
  );
  for (let at = 0; at < links.length; at += LINKS_AT_ONCE) {
    const some = links.slice(at, at + LINKS_AT_ONCE);
    const lead = await Promise.all(some.map(({ name }) => isDirectory(host, below(real, name))));
    for (const [i, { index, name }] of some.entries()) if (lead[i]) names[index] = `${name}/`;
  }
  return names;
}

/** How many of the names are shown: as of a file, at most 50 KB, but one in any case. */
function fittingIn(names: string[]) {
  const encoder = new TextEncoder();
  let left = MAX_BYTES;
  const end = names.findIndex((name) => {
    left -= encoder.encode(name).length + 1;
    return left < 0;
  });
  return end < 0 ? names.length : Math.max(end, 1);
}

/** The page with this entry; throws what the model is told where there is none. */
function entriesAt(place: Place, names: string[], offset: number, limit: number) {
  const page = toolsDirectory(place.path, names, offset, limit);
  if (page.pastEnd !== undefined) throw new Expected(page.pastEnd);
  return page;
}

async function directoryPage(
  host: Host,
  place: Place,
  stat: FileStat,
  offset: number,
  limit: number,
): Promise<Page> {
  const names = await namesIn(host, place, stat);
  // Not every host tells directories apart.
  await assertUnmoved(host, place, "read");
  let page = entriesAt(place, names, offset, limit);
  const fitting = fittingIn(page.entries);
  if (fitting < page.entries.length) page = entriesAt(place, names, offset, fitting);
  const { output, entries, total, truncated } = page;
  return {
    output,
    metadata: {
      preview: entries.slice(0, PREVIEW_ENTRIES).join("\n"),
      truncated,
      loaded: [],
      display: {
        type: "directory",
        path: place.path,
        entries,
        offset: page.offset,
        totalEntries: total,
        truncated,
      },
    },
  };
}

// ── Files ───────────────────────────────────────────────────────────────────────────────────────

const tooLargeToAttach = (path: string, { name }: FileType) =>
  new Expected(`${path} is too large to be attached (${name}, more than 20 MB).`);

function attachment({ mime = "" }: FileType, bytes: Uint8Array): Page {
  const output = mime === "application/pdf" ? "PDF attached." : "Image attached.";
  const url = dataUrl(mime, encodeBase64(bytes));
  return {
    output,
    metadata: { preview: output, truncated: false, loaded: [] },
    attachments: [{ type: "file", mime, url }],
  };
}

function textPage(path: string, reader: ToolsPage): Page {
  const page = reader.finish(path);
  if (page.pastEnd !== undefined) throw new Expected(page.pastEnd);
  const { output, text, preview, lineStart, lineEnd, totalLines, truncated } = page;
  const metadata: Record<string, unknown> = {
    preview,
    truncated,
    loaded: [],
    display: { type: "file", path, text, lineStart, lineEnd, totalLines, truncated },
  };
  if (page.eol !== undefined) metadata.eol = page.eol;
  if (page.finalNewline !== undefined) metadata.finalNewline = page.finalNewline;
  if (page.encoding !== "utf-8") metadata.encoding = page.encoding;
  if (page.bom) metadata.bom = true;
  return { output, metadata };
}

/** Takes the pieces of a file as what its first bytes say it is. */
class FileReader {
  #place: Place;
  #size: number;
  #page: ToolsPage;
  #held: Uint8Array[] = [];
  #count = 0;
  #type: FileType | undefined;

  constructor(place: Place, size: number, page: ToolsPage) {
    this.#place = place;
    this.#size = size;
    this.#page = page;
  }

  push(piece: Uint8Array) {
    this.#count += piece.length;
    if (this.#type === undefined) {
      this.#held.push(piece);
      if (this.#count >= HEAD) this.#decide();
    } else if (this.#type.isAttachment) {
      if (this.#count > LARGEST_ATTACHMENT) throw tooLargeToAttach(this.#place.path, this.#type);
      this.#held.push(piece);
    } else {
      // All of the file, also where the page ends early: the guard compares the whole.
      this.#page.push(piece);
    }
  }

  #decide(): FileType {
    const { path } = this.#place;
    const bytes = joined(this.#held);
    const head = bytes.subarray(0, HEAD);
    const type = toolsFileType(head);
    this.#type = type;
    if (type.isAttachment) {
      if (this.#size > LARGEST_ATTACHMENT) throw tooLargeToAttach(path, type);
      return type;
    }
    this.#held = [];
    if (type.isBinary) {
      throw new Expected(toolsBinaryMessage(path, Math.max(this.#size, bytes.length), head));
    }
    this.#page.push(bytes);
    return type;
  }

  finish(): Page & { hash: string } {
    const type = this.#type ?? this.#decide();
    const { path } = this.#place;
    if (!type.isAttachment) return { hash: this.#page.hash(), ...textPage(path, this.#page) };
    const bytes = joined(this.#held);
    return { hash: hashOf(bytes), ...attachment(type, bytes) };
  }
}

async function filePage(
  host: Host,
  context: RunContext,
  place: Place,
  stat: FileStat,
  offset: number,
  limit: number,
): Promise<Page> {
  const page = new ToolsPage(offset, limit);
  try {
    const reader = new FileReader(place, stat.size, page);
    for await (const piece of piecesOf(host, place, stat, context)) reader.push(piece);
    const { hash, ...result } = reader.finish();
    result.metadata.hash = hash;
    guardOf(host).record(context.sessionID, place.real, hash);
    return result;
  } finally {
    page.free();
  }
}

interface ReadArgs {
  filePath: string;
  offset?: number;
  limit?: number;
}

export const readTool = (host: Host): Tool.Info =>
  define<ReadArgs>("read", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    async execute({ filePath, offset, limit }, context) {
      const place = await locatedFile(host, filePath);
      const before = await statOf(host, place);
      await askOutside(context, place, { isDirectory: before?.kind === "directory" });
      await context.ask({
        permission: "read",
        patterns: place.patterns,
        always: ["*"],
        metadata: {},
      });
      await assertUnmoved(host, place, "read");
      const stat = await statOf(host, place);
      if (stat === undefined) throw await missing(host, place);
      if (stat.kind !== "file" && stat.kind !== "directory") throw special(place.path);
      const first = whole(offset, 1);
      const most = whole(limit, DEFAULT_LIMIT);
      const result =
        stat.kind === "directory"
          ? await directoryPage(host, place, stat, first, most)
          : await filePage(host, context, place, stat, first, most);
      return { title: titleOf(host, place.path), ...result };
    },
  });
