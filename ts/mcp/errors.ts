// What is thrown: for a name or URI that breaks a rule, and by calls of tools.
import { newError } from "apex-parts:errors";
import { problem } from "../problem.ts";

/** An error of the rule, which its message ends with. */
export function ruleError(rule: string, why: string): Error & { rule: string } {
  const one = problem("error", rule, why);
  const error = newError("PartValidationError", one.message, { problems: [one] });
  return Object.assign(error, { rule });
}

/** How a call failed; thrown by `execute` of a tool of a server. */
export class McpCallError extends Error {
  /** Not by its class: a module and its copies have one each. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === "McpCallError" && "metadata" in error;
  }

  declare name: "McpCallError";
  declare kind: "aborted" | "timeout" | "protocol" | "tool" | "unknown";
  /** Goes to the state of the call. */
  declare metadata: Record<string, unknown>;
  /** The same object, under the name that all errors of this package have for their facts. */
  declare details: Record<string, unknown>;
  /** It does not count against the tool's health. */
  declare expected?: true;

  /**
   * @param kind - What went wrong.
   * @param message - What is wrong, and what to do.
   * @param metadata - Additional data of the call.
   * @param isExpected - Whether it does not count against the health of the tool.
   */
  constructor(
    kind: McpCallError["kind"],
    message: string,
    metadata: Record<string, unknown>,
    isExpected: boolean = false,
  ) {
    super(typeof message === "string" ? message : "");
    this.name = "McpCallError";
    this.kind = kind;
    this.metadata = metadata;
    this.details = metadata;
    if (isExpected) this.expected = true;
  }
}
