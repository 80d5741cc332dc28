// Colours, if the output is a terminal that wants them.

/** Whether this stream shows colours. `FORCE_COLOR` takes precedence over `NO_COLOR`, as in Node. */
export function hasColours(stream, env = process.env) {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== "0" && force !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}

const CODES = { match: "1;31", place: "36", good: "32", bad: "31", warning: "33" };

/** A function that colours a text, or returns it unchanged. */
export function painter(stream, env) {
  const isOn = hasColours(stream, env);
  return (colour, text) => (isOn ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text);
}

/** Text of a transcript on one line, without control characters that a terminal would obey. */
export const oneLine = (text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");

/** Escapes what a terminal would obey, but for line feeds and tabs. */
export const escaped = (value) =>
  String(value).replace(
    /[^\P{Cc}\n\t]/gu,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
