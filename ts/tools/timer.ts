// The time that a tool may take by itself: it stands still while someone is asked.

export class Timer {
  #left: number;
  #from = 0;
  #pauses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onEnd: () => void;

  /** Calls `onEnd` once the time is over; never if `milliseconds` is not a time. */
  constructor(milliseconds: unknown, onEnd: () => void) {
    const isTime =
      typeof milliseconds === "number" && Number.isFinite(milliseconds) && milliseconds > 0;
    this.#left = isTime ? milliseconds : 0;
    this.#onEnd = onEnd;
    this.#start();
  }

  #start(): void {
    if (this.#left === 0 || this.#pauses > 0) return;
    this.#from = performance.now();
    this.#timer = setTimeout(this.#onEnd, this.#left);
  }

  /** Stands still until `resume` was called as often. */
  pause(): void {
    if (this.#pauses++ > 0 || this.#left === 0) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(1, this.#left - (performance.now() - this.#from));
  }

  resume(): void {
    this.#pauses--;
    this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#left = 0;
  }
}
