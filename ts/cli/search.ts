// `search`: the matches of a query in a transcript.
import { isApexPartsError } from "apex-parts";
import { isFolder, withTranscript } from "./file.ts";
import type { Hit } from "./matches.ts";
import { limitOf, matchLines, searchOptions } from "./matches.ts";
import type { Values } from "./options.ts";
import { CliError, nameOf, print } from "./output.ts";
import { searchFolder } from "./search-folder.ts";
import { wantedSession } from "./sessions.ts";
import { plural } from "./units.ts";

export function search(
  file: string,
  values: Values,
  [query = ""]: readonly string[],
): Promise<number> {
  if (isFolder(file)) return searchFolder(file, query, values);
  const options = searchOptions(query, values);
  return withTranscript(file, values, (transcript) => {
    wantedSession(transcript, nameOf(file), values.session);
    let hits: Hit[];
    try {
      hits = transcript.search(query, options);
    } catch (error) {
      // The query is at fault, not the file.
      if (isApexPartsError(error)) throw new CliError(error.message, 2);
      throw error;
    }
    if (values.json) {
      print(JSON.stringify(hits, null, 2));
      return hits.length > 0 ? 0 : 1;
    }
    for (const text of hits.map(matchLines(transcript))) print(text);
    const limit = limitOf(values);
    if (hits.length === limit) {
      process.stderr.write(
        `only the first ${plural(limit, "match", "matches")}; --limit N shows more\n`,
      );
    }
    return hits.length > 0 ? 0 : 1;
  });
}
