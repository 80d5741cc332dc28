// An expression in the syntax of ripgrep, read into a tree. Long because the grammar is one.
//
// Nodes: `{kind: "char", code, isFolded}`, `{kind: "class", source, isFolded}` (the source of a JavaScript
// class), `{kind: "look", at, isUnicode}`, `{kind: "repeat", min, max, node}`, `{kind: "concat", nodes}`,
// `{kind: "alternate", nodes}`. Which match is taken of several makes no difference here, so groups and
// laziness leave no trace. No node takes the end of a line.
import {
  atomSource,
  operationSource,
  perlSource,
  posixSource,
  propertySource,
  setSource,
} from "./expression-classes.mjs";

const DEEPEST = 250;
const LONGEST = 65_536;
const MOST_REPEATS = 100_000;
const SIMPLE = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const HEX = { x: 2, u: 4, U: 8 };
/** The source of a class of one character, which ends lines. */
const LINE_END = /^\[\\u\{(a|d)\}-\\u\{\1\}\]$/;
const LOOKS = {
  start: "wordStart",
  end: "wordEnd",
  "start-half": "wordStartHalf",
  "end-half": "wordEndHalf",
};

/** What is wrong with an expression; `at` and `end` are positions in it. */
export class ExpressionError extends Error {
  constructor(message, at, end = at + 1) {
    super(message);
    this.at = at;
    this.end = end;
  }
}

/** An expression that can match nothing, as every match is within a line. */
export class LineEndError extends Error {}

class Reader {
  constructor(pattern, isFolded) {
    this.text = pattern;
    this.at = 0;
    this.depth = 0;
    this.groups = 0;
    this.flags = { i: isFolded, m: true, s: false, u: true, x: false };
  }

  get isAtEnd() {
    return this.at >= this.text.length;
  }

  has(text) {
    return this.text.startsWith(text, this.at);
  }

  take(text) {
    if (!this.has(text)) return false;
    this.at += text.length;
    return true;
  }

