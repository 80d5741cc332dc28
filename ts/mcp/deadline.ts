// The two times of a request: in which the server must say something, and in which it must end.

export class Deadline {
  #idle;
  #total;
  #idleTimer;
  #totalTimer;
  #onEnd;

  /** Calls `onEnd` once, with what is over: `idle` or `total`. */
  constructor(idle, total, onEnd) {
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

  #end(which) {
    this.stop();
    this.#onEnd(which);
  }

  /** The server has said something. */
  restart() {
    if (this.#totalTimer === undefined) return;
    clearTimeout(this.#idleTimer);
    this.#startIdle();
  }

  stop() {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#totalTimer);
    this.#totalTimer = undefined;
  }
}
