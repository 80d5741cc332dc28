import type { TextField } from "../../ui/values";
import { TOOLS } from "./tools";

/** The block of a row that draws a string of its part, by the string's JSON Pointer in the part. */
export function fieldOf(pointer: string): TextField | "diff" | undefined {
  switch (pointer) {
    case "/text":
    case "/prompt":
      return "text";
    case "/state/output":
      return "output";
    case "/state/error":
      return "error";
    case "/state/raw":
      return "input";
  }
  const input = /^\/state\/input\/(.*)$/.exec(pointer)?.[1] ?? "";
  const card = Object.values(TOOLS).find(({ searchField }) => searchField?.inputs.test(input));
  return card?.searchField?.block;
}
