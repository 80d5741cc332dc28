// Errors of skills. The functions of js/tools/ that make such errors belong to the WebAssembly modules, which this
// entry does not hold: it makes errors of the same shape.

import { problem } from "../../problem.ts";

/** What the model is told; it does not count against the health of the tool, as other skills work. */
export function expected(message, metadata) {
  const error = Object.assign(new Error(message), { expected: true });
  error.name = "Expected";
  if (metadata !== undefined) error.metadata = metadata;
  return error;
}

/** An error for an argument that is not what the call takes. */
export function invalid(message) {
  const problems = [problem("error", "schema", message)];
  const error = new Error(problems[0].message);
  const value = "PartValidationError";
  Object.defineProperty(error, "name", { value, writable: true, configurable: true });
  error.details = { problems };
  return error;
}

const ours = (error) =>
  error?.details?.problems === undefined
    ? invalid(`an argument cannot be used: ${error?.message ?? "reading it threw"}`)
    : error;

/** What `read` gives; what it throws (a getter of the caller's, say) becomes an error of this package. */
export function reading(read) {
  try {
    return read();
  } catch (error) {
    throw ours(error);
  }
}

/** A number of an option, at least `least`; the default for what is none. */
export const wholeNumber = (value, otherwise, least = 0) =>
  Number.isFinite(value) && value >= least ? Math.floor(value) : otherwise;
