// The classes of characters of an expression: as ripgrep reads them, and as a JavaScript RegExp with the flag
// `v` writes them.

const POSIX = {
  alnum: "[0-9A-Za-z]",
  alpha: "[A-Za-z]",
  ascii: "[\\x00-\\x7f]",
  blank: "[\\t\\x20]",
  cntrl: "[\\x00-\\x1f\\x7f]",
  digit: "[0-9]",
  graph: "[\\x21-\\x7e]",
  lower: "[a-z]",
  print: "[\\x20-\\x7e]",
  punct: "[\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e]",
  space: "[\\t\\n\\v\\f\\r\\x20]",
  upper: "[A-Z]",
  word: "[0-9A-Za-z_]",
  xdigit: "[0-9A-Fa-f]",
};

const PERL = {
  d: "\\p{Nd}",
  s: "\\p{White_Space}",
  w: "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]",
};
const PERL_ASCII = { d: POSIX.digit, s: POSIX.space, w: POSIX.word };

/** What no match takes: the ends of lines, and the halves that stand for bytes which are no text. */
const NEVER = "[\\n\\r\\ud800-\\udfff]";

const negation = (source) => `[^${source}]`;

/** A character in a class. */
export const charSource = (code) => `\\u{${code.toString(16)}}`;

/** `[:alpha:]`, `[:^alpha:]`; undefined if there is no such class. */
export function posixSource(name) {
  const own = name.startsWith("^") ? name.slice(1) : name;
  if (!Object.hasOwn(POSIX, own)) return undefined;
  return own === name ? POSIX[own] : negation(POSIX[own]);
}

/** `\d`, `\s`, `\w` and their negations. */
export function perlSource(letter, isUnicode) {
  const lower = letter.toLowerCase();
  const source = (isUnicode ? PERL : PERL_ASCII)[lower];
  return lower === letter ? source : negation(source);
}

/** What a word is made of. */
export const wordSource = (isUnicode) => (isUnicode ? PERL.w : PERL_ASCII.w);

const isProperty = (text) => {
  try {
    new RegExp(`\\p{${text}}`, "v");
    return true;
  } catch {
    return false;
  }
};

const titled = (text) =>
  text
    .split(/[ _-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("_");

const KEYS = { gc: "", generalcategory: "", sc: "Script=", script: "Script=" };
const LONG_KEYS = { scx: "Script_Extensions=", scriptextensions: "Script_Extensions=" };

/** `\p{…}`: ripgrep takes names in any case; undefined if there is no such property. */
export function propertySource(given, isNegated) {
  const isTurned = given.startsWith("^") || given.includes("!=");
  const text = given.replace(/^\^/, "").replace("!=", "=").replace(":", "=").trim();
  const [first, second] = text.split("=").map((part) => part.trim());
  let tries;
  if (second === undefined) {
    const names = [first, titled(first), first.toUpperCase()];
    tries = [...names, ...names.map((name) => `Script=${name}`)];
    if (/^any$/i.test(first)) tries = ["Any"];
    if (/^ascii$/i.test(first)) tries = ["ASCII"];
  } else {
    const key = first.toLowerCase().replace(/[ _-]/g, "");
    const prefix = { ...KEYS, ...LONG_KEYS }[key];
    if (prefix === undefined) return undefined;
    tries = [second, titled(second), second.toUpperCase()].map((name) => prefix + name);
  }
  const found = tries.find((name) => /^[\w=]+$/.test(name) && isProperty(name));
  if (found === undefined) return undefined;
  return `\\${isNegated === isTurned ? "p" : "P"}{${found}}`;
}

/** A class as an atom: it takes no end of a line. */
export const atomSource = (source) => `[${source}--${NEVER}]`;

/** The source of a class between brackets; `items` are sources or `{from, to}`. */
export function setSource(items, isNegated) {
  const parts = items.map((item) =>
    typeof item === "string" ? item : `${charSource(item.from)}-${charSource(item.to)}`,
  );
  return `[${isNegated ? "^" : ""}${parts.join("")}]`;
}

/** `a&&b`, `a--b`, `a~~b` of two classes. */
export function operationSource(operator, left, right) {
  if (operator === "~~") return `[[${left}--${right}][${right}--${left}]]`;
  return `[${left}${operator}${right}]`;
}
