// The states of a call as events: every listener gets each of them, in order.
import { log } from "apex-parts:bridge";

export class States {
  #parts = [];
  #hasEnded = false;
  #waiting = [];
  #onState;

  constructor(onState) {
    this.#onState = typeof onState === "function" ? onState : undefined;
  }

  get last() {
    return this.#parts.at(-1);
  }

  /** Adds a state; `isLast` ends the events. */
  add(part, isLast) {
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
  async *[Symbol.asyncIterator]() {
    for (let at = 0; ; at++) {
      while (at >= this.#parts.length) {
        if (this.#hasEnded) return;
        await new Promise((resolve) => this.#waiting.push(resolve));
      }
      yield this.#parts[at];
    }
  }
}
