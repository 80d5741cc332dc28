// The boundary of the API: whatever a caller passes, a call gives a result or an error of this package.
import { isOurError, newError } from "apex-parts:errors";
import { problem } from "../problem.ts";
import { messageOf } from "./errors.ts";

/** An error for an argument that is not what the call takes. */
export function invalid(message: string): Error {
  const one = problem("error", "schema", message);
  return newError("PartValidationError", one.message, { problems: [one] });
}

const ours = (error: unknown) =>
  isOurError(error)
    ? error
    : invalid(`an argument cannot be used: ${messageOf(error) || "reading it threw"}`);

/** The function, whose errors are all of this package. */
export function guarded<This, Given extends unknown[], Result>(
  call: (this: This, ...given: Given) => Result,
): (this: This, ...given: Given) => Result {
  return function (...given) {
    try {
      return call.apply(this, given);
    } catch (error) {
      throw ours(error);
    }
  };
}

/** The same for functions that give promises. */
export function guardedAsync<This, Given extends unknown[], Result>(
  call: (this: This, ...given: Given) => Promise<Result>,
): (this: This, ...given: Given) => Promise<Result> {
  return async function (...given) {
    try {
      return await call.apply(this, given);
    } catch (error) {
      throw ours(error);
    }
  };
}

/** A class with this name, whose methods are guarded; those named in `promises` give promises. */
export function guardedClass<Class extends { prototype: object }>(
  name: string,
  given: Class,
  promises: string[],
): Class {
  // A cast: a prototype has methods, which TypeScript does not let one look up by name.
  const prototype = given.prototype as { [method: string]: (...given: unknown[]) => unknown };
  for (const method of Object.getOwnPropertyNames(prototype)) {
    const own = prototype[method];
    if (method === "constructor" || own === undefined) continue;
    // A cast: the class says which of its methods give promises.
    prototype[method] = promises.includes(method)
      ? guardedAsync(own as (...given: unknown[]) => Promise<unknown>)
      : guarded(own);
  }
  return Object.defineProperty(given, "name", { value: name });
}

/** A value with fields, of which nothing is known. */
export type Fields = { [field: string]: unknown };

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What kind of value it is, for a message. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The options of a constructor, read once. */
export const readOptions: <Options extends object>(options?: Options) => Partial<Options> =
  /* @__PURE__ */ guarded((options) => ({ ...options }));
