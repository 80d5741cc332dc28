// An expression as a nondeterministic automaton. It takes time in proportion to the length of the line times
// that of the expression, whatever they are, and a line may come in pieces.
import { ExpressionError } from "./expression.mjs";
import { charSource, wordSource } from "./expression-classes.mjs";

const MOST_STEPS = 100_000;
const MOST_KNOWN = 4096;
const NONE = -1;

const TAKE = 0;
const FORK = 1;
const LOOK = 2;
const MATCH = 3;

/** Whether a character is in a class; what it found out it keeps. */
class Members {
  #expression;
  #ascii = new Int8Array(128).fill(-1);
  #known = new Map();

  constructor(source, isFolded) {
    this.#expression = new RegExp(`^${source}$`, isFolded ? "iv" : "v");
  }

  has(code) {
    if (code < 128) {
      if (this.#ascii[code] < 0) this.#ascii[code] = this.#test(code) ? 1 : 0;
      return this.#ascii[code] === 1;
    }
    let known = this.#known.get(code);
    if (known === undefined) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      known = this.#test(code);
      this.#known.set(code, known);
    }
    return known;
  }

  #test(code) {
    return this.#expression.test(String.fromCodePoint(code));
  }
}

const WORDS = new Map();

function isWord(code, isUnicode) {
  if (code === NONE) return false;
  if (!WORDS.has(isUnicode)) WORDS.set(isUnicode, new Members(wordSource(isUnicode), false));
  return WORDS.get(isUnicode).has(code);
}

/** Whether an assertion holds between two characters. */
function holds({ at, isUnicode }, before, after) {
  switch (at) {
    case "lineStart":
      return before === NONE || before === 13;
    case "lineEnd":
      return after === NONE || after === 13;
    case "textStart":
      return before === NONE;
    case "textEnd":
      return after === NONE;
    case "word":
      return isWord(before, isUnicode) !== isWord(after, isUnicode);
    case "notWord":
      return isWord(before, isUnicode) === isWord(after, isUnicode);
    case "wordStart":
      return !isWord(before, isUnicode) && isWord(after, isUnicode);
    case "wordEnd":
      return isWord(before, isUnicode) && !isWord(after, isUnicode);
    case "wordStartHalf":
      return !isWord(before, isUnicode);
    default:
      return !isWord(after, isUnicode);
  }
}

/** The steps of an expression: `{op, to, other?, members?, code?, look?}`. */
class Program {
  steps = [];
  #members = new Map();

  add(step) {
    if (this.steps.length >= MOST_STEPS) {
      throw new ExpressionError("the expression is too large", 0);
    }
    this.steps.push(step);
    return this.steps.length - 1;
  }

  membersOf(source, isFolded) {
    const key = `${isFolded}${source}`;
    if (!this.#members.has(key)) this.#members.set(key, new Members(source, isFolded));
    return this.#members.get(key);
  }

  /** Adds a node that goes on at `next`; gives where it begins. */
  compile(node, next) {
    switch (node.kind) {
      case "char":
        if (!node.isFolded) return this.add({ op: TAKE, to: next, code: node.code });
        return this.add({
          op: TAKE,
          to: next,
          members: this.membersOf(charSource(node.code), true),
        });
      case "class":
        return this.add({
          op: TAKE,
          to: next,
          members: this.membersOf(node.source, node.isFolded),
        });
      case "look":
        return this.add({ op: LOOK, to: next, look: node });
      case "concat":
        return node.nodes.reduceRight((to, inner) => this.compile(inner, to), next);
      case "alternate":
        return node.nodes
          .map((inner) => this.compile(inner, next))
          .reduceRight((other, to) => this.add({ op: FORK, to, other }));
      default:
        return this.#repeat(node, next);
    }
  }

  #repeat({ node, min, max }, next) {
    let to = next;
    if (max === Number.POSITIVE_INFINITY) {
      const fork = this.add({ op: FORK, to: next, other: next });
      this.steps[fork].to = this.compile(node, fork);
      to = fork;
    } else {
      for (let i = min; i < max; i++) {
        to = this.add({ op: FORK, to: this.compile(node, to), other: next });
      }
    }
    for (let i = 0; i < min; i++) to = this.compile(node, to);
    return to;
  }
}

