// The boundary of the API: whatever a caller passes, a call gives a result or an error of this package.
import { newError } from "apex-parts:errors";
import { isApexPartsError } from "apex-parts:glue";
import { problem } from "../problem.ts";
import { messageOf } from "./errors.ts";

/** An error for an argument that is not what the call takes. */
export function invalid(message) {
  const problems = [problem("error", "schema", message)];
  return newError("PartValidationError", problems[0].message, { problems });
}

const ours = (error) =>
  isApexPartsError(error)
    ? error
    : invalid(`an argument cannot be used: ${messageOf(error) || "reading it threw"}`);

/** The function, whose errors are all of this package. */
export function guarded(call) {
  return function (...given) {
    try {
      return call.apply(this, given);
    } catch (error) {
      throw ours(error);
    }
  };
}

/** The same for functions that give promises. */
export function guardedAsync(call) {
  return async function (...given) {
    try {
      return await call.apply(this, given);
    } catch (error) {
      throw ours(error);
    }
  };
}

/** A class with this name, whose methods are guarded; those named in `promises` give promises. */
export function guardedClass(name, given, promises) {
  const { prototype } = given;
  for (const method of Object.getOwnPropertyNames(prototype)) {
    if (method === "constructor") continue;
    const guard = promises.includes(method) ? guardedAsync : guarded;
    prototype[method] = guard(prototype[method]);
  }
  return Object.defineProperty(given, "name", { value: name });
}

export const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The options of a constructor, read once. */
export const readOptions = /* @__PURE__ */ guarded((options) => ({ ...options }));
