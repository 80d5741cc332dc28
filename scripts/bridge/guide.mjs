// The guide into another program as something that can be applied: its sections are the slices. Blocks of code that name a
// file (```ts title="src/a.ts", ```diff title="src/b.ts") are what a slice writes and changes; `git rm` in a block of
// commands removes files.
import { fences } from "../fences.mjs";

/**
 * @typedef {object} Block
 * @property {"write" | "change" | "remove"} kind
 * @property {string} path the file
 * @property {string} text the whole file, or what changes in it; empty if it is removed
 */

/** @returns {Block[]} what a block of code does to files */
function blocksOf({ language, info, text }) {
  const path = /^title="([^"]+)"$/.exec(info)?.[1];
  if (path) return [{ kind: language === "diff" ? "change" : "write", path, text }];
  if (language !== "sh") return [];
  const removed = text.split("\n").filter((line) => line.startsWith("git rm "));
  const paths = removed.flatMap((line) => line.split(" ").slice(2));
  return paths.map((path) => ({ kind: "remove", path, text: "" }));
}

/**
 * The slices of a guide in their order; sections that change no file are none.
 *
 * @param {string} guide the text of the page
 * @returns {{ name: string, blocks: Block[] }[]}
 */
export function slicesOf(guide) {
  const sections = guide.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const name = section.slice(0, section.indexOf("\n"));
    const blocks = fences(section, name).flatMap(blocksOf);
    return blocks.length > 0 ? { name, blocks } : [];
  });
}

/** A line of a hunk that stands for all lines up to the next one that the hunk has. */
const isElision = (line) => line.slice(1).trim() === "…";

/**
 * What a hunk makes of the lines from `at` on, and where it ends; undefined if it does not fit there.
 *
 * @param {string[]} lines
 * @param {number} at
 * @param {string[]} hunk its lines, each with its sign
 */
function fitted(lines, at, hunk) {
  const made = [];
  let end = at;
  for (const [index, line] of hunk.entries()) {
    const [sign, text] = [line[0] ?? " ", line.slice(1)];
    if (sign === "+") {
      made.push(text);
    } else if (isElision(line)) {
      const next = hunk.slice(index + 1).find((line) => line[0] !== "+");
      // The last line of a file is the empty string after its line feed.
      const until = next === undefined ? lines.length - 1 : lines.indexOf(next.slice(1), end);
      if (until < 0) return undefined;
      if (sign === " ") made.push(...lines.slice(end, until));
      end = until;
    } else {
      if (lines[end] !== text) return undefined;
      if (sign === " ") made.push(text);
      end++;
    }
  }
  return { made, end };
}

/**
 * A source with the hunks of a `diff` block applied. Hunks are separated by lines that start with `@@`; in one, `…`
 * after its sign stands for the lines up to the next one, or to the end. Each hunk must fit in exactly one place.
 *
 * @param {string} source
 * @param {string} diff
 * @param {string} path what errors name
 * @returns {string}
 */
export function patched(source, diff, path) {
  let lines = source.split("\n");
  const hunks = diff.replace(/\n$/, "").split(/^@@.*\n/m);
  for (const hunk of hunks
    .filter((text) => text !== "")
    .map((text) => text.replace(/\n$/, "").split("\n"))) {
    const places = lines.flatMap((_, at) => {
      const fit = fitted(lines, at, hunk);
      return fit ? { at, ...fit } : [];
    });
    if (places.length !== 1) {
      const where = places.length === 0 ? "nowhere" : `in ${places.length} places`;
      throw new Error(`${path}: this hunk fits ${where}:\n${hunk.join("\n")}`);
    }
    const [{ at, made, end }] = places;
    lines = [...lines.slice(0, at), ...made, ...lines.slice(end)];
  }
  return lines.join("\n");
}