export class Automaton {
  #steps;
  #start;
  /** The steps to go on at, with where their matches begin. */
  #now;
  #starts;
  #count = 0;
  #later;
  #laterStarts;
  #laterCount = 0;
  #seen;
  #round = 0;
  #before = NONE;
  #isFound = false;

  constructor(node) {
    const program = new Program();
    this.#start = program.compile(node, program.add({ op: MATCH }));
    this.#steps = program.steps;
    const size = this.#steps.length;
    this.#now = new Int32Array(size + 1);
    this.#starts = new Float64Array(size + 1);
    this.#later = new Int32Array(size + 1);
    this.#laterStarts = new Float64Array(size + 1);
    this.#seen = new Int32Array(size);
  }

  /** Begins a line. */
  reset() {
    this.#count = 0;
    this.#before = NONE;
    this.#isFound = false;
  }

  /** Takes more of the line; true as soon as it matches. */
  push(text) {
    for (let i = 0; i < text.length && !this.#isFound; i++) {
      const code = text.codePointAt(i);
      if (code > 0xffff) i++;
      this.#advance(code, 0, Number.POSITIVE_INFINITY);
    }
    return this.#isFound;
  }

  /** Ends the line: whether it matches. */
  end() {
    if (!this.#isFound) this.#advance(NONE, 0, Number.POSITIVE_INFINITY);
    return this.#isFound;
  }

  matches(line) {
    this.reset();
    return this.push(line) || this.end();
  }

  /** Where the first match in a line begins; 0 if there is none. */
  locate(line) {
    this.reset();
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= line.length; i++) {
      const code = i < line.length ? line.codePointAt(i) : NONE;
      best = Math.min(best, this.#advance(code, i, best));
      if (best < Number.POSITIVE_INFINITY && this.#count === 0) break;
      if (code > 0xffff) i++;
    }
    return best === Number.POSITIVE_INFINITY ? 0 : best;
  }

  /**
   * Goes over one character, or with `NONE` to the end. Gives where a match begins that ends before it;
   * matches that begin at `limit` or later do not count.
   */
  #advance(code, position, limit) {
    this.#round++;
    if (this.#round > 0x7ffffff0) {
      this.#seen.fill(0);
      this.#round = 1;
    }
    this.#laterCount = 0;
    let best = limit;
    const before = this.#before;
    for (let i = 0; i <= this.#count; i++) {
      const isNew = i === this.#count;
      const start = isNew ? position : this.#starts[i];
      if (start >= best) continue;
      const found = this.#enter(isNew ? this.#start : this.#now[i], start, before, code);
      if (found) {
        this.#isFound = true;
        best = start;
      }
    }
    [this.#now, this.#later] = [this.#later, this.#now];
    [this.#starts, this.#laterStarts] = [this.#laterStarts, this.#starts];
    this.#count = this.#laterCount;
    this.#before = code;
    return best;
  }

  /** Follows a step to those that take the character; true if it comes to the end of the expression. */
  #enter(first, start, before, code) {
    const steps = this.#steps;
    const seen = this.#seen;
    const waiting = [first];
    let isFound = false;
    while (waiting.length > 0) {
      const at = waiting.pop();
      if (seen[at] === this.#round) continue;
      seen[at] = this.#round;
      const step = steps[at];
      if (step.op === TAKE) {
        if (code !== NONE && (step.members ? step.members.has(code) : step.code === code)) {
          this.#later[this.#laterCount] = step.to;
          this.#laterStarts[this.#laterCount++] = start;
        }
      } else if (step.op === FORK) {
        waiting.push(step.other, step.to);
      } else if (step.op === MATCH) {
        isFound = true;
      } else if (holds(step.look, before, code)) {
        waiting.push(step.to);
      }
    }
    return isFound;
  }
}
