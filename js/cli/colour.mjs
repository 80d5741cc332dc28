// Colours of a terminal, where one is looking and wants them.

/** Does this stream show colours? (`FORCE_COLOR` before `NO_COLOR`, as Node has it.) */
export function hasColours(stream, env = process.env) {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== "0" && force !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}

const CODES = { match: "1;31", place: "36", good: "32", bad: "31", warning: "33" };

/** Paints text in one of the colours, or leaves it as it is. */
export function painter(stream, env) {
  const isOn = hasColours(stream, env);
  return (colour, text) => (isOn ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text);
}

/** Text of a transcript on one line: nothing in it reaches the terminal as a command. */
export const oneLine = (text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
