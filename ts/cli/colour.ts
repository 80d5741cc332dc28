// Colours, if the output is a terminal that wants them.

/** What tells whether a stream shows colours. */
interface Output {
  isTTY?: boolean;
}

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Whether this stream shows colours. `FORCE_COLOR` takes precedence over `NO_COLOR`, as in Node. */
export function hasColours(stream: Output, env: Env = process.env): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== "0" && force !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}

/** What a colour stands for. */
export type Colour = "match" | "place" | "good" | "bad" | "warning";

const CODES: Record<Colour, string> = {
  match: "1;31",
  place: "36",
  good: "32",
  bad: "31",
  warning: "33",
};

/** Colours a string, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;

/** The function that colours what goes to a stream. */
export function painter(stream: Output, env?: Env): Paint {
  const isOn = hasColours(stream, env);
  return (colour, text) => (isOn ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text);
}

/** Text of a transcript on one line, without control characters that a terminal would obey. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");

/** Escapes what a terminal would obey, but for line feeds and tabs. */
export const escaped = (value: unknown): string =>
  String(value).replace(
    /[^\P{Cc}\n\t]/gu,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
