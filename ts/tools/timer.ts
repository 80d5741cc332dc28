// The time that a tool may take by itself: it stands still while someone is asked.

export class Timer {
  #left;
  #from = 0;
  #pauses = 0;
  #timer;
  #onEnd;

  /** Calls `onEnd` once the time is over; never if `milliseconds` is not a time. */
  constructor(milliseconds, onEnd) {
    this.#left = Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : 0;
    this.#onEnd = onEnd;
    this.#start();
  }

  #start() {
    if (this.#left === 0 || this.#pauses > 0) return;
    this.#from = performance.now();
    this.#timer = setTimeout(this.#onEnd, this.#left);
  }

  /** Stands still until `resume` was called as often. */
  pause() {
    if (this.#pauses++ > 0 || this.#left === 0) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(1, this.#left - (performance.now() - this.#from));
  }

  resume() {
    this.#pauses--;
    this.#start();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#left = 0;
  }
}
