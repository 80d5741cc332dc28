// The fenced blocks of code of a Markdown page: for the tests that run them, and for guides that are applied.

/**
 * @typedef {object} Fence
 * @property {string} language the first word after the opening fence
 * @property {string} info what follows that word, trimmed
 * @property {string} text the lines between the fences, each without the indentation of the opening one; every line ends
 *   in a line feed
 * @property {number} start the index of the line of the opening fence
 * @property {number} end the index of the line of the closing fence
 */

/**
 * The fenced blocks of a page in their order.
 *
 * @param {string} source the text of the page
 * @param {string} page its name, for errors
 * @returns {Fence[]}
 * @throws an `Error` if a fence is never closed
 */
export function fences(source, page) {
  const lines = source.split("\n");
  const blocks = [];
  for (let start = 0; start < lines.length; start++) {
    const opening = /^(\s*)(`{3,})\s*(\S*)\s*(.*?)\s*$/.exec(lines[start]);
    if (opening === null) continue;
    const [, indent, fence, language, info] = opening;
    const closing = new RegExp(`^\\s*${fence}\`*\\s*$`);
    let end = start + 1;
    while (end < lines.length && !closing.test(lines[end])) end++;
    if (end === lines.length) throw new Error(`${page}:${start + 1}: the fence never closes`);
    const text = lines
      .slice(start + 1, end)
      .map((line) => `${line.slice(indent.length)}\n`)
      .join("");
    blocks.push({ language, info, text, start, end });
    start = end;
  }
  return blocks;
}
