// A pattern of a JSON Schema: one of JavaScript, matched in a time that is bounded. A RegExp does it where its own is,
// the automaton otherwise.
import { Automaton } from "./automaton.ts";
import { costOf, type SearchCost } from "./cost.ts";
import { readPattern } from "./javascript.ts";
import type { ExpressionNode } from "./nodes.ts";

/** The steps that a RegExp may take for each character. */
const MOST_OF_EXPRESSION = 40;
/** The steps that an automaton may, whose steps are slower: few ever go over each character more than once. */
const MOST_OF_AUTOMATON = 10;
/** The steps that it takes to make an automaton, for each step of it. */
const MAKING = 20;
/** A larger automaton is made anew for each string. */
const LARGE = 2000;

/** Steps beyond those for each character, which the patterns and strings of one value share. */
export class StepBudget {
  left = 500_000;

  /** Takes steps if there are as many. */
  take(steps: number): boolean {
    if (steps > this.left) return false;
    this.left -= steps;
    return true;
  }
}

/** Whether every match begins at the start of the text. */
function isAnchored(node: ExpressionNode | undefined): boolean {
  if (node?.kind === "look") return node.at === "textStart";
  if (node?.kind === "concat") return isAnchored(node.nodes[0]);
  return node?.kind === "alternate" && node.nodes.every(isAnchored);
}

export class Pattern {
  #expression: RegExp;
  #cost: SearchCost = { power: Number.POSITIVE_INFINITY, ways: 1, size: 0 };
  /** What the automaton is made of; undefined if it cannot match it. */
  #node: ExpressionNode | undefined;
  #automaton: Automaton | undefined;

  /** Throws `SyntaxError` if the pattern is not valid, with or without the flag `u`. */
  constructor(source: string) {
    try {
      this.#expression = new RegExp(source, "u");
    } catch {
      this.#expression = new RegExp(source);
    }
    try {
      const { node, isRegular } = readPattern(source, this.#expression.unicode ? "u" : "");
      const { power, ...cost } = costOf(node);
      this.#cost = { ...cost, power: power + (isAnchored(node) ? 0 : 1) };
      if (isRegular) this.#node = node;
    } catch {
      // It nests too deep to tell what it costs.
    }
  }

  /** Whether a string matches; undefined if that could take too long to tell. */
  test(text: string, budget: StepBudget): boolean | undefined {
    const { power, ways } = this.#cost;
    const { length } = text;
    const steps = power === Number.POSITIVE_INFINITY ? power : ways * length ** power;
    if (steps <= MOST_OF_EXPRESSION * length || budget.take(steps)) {
      return this.#expression.test(text);
    }
    const automaton = this.#matcher(budget);
    if (automaton === undefined) return undefined;
    const free = MOST_OF_AUTOMATON * length;
    const isByUnit = !this.#expression.unicode;
    const matches = automaton.matchesWithin(text, free + budget.left, isByUnit);
    budget.take(Math.min(Math.max(automaton.work - free, 0), budget.left));
    return matches;
  }

  #matcher(budget: StepBudget) {
    const node = this.#node;
    if (this.#automaton !== undefined || node === undefined) return this.#automaton;
    const { size } = this.#cost;
    if (!budget.take(size * MAKING)) return undefined;
    const automaton = new Automaton(node);
    if (size <= LARGE) this.#automaton = automaton;
    return automaton;
  }
}
