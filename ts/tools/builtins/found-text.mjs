// What the model sees of the lines that grep has found.
import { truncated } from "../output.ts";

/** The most characters of a line. */
const MOST_CHARACTERS = 2000;

const isLow = (text, at) => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};

/** A line cut around the place where its match begins. */
function cutAround(text, at) {
  // Two signs say that something is left out.
  const room = MOST_CHARACTERS - 2;
  let start = Math.max(0, Math.min(at - room / 2, text.length - room));
  let end = start + room;
  if (isLow(text, start)) start++;
  if (end < text.length && isLow(text, end)) end--;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** Where a match begins in a line; its beginning where that cannot be found out. */
function locate(text, matcher) {
  try {
    return matcher?.locate(text) ?? 0;
  } catch {
    // ripgrep takes larger expressions.
    return 0;
  }
}

function shown({ text, why, isMatch }, matcher) {
  if (text === undefined) return `(${why}; its text is left out)`;
  if (text.length <= MOST_CHARACTERS) return text;
  return cutAround(text, isMatch ? locate(text, matcher) : 0);
}

function linesOf(found, { absolute, matcher, limit }) {
  const lines = [`Found ${found.matches} matches`];
  for (const file of found.files) {
    lines.push(`${absolute(file.path)}:`);
    for (const line of file.lines) {
      const sign = line.isMatch ? ":" : "-";
      lines.push(`  Line ${line.number}${sign} ${shown(line, matcher)}`);
    }
  }
  if (found.isTruncated) {
    lines.push(
      `(First ${limit} of at least ${limit + 1} matches. Narrow the pattern, path or include.)`,
    );
  }
  return lines;
}

/** The output of a search and its metadata; a long one is cut and the whole of it put into the store. */
export async function resultOf(found, engine, options) {
  const { pattern, notes, withheld, store, about } = options;
  const lines = found.matches === 0 ? ["No matches."] : linesOf(found, options);
  if (found.isIncomplete && !found.isTruncated) lines.push("(Some files could not be read.)");
  const output = [...lines, ...notes].join("\n");
  const cut = await truncated(output, undefined, store, about);
  const { matches, files, isTruncated } = found;
  const metadata = { matches, files: files.length, truncated: isTruncated, engine };
  if (withheld > 0) metadata.withheld = withheld;
  return {
    title: pattern,
    output: cut?.output ?? output,
    metadata: { ...metadata, ...cut?.metadata },
  };
}
