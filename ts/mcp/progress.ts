// Reports of progress for the running state: at most one in 100 ms, and always the last.
import { isObject } from "../tools/boundary.ts";

const BETWEEN = 100;
/** The most characters of a message: it is for a line on a screen. */
const MOST_SHOWN = 2000;

export class Progress {
  #show;
  #last = Number.NEGATIVE_INFINITY;
  #waiting;
  #shownAt = Number.NEGATIVE_INFINITY;
  #timer;
  #hasEnded = false;

  /** `show` gets each report that counts. */
  constructor(show) {
    this.#show = show;
  }

  /** Takes a report; gives whether it is one. */
  take(report) {
    if (this.#hasEnded) return false;
    let progress;
    let total;
    let message;
    try {
      if (!isObject(report)) return false;
      ({ progress, total, message } = report);
    } catch {
      return false;
    }
    if (!Number.isFinite(progress)) return false;
    if (progress <= this.#last) return true;
    this.#last = progress;
    this.#waiting = { progress };
    if (Number.isFinite(total)) this.#waiting.total = total;
    if (typeof message === "string") this.#waiting.message = message.slice(0, MOST_SHOWN);
    if (this.#timer === undefined) {
      const left = this.#shownAt + BETWEEN - performance.now();
      if (left <= 0) this.#flush();
      else this.#timer = setTimeout(() => this.#flush(), left);
    }
    return true;
  }

  #flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const report = this.#waiting;
    this.#waiting = undefined;
    if (report === undefined) return;
    this.#shownAt = performance.now();
    this.#show(report);
  }

  /** Shows the last one, and nothing after it. */
  end() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#flush();
  }
}
