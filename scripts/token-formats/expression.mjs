// Values from a regular expression of RE2: what a rule of a scanner would report.

/** Numbers that look random, the same for the same seed. */
export function randomNumbers(seed) {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(below));
  };
}

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const LETTERS = LOWER + LOWER.toUpperCase();
const NAMED = {
  alnum: LETTERS + DIGITS,
  alpha: LETTERS,
  digit: DIGITS,
  xdigit: `${DIGITS}abcdefABCDEF`,
};
const ESCAPES = {
  d: DIGITS,
  w: `${LETTERS + DIGITS}_`,
  s: " ",
  S: `${LETTERS + DIGITS}`,
  n: "\n",
  r: "\r",
  t: "\t",
};
/** Characters that a value can have: no control character, no blank, and no backslash, which begins an escape. */
const PRINTABLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .filter((char) => char !== "\\")
  .join("");
/** How many more than the fewest are made where an expression has no limit, or a high one. */
const MORE = 20;

const otherCase = (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase());

/** Reads an expression into pieces: `{chars}`, `{choices}`, `{sequence, capture}`, `{repeat, least, most}`. */
class Reader {
  constructor(expression) {
    this.text = expression;
    this.at = 0;
    this.captures = 0;
  }

  has(sign) {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  /** Alternatives up to a `)` or the end. A flag within holds for what follows it in the group. */
  choices(ignoresCase) {
    const choices = [[]];
    let flag = ignoresCase;
    while (this.at < this.text.length && this.text[this.at] !== ")") {
      if (this.has("|")) {
        choices.push([]);
        continue;
      }
      if (this.has("(?i)")) {
        flag = true;
        continue;
      }
      const piece = this.piece(flag);
      if (piece) choices.at(-1).push(this.repeated(piece));
    }
    return { choices };
  }

  piece(flag) {
    const char = this.text[this.at++];
    if (char === "(") return this.group(flag);
    if (char === "[") return this.set(flag);
    // As a rule the dot is meant: `hooks.slack.com`.
    if (char === ".") return { chars: "." };
    if (char === "^" || char === "$") return undefined;
    if (char === "\\") return this.escape();
    return { chars: char };
  }

  group(flag) {
    let inner = flag;
    let capture;
    if (this.has("?P<")) this.at = this.text.indexOf(">", this.at) + 1;
    else if (this.has("?i:")) inner = true;
    else if (this.has("?-i:")) inner = false;
    else if (this.has("?s:") || this.has("?:")) inner = flag;
    else capture = ++this.captures;
    const group = this.choices(inner);
    if (!this.has(")")) throw new Error(`a group is not closed: ${this.text}`);
    return { ...group, capture };
  }

  escape() {
    const char = this.text[this.at++];
    if (char === "x") {
      this.at += 2;
      return {
        chars: String.fromCharCode(Number.parseInt(this.text.slice(this.at - 2, this.at), 16)),
      };
    }
    if ("bBz".includes(char)) return undefined;
    return { chars: ESCAPES[char] ?? char };
  }

  /** One character of a set, or the two ends of a range. */
  member() {
    if (this.has("[:")) {
      const end = this.text.indexOf(":]", this.at);
      const name = this.text.slice(this.at, end);
      this.at = end + 2;
      return NAMED[name];
    }
    if (this.text[this.at] === "\\") {
      this.at++;
      return this.escape().chars;
    }
    return this.text[this.at++];
  }

  set(flag) {
    const isNot = this.has("^");
    let chars = "";
    for (let first = true; first || this.text[this.at] !== "]"; first = false) {
      const from = this.member();
      const isRange = this.text[this.at] === "-" && this.text[this.at + 1] !== "]";
      if (!isRange || from.length > 1) {
        chars += from;
        continue;
      }
      this.at++;
      const to = this.member();
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) {
        chars += String.fromCharCode(code);
      }
    }
    this.at++;
    if (flag) chars += [...chars].map(otherCase).join("");
    const known = [...PRINTABLE].filter((char) => chars.includes(char) !== isNot);
    return { chars: known.length > 0 ? known.join("") : chars };
  }

  repeated(piece) {
    const counts = /^(?:\{(\d+)(?:(,)(\d*))?\}|[*+?])\??/.exec(this.text.slice(this.at));
    if (!counts) return piece;
    this.at += counts[0].length;
    const [sign, least, comma, most] = counts;
    if (sign[0] === "?") return { repeat: piece, least: 0, most: 1 };
    // A group that is repeated is a piece of a value.
    piece.capture = undefined;
    if (sign[0] === "*") return { repeat: piece, least: 0, most: MORE };
    if (sign[0] === "+") return { repeat: piece, least: MORE / 2, most: MORE };
    const limit = most ? Number(most) : Number(least) + MORE;
    return { repeat: piece, least: Number(least), most: comma ? limit : Number(least) };
  }
}

/** The entropy of a text, in bits a character. */
function entropy(text) {
  const counts = new Map();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** A value that an expression matches: its first group that captures, or all. */
function oneValue(tree, random) {
  let captured;
  const written = (piece) => {
    if (piece.chars !== undefined) return piece.chars[random(piece.chars.length)];
    if (piece.repeat) {
      const count = piece.least + random(Math.min(piece.most - piece.least, 3 * MORE) + 1);
      return Array.from({ length: count }, () => written(piece.repeat)).join("");
    }
    const text = piece.choices[random(piece.choices.length)].map(written).join("");
    if (piece.capture === 1) captured = text;
    return text;
  };
  const all = written(tree);
  return captured ?? all;
}

/** So many values that a rule would report: it asks for some entropy, in bits a character. */
export function valuesOf(expression, count, random, leastEntropy = 0) {
  const tree = new Reader(expression).choices(false);
  const values = new Set();
  for (let tries = 0; values.size < count && tries < 100 * count; tries++) {
    const value = oneValue(tree, random);
    if (entropy(value) >= leastEntropy) values.add(value);
  }
  return [...values];
}
