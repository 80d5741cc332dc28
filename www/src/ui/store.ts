import { batch, type Signal, signal } from "@preact/signals";

/**
 * A part of the page's state: an object of which each field is a signal. A component that reads a field
 * of `state` while it is drawn is drawn again when that field is another value.
 */
export class Store<T extends object> {
  /** The fields, tracked where they are read. */
  readonly state: Readonly<T>;
  private readonly signals = new Map<PropertyKey, Signal<unknown>>();
  private readonly watchers = new Set<() => void>();

  constructor(private value: T) {
    this.state = new Proxy(value, { get: (_, field) => this.signalOf(field).value });
  }

  /** The current fields, without tracking. */
  get(): T {
    return this.value;
  }

  set(change: Partial<T>): void {
    this.value = { ...this.value, ...change };
    batch(() => {
      for (const [field, value] of Object.entries(change)) this.signalOf(field).value = value;
    });
    for (const watcher of [...this.watchers]) watcher();
  }

  /**
   * Calls back after every change, before `set` returns: stores that follow another one have done so by
   * then. An effect would run at the end of the batch that it happens to be in.
   */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private signalOf(field: PropertyKey): Signal<unknown> {
    let found = this.signals.get(field);
    if (!found) {
      found = signal(this.value[field as keyof T]);
      this.signals.set(field, found);
    }
    return found;
  }
}
