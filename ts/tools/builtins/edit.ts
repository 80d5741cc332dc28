// edit: replaces a string in a file.
import { type DiffOfFile, type EditedFile, type Tool, toolsDiff, toolsEdit } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { changeFile } from "./change.ts";
import { contentAt, statOf, tooLarge } from "./content.ts";
import { define } from "./define.ts";
import { assertNotDenied, isDenied } from "./denials.ts";
import { special } from "./failures.ts";
import { withFileLock } from "./file-lock.ts";
import { linksSentence } from "./hard-links.ts";
import { missing } from "./missing.ts";
import { askOutside, type Place, resolved, titleOf } from "./paths.ts";
import { assertWhole, fromUtf16, lineCount, toUtf16, utf16Of } from "./texts.ts";
import type { Host } from "./types.ts";
import { locatedFile } from "./unicode-form.ts";
import { textOf } from "./utf8.ts";

const DESCRIPTION = `Replaces text in a file.

oldString is the text to replace, as the file has it: indentation included, line numbers of read left out. It must be there once: give enough lines around the place, or set replaceAll to replace it everywhere. newString is put in its place, literally.
With an empty oldString a new file is created, with newString as its content.`;

const PARAMETERS = {
  type: "object",
  properties: {
    filePath: {
      type: "string",
      description: "The path of the file, absolute or from the working directory",
    },
    oldString: { type: "string", description: "The text to replace" },
    newString: { type: "string", description: "The text to put in its place" },
    replaceAll: {
      type: "boolean",
      description: "Replace oldString wherever it is: false unless given",
    },
  },
  required: ["filePath", "oldString", "newString"],
};

interface EditArgs {
  filePath: string;
  oldString: string;
  newString: string;
  replaceAll?: boolean;
}

/** The metadata of a change. */
const described = (
  path: string,
  { patch, additions, deletions }: DiffOfFile,
  match: Pick<EditedFile, "level" | "line" | "endLine" | "count">,
) => ({
  diff: patch,
  filediff: { file: path, patch, additions, deletions },
  diagnostics: {},
  match,
});

async function create(host: Host, context: RunContext, place: Place, content: string) {
  const { path } = place;
  const bytes = new TextEncoder().encode(content);
  const diff = toolsDiff(path, new Uint8Array(), bytes);
  await changeFile(host, context, place, { before: undefined, bytes, diff: diff.patch });
  const lines = lineCount(content);
  return {
    output: `Wrote ${path} (${lines} lines, ${bytes.length} bytes).`,
    metadata: described(path, diff, { level: 1, line: 1, endLine: lines, count: 1 }),
  };
}

/** A refusal without what it says of the file's text, where that may not be read. */
const hidden = (refusal: string) => refusal.replace(/ The closest text is[\s\S]*$/, "");

/** Whether a text has letters that are other bytes in the encoding of a file, which is not UTF-8. */
const hasForeignLetters = (text: string, bytes: Uint8Array) =>
  /[^\0-\x7f]/u.test(text) && textOf(bytes) === undefined;

/** The edited file: `toolsEdit` of its bytes, or of its text where that is UTF-16. */
function edited(
  path: string,
  bytes: Uint8Array,
  { oldString, newString, replaceAll = false }: EditArgs,
  mayRead: boolean,
): EditedFile {
  const encoding = utf16Of(bytes);
  if (encoding === undefined && hasForeignLetters(oldString + newString, bytes)) {
    throw new Expected(
      `${path} is neither UTF-8 nor UTF-16, and its encoding is not known: only ASCII can be replaced in it, by ASCII. Give both strings in ASCII, or convert the file to UTF-8 first.`,
    );
  }
  const text = encoding === undefined ? bytes : fromUtf16(bytes, encoding);
  if (text === undefined) {
    throw new Expected(
      `${path} is not valid ${encoding?.toUpperCase()}; it cannot be edited as text.`,
    );
  }
  const result = toolsEdit(text, oldString, newString, replaceAll, path, path);
  if (result.refused !== undefined) {
    throw new Expected(mayRead ? result.refused : hidden(result.refused));
  }
  if (encoding !== undefined) {
    result.bytes = toUtf16(new TextDecoder().decode(result.bytes), encoding);
  }
  return result;
}

async function edit(host: Host, context: RunContext, place: Place, args: EditArgs) {
  const { path } = place;
  const stat = await statOf(host, place);
  await askOutside(context, place, { isDirectory: stat?.kind === "directory" });
  if (stat === undefined) {
    if (args.oldString === "") return create(host, context, place, args.newString);
    throw await missing(host, place);
  }
  if (stat.kind === "directory") throw new Expected(`${path} is a directory, not a file.`);
  if (stat.kind !== "file") throw special(path);
  if (args.oldString === "") {
    throw new Expected(
      `oldString is empty, but ${path} exists. Give the text to replace, or use write for the whole file.`,
    );
  }
  // What is denied is denied before a refusal tells anything of the file.
  await assertNotDenied(context, "edit", place);
  const { hash, size, bytes } = await contentAt(host, place, stat, context);
  if (bytes === undefined) throw tooLarge(place, size);
  const result = edited(path, bytes, args, !isDenied(context, "read", place.patterns));
  const links = await changeFile(host, context, place, {
    before: { ...stat, hash },
    bytes: result.bytes,
    diff: result.patch,
  });
  const { level, line, endLine, count } = result;
  return {
    output: links ? `${result.output} ${linksSentence(links)}` : result.output,
    metadata: {
      ...described(path, result, { level, line, endLine, count }),
      ...(links && { links: links.links }),
    },
  };
}

export const editTool = (host: Host): Tool.Info =>
  define<EditArgs>("edit", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    lock: ({ filePath }) => resolved(host.directory, filePath),
    async execute(args, context) {
      const { filePath, oldString, newString } = args;
      if (oldString === newString) {
        throw new Expected("oldString and newString are the same: there is nothing to change.");
      }
      assertWhole(oldString, "oldString");
      assertWhole(newString, "newString");
      const place = await locatedFile(host, filePath);
      const result = await withFileLock(host, place, context, () =>
        edit(host, context, place, args),
      );
      return { title: titleOf(host, place.path), ...result };
    },
  });
