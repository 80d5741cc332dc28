// What finds an expression in lines: a RegExp where its time is bounded, the automaton otherwise.
import { Automaton } from "../pattern/automaton.ts";
import { charSource, wordSource } from "../pattern/characters.ts";
import { costOf } from "../pattern/cost.ts";
import { ExpressionError, type ExpressionNode, type LookNode } from "../pattern/nodes.ts";
import { readExpression } from "./expression.ts";

/** The steps that a RegExp may take for one line. */
const MOST_STEPS = 1_000_000;

/** Not within a surrogate pair: V8 looks for matches of no characters there, too. */
const BETWEEN = "(?:^|(?<=[\\s\\S]))";

/** The look-arounds of JavaScript; in text of ASCII alone `\b` is the word boundary of Unicode. */
function lookSource({ at, isUnicode }: LookNode, isAscii: boolean) {
  const word = wordSource(isUnicode);
  switch (at) {
    case "lineStart":
      return "(?:^|(?<=[\\n\\r]))";
    case "lineEnd":
      return "(?:$|(?=[\\n\\r]))";
    case "textStart":
      return "(?:^|(?<=\\n))";
    case "textEnd":
      return "(?:$|(?=\\n))";
    case "word":
      return isAscii ? "\\b" : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case "notWord":
      return isAscii ? "\\B" : `${BETWEEN}(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
    case "wordStart":
      return `(?<!${word})(?=${word})`;
    case "wordEnd":
      return `(?<=${word})(?!${word})`;
    case "wordStartHalf":
      return `${BETWEEN}(?<!${word})`;
    default:
      return `${BETWEEN}(?!${word})`;
  }
}

function sourceOf(node: ExpressionNode, isAscii: boolean): string {
  switch (node.kind) {
    case "char":
      return charSource(node.code);
    case "class":
      return node.source;
    case "look":
      return lookSource(node, isAscii);
    case "around":
      throw new ExpressionError("look-around is not supported", 0);
    case "repeat": {
      const { min, max } = node;
      const count = max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`;
      return `(?:${sourceOf(node.node, isAscii)})${count}`;
    }
    case "concat":
      return node.nodes.map((inner) => sourceOf(inner, isAscii)).join("");
    default:
      return `(?:${node.nodes.map((inner) => sourceOf(inner, isAscii)).join("|")})`;
  }
}

/** Whether there is an assertion in a repetition: V8 takes one with the flag `v` for something else. */
function hasRepeatedLook(node: ExpressionNode, isWithin = false): boolean {
  if (node.kind === "look") return isWithin;
  if (node.kind === "repeat" || node.kind === "around") return hasRepeatedLook(node.node, true);
  return "nodes" in node && node.nodes.some((inner) => hasRepeatedLook(inner, isWithin));
}

/** The length of the lines for which the time of a RegExp is bounded. */
function longestLine(node: ExpressionNode) {
  // JavaScript folds cases everywhere or nowhere.
  if (folding(node).length > 1 || hasRepeatedLook(node)) return -1;
  const { power, ways } = costOf(node);
  if (power === Number.POSITIVE_INFINITY) return -1;
  return power === 0 ? Number.POSITIVE_INFINITY : (MOST_STEPS / ways) ** (1 / (power + 1));
}

/** Whether cases are folded: `[true]`, `[false]`, or both. */
function folding(node: ExpressionNode): boolean[] {
  if (node.kind === "char" || node.kind === "class") return [node.isFolded];
  if (node.kind === "look") return [];
  const inner = "nodes" in node ? node.nodes : [node.node];
  return [...new Set(inner.flatMap(folding))];
}

/** Texts that every match holds, in this order. */
function literalsOf(node: ExpressionNode) {
  const runs = [""];
  const visit = (inner: ExpressionNode) => {
    if (inner.kind === "char" && !inner.isFolded) {
      runs[runs.length - 1] += String.fromCodePoint(inner.code);
    } else if (inner.kind === "concat") {
      inner.nodes.forEach(visit);
    } else if (inner.kind === "repeat" && inner.min > 0) {
      runs.push("");
      visit(inner.node);
      runs.push("");
    } else if (inner.kind !== "look") {
      runs.push("");
    }
  };
  visit(node);
  return runs.filter((run) => run !== "");
}

/** Gets where a line that matches begins and ends; false if it wants no more. */
type OnLine = (start: number, end: number) => boolean;

