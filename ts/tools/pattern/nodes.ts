// A regular expression as a tree, whatever syntax it was written in.
//
// Which match is taken of several makes no difference here, so groups and laziness leave no trace.

/** The flag of a JavaScript RegExp whose syntax it has; without one it goes by UTF-16 units. */
export type Syntax = "" | "u" | "v";

/** A single character. */
export interface CharNode {
  kind: "char";
  code: number;
  isFolded: boolean;
}
/** A character that the source of a JavaScript class or escape stands for. */
export interface ClassNode {
  kind: "class";
  source: string;
  isFolded: boolean;
  /** The flag whose syntax the source has; `v` unless given. */
  syntax?: Syntax;
}
/** An assertion about the characters before and behind a place. */
export interface LookNode {
  kind: "look";
  at:
    | "lineStart"
    | "lineEnd"
    | "textStart"
    | "textEnd"
    | "word"
    | "notWord"
    | "wordStart"
    | "wordEnd"
    | "wordStartHalf"
    | "wordEndHalf";
  isUnicode: boolean;
}
/** Look-ahead and look-behind: only an engine that goes back can match them. */
export interface AroundNode {
  kind: "around";
  /** Look-behind goes from its end to its beginning. */
  isBehind: boolean;
  node: ExpressionNode;
}
export interface RepeatNode {
  kind: "repeat";
  min: number;
  /** Infinite where there is no end. */
  max: number;
  node: ExpressionNode;
}
/** Nodes one after another, or one of them. */
export interface ListNode {
  kind: "concat" | "alternate";
  nodes: ExpressionNode[];
}
export type ExpressionNode = CharNode | ClassNode | LookNode | AroundNode | RepeatNode | ListNode;

/** What is wrong with an expression; `at` and `end` are positions in it. */
export class ExpressionError extends Error {
  at: number;
  end: number;

  constructor(message: string, at: number, end: number = at + 1) {
    super(message);
    this.at = at;
    this.end = end;
  }
}
