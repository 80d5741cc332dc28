import { EventReader, placeOf, type RunPlace, type SentEvent } from "./events";
import { Lost, Refused, troubleOf } from "./trouble";

/** A file that started over is fetched again after this long, in ms. */
const AGAIN = 300;
/** The pause before a run is asked for again: as the server says, doubled each time, within these, in ms. */
const RETRY = 1000;
const SHORTEST = 20;
const LONGEST = 30_000;
/** So often in a row without anything new, then the reader has to say it. */
const TRIES = 10;
/** A run's server sends a comment each 15 s or so: one that is silent for this long is gone, in ms. */
const SILENT = 120_000;

/** What becomes of what an address sends. */
export interface Receiver {
  push(bytes: Uint8Array): void;
  /** All that was pushed is replaced by this. */
  replace(bytes: Uint8Array): void;
  end(): void;
  /** The connection is gone and will be made again; with what went wrong, where that failed before. */
  lost(message: string): void;
  /** It is there again. */
  back(): void;
  /** There will be no more, unless it is asked for again. */
  broken(message: string): void;
}

/**
 * Reads what an address sends. A run of `apex-parts/store` is asked for again from where it was, whenever its
 * connection ends before the run does; a file that is followed, when it starts over.
 */
export class Connection {
  /** What went wrong with the first request, if it is to be made again. */
  trouble: string | undefined;
  private readonly path: string;
  private readonly closing = new AbortController();
  private readonly encoder = new TextEncoder();
  private isRun = false;
  private place: RunPlace | undefined;
  private retry = RETRY;
  private tries = 0;
  private isReading = false;
  private wake: () => void = () => {};

  constructor(
    private readonly url: string,
    private readonly receiver: Receiver,
  ) {
    this.path = new URL(url).pathname;
  }

  /** Resolves when there is something to wait for; rejects where there will be nothing. */
  async open(): Promise<void> {
    const first = await this.ask().catch(lostOnly);
    if (first instanceof Lost) this.trouble = first.message;
    void this.read(first);
  }

  close(): void {
    this.closing.abort();
    this.wake();
  }

  /** Asks again at once, from where it was; false if it can only be read from the beginning. */
  reconnect(): boolean {
    if (!this.isRun || this.closing.signal.aborted) return false;
    this.tries = 0;
    if (this.isReading) this.wake();
    else {
      this.receiver.lost("");
      void this.ask()
        .catch((error: unknown) => error as Error)
        .then((next) => this.read(next));
    }
    return true;
  }

  private async read(first: Response | Error): Promise<void> {
    this.isReading = true;
    try {
      await this.readAll(first);
      if (!this.closing.signal.aborted) this.receiver.end();
    } catch (error) {
      if (this.closing.signal.aborted) return;
      const cause = error instanceof Refused ? error.message : "What had come until then is shown.";
      this.receiver.broken(cause);
    } finally {
      this.isReading = false;
    }
  }

  private async readAll(first: Response | Error): Promise<void> {
    for (let next = first; ; ) {
      try {
        if (next instanceof Error) throw next;
        const isOver = await this.readOne(next);
        if (isOver) return;
        // A file that is followed has no end: its response ends where it starts over.
        await this.pause(AGAIN);
        if (this.closing.signal.aborted) return;
        next = await this.ask().catch(refused);
        this.receiver.replace(new Uint8Array());
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        if (this.tries++ === TRIES) {
          throw new Refused(`${error.message} It was tried ${TRIES} times.`);
        }
        this.receiver.lost(this.tries > 1 || !this.isRun ? error.message : "");
        // Not all at the same moment, where a server had many readers.
        const longer = Math.min(LONGEST, this.retry * 2 ** (this.tries - 1));
        await this.pause(longer * (0.75 + Math.random() / 2));
        if (this.closing.signal.aborted) return;
        next = await this.ask().catch(lostOnly);
      }
    }
  }

  private async ask(): Promise<Response> {
    const { url, path, place, closing } = this;
    const headers: Record<string, string> = place
      ? { "last-event-id": `${place.position}.${place.epoch}` }
      : {};
    const response = await fetch(url, {
      mode: "same-origin",
      redirect: "manual",
      cache: "no-store",
      headers,
      signal: closing.signal,
    }).catch(() => {
      throw new Lost(`${path} could not be fetched.`);
    });
    // The page checked the origin; a redirect must not lead elsewhere either.
    if (response.type === "opaqueredirect") {
      throw new Refused(`${path} could not be fetched: it leads to another address.`);
    }
    if (!response.ok) throw troubleOf(response, path);
    const type = response.headers.get("content-type") ?? "";
    if (/^text\/html\b/i.test(type)) {
      throw new Refused(`${path} is a page (HTML), and no run or stream.`);
    }
    if (this.isRun && response.status !== 204 && !isEvents(type)) {
      throw new Refused(`${path} does not send the events of a run any more.`);
    }
    return response;
  }

