// What a search that goes back costs: how its time grows with the length of the text.
import type { ExpressionNode, RepeatNode } from "./nodes.ts";

/** An expression with more ways through it is not for a RegExp. */
const MOST_WAYS = 1000;
/** Nor is a larger one. */
const MOST_SIZE = 5000;
/** A repetition of more rounds than these takes as long as one without end. */
const FEW = 16;

/** Whether a repetition may take a varying number of rounds, and many. */
const isLong = ({ min, max }: RepeatNode) => max !== min && max > FEW;

/**
 * The power with which the time of a backtracking search grows with the length of a line, its beginning not
 * counted; infinite where repetitions are within each other, or have alternatives.
 */
function growth(node: ExpressionNode, isWithin = false, isBehind = false): number {
  switch (node.kind) {
    case "repeat": {
      if (node.max === 0) return 0;
      // As often as it is repeated, one after another.
      if (node.max === node.min) return growth(node.node, isWithin, isBehind) * node.max;
      if (isWithin) return Number.POSITIVE_INFINITY;
      const inner = growth(node.node, node.max > 1, isBehind);
      return inner + (isLong(node) ? 1 : 0);
    }
    case "around":
      // Nothing goes back into it once it has matched.
      return growth(node.node, false, node.isBehind);
    case "concat": {
      let sum = 0;
      let most = 0;
      for (const inner of isBehind ? [...node.nodes].reverse() : node.nodes) {
        const own = growth(inner, isWithin, isBehind);
        if (inner.kind === "around") most = Math.max(most, sum + own);
        else sum += own;
      }
      return Math.max(most, sum);
    }
    case "alternate": {
      if (isWithin) return Number.POSITIVE_INFINITY;
      return Math.max(...node.nodes.map((inner) => growth(inner, isWithin, isBehind)));
    }
    default:
      return 0;
  }
}

/** The ways in which short repetitions and alternatives can be taken: a backtracking search may try them all. */
function choices(node: ExpressionNode): number {
  switch (node.kind) {
    case "repeat": {
      const inner = choices(node.node);
      if (node.max === node.min) return inner ** node.max;
      if (isLong(node)) return inner;
      return (node.max - node.min + 1) * inner;
    }
    case "around":
      return choices(node.node);
    case "concat":
      return node.nodes.reduce((product, inner) => product * choices(inner), 1);
    case "alternate":
      return node.nodes.reduce((sum, inner) => sum + choices(inner), 0);
    default:
      return 1;
  }
}

/** How large it is. A node that takes nothing counts too: it is repeated all the same. */
function sizeOf(node: ExpressionNode): number {
  if (node.kind === "repeat") {
    const rounds = node.max === Number.POSITIVE_INFINITY ? node.min + 1 : Math.max(node.max, 1);
    return sizeOf(node.node) * rounds;
  }
  if (node.kind === "around") return sizeOf(node.node);
  return "nodes" in node ? node.nodes.reduce((sum, inner) => sum + sizeOf(inner), 1) : 1;
}

/** The cost of a search from one place: `ways` times the length of the text to the power. */
export interface SearchCost {
  /** Infinite where no bound is known. */
  power: number;
  ways: number;
  /** The number of characters, classes and assertions, those in repetitions as often as they are repeated. */
  size: number;
}

/** What a RegExp of an expression costs. */
export function costOf(node: ExpressionNode): SearchCost {
  const ways = choices(node);
  const size = sizeOf(node);
  const isBounded = size <= MOST_SIZE && ways <= MOST_WAYS;
  return { power: isBounded ? growth(node) : Number.POSITIVE_INFINITY, ways, size };
}
