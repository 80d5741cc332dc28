// A time limit for work that takes several steps. It stands still while somebody is asked.
import type { Tool } from "apex-parts:glue";
import { Expected } from "../expected.ts";
import { Timer } from "../timer.ts";

export class Deadline {
  #controller = new AbortController();
  #abort: Tool.Abort | undefined;
  #onAbort: () => void;
  #timer: Timer;

  /** `abort` ends the work before its time; `message` is what is said when the time is over. */
  constructor(milliseconds: number, abort: Tool.Abort | undefined, message: string) {
    this.#abort = abort;
    this.#onAbort = () => this.#controller.abort(abort?.reason ?? new Error("Aborted"));
    if (abort?.aborted) this.#onAbort();
    else abort?.addEventListener("abort", this.#onAbort);
    this.#timer = new Timer(milliseconds, () => this.#controller.abort(new Expected(message)));
  }

  /** Fires when the time is over, and when the call is aborted. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What a promise gives; a rejection as soon as the time is over, also if the promise never ends. */
  async race<Result>(promise: Promise<Result>): Promise<Result> {
    const { signal } = this;
    let onAbort = () => {};
    const over = new Promise<never>((_, reject) => {
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
  async outside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#timer.pause();
    try {
      return await work();
    } finally {
      this.#timer.resume();
    }
  }

  /** Must be called at the end: a timer keeps a process alive. */
  end(): void {
    this.#timer.stop();
    this.#abort?.removeEventListener("abort", this.#onAbort);
  }
}
