// Edits that insert lines. Each fails if its anchor is missing or stands twice: then the file has changed since.
import { filled } from "./names.mjs";

/** The position of a text that stands in another exactly once. */
function only(text, anchor) {
  const at = text.indexOf(anchor);
  if (at < 0 || text.indexOf(anchor, at + 1) >= 0) {
    const count = at < 0 ? "nowhere" : "more than once";
    throw new Error(`${JSON.stringify(anchor)} stands ${count}; nothing was written`);
  }
  return at;
}

/** Which part of a text an insertion is in: from one anchor to the next occurrence of another. */
function range(text, from, to) {
  const start = from === undefined ? 0 : only(text, from) + from.length;
  const end = to === undefined ? text.length : text.indexOf(to, start);
  if (end < 0) throw new Error(`nothing ends with ${JSON.stringify(to)}; nothing was written`);
  return [start, end];
}

/** An insertion before an anchor. */
export const before = (anchor, line) => (text, words) => {
  const at = only(text, anchor);
  return text.slice(0, at) + filled(line, words) + text.slice(at);
};

/** An insertion after an anchor. */
export const after = (anchor, line) => (text, words) => {
  const at = only(text, anchor) + anchor.length;
  return text.slice(0, at) + filled(line, words) + text.slice(at);
};

/** An insertion at the end of the part of a text that begins and ends with these. */
export const atEndOf = (from, to, line) => (text, words) => {
  const [, end] = range(text, from, to);
  return text.slice(0, end) + filled(line, words) + text.slice(end);
};

/** An insertion at the end of a text. */
export const atEnd = (line) => (text, words) => text + filled(line, words);

/** Lines that match are sorted: the insertion of another, before the first that comes after it. */
export const sorted = (pattern, line) => (text, words) => {
  const own = filled(line, words);
  const lines = text.split("\n");
  const like = lines.flatMap((one, index) => (pattern.test(one) ? [index] : []));
  if (like.length === 0) throw new Error(`no line is like ${pattern}; nothing was written`);
  const next = like.find((index) => lines[index] > own) ?? like.at(-1) + 1;
  return lines.toSpliced(next, 0, own).join("\n");
};

/** One insertion after the other. */
export const all =
  (...insertions) =>
  (text, words, project) =>
    insertions.reduce((done, insert) => insert(done, words, project), text);

/** A number in a sentence, which grows by one: `words` are the sentence around it, with `#` for the number. */
export const countOneMore = (words) => (text) => {
  const pattern = new RegExp(words.replace("#", "(\\d+)"));
  const found = pattern.exec(text);
  if (!found) throw new Error(`no sentence is like "${words}"; nothing was written`);
  const said = words.replace("#", String(Number(found[1]) + 1));
  return text.replace(pattern, said);
};

/** The line of a new entry in the CHANGELOG. */
export const changelog = (line) => (text, words) => {
  const [start, end] = range(text, "## Unreleased\n", "\n## ");
  const section = text.slice(start, end).trimEnd();
  return `${text.slice(0, start)}${section}\n${filled(line, words)}\n${text.slice(end)}`;
};