export class Matcher {
  #node: ExpressionNode;
  #flags: "giv" | "gv";
  /** For any text, and for ASCII alone. */
  #expressions: RegExp[] = [];
  #automaton: Automaton | undefined;
  #literals: string[];
  /** The longest of them. */
  #literal: string;
  /** Lines of more characters are searched by the automaton. */
  #longest: number;

  constructor(pattern: string, { ignoreCase = false }: { ignoreCase?: boolean | undefined } = {}) {
    this.#node = readExpression(pattern, { isFolded: ignoreCase });
    this.#longest = longestLine(this.#node);
    this.#literals = literalsOf(this.#node);
    this.#literal = this.#literals.reduce((a, b) => (b.length > a.length ? b : a), "");
    this.#flags = folding(this.#node)[0] === true ? "giv" : "gv";
  }

  /** A text that every line has that matches; "" if there is none. */
  get literal(): string {
    return this.#literal;
  }

  /** The automaton, for a line that comes in pieces. */
  get automaton(): Automaton {
    this.#automaton ??= new Automaton(this.#node);
    return this.#automaton;
  }

  #expression(isAscii: boolean) {
    const at = isAscii ? 1 : 0;
    const expression =
      this.#expressions[at] ?? new RegExp(sourceOf(this.#node, isAscii), this.#flags);
    this.#expressions[at] = expression;
    return expression;
  }

  /**
   * Goes through the lines of a text, which are parted by `\n`; calls `onLine(start, end)` for each that
   * matches, until it gives false.
   */
  search(text: string, isAscii: boolean, onLine: OnLine): void {
    if (text.length <= this.#longest) {
      if (text.includes(this.#literal)) this.#searchRun(text, 0, text.length, isAscii, onLine);
    } else if (this.#literal === "") {
      this.#searchLines(text, isAscii, onLine);
    } else {
      this.#searchAround(text, isAscii, onLine);
    }
  }

  /** Runs of lines that are short enough, and the lines between them. */
  #searchLines(text: string, isAscii: boolean, onLine: OnLine) {
    let start = 0;
    let run = 0;
    while (start <= text.length) {
      const next = text.indexOf("\n", start);
      const end = next < 0 ? text.length : next;
      if (end - start > this.#longest) {
        if (run < start && this.#searchRun(text, run, start - 1, isAscii, onLine) === false) return;
        const isMatch = this.automaton.matches(text.slice(start, end));
        if (isMatch && onLine(start, end) === false) return;
        run = end + 1;
      }
      start = end + 1;
    }
    if (run <= text.length) this.#searchRun(text, run, text.length, isAscii, onLine);
  }

  /** The lines that hold the literal. */
  #searchAround(text: string, isAscii: boolean, onLine: OnLine) {
    const literal = this.#literal;
    for (let at = text.indexOf(literal); at >= 0; ) {
      const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
      const next = text.indexOf("\n", at);
      const end = next < 0 ? text.length : next;
      const line = text.slice(start, end);
      if (this.#hasLiterals(line)) {
        if (line.length <= this.#longest) {
          if (this.#searchRun(text, start, end, isAscii, onLine) === false) return;
        } else if (this.automaton.matches(line) && onLine(start, end) === false) {
          return;
        }
      }
      at = next < 0 ? -1 : text.indexOf(literal, end + 1);
    }
  }

  #hasLiterals(line: string) {
    let at = 0;
    for (const literal of this.#literals) {
      const place = line.indexOf(literal, at);
      if (place < 0) return false;
      at = place + literal.length;
    }
    return true;
  }

  /** The lines from `from` to `to`. Gives false if it was stopped. */
  #searchRun(text: string, from: number, to: number, isAscii: boolean, onLine: OnLine) {
    const part = from === 0 && to === text.length ? text : text.slice(from, to);
    const expression = this.#expression(isAscii);
    expression.lastIndex = 0;
    for (;;) {
      const match = expression.exec(part);
      if (match === null) return true;
      const start = match.index === 0 ? 0 : part.lastIndexOf("\n", match.index - 1) + 1;
      const next = part.indexOf("\n", match.index);
      const end = next < 0 ? part.length : next;
      if (onLine(from + start, from + end) === false) return false;
      if (next < 0) return true;
      expression.lastIndex = end + 1;
    }
  }

  /** Where the first match in a line begins; 0 if there is none. */
  locate(line: string): number {
    return this.automaton.locate(line);
  }
}
