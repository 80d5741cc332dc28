// What is thrown: for a name or URI that breaks a rule, and by calls of tools.
import { newError } from "apex-parts:errors";
import { problem } from "../problem.ts";

/** An error of the rule, which its message ends with. */
export function ruleError(rule, why) {
  const problems = [problem("error", rule, why)];
  const error = newError("PartValidationError", problems[0].message, { problems });
  error.rule = rule;
  return error;
}

/**
 * How a call failed: `kind` (`aborted`, `timeout`, `protocol`, `tool`, `unknown`) and `metadata` go to the error
 * state; an expected one does not count against the tool's health.
 */
export class McpCallError extends Error {
  /** Not by its class: a module and its copies have one each. */
  static [Symbol.hasInstance](error) {
    return error instanceof Error && error.name === "McpCallError" && "metadata" in error;
  }

  constructor(kind, message, metadata, isExpected = false) {
    super(typeof message === "string" ? message : "");
    this.name = "McpCallError";
    this.kind = kind;
    this.metadata = metadata;
    if (isExpected) this.expected = true;
  }
}
