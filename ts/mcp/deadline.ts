// The two times of a request: in which the server must say something, and in which it must end.

/** Which time is over. */
export type Which = "idle" | "total";

export class Deadline {
  #idle: number;
  #total: number;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #totalTimer: ReturnType<typeof setTimeout> | undefined;
  #onEnd: (which: Which) => void;

  /** Calls `onEnd` once, with what is over: `idle` or `total`. */
  constructor(idle: number, total: number, onEnd: (which: Which) => void) {
    this.#idle = idle;
    this.#total = total;
    this.#onEnd = onEnd;
    this.#totalTimer = setTimeout(() => this.#end("total"), total);
    this.#startIdle();
  }

  #startIdle() {
    // One that would end after the whole is over says nothing.
    if (this.#idle < this.#total) this.#idleTimer = setTimeout(() => this.#end("idle"), this.#idle);
  }

  #end(which: Which) {
    this.stop();
    this.#onEnd(which);
  }

  /** The server has said something. */
  restart(): void {
    if (this.#totalTimer === undefined) return;
    clearTimeout(this.#idleTimer);
    this.#startIdle();
  }

  stop(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#totalTimer);
    this.#totalTimer = undefined;
  }
}
