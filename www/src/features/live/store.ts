import type { WorkerClient } from "../../core/client";
import type { LiveBegun, LiveNews } from "../../core/model/live";
import type { Growth } from "../../core/model/overview";
import { sourceFromAddress } from "../../core/page/address";
import type { AppContext, OpenOptions } from "../../core/page/context";
import type { OpenDocument } from "../../core/store/document";
import { Store } from "../../ui/store";

/** Bytes that are given one after the other are handed on together, once a frame. */
const FRAME = 16;
/**
 * Summary and loops are looked for once nothing has come for this long, and at most this often before, in ms; where
 * that takes long, this many times as long passes until the next time.
 */
const QUIET = 1000;
const SELDOM = 2000;
const REST = 20;

export interface LiveState {
  /** `lost`: the connection is gone, and is made again. */
  phase: "off" | "live" | "lost" | "ended" | "broken";
  name: string;
  /** Why it broke off, or cannot be made again yet, in a sentence. */
  message: string;
  /** It has an address that can be asked again. */
  again: boolean;
  /** Something came below what is in view. */
  below: boolean;
  /** Another object whenever the end of the transcript is to be in view. */
  toEnd: object;
}

const OFF = { phase: "off", name: "", message: "", again: false, below: false } as const;

/**
 * A transcript that is shown while it is written: from an address that goes on sending, or from bytes
 * that a program gives with `begin`, `push` and `end`.
 */
export class Live {
  readonly store = new Store<LiveState>({ ...OFF, toEnd: {} });
  private doc: OpenDocument | undefined;
  private stream = -1;
  private url: string | undefined;
  /** What has come since the last frame. */
  private grown: Growth | undefined;
  private frame = 0;
  private queue: Uint8Array[] = [];
  private sending: Promise<void> = Promise.resolve();
  private waiting = false;
  /** When summary and loops may be looked for again. */
  private next = 0;
  private quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: AppContext,
    private readonly client: WorkerClient,
  ) {
    client.onLive = (news, stream) => this.hear(news, stream);
    client.onAnswer = () => this.grow();
    app.store.watch(() => {
      if (this.doc && app.store.get().doc !== this.doc) this.leave();
    });
  }

  /** True while more may come. */
  get isLive(): boolean {
    return isLive(this.store.get().phase);
  }

  async begin(name: string): Promise<void> {
    this.url = undefined;
    this.queue = [];
    this.sending = this.open(name, () => this.client.call("liveBegin", name)).then(() => undefined);
    await this.sending;
  }

  push(bytes: Uint8Array): void {
    this.queue.push(bytes);
    if (this.waiting) return;
    this.waiting = true;
    // One batch at a time: where the worker is slow, the next one gets longer.
    this.sending = this.sending.then(() =>
      new Promise((resolve) => setTimeout(resolve, FRAME)).then(() => this.send()),
    );
  }

  async end(): Promise<void> {
    await this.sending;
    await this.client.call("liveEnd");
  }

  /** Brings the end into view, and stays with it. */
  toEnd(): void {
    this.store.set({ toEnd: {} });
  }

  setBelow(below: boolean): void {
    if (below !== this.store.get().below) this.store.set({ below });
  }

  /** Follows what an address of this origin sends; false where it gives nothing. */
  async follow(address: string, options: OpenOptions = {}): Promise<boolean> {
    const named = sourceFromAddress(address, document.baseURI);
    if (!named || "error" in named) {
      this.app.store.set({ error: named?.error ?? "Give the address of a stream." });
      return false;
    }
    const { url, name } = named.source;
    const begin = () => this.client.call("liveFollow", url, name);
    const begun = await this.open(name, begin, options);
    if (begun) {
      this.url = url;
      this.store.set({ again: true });
      this.app.showAddress("live", url);
    }
    return begun;
  }

  /** Asks the address again: for what comes after what is shown or, where that cannot be had, from the beginning. */
  async reconnect(): Promise<void> {
    if (this.url === undefined) return;
    const goesOn = await this.client.call("liveReconnect");
    if (!goesOn) await this.follow(this.url);
  }

  private async send(): Promise<void> {
    const bytes = joined(this.queue);
    this.queue = [];
    this.waiting = false;
    if (bytes.length > 0) await this.client.call("livePush", bytes);
  }

  private async open(
    name: string,
    begin: () => Promise<LiveBegun>,
    options: OpenOptions = {},
  ): Promise<boolean> {
    const begun = await this.app.opens(name, begin, options);
    if (!begun) return false;
    this.leave();
    this.stream = begun.stream;
    this.doc = this.app.show(begun.facts);
    this.doc.growing = true;
    const { trouble } = begun;
    this.store.set({ ...OFF, phase: "live", name });
    if (trouble) this.store.set({ phase: "lost", message: trouble });
    return true;
  }

  private leave(): void {
    this.doc = undefined;
    this.grown = undefined;
    this.next = 0;
    this.stream = -1;
    clearTimeout(this.quiet);
    this.store.set(OFF);
  }

  private hear(news: LiveNews, stream: number): void {
    if (stream !== this.stream) return;
    if (news.kind === "lost" || news.kind === "back") {
      this.connection(news);
      return;
    }
    this.grown = joinedGrowth(this.grown, news.growth);
    if (news.kind === "grown") {
      if (this.frame === 0) this.frame = requestAnimationFrame(() => this.grow());
      return;
    }
    if (this.doc) this.doc.growing = false;
    this.grow();
    const { name } = this.store.get();
    this.store.set(
      news.kind === "ended"
        ? { phase: "ended" }
        : { phase: "broken", message: `The stream ${name} broke off. ${news.message}` },
    );
    void this.look();
  }

  private connection(news: Extract<LiveNews, { kind: "lost" | "back" }>): void {
    if (news.kind === "lost") {
      if (this.doc) this.doc.growing = true;
      this.store.set({ phase: "lost", message: news.message });
    } else if (this.store.get().phase === "lost") {
      this.store.set({ phase: "live", message: "" });
    }
  }

  /** Once a frame, and before any answer that the worker gave later. */
  private grow(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { grown, doc } = this;
    if (!grown || !doc) return;
    this.grown = undefined;
    const empty = doc.map.rows === 0;
    this.app.grow(doc, grown);
    if (empty) this.app.followLink({ quiet: true });
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => void this.look(), QUIET);
    if (performance.now() > this.next) void this.look();
  }

  private async look(): Promise<void> {
    const { doc } = this;
    if (!doc || doc.map.rows === 0) return;
    this.next = Number.POSITIVE_INFINITY;
    const began = performance.now();
    await this.app.findLoops(doc);
    const now = performance.now();
    this.next = now + Math.max(SELDOM, REST * (now - began));
  }
}

/** More may come. */
export const isLive = (phase: LiveState["phase"]) => phase === "live" || phase === "lost";

/** Two growths of which none was shown yet. */
function joinedGrowth(first: Growth | undefined, second: Growth): Growth {
  if (!first) return second;
  const problems = second.facts.problems ?? first.facts.problems;
  return {
    ...second,
    facts: { ...second.facts, ...(problems ? { problems } : {}) },
    from: Math.min(first.from, second.from),
    all: (first.all ?? false) || (second.all ?? false),
  };
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
