// The search without ripgrep. That a host which reads small files together finds the same is shown by
// tests/package/builtins/batches.test.mjs.
import type { Tool } from "apex-parts:glue";
import { codeOf } from "./failures.ts";
import { batches, type FileBatch, type Lists, type Reading, readings } from "./file-pieces.ts";
import type { FoundLines } from "./found-lines.ts";
import { LineSearch } from "./line-search.ts";
import type { Matcher } from "./matcher.ts";
import { utf16Of } from "./texts.ts";
import type { FileSystem } from "./types.ts";

/** What is searched for, and where what is found goes. */
interface Options {
  fullPath: (path: string) => string;
  /** It is a single file, and which one it must be. */
  isSingle: boolean;
  id: string | undefined;
  matcher: Matcher;
  result: FoundLines;
  /** The lines to show before and after a match. */
  context: number;
  abort: Tool.Abort;
}

/** Searches one file. Gives the search; undefined if the file cannot be read. */
async function searchFile(reading: Reading, { matcher, context, result, abort }: Options) {
  const search = new LineSearch(matcher, { context, most: result.most });
  try {
    for (;;) {
      const bytes = await reading.next();
      abort?.throwIfAborted?.();
      if (bytes === undefined) break;
      if (!search.push(bytes)) return search;
    }
    search.finish();
    return search;
  } catch (error) {
    // The errors of a file system have a code.
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  } finally {
    reading.close();
  }
}

/** Adds what was found in a file; false if there is room for no more. */
function added(path: string, search: LineSearch | undefined, result: FoundLines) {
  if (search === undefined) result.isIncomplete = true;
  return search === undefined || search.matches === 0 || result.add(path, search.lines);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Tells for parts of bytes, from the first to the last, whether one may hold a text. */
function prefilter(bytes: Uint8Array, literal: string): (start: number, end: number) => boolean {
  if (literal === "") return () => true;
  // A file cut within a character takes nothing from the next one: a character begins with a byte of its own.
  const text = decoder.decode(bytes);
  let at = text.indexOf(literal);
  // Elsewhere the places of characters are not those of bytes.
  const isAscii = text.length === bytes.length;
  return (start, end) => {
    if ((bytes[start] ?? 0) >= 0xfe && utf16Of(bytes.subarray(start, end)) !== undefined)
      return true;
    if (!isAscii) return at >= 0;
    if (at >= 0 && at < start) at = text.indexOf(literal, start);
    return at >= 0 && at < end;
  };
}

/** Searches the files of a batch; gives false if there is room for no more. */
async function searchBatch(fs: FileSystem, { paths, sizes, bytes }: FileBatch, options: Options) {
  const { fullPath, matcher, result, context, abort } = options;
  abort?.throwIfAborted?.();
  const mayMatch = prefilter(bytes, matcher.literal);
  const left = paths.filter((_, i) => sizes[i] === -1);
  const others = readings(fs, [left], { fullPath, id: undefined });
  try {
    let end = 0;
    for (const [i, path] of paths.entries()) {
      const size = sizes[i] ?? -1;
      if (size === -1) {
        const { value } = await others.next();
        if (value !== undefined && !added(path, await searchFile(value.reading, options), result))
          return false;
        continue;
      }
      const start = end;
      end += size;
      if (!mayMatch(start, end)) continue;
      const search = new LineSearch(matcher, { context, most: result.most });
      if (search.push(bytes.subarray(start, end))) search.finish();
      if (!added(path, search, result)) return false;
    }
    return true;
  } finally {
    await others.return(undefined);
  }
}

/**
 * Searches files in order until there are enough lines. `lists` gives lists of paths, `fullPath` makes them
 * absolute. Gives whether the last file that was searched is binary, if it is a single one.
 */
export async function searchFiles(
  fs: FileSystem,
  lists: Lists,
  options: Options,
): Promise<boolean> {
  const { fullPath, isSingle, id, result } = options;
  if (fs.readSmall !== undefined && !isSingle) {
    for await (const batch of batches(fs, lists, fullPath)) {
      if (!(await searchBatch(fs, batch, options))) break;
    }
    return false;
  }
  let isBinary = false;
  for await (const { path, reading } of readings(fs, lists, { fullPath, id })) {
    const search = await searchFile(reading, options);
    isBinary = search?.isBinary === true;
    if (!added(path, search, result)) break;
  }
  return isBinary;
}
