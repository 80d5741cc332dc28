import { signal } from "@preact/signals";

/**
 * How much of each long block is open, by row and field. It outlives the row's element, and others
 * than the block may open it: a search that has found something further down.
 */
export class ExpandedBlocks {
  private readonly limits = signal<ReadonlyMap<string, number>>(new Map());

  /** A component that asks while it is drawn is drawn again when a block is opened further. */
  get(key: string): number | undefined {
    return this.limits.value.get(key);
  }

  set(key: string, limit: number): void {
    this.limits.value = new Map(this.limits.peek()).set(key, limit);
  }
}
