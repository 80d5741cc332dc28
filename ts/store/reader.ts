// Reads one message of a run, as far as it is stored and as it grows.
import type { Message, WithParts, WithPartsContext } from "apex-parts:glue";
import { Screen } from "./screen.ts";
import { Bell, checkPosition, checkRunId } from "./shared.ts";
import { type Step, steps } from "./steps.ts";
import type { Abort, Position, RunChanges, RunLog } from "./types.ts";

/**
 * Reads one message of a run, as far as it is stored and as it grows.
 * @example
 * ```ts
 * import { memoryRunLog, RunReader, RunWriter } from "apex-parts/store";
 *
 * const log = memoryRunLog();
 * const writer = await RunWriter.open(log, "r1");
 * const timestamp = new Date().toISOString();
 * await writer.push({ runId: "r1", seq: 1, timestamp, kind: "start", payload: { modelId: "m", requestId: "q" } });
 * await writer.push({ runId: "r1", seq: 2, timestamp, kind: "text", payload: { textDelta: "Hello" } });
 * await writer.end(); // without `done`: the message ends with the error `incomplete`
 * const reader = await RunReader.open(log, "r1");
 * for await (const { changes } of reader.changes()) console.log(changes.map(({ op }) => op));
 * reader.message().parts; // [{ kind: "text", payload: { text: "Hello" } }]
 * reader.free();
 * ```
 */
export class RunReader {
  /**
   * Resolves when what is stored is read. `from`: changes up to there are known. Throws `unknown_run`, `expired`.
   * @param log - The log.
   * @param runId - The id of the run.
   * @param options - Where to begin, and what ends it.
   * @returns The reader.
   */
  static async open(
    log: RunLog,
    runId: string,
    options: { from?: Position; signal?: Abort } = {},
  ): Promise<RunReader> {
    const { from, signal } = options;
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

  #screen: Screen;
  #bell = new Bell();
  #abort = new AbortController();
  #unlink: () => void;
  #steps: AsyncGenerator<Step, void, undefined>;
  #position = 0;
  #isFirst: boolean;
  #isReset = false;
  #isChanged = false;
  #isOver = false;
  #isFreed = false;
  #error: unknown;

  private constructor(log: RunLog, runId: string, from?: Position, signal?: Abort) {
    this.#screen = new Screen(from === undefined ? undefined : { position: from });
    const abort = () => {
      this.#error ??= signal?.reason;
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

  #take(step: Step) {
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

  /**
   * The message so far or the final one.
   * @returns The message.
   */
  message(): Message {
    return this.#screen.assembler.message() ?? this.#screen.assembler.preview();
  }

  /**
   * The same as a message with parts; ids that the context lacks are new in each call.
   * @param context - The ids and names that a stream does not contain.
   * @returns A message with parts.
   */
  toWithParts(context: WithPartsContext): WithParts {
    return this.#screen.assembler.toWithParts(context);
  }

  /**
   * What changes, until the run ends; for one caller.
   * @returns The changes, with the position after them.
   */
  async *changes(): AsyncIterable<RunChanges> {
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

  /**
   * The message when the run has ended, however it has.
   * @returns The message.
   */
  async result(): Promise<Message> {
    while (!this.#isOver && !this.#isFreed) await this.#bell.heard(this.#bell.turn);
    if (this.#error) throw this.#error;
    return this.message();
  }

  /** Stops reading and releases the memory. */
  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#unlink();
    this.#abort.abort();
    this.#screen.free();
    this.#bell.ring();
  }
}
