// The states of a call as events: every listener gets each of them, in order.
import { log } from "apex-parts:shared";

/** The events of a call. */
export class States<T> {
  #parts: T[] = [];
  #hasEnded = false;
  #waiting: (() => void)[] = [];
  #onState: ((part: T) => void) | undefined;

  constructor(onState: unknown) {
    this.#onState = typeof onState === "function" ? (onState as (part: T) => void) : undefined; // A listener takes whatever state there is.
  }

  get last(): T | undefined {
    return this.#parts.at(-1);
  }

  /** Adds a state; `isLast` ends the events. */
  add(part: T, isLast: boolean): void {
    this.#parts.push(part);
    this.#hasEnded = isLast;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
    try {
      this.#onState?.(part);
    } catch (error) {
      log("error", "onState of a tool call threw", error);
    }
  }

  /** The events from the first on, also for those who come late. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let at = 0; ; at++) {
      while (at >= this.#parts.length) {
        if (this.#hasEnded) return;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      yield this.#parts[at] as T; // there are more
    }
  }
}
