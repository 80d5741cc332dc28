// `search FOLDER QUERY`: the matches of a query in the runs of a folder.
import type { Transcript } from "apex-parts";
import { isApexPartsError } from "apex-parts";
import { oneLine, painter } from "./colour.ts";
import { eachRun } from "./folder-runs.ts";
import type { Hit } from "./matches.ts";
import { limitOf, matchLines, searchOptions } from "./matches.ts";
import type { Values } from "./options.ts";
import { CliError, print } from "./output.ts";
import { MOST_FILES } from "./transcript-files.ts";
import { plural } from "./units.ts";

/** Prints the matches in all runs, in the order of the names of their files: at most as many as the limit says. */
export async function searchFolder(folder: string, query: string, values: Values): Promise<number> {
  if (values.session !== undefined) throw new CliError("--session is for one file", 2);
  const options = searchOptions(query, values);
  const limit = limitOf(values);
  const paint = painter(process.stdout);
  const matches: ({ path: string } & Hit)[] = [];
  let count = 0;
  let capped = false;
  const look = (transcript: Transcript, { name }: { name: string }): boolean => {
    let hits: Hit[];
    try {
      // One more than is printed shows whether there are others.
      hits = transcript.search(query, { ...options, limit: limit - count + 1 });
    } catch (error) {
      // The query is at fault, not the file.
      if (isApexPartsError(error)) throw new CliError(error.message, 2);
      throw error;
    }
    capped = hits.length > limit - count;
    const own = hits.slice(0, limit - count);
    count += own.length;
    if (values.json) matches.push(...own.map((hit) => ({ path: name, ...hit })));
    else {
      const line = matchLines(transcript);
      for (const hit of own) print(`${paint("place", oneLine(name))} ${line(hit)}`);
    }
    return !capped;
  };
  const { others, more } = await eachRun(folder, values, look);
  if (values.json) print(JSON.stringify({ matches, capped }, null, 2));
  else if (capped) {
    process.stderr.write(
      `only the first ${plural(limit, "match", "matches")}; --limit N shows more\n`,
    );
  }
  if (others.length > 0) process.stderr.write(`${plural(others.length, "other file")} not read\n`);
  if (more) {
    process.stderr.write(`there are more: only ${plural(MOST_FILES, "file")} are opened\n`);
  }
  return count > 0 ? 0 : 1;
}
