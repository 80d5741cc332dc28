// An expression as a nondeterministic automaton. It takes time in proportion to the length of the line times
// that of the expression, whatever they are, and a line may come in pieces.

import { charSource, wordSource } from "./characters.ts";
import {
  ExpressionError,
  type ExpressionNode,
  type LookNode,
  type RepeatNode,
  type Syntax,
} from "./nodes.ts";

const MOST_STEPS = 100_000;
const MOST_KNOWN = 4096;
/** The most ways from place to place that are kept, and the most steps that a place may go on at. */
const MOST_WAYS = 10_000;
const MOST_AT_ONCE = 100;
const NONE = -1;

const TAKE = 0;
const FORK = 1;
const LOOK = 2;
const MATCH = 3;

/** Whether a character is in a class; what it found out it keeps. */
class Members {
  #expression: RegExp;
  #ascii = new Int8Array(128).fill(-1);
  #known = new Map<number, boolean>();

  constructor(source: string, isFolded: boolean, syntax: Syntax = "v") {
    this.#expression = new RegExp(`^${source}$`, `${isFolded ? "i" : ""}${syntax}`);
  }

  has(code: number): boolean {
    if (code < 128) {
      if (this.#ascii[code] === -1) this.#ascii[code] = this.#test(code) ? 1 : 0;
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

  #test(code: number) {
    return this.#expression.test(String.fromCodePoint(code));
  }
}

const WORDS = new Map<boolean, Members>();

function isWord(code: number, isUnicode: boolean) {
  if (code === NONE) return false;
  let members = WORDS.get(isUnicode);
  if (members === undefined) {
    members = new Members(wordSource(isUnicode), false);
    WORDS.set(isUnicode, members);
  }
  return members.has(code);
}

/** Whether an assertion holds between two characters. */
function holds({ at, isUnicode }: LookNode, before: number, after: number) {
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

/** Takes a character, and goes on at `to`: one of the members, or that of the code. */
interface TakeStep {
  op: typeof TAKE;
  to: number;
  members?: Members;
  code?: number;
}
/** Goes on at two steps. */
interface ForkStep {
  op: typeof FORK;
  to: number;
  other: number;
}
/** Goes on if an assertion holds. */
interface LookStep {
  op: typeof LOOK;
  to: number;
  look: LookNode;
}
/** The end of the expression. */
interface MatchStep {
  op: typeof MATCH;
}
type Step = TakeStep | ForkStep | LookStep | MatchStep;

/** The steps of an expression. */
class Program {
  steps: Step[] = [];
  #members = new Map<string, Members>();

  add(step: Step): number {
    if (this.steps.length >= MOST_STEPS) {
      throw new ExpressionError("the expression is too large", 0);
    }
    this.steps.push(step);
    return this.steps.length - 1;
  }

  membersOf(source: string, isFolded: boolean, syntax?: Syntax): Members {
    const key = `${isFolded}${syntax}${source}`;
    const members = this.#members.get(key) ?? new Members(source, isFolded, syntax);
    this.#members.set(key, members);
    return members;
  }

  /** Adds a node that goes on at `next`; gives where it begins. */
  compile(node: ExpressionNode, next: number): number {
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
          members: this.membersOf(node.source, node.isFolded, node.syntax),
        });
      case "look":
        return this.add({ op: LOOK, to: next, look: node });
      case "around":
        throw new ExpressionError("look-around is not supported", 0);
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

  #repeat({ node, min, max }: RepeatNode, next: number) {
    let to = next;
    if (max === Number.POSITIVE_INFINITY) {
      const fork: ForkStep = { op: FORK, to: next, other: next };
      to = this.add(fork);
      fork.to = this.compile(node, to);
    } else {
      for (let i = min; i < max; i++) {
        to = this.add({ op: FORK, to: this.compile(node, to), other: next });
      }
    }
    for (let i = 0; i < min; i++) {
      const before = to;
      to = this.compile(node, to);
      // Nothing, however often it is repeated.
      if (to === before) break;
    }
    return to;
  }
}

/** All steps at which a search goes on, and how it goes on from there with each character, as far as is known. */
interface SearchPlace {
  now: Int32Array;
  /** A character like the one before: the assertions say the same of both. */
  before: number;
  /** Undefined where it has matched. */
  next: Map<number, SearchPlace | undefined>;
}

export class Automaton {
  #steps: Step[];
  #start: number;
  /** The steps to go on at, with where their matches begin. */
  #now: Int32Array;
  #starts: Float64Array;
  #count = 0;
  #later: Int32Array;
  #laterStarts: Float64Array;
  #laterCount = 0;
  #seen: Int32Array;
  #round = 0;
  #before: number = NONE;
  #isFound = false;
  #waiting: number[] = [];
  #places = new Map<string, SearchPlace>();
  #ways = 0;
  /** The steps that were looked at since the line began. */
  work = 0;

