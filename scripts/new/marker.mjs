// The marker of what is still to be written. Skeletons contain it, and a test fails as long as one is left.

// In two pieces, so that this file is not unfinished itself.
export const MARKER = ["WRITE", ": "].join("");

/** What closes the string or the cell of a table in which a sentence stands. */
const CLOSING = /"#?[,;:)\]}]|" \}| +\|/;

/** The marked lines of a text: the number of each, and what it says is to be written. */
export function marked(text) {
  return text.split("\n").flatMap((line, index) => {
    const at = line.indexOf(MARKER);
    if (at < 0) return [];
    const [says] = line.slice(at + MARKER.length).split(CLOSING);
    return [{ line: index + 1, says }];
  });
}
