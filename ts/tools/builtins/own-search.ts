// The search without ripgrep.
import type { Tool } from "apex-parts:glue";
import { codeOf } from "./failures.ts";
import { type Lists, type Reading, readings } from "./file-pieces.ts";
import type { FoundLines } from "./found-lines.ts";
import { LineSearch } from "./line-search.ts";
import type { Matcher } from "./matcher.ts";
import type { FileSystem } from "./types.ts";

/** Searches one file. Gives the search; undefined if the file cannot be read. */
async function searchFile(
  reading: Reading,
  matcher: Matcher,
  options: { context: number; most: number },
  abort: Tool.Abort,
) {
  const search = new LineSearch(matcher, options);
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

/** What is searched for, and where what is found goes. */
interface Options {
  fullPath: (path: string) => string;
  /** Which file a single one must be. */
  id: string | undefined;
  matcher: Matcher;
  result: FoundLines;
  /** The lines to show before and after a match. */
  context: number;
  abort: Tool.Abort;
}

/**
 * Searches files in order until there are enough lines. `lists` gives lists of paths, `fullPath` makes them
 * absolute. Gives whether the last file that was searched is binary.
 */
export async function searchFiles(
  fs: FileSystem,
  lists: Lists,
  { fullPath, id, matcher, result, context, abort }: Options,
): Promise<boolean> {
  const options = { context, most: result.most };
  let isBinary = false;
  for await (const { path, reading } of readings(fs, lists, { fullPath, id })) {
    const search = await searchFile(reading, matcher, options, abort);
    if (search === undefined) result.isIncomplete = true;
    isBinary = search?.isBinary === true;
    if (search !== undefined && search.matches > 0 && !result.add(path, search.lines)) break;
  }
  return isBinary;
}
