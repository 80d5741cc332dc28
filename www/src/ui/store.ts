import { useEffect, useReducer, useRef } from "preact/hooks";

/** The page's state: one object, replaced field by field, and those who watch it. */
export class Store<T extends object> {
  private readonly watchers = new Set<() => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(change: Partial<T>): void {
    this.value = { ...this.value, ...change };
    for (const watcher of [...this.watchers]) watcher();
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** Draws again only when the selected value is another one. */
export function useStore<T extends object, V>(store: Store<T>, select: (state: T) => V): V {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const value = select(store.get());
  const seen = useRef({ value, select });
  seen.current = { value, select };
  useEffect(() => {
    const check = () => {
      if (!Object.is(seen.current.select(store.get()), seen.current.value)) draw(undefined);
    };
    // The state may have moved between the drawing and this effect.
    check();
    return store.watch(check);
  }, [store]);
  return value;
}
