import { useEffect, useState } from "preact/hooks";

/**
 * How much of each long block is open, by row and field. It outlives the row's element, and others
 * than the block may open it: a search that has found something further down.
 */
export class ExpandedBlocks {
  private readonly limits = new Map<string, number>();
  private readonly watchers = new Set<(key: string) => void>();

  get(key: string): number | undefined {
    return this.limits.get(key);
  }

  set(key: string, limit: number): void {
    this.limits.set(key, limit);
    for (const watcher of [...this.watchers]) watcher(key);
  }

  watch(watcher: (key: string) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** How much of a block is open; draws again when that changes. */
export function useExpanded(expandedBlocks: ExpandedBlocks, key: string): number | undefined {
  const [, draw] = useState({});
  useEffect(
    () => expandedBlocks.watch((changed) => changed === key && draw({})),
    [expandedBlocks, key],
  );
  return expandedBlocks.get(key);
}
