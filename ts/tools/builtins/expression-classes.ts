// The classes of characters of an expression: as ripgrep reads them, and as a JavaScript RegExp with the flag
// `v` writes them.

import { ASCII_WORD, charSource, UNICODE_WORD } from "../pattern/characters.ts";

const DIGIT = "[0-9]";
const SPACE = "[\\t\\n\\v\\f\\r\\x20]";

const POSIX: Record<string, string> = {
  alnum: "[0-9A-Za-z]",
  alpha: "[A-Za-z]",
  ascii: "[\\x00-\\x7f]",
  blank: "[\\t\\x20]",
  cntrl: "[\\x00-\\x1f\\x7f]",
  digit: DIGIT,
  graph: "[\\x21-\\x7e]",
  lower: "[a-z]",
  print: "[\\x20-\\x7e]",
  punct: "[\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e]",
  space: SPACE,
  upper: "[A-Z]",
  word: ASCII_WORD,
  xdigit: "[0-9A-Fa-f]",
};

const PERL: Record<"d" | "s" | "w", string> = {
  d: "\\p{Nd}",
  s: "\\p{White_Space}",
  w: UNICODE_WORD,
};
const PERL_ASCII: typeof PERL = { d: DIGIT, s: SPACE, w: ASCII_WORD };

/** What no match takes: the ends of lines, and the halves that stand for bytes that are not text. */
const NEVER = "[\\n\\r\\ud800-\\udfff]";

/** The value of a key that a table has itself. */
export const entryOf = <Value>(table: Record<string, Value>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const negation = (source: string) => `[^${source}]`;

/** `[:alpha:]`, `[:^alpha:]`; undefined if there is no such class. */
export function posixSource(name: string): string | undefined {
  const own = name.startsWith("^") ? name.slice(1) : name;
  const source = entryOf(POSIX, own);
  return source === undefined || own === name ? source : negation(source);
}

/** `\d`, `\s`, `\w` and their negations. */
export function perlSource(
  letter: keyof typeof PERL,
  isNegated: boolean,
  isUnicode: boolean,
): string {
  const source = (isUnicode ? PERL : PERL_ASCII)[letter];
  return isNegated ? negation(source) : source;
}

const isProperty = (text: string) => {
  try {
    new RegExp(`\\p{${text}}`, "v");
    return true;
  } catch {
    return false;
  }
};

const titled = (text: string) =>
  text
    .split(/[ _-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("_");

/** What stands before the value of a property in JavaScript, by the name that ripgrep has for it. */
const PREFIXES: Record<string, string> = {
  gc: "",
  generalcategory: "",
  sc: "Script=",
  script: "Script=",
  scx: "Script_Extensions=",
  scriptextensions: "Script_Extensions=",
};

/** `\p{…}`: ripgrep takes names in any case; undefined if there is no such property. */
export function propertySource(given: string, isNegated: boolean): string | undefined {
  const isTurned = given.startsWith("^") || given.includes("!=");
  const text = given.replace(/^\^/, "").replace("!=", "=").replace(":", "=").trim();
  const [first = "", second] = text.split("=").map((part) => part.trim());
  let tries: string[];
  if (second === undefined) {
    const names = [first, titled(first), first.toUpperCase()];
    tries = [...names, ...names.map((name) => `Script=${name}`)];
    if (/^any$/i.test(first)) tries = ["Any"];
    if (/^ascii$/i.test(first)) tries = ["ASCII"];
  } else {
    const prefix = entryOf(PREFIXES, first.toLowerCase().replace(/[ _-]/g, ""));
    if (prefix === undefined) return undefined;
    tries = [second, titled(second), second.toUpperCase()].map((name) => prefix + name);
  }
  const property = tries.find((name) => /^[\w=]+$/.test(name) && isProperty(name));
  if (property === undefined) return undefined;
  return `\\${isNegated === isTurned ? "p" : "P"}{${property}}`;
}

/** A class as an atom: it takes no end of a line. */
export const atomSource = (source: string): string => `[${source}--${NEVER}]`;

/** What is between the brackets of a class: characters from one to another, or the source of a class. */
export type ClassItem = string | { from: number; to: number };

/** The source of a class between brackets. */
export function setSource(items: ClassItem[], isNegated: boolean): string {
  const parts = items.map((item) =>
    typeof item === "string" ? item : `${charSource(item.from)}-${charSource(item.to)}`,
  );
  return `[${isNegated ? "^" : ""}${parts.join("")}]`;
}

/** `a&&b`, `a--b`, `a~~b` of two classes. */
export function operationSource(operator: string, left: string, right: string): string {
  if (operator === "~~") return `[[${left}--${right}][${right}--${left}]]`;
  return `[${left}${operator}${right}]`;
}
