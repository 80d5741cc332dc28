// Errors of skills. The functions of ts/tools/ that make such errors belong to the WebAssembly modules, which this
// entry does not hold: it makes errors of the same shape.

import { problem } from "../../problem.ts";

/** An error of a tool, with what is known of the call. */
export type ToolError = Error & { expected?: boolean; metadata?: Record<string, unknown> };

/** What the model is told; it does not count against the health of the tool, as other skills work. */
export function expected(message: string, metadata?: Record<string, unknown>): ToolError {
  const error: ToolError = Object.assign(new Error(message), { expected: true });
  error.name = "Expected";
  if (metadata !== undefined) error.metadata = metadata;
  return error;
}

/** An error for an argument that is not what the call takes. */
export function invalid(message: string): Error {
  const fault = problem("error", "schema", message);
  const error = new Error(fault.message);
  const value = "PartValidationError";
  Object.defineProperty(error, "name", { value, writable: true, configurable: true });
  return Object.assign(error, { details: { problems: [fault] } });
}

/** Anything can be thrown. */
function ours(error: unknown): unknown {
  const thrown = error as { message?: string; details?: { problems?: unknown } } | null | undefined;
  return thrown?.details?.problems === undefined
    ? invalid(`an argument cannot be used: ${thrown?.message ?? "reading it threw"}`)
    : error;
}

/** What `read` gives; what it throws (a getter of the caller's, say) becomes an error of this package. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw ours(error);
  }
}

/** A number of an option, at least `least`; the default for what is none. */
export const wholeNumber = (value: unknown, otherwise: number, least: number = 0): number =>
  typeof value === "number" && Number.isFinite(value) && value >= least
    ? Math.floor(value)
    : otherwise;
