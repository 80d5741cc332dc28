/** How many items are asked for at once, and how many such chunks are kept. */
const CHUNK = 32;
const KEPT = 24;

/** Items by index, fetched in chunks when they come into view; the chunks unused longest go first. */
export class Chunks<T> {
  private readonly chunks = new Map<number, T[]>();
  private readonly pending = new Set<number>();
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly count: number,
    private readonly fetch: (start: number, end: number) => Promise<T[]>,
  ) {}

  /** The item, if it is here. */
  get(index: number): T | undefined {
    return this.chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
  }

  /** Fetches what is missing of a range, both ends included. */
  want(start: number, end: number): void {
    const last = Math.floor(Math.min(end, this.count - 1) / CHUNK);
    for (let chunk = Math.floor(Math.max(0, start) / CHUNK); chunk <= last; chunk++) {
      const here = this.chunks.get(chunk);
      if (here) {
        this.chunks.delete(chunk);
        this.chunks.set(chunk, here);
      } else if (!this.pending.has(chunk)) {
        void this.load(chunk);
      }
    }
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private async load(chunk: number): Promise<void> {
    this.pending.add(chunk);
    const start = chunk * CHUNK;
    try {
      const items = await this.fetch(start, Math.min(start + CHUNK, this.count));
      this.chunks.set(chunk, items);
    } catch (error) {
      // It stays among the pending ones: asking again would only fail again.
      console.error(error);
      return;
    }
    this.pending.delete(chunk);
    const oldest = this.chunks.keys().next();
    if (this.chunks.size > KEPT && !oldest.done) this.chunks.delete(oldest.value);
    for (const watcher of [...this.watchers]) watcher();
  }
}