  constructor(node: ExpressionNode) {
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
  reset(): void {
    this.#count = 0;
    this.#before = NONE;
    this.#isFound = false;
    this.work = 0;
  }

  /** Takes more of the line; true as soon as it matches. */
  push(text: string): boolean {
    for (let i = 0; i < text.length && !this.#isFound; i++) {
      const code = text.codePointAt(i) as number; // It is within the text.
      if (code > 0xffff) i++;
      this.#advance(code, 0, Number.POSITIVE_INFINITY);
    }
    return this.#isFound;
  }

  /** Ends the line: whether it matches. */
  end(): boolean {
    if (!this.#isFound) this.#advance(NONE, 0, Number.POSITIVE_INFINITY);
    return this.#isFound;
  }

  matches(line: string): boolean {
    this.reset();
    return this.push(line) || this.end();
  }

  /**
   * Whether a text has a match of an expression of JavaScript; undefined if that takes more than `most` steps.
   * `isByUnit`: the text is one of UTF-16 units, not of code points.
   */
  matchesWithin(text: string, most: number, isByUnit: boolean): boolean | undefined {
    this.reset();
    let place = this.#placeHere();
    for (let i = 0; i < text.length; i++) {
      if (++this.work > most) return undefined;
      // A cast: it is within the text.
      const code = isByUnit ? text.charCodeAt(i) : (text.codePointAt(i) as number);
      if (code > 0xffff) i++;
      let next = place?.next.get(code);
      if (next === undefined) {
        if (place?.next.has(code)) return true;
        if (place) this.#goTo(place);
        this.#advance(code, 0, Number.POSITIVE_INFINITY);
        next = this.#isFound ? undefined : this.#placeHere();
        if (next || this.#isFound) place?.next.set(code, next);
        this.#ways++;
        if (this.#isFound) return true;
      }
      place = next;
    }
    if (place) this.#goTo(place);
    return this.end();
  }

  /** The place where the search is; undefined if there are too many to keep it. */
  #placeHere(): SearchPlace | undefined {
    if (this.#count > MOST_AT_ONCE) return undefined;
    const now = this.#now.slice(0, this.#count).sort();
    const before = this.#before === NONE ? NONE : isWord(this.#before, false) ? 0x61 /* a */ : 0x20;
    const key = `${before} ${now.join()}`;
    this.work += this.#count;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    if (this.#ways > MOST_WAYS) {
      this.#places.clear();
      this.#ways = 0;
    }
    const place = { now, before, next: new Map() };
    this.#places.set(key, place);
    return place;
  }

  #goTo({ now, before }: SearchPlace): void {
    this.#now.set(now);
    this.#count = now.length;
    this.#before = before;
  }

  /** Where the first match in a line begins; 0 if there is none. */
  locate(line: string): number {
    this.reset();
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= line.length; i++) {
      // A cast: it is within the line.
      const code = i < line.length ? (line.codePointAt(i) as number) : NONE;
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
  #advance(code: number, position: number, limit: number) {
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
      // The casts: there are as many as are counted.
      const start = isNew ? position : (this.#starts[i] as number);
      if (start >= best) continue;
      const first = isNew ? this.#start : (this.#now[i] as number);
      if (this.#enter(first, start, before, code)) {
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
  #enter(first: number, start: number, before: number, code: number) {
    const steps = this.#steps;
    const seen = this.#seen;
    const waiting = this.#waiting;
    waiting.push(first);
    let isFound = false;
    while (waiting.length > 0) {
      this.work++;
      const at = waiting.pop() as number; // There is one.
      if (seen[at] === this.#round) continue;
      seen[at] = this.#round;
      const step = steps[at] as Step; // Steps go on at steps.
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
