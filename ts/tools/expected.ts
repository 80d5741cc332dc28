// The error that a tool throws on purpose.
import { messageOf } from "./errors.ts";

/** It does not count against the tool's health. */
export class Expected extends Error {
  declare readonly expected: true;

  /** Not by its class: a module and its copies have one each. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return (
      error instanceof Error &&
      error.name === "Expected" &&
      (error as Partial<Expected>).expected === true
    );
  }

  constructor(message: unknown) {
    super(typeof message === "string" ? message : messageOf(message));
    this.name = "Expected";
    this.expected = true;
  }
}
