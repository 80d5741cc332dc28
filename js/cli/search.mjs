// `search`: where something is said, done or answered in a transcript.
import { isApexPartsError } from "../node.mjs";
import { oneLine, painter } from "./colour.mjs";
import { withTranscript } from "./file.mjs";
import { Complaint, plural, print, wholeNumber } from "./say.mjs";

/** What a JSON Pointer leads to. */
function at(value, pointer) {
  let found = value;
  for (const step of pointer.split("/").slice(1)) {
    found = found?.[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return found;
}

/** What was found, word for word; "" where it cannot be told. */
function wordsOf(transcript) {
  let number;
  let message;
  return (hit) => {
    if (hit.message !== number) {
      number = hit.message;
      message = transcript.message(number);
    }
    const text = at(message?.parts[hit.part], hit.field);
    return typeof text === "string" ? text.slice(hit.start, hit.end) : "";
  };
}

/** How many hits there are at most, unless it is said. */
const MOST = 1000;

export function search(file, values, [query]) {
  if (query === "") throw new Complaint("search for what? the QUERY is empty", 2);
  const limit = wholeNumber(values, "limit", 1) ?? MOST;
  const options = {
    regex: values.regex ?? false,
    caseSensitive: values["case-sensitive"] ?? false,
    limit,
  };
  return withTranscript(file, values, (transcript) => {
    let hits;
    try {
      hits = transcript.search(query, options);
    } catch (error) {
      // The query is at fault, not the file.
      if (isApexPartsError(error)) throw new Complaint(error.message, 2);
      throw error;
    }
    if (values.json) {
      print(JSON.stringify(hits, null, 2));
      return hits.length > 0 ? 0 : 1;
    }
    const paint = painter(process.stdout);
    const words = wordsOf(transcript);
    for (const hit of hits) {
      const place = paint("place", `${hit.message}:${hit.part} ${oneLine(hit.field)}`);
      const found = paint("match", "") === "" ? "" : words(hit);
      // As grep does it: every place in the line that reads as what was found.
      const pieces = found === "" ? [hit.excerpt] : hit.excerpt.split(found);
      const excerpt = pieces.map(oneLine).join(paint("match", oneLine(found)));
      print(`${place}: ${excerpt}`);
    }
    if (hits.length === limit) {
      process.stderr.write(`the first ${plural(limit, "hit")}; --limit N shows more\n`);
    }
    return hits.length > 0 ? 0 : 1;
  });
}
