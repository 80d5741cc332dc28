// Messages with parts, and where they stand in what was given.
import type { Part, Problem, WithParts } from "apex-parts:glue";
import { pointerStep, problem } from "../problem.ts";
import { type Fields, isObject } from "../tools/boundary.ts";

/** A message, where it stands in what was given, and its parts there; a part that was left out is undefined. */
export interface PlacedMessage {
  info: Fields;
  parts: (Part | undefined)[];
  /** The message as it was given. */
  message: WithParts;
  /** Its index in the messages given; -1 for one that was added. */
  index: number;
}
/** The messages of a history, and instructions that stand among them. */
export interface History {
  messages: PlacedMessage[];
  system: string[];
}
/** Gets what is wrong. */
export type Report = (problem: Problem) => void;

/** Reports a warning of a rule about a message, or a part of it. */
export function warn(
  report: Report,
  rule: string,
  message: string,
  index: number,
  part?: number,
): void {
  const path = index < 0 ? "" : pointerStep(index);
  const within = part === undefined ? "" : `/parts${pointerStep(part)}`;
  report(problem("warning", rule, message, path + within));
}

/** Reports a call that gets an error because it has no result (RP-1). */
export const warnUnanswered = (report: Report, index: number, part: number): void =>
  warn(report, "RP-1", "a call without a result gets an error", index, part);

/** Whether a part has the shape that its type needs. */
export function isPart(part: unknown): part is Part {
  if (!isObject(part)) return false;
  switch (part.type) {
    case "text":
    case "reasoning":
      return typeof part.text === "string";
    case "tool":
      return typeof part.tool === "string" && part.tool !== "" && isObject(part.state);
    case "file":
      return typeof part.url === "string" && typeof part.mime === "string";
    default:
      return typeof part.type === "string";
  }
}
