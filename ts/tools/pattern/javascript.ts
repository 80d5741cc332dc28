// A regular expression in the syntax of JavaScript, read into a tree. It is one that a RegExp has accepted, so nothing
// here says what is wrong with it. Classes and escapes stay as they were written: a RegExp says what they match.
import { ExpressionError, type ExpressionNode, type LookNode, type RepeatNode } from "./nodes.ts";

const DEEPEST = 250;

/** An escape: a character, or a class of them. */
const ESCAPES = {
  u: /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[\s\S])/y,
  "": /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|0[0-7]{0,2}|[\s\S])/y,
};
const BACK_REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y;
/** What a group begins with: nothing, `?:`, a name, look-around, flags. */
const GROUP = /\((?:\?(?:(<?[=!])|<[^>]*>|([a-z-]*):))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;

/** What a pattern is. */
export interface ReadPattern {
  node: ExpressionNode;
  /** Whether an automaton can match it: it has no look-around, back references and flags. */
  isRegular: boolean;
}

class Reader {
  #text: string;
  #syntax: "" | "u";
  #at = 0;
  #depth = 0;
  isRegular = true;

  constructor(text: string, syntax: "" | "u") {
    this.#text = text;
    this.#syntax = syntax;
  }

  /** Takes what an expression, which is sticky, matches here. */
  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  alternation(): ExpressionNode {
    const nodes: ExpressionNode[] = [];
    do {
      nodes.push(this.#concatenation());
    } while (this.#text[this.#at++] === "|");
    const [first] = nodes;
    return first !== undefined && nodes.length === 1 ? first : { kind: "alternate", nodes };
  }

  #concatenation(): ExpressionNode {
    const nodes: ExpressionNode[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text.charAt(this.#at))) {
      const node = this.#atom();
      nodes.push(this.#repeated(node));
    }
    const [first] = nodes;
    return first !== undefined && nodes.length === 1 ? first : { kind: "concat", nodes };
  }

  #repeated(node: ExpressionNode): ExpressionNode {
    const match = this.#take(QUANTIFIER);
    if (match === null) return node;
    const [, sign, first, comma, second] = match;
    const min = sign === undefined ? Number(first) : sign === "+" ? 1 : 0;
    const most = sign === "?" ? 1 : Number.POSITIVE_INFINITY;
    const max = sign !== undefined ? most : comma === undefined ? min : Number(second || most);
    return { kind: "repeat", min: Math.min(min, Number.MAX_SAFE_INTEGER), max, node };
  }

  #atom(): ExpressionNode {
    const character = this.#text.charAt(this.#at);
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "^":
        return this.#look("textStart", 1);
      case "$":
        return this.#look("textEnd", 1);
      case ".":
        this.#at++;
        return this.#source(".");
      default: {
        const code =
          this.#syntax === "u" ? this.#text.codePointAt(this.#at) : character.charCodeAt(0);
        this.#at += code !== undefined && code > 0xffff ? 2 : 1;
        return { kind: "char", code: code ?? 0, isFolded: false };
      }
    }
  }

  #look(at: LookNode["at"], length: number): LookNode {
    this.#at += length;
    return { kind: "look", at, isUnicode: false };
  }

  #source(source: string): ExpressionNode {
    return { kind: "class", source, isFolded: false, syntax: this.#syntax };
  }

  #group(): ExpressionNode {
    const [, around, flags] = this.#take(GROUP) ?? [];
    if (around !== undefined || flags) this.isRegular = false;
    if (++this.#depth > DEEPEST) throw new ExpressionError("the nesting is deeper than 250", 0);
    const node = this.alternation(); // takes the `)`
    this.#depth--;
    return around === undefined ? node : { kind: "around", isBehind: around.startsWith("<"), node };
  }

  #class(): ExpressionNode {
    const start = this.#at;
    while (this.#text.charAt(++this.#at) !== "]") {
      if (this.#text.charAt(this.#at) === "\\") this.#at++;
    }
    return this.#source(this.#text.slice(start, ++this.#at));
  }

  #escape(): ExpressionNode {
    if (this.#text.startsWith("\\b", this.#at)) return this.#look("word", 2);
    if (this.#text.startsWith("\\B", this.#at)) return this.#look("notWord", 2);
    if (this.#take(BACK_REFERENCE) !== null) {
      this.isRegular = false;
      // It takes as long as any text would.
      const any: RepeatNode = {
        kind: "repeat",
        min: 0,
        max: Number.POSITIVE_INFINITY,
        node: this.#source("[^]"),
      };
      return any;
    }
    const [source = "\\"] = this.#take(ESCAPES[this.#syntax]) ?? [];
    if (source !== "\\c") return this.#source(source);
    // Before anything but a letter the backslash stands for itself.
    this.#at--;
    return this.#source("\\\\");
  }
}

/** Reads a pattern that a RegExp with this flag has accepted. Throws `ExpressionError` if it nests too deep. */
export function readPattern(pattern: string, syntax: "" | "u"): ReadPattern {
  const reader = new Reader(pattern, syntax);
  const node = reader.alternation();
  return { node, isRegular: reader.isRegular };
}
