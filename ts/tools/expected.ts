// The error that a tool throws on purpose.
import { messageOf } from "./errors.ts";

/** It does not count against the tool's health. */
export class Expected extends Error {
  /** Not by its class: a module and its copies have one each. */
  static [Symbol.hasInstance](error) {
    return error instanceof Error && error.name === "Expected" && error.expected === true;
  }

  constructor(message) {
    super(typeof message === "string" ? message : messageOf(message));
    this.name = "Expected";
    this.expected = true;
  }
}
