// A time limit that stands still while somebody is asked.
import { Expected } from "../expected.mjs";

export class Deadline {
  #controller = new AbortController();
  #abort;
  #onAbort;
  #left;
  #from = 0;
  #timer;
  #message;

  /** `message`: what is said when the time is over. `abort`: ends the work before. */
  constructor(milliseconds, abort, message) {
    this.#left = milliseconds;
    this.#abort = abort;
    this.#message = message;
    this.#onAbort = () => this.#controller.abort(abort.reason ?? new Error("Aborted"));
    if (abort?.aborted) this.#onAbort();
    else abort?.addEventListener("abort", this.#onAbort);
    this.#start();
  }

  /** Fires when the time is over, and when the call is aborted. */
  get signal() {
    return this.#controller.signal;
  }

  #start() {
    this.#from = performance.now();
    this.#timer = setTimeout(() => {
      this.#controller.abort(new Expected(this.#message));
    }, this.#left);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#left = Math.max(1, this.#left - (performance.now() - this.#from));
  }

  /** What a promise gives; a rejection as soon as the time is over, also if the promise never ends. */
  async race(promise) {
    const { signal } = this;
    let onAbort;
    const over = new Promise((_, reject) => {
      onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort);
    });
    try {
      return await Promise.race([over, promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** What a function gives; the time that it takes does not count. */
  async outside(work) {
    this.#stop();
    try {
      return await work();
    } finally {
      if (!this.signal.aborted) this.#start();
    }
  }

  /** Must be called at the end: a timer keeps a process alive. */
  end() {
    clearTimeout(this.#timer);
    this.#abort?.removeEventListener("abort", this.#onAbort);
  }
}
