// Reports of progress for the running state: at most one in 100 ms, and always the last.
import { isObject } from "../tools/boundary.ts";

const BETWEEN = 100;
/** The most characters of a message: it is for a line on a screen. */
const MOST_SHOWN = 2000;

/** A report, as far as it is shown. */
export interface Report {
  progress: number;
  total?: number;
  message?: string;
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

export class Progress {
  #show: (report: Report) => void;
  #last = Number.NEGATIVE_INFINITY;
  #waiting: Report | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  /** `show` gets each report that counts. */
  constructor(show: (report: Report) => void) {
    this.#show = show;
  }

  /** Takes a report; gives whether it is one. */
  take(report: unknown): boolean {
    if (this.#hasEnded) return false;
    let progress: unknown;
    let total: unknown;
    let message: unknown;
    try {
      if (!isObject(report)) return false;
      ({ progress, total, message } = report);
    } catch {
      return false;
    }
    if (!isNumber(progress)) return false;
    if (progress <= this.#last) return true;
    this.#last = progress;
    this.#waiting = { progress };
    if (isNumber(total)) this.#waiting.total = total;
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
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#flush();
  }
}
