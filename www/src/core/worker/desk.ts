import type { CallName, Reply, WorkerCalls } from "../rpc";
import type { CardReader } from "./cards";
import type { CurrentTranscript, Rows } from "./current";
import type { OpenTranscript } from "./open_transcript";
import { RowMaker } from "./row_maker";
import { Searching } from "./searching";
import type { SourceBytes } from "./source_bytes";
import { Superseded } from "./superseded";

/** What a feature of the worker gives: the calls of these names. */
export type Calls<C extends CallName> = {
  [K in C]: (
    ...args: Parameters<WorkerCalls[K]>
  ) => ReturnType<WorkerCalls[K]> | Promise<ReturnType<WorkerCalls[K]>>;
};

/** What the features of the worker share: the transcript that is open, and what is being read. */
export class Desk implements CurrentTranscript {
  open: OpenTranscript | undefined;
  maker: Rows | undefined;
  /** Counted up whenever another transcript is to be opened: who waits for an older one gives up. */
  turn = 0;
  /** Resolves when the open transcript is read to its end. */
  reading: Promise<unknown> = Promise.resolve();
  /** How many files are being read. */
  readings = 0;
  /** What the open transcript was read from. */
  origin: { name: string; bytes: SourceBytes } | undefined;
  /** What stands in the place of the open transcript, and frees that with itself. */
  instead: { free(): void } | undefined;
  readonly searching = new Searching();
  private whenLeft: (() => void)[] = [];

  constructor(
    /** Resolves when the module can be called. */
    readonly ready: Promise<void>,
    readonly reply: (message: Reply) => void,
    /** Reads parts for their cards. */
    readonly cards: CardReader,
  ) {}

  show(next: OpenTranscript): Rows {
    this.open = next;
    this.maker = new RowMaker(next, this.cards);
    return this.maker;
  }

  /** Is called once, before what is shown is freed. */
  onLeave(call: () => void): void {
    this.whenLeft.push(call);
  }

  /** Frees what is shown: a file, a live stream, a replay or the session of a task. */
  leave(): void {
    for (const call of this.whenLeft.splice(0)) call();
    (this.instead ?? this.open)?.free();
    this.instead = this.open = this.maker = undefined;
  }

  get transcript(): OpenTranscript {
    if (!this.open) throw new Error("No transcript is open.");
    return this.open;
  }

  get rows(): Rows {
    if (!this.maker) throw new Error("No transcript is open.");
    return this.maker;
  }

  /** Searched in batches, so that rows which are asked for meanwhile need not wait. */
  async inSteps<T>(
    look: (mine: OpenTranscript, isWanted: () => boolean) => Promise<T | undefined>,
  ): Promise<T> {
    await this.reading;
    const mine = this.transcript;
    const found = await look(mine, () => this.open === mine);
    if (!found) throw new Superseded();
    return found;
  }
}