  /** The next character, as a code point. */
  next() {
    const code = this.text.codePointAt(this.at);
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  fail(message, at = this.at, end = undefined) {
    throw new ExpressionError(message, at, end);
  }

  deeper(at, read) {
    if (++this.depth > DEEPEST) this.fail("the nesting is deeper than 250", at);
    const node = read();
    this.depth--;
    return node;
  }

  /** In the mode `x`, blanks and comments say nothing. */
  skipBlanks() {
    while (this.flags.x && !this.isAtEnd) {
      if (/\p{White_Space}/u.test(this.text[this.at])) this.at++;
      else if (this.has("#")) {
        const end = this.text.indexOf("\n", this.at);
        this.at = end < 0 ? this.text.length : end + 1;
      } else return;
    }
  }

  alternation() {
    const nodes = [];
    do nodes.push(this.concatenation());
    while (this.take("|"));
    return nodes.length === 1 ? nodes[0] : { kind: "alternate", nodes };
  }

  concatenation() {
    const nodes = [];
    for (;;) {
      this.skipBlanks();
      if (this.isAtEnd || this.has("|") || this.has(")")) break;
      const at = this.at;
      const node = this.atom();
      // Flags alone are no node.
      if (node === undefined) {
        this.skipBlanks();
        if (/[*+?{]/.test(this.text[this.at] ?? ""))
          this.fail("repetition operator missing expression");
        continue;
      }
      nodes.push(this.repeated(node, at));
    }
    return nodes.length === 1 ? nodes[0] : { kind: "concat", nodes };
  }

  repeated(node, from) {
    let made = node;
    for (let depth = 0; ; depth++) {
      this.skipBlanks();
      const at = this.at;
      let range;
      if (this.take("*")) range = [0, Number.POSITIVE_INFINITY];
      else if (this.take("+")) range = [1, Number.POSITIVE_INFINITY];
      else if (this.take("?")) range = [0, 1];
      else if (this.take("{")) range = this.counted(at);
      else return made;
      if (depth > DEEPEST) this.fail("the nesting is deeper than 250", from);
      this.take("?");
      made = { kind: "repeat", min: range[0], max: range[1], node: made };
    }
  }

  counted(at) {
    const found = /^\s*(\d*)\s*(,?)\s*(\d*)\s*(\}?)/.exec(this.text.slice(this.at));
    const [all, first, comma, second, end] = found;
    if (first === "") this.fail("repetition quantifier expects a valid decimal", this.at);
    if (end === "") this.fail("unclosed counted repetition", at);
    this.at += all.length;
    const min = Number(first);
    const max = comma === "" ? min : second === "" ? Number.POSITIVE_INFINITY : Number(second);
    const end_ = this.at;
    if (min > max)
      this.fail("invalid repetition count range, the start must be <= the end", at, end_);
    if (min > MOST_REPEATS || (max !== Number.POSITIVE_INFINITY && max > MOST_REPEATS)) {
      this.fail("the repetition count is too large", at, end_);
    }
    return [min, max];
  }

  atom() {
    const at = this.at;
    const code = this.next();
    switch (code) {
      case 0x28: // (
        return this.group(at);
      case 0x5b: // [
        return this.bracketed(at);
      case 0x2a: // *
      case 0x2b: // +
      case 0x3f: // ?
      case 0x7b: // {
        return this.fail("repetition operator missing expression", at);
      case 0x2e: // .
        return { kind: "class", source: atomSource("[\\p{Any}]"), isFolded: false };
      case 0x5e: // ^
        return { kind: "look", at: this.flags.m ? "lineStart" : "textStart" };
      case 0x24: // $
        return { kind: "look", at: this.flags.m ? "lineEnd" : "textEnd" };
      case 0x5c: // \
        return this.escaped(at);
      default:
        return this.char(code);
    }
  }

  char(code) {
    if (code === 10 || code === 13) throw new LineEndError();
    return { kind: "char", code, isFolded: this.flags.i };
  }

  group(at) {
    const before = { ...this.flags };
    for (const look of ["?=", "?!", "?<=", "?<!"]) {
      if (this.has(look)) {
        const end = this.at + look.length;
        this.fail("look-around, including look-ahead and look-behind, is not supported", at, end);
      }
    }
    if (this.take("?P<") || this.take("?<")) {
      const name = /^([A-Za-z_][\w.[\]]*)>/.exec(this.text.slice(this.at));
      if (name === null) this.fail("invalid capture group name");
      this.at += name[0].length;
    } else if (this.take("?") && this.setFlags(at) === ")") {
      return undefined;
    }
    const node = this.deeper(at, () => this.alternation());
    if (!this.take(")")) this.fail("unclosed group", at);
    this.flags = before;
    return node;
  }

  /** The flags of `(?i-u)` and `(?i:`; gives the character at their end. */
  setFlags(at) {
    let value = true;
    for (;;) {
      if (this.isAtEnd) this.fail("unclosed group", at);
      const [letter] = this.text.slice(this.at++);
      if (letter === ")" || letter === ":") {
        if (letter === ")" && this.text[this.at - 2] === "?") {
          this.fail("repetition operator missing expression", at + 1);
        }
        return letter;
      }
      if (letter === "-" && value) value = false;
      else if ("imsUuxR".includes(letter)) this.flags[letter] = value;
      else this.fail("unrecognized flag", this.at - 1);
    }
  }

  escaped(at) {
    if (this.isAtEnd)
      this.fail("incomplete escape sequence, reached end of pattern prematurely", at);
    const isUnicode = this.flags.u;
    if (this.take("A")) return { kind: "look", at: "textStart" };
    if (this.take("z")) return { kind: "look", at: "lineEnd" };
    if (this.take("B")) return { kind: "look", at: "notWord", isUnicode };
    if (this.take("<")) return { kind: "look", at: "wordStart", isUnicode };
    if (this.take(">")) return { kind: "look", at: "wordEnd", isUnicode };
    if (this.take("b")) {
      const named = /^\{([a-z-]+)\}/.exec(this.text.slice(this.at));
      if (named === null) return { kind: "look", at: "word", isUnicode };
      if (!Object.hasOwn(LOOKS, named[1]))
        this.fail("unrecognized special word boundary assertion", at);
      this.at += named[0].length;
      return { kind: "look", at: LOOKS[named[1]], isUnicode };
    }
    const item = this.escape(at);
    if (typeof item === "number") return this.char(item);
    return { kind: "class", source: atomSource(item), isFolded: this.flags.i };
  }

  /** An escape that a class may hold too: a code point, or the source of a class. */
  escape(at) {
    if (this.isAtEnd)
      this.fail("incomplete escape sequence, reached end of pattern prematurely", at);
    const code = this.next();
    const letter = String.fromCodePoint(code);
    if (/[0-9]/.test(letter)) this.fail("backreferences are not supported", at, this.at);
    if (/[dswDSW]/.test(letter)) return perlSource(letter, this.flags.u);
    if (letter === "p" || letter === "P") return this.property(at, letter === "P");
    if (Object.hasOwn(HEX, letter)) return this.hexadecimal(at, HEX[letter]);
    if (Object.hasOwn(SIMPLE, letter)) return SIMPLE[letter];
    if (code > 0x7f || /[A-Za-z<>]/.test(letter))
      this.fail("unrecognized escape sequence", at, this.at);
    return code;
  }

  hexadecimal(at, digits) {
    const rest = this.text.slice(this.at);
    const found =
      /^\{([0-9A-Fa-f]+)\}/.exec(rest) ?? new RegExp(`^([0-9A-Fa-f]{${digits}})`).exec(rest);
    if (found === null) this.fail("invalid hexadecimal digit");
    this.at += found[0].length;
    const code = Number.parseInt(found[1], 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      this.fail("hexadecimal literal is not a Unicode scalar value", at, this.at);
    }
    if (code > 0x7f && !this.flags.u) {
      this.fail("a byte that is no text is not supported without ripgrep", at, this.at);
    }
    return code;
  }

  property(at, isNegated) {
    if (!this.flags.u) this.fail("Unicode not allowed here", at);
    const found = /^(?:\{([^}]*)\}|([A-Za-z]))/.exec(this.text.slice(this.at));
    if (found === null) this.fail("Unicode property not found", at);
    this.at += found[0].length;
    const source = propertySource(found[1] ?? found[2], isNegated);
    if (source === undefined) this.fail("Unicode property not found", at, this.at);
    return source;
  }

