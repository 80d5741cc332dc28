// An expression in the syntax of ripgrep, read into a tree. Long because the grammar is one.
//
// Which match is taken of several makes no difference here, so groups and laziness leave no trace. No node takes the
// end of a line.

import {
  type CharNode,
  type ClassNode,
  ExpressionError,
  type ExpressionNode,
  type LookNode,
} from "../pattern/nodes.ts";
import {
  atomSource,
  type ClassItem,
  entryOf,
  operationSource,
  perlSource,
  posixSource,
  propertySource,
  setSource,
} from "./expression-classes.ts";

const DEEPEST = 250;
const LONGEST = 65_536;
const MOST_REPEATS = 100_000;
const SIMPLE: Record<string, number> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const HEX: Record<string, number> = { x: 2, u: 4, U: 8 };
/** The source of a class of one character, which ends lines. */
const LINE_END = /^\[\\u\{(a|d)\}-\\u\{\1\}\]$/;
const LOOKS: Record<string, LookNode["at"]> = {
  start: "wordStart",
  end: "wordEnd",
  "start-half": "wordStartHalf",
  "end-half": "wordEndHalf",
};

/** An expression that can match nothing, as every match is within a line. */
export class LineEndError extends Error {}

interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
  u: boolean;
  x: boolean;
  U?: boolean;
  R?: boolean;
}

const isFlag = (letter: string): letter is keyof Flags => "imsUuxR".includes(letter);

class Reader {
  text: string;
  at = 0;
  depth = 0;
  flags: Flags;

