// The error that a tool throws on purpose.
import { messageOf } from "./errors.mjs";

/** It does not count against the tool's health. */
export class Expected extends Error {
  constructor(message) {
    super(typeof message === "string" ? message : messageOf(message));
    this.name = "Expected";
    this.expected = true;
  }
}
