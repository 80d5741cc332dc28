// The search without ripgrep.
import { readings } from "./file-pieces.mjs";
import { LineSearch } from "./line-search.mjs";

/** Searches one file. Gives the search; undefined if the file cannot be read. */
async function searchFile(reading, matcher, options, abort) {
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
    if (typeof error?.code === "string") return undefined;
    throw error;
  } finally {
    reading.close();
  }
}

/**
 * Searches files in order until there are enough lines. `lists` gives lists of paths, `fullPath` makes them
 * absolute. Gives whether the last file that was searched is binary.
 */
export async function searchFiles(fs, lists, { fullPath, id, matcher, found, context, abort }) {
  const options = { context, most: found.most };
  let isBinary = false;
  for await (const { path, reading } of readings(fs, lists, { fullPath, id })) {
    const search = await searchFile(reading, matcher, options, abort);
    if (search === undefined) found.isIncomplete = true;
    isBinary = search?.isBinary === true;
    if (search !== undefined && search.matches > 0 && !found.add(path, search.lines)) break;
  }
  return isBinary;
}