  constructor(pattern: string, isFolded: boolean) {
    this.text = pattern;
    this.flags = { i: isFolded, m: true, s: false, u: true, x: false };
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  has(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  take(text: string): boolean {
    if (!this.has(text)) return false;
    this.at += text.length;
    return true;
  }

  /** The next character, as a code point; there must be one. */
  next(): number {
    const code = this.text.codePointAt(this.at) ?? 0;
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  fail(message: string, at: number = this.at, end?: number): never {
    throw new ExpressionError(message, at, end);
  }

  deeper<Result>(at: number, read: () => Result): Result {
    if (++this.depth > DEEPEST) this.fail("the nesting is deeper than 250", at);
    const result = read();
    this.depth--;
    return result;
  }

  /** In the mode `x`, blanks and comments say nothing. */
  skipBlanks(): void {
    while (this.flags.x && !this.isAtEnd) {
      if (/\p{White_Space}/u.test(this.text.charAt(this.at))) this.at++;
      else if (this.has("#")) {
        const end = this.text.indexOf("\n", this.at);
        this.at = end < 0 ? this.text.length : end + 1;
      } else return;
    }
  }

  alternation(): ExpressionNode {
    const first = this.concatenation();
    if (!this.has("|")) return first;
    const nodes = [first];
    while (this.take("|")) nodes.push(this.concatenation());
    return { kind: "alternate", nodes };
  }

  concatenation(): ExpressionNode {
    const nodes: ExpressionNode[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.isAtEnd || this.has("|") || this.has(")")) break;
      const at = this.at;
      const node = this.atom();
      // Flags alone are not a node.
      if (node === undefined) {
        this.skipBlanks();
        if (/[*+?{]/.test(this.text[this.at] ?? ""))
          this.fail("repetition operator missing expression");
        continue;
      }
      nodes.push(this.repeated(node, at));
    }
    const [first, ...others] = nodes;
    return first !== undefined && others.length === 0 ? first : { kind: "concat", nodes };
  }

  /** The node with the repetitions that follow it; `from` is where it begins. */
  repeated(node: ExpressionNode, from: number): ExpressionNode {
    let whole = node;
    for (let depth = 0; ; depth++) {
      this.skipBlanks();
      const at = this.at;
      let range: [min: number, max: number];
      if (this.take("*")) range = [0, Number.POSITIVE_INFINITY];
      else if (this.take("+")) range = [1, Number.POSITIVE_INFINITY];
      else if (this.take("?")) range = [0, 1];
      else if (this.take("{")) range = this.counted(at);
      else return whole;
      if (depth > DEEPEST) this.fail("the nesting is deeper than 250", from);
      this.take("?");
      whole = { kind: "repeat", min: range[0], max: range[1], node: whole };
    }
  }

  /** The rest of `{2,3}`; its `{` at `at` is taken. */
  counted(at: number): [min: number, max: number] {
    const count = /^\s*(\d*)\s*(,?)\s*(\d*)\s*(\}?)/.exec(this.text.slice(this.at));
    const [all = "", first = "", comma = "", second = "", end = ""] = count ?? [];
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

  /** Undefined for flags alone. */
  atom(): ExpressionNode | undefined {
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
        return this.look(this.flags.m ? "lineStart" : "textStart");
      case 0x24: // $
        return this.look(this.flags.m ? "lineEnd" : "textEnd");
      case 0x5c: // \
        return this.escaped(at);
      default:
        return this.char(code);
    }
  }

  look(at: LookNode["at"]): LookNode {
    return { kind: "look", at, isUnicode: this.flags.u };
  }

  char(code: number): CharNode {
    if (code === 10 || code === 13) throw new LineEndError();
    return { kind: "char", code, isFolded: this.flags.i };
  }

  group(at: number): ExpressionNode | undefined {
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
  setFlags(at: number): ")" | ":" {
    let value = true;
    for (;;) {
      const letter = this.text[this.at++];
      if (letter === undefined) this.fail("unclosed group", at);
      if (letter === ")" || letter === ":") {
        if (letter === ")" && this.text[this.at - 2] === "?") {
          this.fail("repetition operator missing expression", at + 1);
        }
        return letter;
      }
      if (letter === "-" && value) value = false;
      else if (isFlag(letter)) this.flags[letter] = value;
      else this.fail("unrecognized flag", this.at - 1);
    }
  }

  escaped(at: number): ExpressionNode {
    if (this.isAtEnd)
      this.fail("incomplete escape sequence, reached end of pattern prematurely", at);
    if (this.take("A")) return this.look("textStart");
    if (this.take("z")) return this.look("lineEnd");
    if (this.take("B")) return this.look("notWord");
    if (this.take("<")) return this.look("wordStart");
    if (this.take(">")) return this.look("wordEnd");
    if (this.take("b")) {
      const [whole = "", name] = /^\{([a-z-]+)\}/.exec(this.text.slice(this.at)) ?? [];
      if (name === undefined) return this.look("word");
      const look = entryOf(LOOKS, name);
      if (look === undefined) this.fail("unrecognized special word boundary assertion", at);
      this.at += whole.length;
      return this.look(look);
    }
    const item = this.escape(at);
    if (typeof item === "number") return this.char(item);
    return { kind: "class", source: atomSource(item), isFolded: this.flags.i };
  }

  /** An escape that a class may hold too: a code point, or the source of a class. */
  escape(at: number): number | string {
    if (this.isAtEnd)
      this.fail("incomplete escape sequence, reached end of pattern prematurely", at);
    const code = this.next();
    const letter = String.fromCodePoint(code);
    if (/[0-9]/.test(letter)) this.fail("backreferences are not supported", at, this.at);
    const lower = letter.toLowerCase();
    if (lower === "d" || lower === "s" || lower === "w") {
      return perlSource(lower, lower !== letter, this.flags.u);
    }
    if (letter === "p" || letter === "P") return this.property(at, letter === "P");
    const digits = entryOf(HEX, letter);
    if (digits !== undefined) return this.hexadecimal(at, digits);
    const simple = entryOf(SIMPLE, letter);
    if (simple !== undefined) return simple;
    if (code > 0x7f || /[A-Za-z<>]/.test(letter))
      this.fail("unrecognized escape sequence", at, this.at);
    return code;
  }

  hexadecimal(at: number, digits: number): number {
    const rest = this.text.slice(this.at);
    const literal =
      /^\{([0-9A-Fa-f]+)\}/.exec(rest) ?? new RegExp(`^([0-9A-Fa-f]{${digits}})`).exec(rest);
    const [whole = "", value] = literal ?? [];
    if (value === undefined) this.fail("invalid hexadecimal digit");
    this.at += whole.length;
    const code = Number.parseInt(value, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      this.fail("hexadecimal literal is not a Unicode scalar value", at, this.at);
    }
    if (code > 0x7f && !this.flags.u) {
      this.fail("a byte that is not text is not supported without ripgrep", at, this.at);
    }
    return code;
  }

  property(at: number, isNegated: boolean): string {
    if (!this.flags.u) this.fail("Unicode not allowed here", at);
    const name = /^(?:\{([^}]*)\}|([A-Za-z]))/.exec(this.text.slice(this.at));
    if (name === null) this.fail("Unicode property not found", at);
    this.at += name[0].length;
    const source = propertySource(name[1] ?? name[2] ?? "", isNegated);
    if (source === undefined) this.fail("Unicode property not found", at, this.at);
    return source;
  }

  // ── Classes ───────────────────────────────────────────────────────────────────────────────────

  bracketed(at: number): ClassNode {
    const source = this.set(at);
    if (LINE_END.test(source)) throw new LineEndError();
    return { kind: "class", source: atomSource(source), isFolded: this.flags.i };
  }

  /** The source of a class; its `[` at `at` is taken. */
  set(at: number): string {
    return this.deeper(at, () => {
      const isNegated = this.take("^");
      let items: ClassItem[] = [];
      // A bracket at the front, and hyphens there, stand for themselves.
      while (this.take("-")) items.push({ from: 0x2d, to: 0x2d });
      if (items.length === 0 && this.take("]")) items.push({ from: 0x5d, to: 0x5d });
      let left = "";
      let operator: string | undefined;
      const combined = () => {
        const right = setSource(items, false);
        return operator === undefined ? right : operationSource(operator, left, right);
      };
      for (;;) {
        this.skipBlanks();
        if (this.isAtEnd) this.fail("unclosed character class", at);
        if (this.take("]")) break;
        const next = ["&&", "--", "~~"].find((text) => this.has(text));
        if (next !== undefined) {
          this.at += 2;
          left = combined();
          operator = next;
          items = [];
        } else {
          items.push(this.item());
        }
      }
      const source = combined();
      return isNegated ? `[^${source}]` : source;
    });
  }

  item(): ClassItem {
    const at = this.at;
    if (this.has("[")) {
      const [whole = "", name = ""] = /^\[:(\^?[a-z]+):\]/.exec(this.text.slice(at)) ?? [];
      const posix = posixSource(name);
      if (posix !== undefined) {
        this.at += whole.length;
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
  member(): number | string {
    const at = this.at;
    if (this.take("\\")) return this.escape(at);
    const code = this.next();
    // A class of bytes.
    if (code > 0x7f && !this.flags.u) this.fail("Unicode not allowed here", at);
    return code;
  }
}

/**
 * Reads an expression. Throws `ExpressionError` where it is not one, and `LineEndError` if it names the end of a
 * line.
 */
export function readExpression(
  pattern: string,
  { isFolded = false }: { isFolded?: boolean | undefined } = {},
): ExpressionNode {
  if (pattern.length > LONGEST) {
    throw new ExpressionError("the pattern is longer than 65,536 characters", LONGEST);
  }
  const reader = new Reader(pattern, isFolded);
  const node = reader.alternation();
  if (!reader.isAtEnd) reader.fail("unopened group");
  return node;
}
