// Reads one message of a run, as far as it is stored and as it grows.
import { Screen } from "./screen.ts";
import { Bell, checkPosition, checkRunId } from "./shared.ts";
import { steps } from "./steps.ts";

export class RunReader {
  /** Opens a reader; resolves when it has what is stored. */
  static async open(log, runId, { from, signal } = {}) {
    checkRunId(runId);
    if (from !== undefined) checkPosition(from);
    signal?.throwIfAborted();
    const reader = new RunReader(log, runId, from, signal);
    try {
      await reader.#begin();
    } catch (error) {
      reader.free();
      throw error;
    }
    return reader;
  }

  #screen;
  #bell = new Bell();
  #abort = new AbortController();
  #unlink;
  #steps;
  #position = 0;
  #isFirst;
  #isReset = false;
  #isChanged = false;
  #isOver = false;
  #isFreed = false;
  #error;

  constructor(log, runId, from, signal) {
    this.#screen = new Screen(from === undefined ? undefined : { position: from });
    const abort = () => {
      this.#error ??= signal.reason;
      this.#abort.abort();
    };
    signal?.addEventListener("abort", abort);
    this.#unlink = () => signal?.removeEventListener("abort", abort);
    this.#steps = steps(log, runId, { signal: this.#abort.signal });
    this.#isFirst = from === undefined;
  }

  async #begin() {
    const { value, done } = await this.#steps.next();
    if (done) throw this.#error;
    this.#take(value);
    // Whoever begins has nothing to throw away.
    if (this.#isFirst) this.#isReset = false;
    this.#goOn();
  }

  #take(step) {
    for (const { position, isReset } of this.#screen.take(step)) {
      this.#position = position;
      this.#isReset ||= isReset === true;
      this.#isChanged = true;
    }
    this.#bell.ring();
  }

  /** Reads on in the background: what nobody asks for is joined in the assembler. Never rejects. */
  async #goOn() {
    try {
      for await (const step of this.#steps) {
        if (this.#isFreed) return;
        this.#take(step);
      }
    } catch (error) {
      this.#error ??= error;
    }
    this.#isOver = true;
    this.#unlink();
    this.#bell.ring();
  }

  /** The message so far or the final one. */
  message() {
    return this.#screen.assembler.message() ?? this.#screen.assembler.preview();
  }

  /** The same as a message with parts. */
  toWithParts(context) {
    return this.#screen.assembler.toWithParts(context);
  }

  /** What a screen has to redraw, until the run ends. */
  async *changes() {
    while (!this.#isFreed) {
      const { turn } = this.#bell;
      if (this.#isChanged) {
        const isReset = this.#isReset;
        this.#isChanged = false;
        this.#isReset = false;
        const changes = this.#screen.assembler.takeChanges();
        if (changes.length === 0 && !isReset) continue;
        const next = { position: this.#position, changes };
        yield isReset ? { ...next, reset: true } : next;
      } else if (!this.#isOver) await this.#bell.heard(turn);
      else if (this.#error && !this.#abort.signal.aborted) throw this.#error;
      else return;
    }
  }

  /** The message when the run has ended, however it has. */
  async result() {
    while (!this.#isOver && !this.#isFreed) await this.#bell.heard(this.#bell.turn);
    if (this.#error) throw this.#error;
    return this.message();
  }

  /** Stops reading. */
  free() {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#unlink();
    this.#abort.abort();
    this.#screen.free();
    this.#bell.ring();
  }
}
