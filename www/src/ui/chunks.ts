import { signal } from "@preact/signals";

/** How many items are asked for at once, and how many such chunks are kept. */
const CHUNK = 32;
const KEPT = 24;

interface Chunk<T> {
  /** Sparse where an item is not here yet. */
  items: (T | undefined)[];
  /** The items from `from` up to, not including, `to` are out of date; the old ones show until then. */
  stale: { from: number; to: number } | undefined;
}

/** Items by index, fetched in chunks when they come into view; the chunks unused longest go first. */
export class Chunks<T> {
  private chunks = new Map<number, Chunk<T>>();
  private readonly pending = new Set<number>();
  /** Another object whenever an item has come: who reads items while drawing is drawn again. */
  private readonly arrivals = signal({});

  constructor(
    private count: number,
    private readonly fetch: (start: number, end: number) => Promise<T[]>,
  ) {}

  /** The item, if it is here. */
  get(index: number): T | undefined {
    void this.arrivals.value;
    return this.chunks.get(Math.floor(index / CHUNK))?.items[index % CHUNK];
  }

  /** Fetches what is missing or out of date of a range, both ends included. */
  want(start: number, end: number): void {
    const last = Math.floor(Math.min(end, this.count - 1) / CHUNK);
    for (let at = Math.floor(Math.max(0, start) / CHUNK); at <= last; at++) {
      const here = this.chunks.get(at);
      if (here) {
        this.chunks.delete(at);
        this.chunks.set(at, here);
      }
      if (!this.pending.has(at) && (!here || here.stale)) void this.load(at);
    }
  }

  /** The items are others now. What is here of them stays until it can be replaced. */
  invalidate(from: number, count: number): void {
    const end = Math.min(from + count, this.count);
    for (const [at, chunk] of this.chunks) {
      const start = at * CHUNK;
      if (start < end && start + CHUNK > from) {
        mark(chunk, Math.max(from - start, 0), Math.min(end - start, CHUNK));
      }
    }
  }

  /** There are more or fewer items. `moved` says where an item is now, -1 where it is gone. */
  resize(count: number, moved?: (index: number) => number): void {
    const before = this.count;
    this.count = count;
    if (moved) this.move(moved);
    else if (count < before) this.cut();
    else this.invalidate(before, count - before);
  }

  /** An item that came by another way. */
  put(index: number, item: T): void {
    const at = Math.floor(index / CHUNK);
    let chunk = this.chunks.get(at);
    if (!chunk) {
      chunk = { items: [], stale: { from: 0, to: CHUNK } };
      this.keep(at, chunk);
    }
    const place = index % CHUNK;
    chunk.items[place] = item;
    const { stale } = chunk;
    if (stale?.from === place) stale.from++;
    else if (stale?.to === place + 1) stale.to--;
    if (stale && stale.from >= Math.min(stale.to, this.count - at * CHUNK)) chunk.stale = undefined;
    this.arrivals.value = {};
  }

  private async load(at: number): Promise<void> {
    this.pending.add(at);
    const here = this.chunks.get(at);
    const from = at * CHUNK + (here?.stale?.from ?? 0);
    const to = Math.min(at * CHUNK + (here?.stale?.to ?? CHUNK), this.count);
    if (here) here.stale = undefined;
    let items: T[];
    try {
      items = await this.fetch(from, to);
    } catch (error) {
      // It stays among the pending ones: asking again would only fail again.
      console.error(error);
      return;
    }
    this.pending.delete(at);
    this.take(at, from, items);
    this.arrivals.value = {};
  }

  private take(at: number, from: number, items: T[]): void {
    let chunk = this.chunks.get(at);
    if (!chunk) {
      // More of it may be there by now than was asked for.
      const end = Math.min(CHUNK, this.count - at * CHUNK);
      const to = from - at * CHUNK + items.length;
      chunk = { items: [], stale: to < end ? { from: to, to: CHUNK } : undefined };
      this.keep(at, chunk);
    }
    for (const [i, item] of items.entries()) {
      if (from + i < this.count) chunk.items[from + i - at * CHUNK] = item;
    }
  }

  private keep(at: number, chunk: Chunk<T>): void {
    this.chunks.set(at, chunk);
    const oldest = this.chunks.keys().next();
    if (this.chunks.size > KEPT && !oldest.done) this.chunks.delete(oldest.value);
  }

  private cut(): void {
    for (const [at, chunk] of this.chunks) {
      if (at * CHUNK >= this.count) this.chunks.delete(at);
      else chunk.items.length = Math.min(chunk.items.length, this.count - at * CHUNK);
    }
  }

  /** Everything here is looked at once; it is not much, and it happens seldom. */
  private move(moved: (index: number) => number): void {
    const before = this.chunks;
    this.chunks = new Map();
    for (const [at, chunk] of before) {
      chunk.items.forEach((item, i) => {
        const index = moved(at * CHUNK + i);
        if (item === undefined || index < 0) return;
        const next = Math.floor(index / CHUNK);
        const to = this.chunks.get(next) ?? { items: [], stale: { from: 0, to: CHUNK } };
        to.items[index % CHUNK] = item;
        this.chunks.set(next, to);
      });
    }
  }
}

function mark(chunk: Chunk<unknown>, from: number, to: number): void {
  const { stale } = chunk;
  chunk.stale = stale
    ? { from: Math.min(stale.from, from), to: Math.max(stale.to, to) }
    : { from, to };
}