  /** Reads a response. True where that is all; false where it is to be asked for from the beginning. */
  private async readOne(response: Response): Promise<boolean> {
    // It has ended, and there is nothing newer.
    if (response.status === 204) return true;
    const isFile = response.headers.has("x-follow");
    const events = isEvents(response.headers.get("content-type") ?? "")
      ? new EventReader(this.path, this.isRun)
      : undefined;
    const held: Uint8Array[] = [];
    const since = performance.now();
    let isBack = false;
    try {
      for await (const bytes of this.pieces(response)) {
        if (!isBack) this.receiver.back();
        isBack = true;
        held.push(bytes);
        const sent = events?.take(bytes);
        if (events?.retry !== undefined) this.retry = Math.max(SHORTEST, events.retry);
        if (!sent) {
          for (const piece of held.splice(0)) this.receiver.push(piece);
        } else if (events?.isRun) {
          held.length = 0;
          this.isRun = true;
          if (sent.some((event) => this.isLast(event))) return true;
        }
      }
    } catch (error) {
      if (error instanceof Refused || !this.isAskedAgain(events)) throw error;
    }
    if (this.closing.signal.aborted) return true;
    if (this.isAskedAgain(events)) {
      if (performance.now() - since > LONGEST) this.tries = 0;
      throw new Lost(`The connection to ${this.path} ends again and again.`);
    }
    for (const piece of held) this.receiver.push(piece);
    return !isFile;
  }

  private isAskedAgain(events: EventReader | undefined): boolean {
    // Of what has sent nothing yet: only who is to come back is told when.
    return this.isRun || (events?.isRun === undefined && events?.retry !== undefined);
  }

  private async *pieces({ body }: Response): AsyncGenerator<Uint8Array> {
    const reader = body?.getReader();
    if (!reader) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      for (;;) {
        if (this.isRun) timer = setTimeout(() => void reader.cancel().catch(() => {}), SILENT);
        const { value, done } = await reader.read();
        clearTimeout(timer);
        if (done || this.closing.signal.aborted) return;
        yield value;
      }
    } finally {
      clearTimeout(timer);
      void reader.cancel().catch(() => {});
    }
  }

  /** Takes an event of a run; true if it was the last. */
  private isLast({ name, id, data }: SentEvent): boolean {
    const place = id === undefined ? this.place : placeOf(id);
    if (id !== undefined && !place) {
      const words = JSON.stringify(id.slice(0, 40));
      throw new Refused(`${this.path} sends ${words} as a place in a run, which it is not.`);
    }
    const { place: before } = this;
    if (name === "end") return true;
    const isReset = name === "reset";
    // What other events there may be is for other readers.
    if (!isReset && name !== "" && name !== "message") return false;
    const isKnown = before !== undefined && place !== undefined && !isAfter(place, before);
    // Sent twice, it is shown once.
    if (!isReset && id !== undefined && isKnown) return false;
    this.place = place;
    if (!before || !place || place.position !== before.position || place.epoch !== before.epoch) {
      this.tries = 0;
    }
    // As a stream of events again: one that is damaged leaves the others as they are.
    const lines = data.map((line) => (line === "" ? "" : `data: ${line}\n\n`));
    const bytes = this.encoder.encode(lines.join(""));
    if (isReset) this.receiver.replace(bytes);
    else this.receiver.push(bytes);
    return false;
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.closing.signal.aborted) this.wake();
    });
  }
}

const isEvents = (type: string) => /^text\/event-stream\b/i.test(type);

const isAfter = (place: RunPlace, before: RunPlace) => place.position > before.position;

/** A connection that is gone may come back; what is refused is thrown. */
function lostOnly(error: unknown): Lost {
  if (error instanceof Lost) return error;
  throw error;
}

/** Nobody waits for a file whose server is gone. */
function refused(error: unknown): never {
  throw error instanceof Lost ? new Refused(error.message) : error;
}