  // ── Classes ───────────────────────────────────────────────────────────────────────────────────

  bracketed(at) {
    const source = this.set(at);
    if (LINE_END.test(source)) throw new LineEndError();
    return { kind: "class", source: atomSource(source), isFolded: this.flags.i };
  }

  /** The source of a class; its `[` at `at` is taken. */
  set(at) {
    return this.deeper(at, () => {
      const isNegated = this.take("^");
      let items = [];
      // A bracket at the front, and hyphens there, stand for themselves.
      while (this.take("-")) items.push({ from: 0x2d, to: 0x2d });
      if (items.length === 0 && this.take("]")) items.push({ from: 0x5d, to: 0x5d });
      let left;
      let operator;
      const joined = () => {
        const right = setSource(items, false);
        return operator === undefined ? right : operationSource(operator, left, right);
      };
      for (;;) {
        this.skipBlanks();
        if (this.isAtEnd) this.fail("unclosed character class", at);
        if (this.take("]")) break;
        const found = ["&&", "--", "~~"].find((text) => this.has(text));
        if (found !== undefined) {
          this.at += 2;
          left = joined();
          operator = found;
          items = [];
        } else {
          items.push(this.item());
        }
      }
      const source = joined();
      return isNegated ? `[^${source}]` : source;
    });
  }

  item() {
    const at = this.at;
    if (this.has("[")) {
      const named = /^\[:(\^?[a-z]+):\]/.exec(this.text.slice(at));
      const posix = named === null ? undefined : posixSource(named[1]);
      if (posix !== undefined) {
        this.at += named[0].length;
        return posix;
      }
      this.at++;
      return this.set(at);
    }
    const from = this.member();
    this.skipBlanks();
    const isRange = this.has("-") && !this.has("-]") && !this.has("--");
    if (!isRange) return typeof from === "string" ? from : { from, to: from };
    this.at++;
    this.skipBlanks();
    if (this.isAtEnd) this.fail("unclosed character class", at);
    const to = this.member();
    if (typeof from === "string" || typeof to === "string") {
      this.fail("invalid range boundary, must be a literal", at, this.at);
    }
    if (from > to) {
      this.fail("invalid character class range, the start must be <= the end", at, this.at);
    }
    return { from, to };
  }

  /** A code point, or the source of a class that an escape stands for. */
  member() {
    const at = this.at;
    if (this.take("\\")) return this.escape(at);
    const code = this.next();
    // A class of bytes.
    if (code > 0x7f && !this.flags.u) this.fail("Unicode not allowed here", at);
    return code;
  }
}

/**
 * Reads an expression. Throws `ExpressionError` where it is none, and `LineEndError` if it names the end of a
 * line.
 */
export function readExpression(pattern, { isFolded = false } = {}) {
  if (pattern.length > LONGEST) {
    throw new ExpressionError("the pattern is longer than 65,536 characters", LONGEST);
  }
  const reader = new Reader(pattern, isFolded);
  const node = reader.alternation();
  if (!reader.isAtEnd) reader.fail("unopened group");
  return node;
}
