// The arguments of calls, which both formats of OpenAI have as text.
import { isObject } from "../../tools/boundary.ts";

/** The text of arguments: as it came, if it is an object's, else of the input. */
export function argumentText(written: unknown, input: unknown): string {
  if (typeof written === "string") {
    try {
      if (isObject(JSON.parse(written))) return written;
    } catch {
      // What is not JSON is refused.
    }
  }
  return JSON.stringify(input) ?? "{}";
}
