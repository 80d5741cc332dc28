// The error that a tool throws on purpose.
import { messageOf } from "./errors.ts";

/** An error that a tool throws on purpose; it does not count against the tool's health. */
export class Expected extends Error {
  declare name: "Expected";
  declare readonly expected: true;
  /** Empty: the message says it all. */
  declare details: Record<string, unknown>;

  /** Not by its class: a module and its copies have one each. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return (
      error instanceof Error &&
      error.name === "Expected" &&
      (error as Partial<Expected>).expected === true
    );
  }

  /**
   * Creates an error.
   * @param message - What the model is told.
   */
  constructor(message: string) {
    super(typeof message === "string" ? message : messageOf(message));
    this.name = "Expected";
    this.expected = true;
    this.details = {};
  }
}
