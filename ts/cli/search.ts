// `search`: the matches of a query in a transcript.
import type { Transcript, WithParts } from "apex-parts";
import { isApexPartsError } from "apex-parts";
import { oneLine, painter } from "./colour.ts";
import { withTranscript } from "./file.ts";
import type { Values } from "./options.ts";
import { CliError, nameOf, print, wholeNumber } from "./output.ts";
import { scopeOf, wantedSession } from "./sessions.ts";
import { plural } from "./units.ts";

/** The value at a JSON Pointer. */
function at(value: unknown, pointer: string): unknown {
  let inner = value;
  for (const step of pointer.split("/").slice(1)) {
    if (typeof inner !== "object" || inner === null) return undefined;
    // Any value of JSON has its members by name.
    const members = inner as Record<string, unknown>;
    inner = members[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return inner;
}

type Hit = ReturnType<Transcript["search"]>[number];

/** A function that returns the matched text of a hit; "" if it is not known. */
function wordsOf(transcript: Transcript): (hit: Hit) => string {
  let number: number | undefined;
  let message: WithParts | undefined;
  let session: string | undefined;
  let messages: WithParts[] = [];
  return (hit) => {
    if (hit.session !== session) {
      session = hit.session;
      messages = session === undefined ? [] : transcript.messagesOf(session);
      number = undefined;
    }
    if (hit.message !== number) {
      number = hit.message;
      message = session === undefined ? transcript.message(hit.message) : messages[hit.message];
    }
    const text = at(message?.parts[hit.part], hit.field);
    return typeof text === "string" ? text.slice(hit.start, hit.end) : "";
  };
}

/** The default maximum number of hits. */
const MOST = 1000;

export function search(
  file: string,
  values: Values,
  [query = ""]: readonly string[],
): Promise<number> {
  if (query === "") throw new CliError("the QUERY is empty", 2);
  const limit = wholeNumber(values, "limit", 1) ?? MOST;
  const options = {
    regex: values.regex ?? false,
    caseSensitive: values["case-sensitive"] ?? false,
    limit,
    ...scopeOf(values.session),
  };
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
    const paint = painter(process.stdout);
    const words = wordsOf(transcript);
    for (const hit of hits) {
      const session = hit.session === undefined ? "" : `${oneLine(hit.session)} `;
      const where = `${session}${hit.message}:${hit.part} ${oneLine(hit.field)}`;
      const place = paint("place", where);
      const match = paint("match", "") === "" ? "" : words(hit);
      // As grep does: every occurrence of the matched text in the line.
      const pieces = match === "" ? [hit.excerpt] : hit.excerpt.split(match);
      const excerpt = pieces.map(oneLine).join(paint("match", oneLine(match)));
      print(`${place}: ${excerpt}`);
    }
    if (hits.length === limit) {
      process.stderr.write(
        `only the first ${plural(limit, "match", "matches")}; --limit N shows more\n`,
      );
    }
    return hits.length > 0 ? 0 : 1;
  });
}
