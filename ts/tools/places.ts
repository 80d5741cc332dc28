// Who may run now: a lock for each key, and a number of places for each session.
import { deferred, type Settled } from "./deferred.ts";

/** A caller that waits for a place. */
interface Queued {
  entered: Promise<void>;
  /** Takes the caller out of the queue; false if it has entered. */
  forget: () => boolean;
}

/** Callers wait in order; each is let in when one before it has left. */
class Places {
  #most: number;
  #taken = 0;
  #waiting: Settled<void>[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** A promise of a place, or undefined if one is free; `forget` takes the caller out of the queue. */
  enter(): Queued | undefined {
    if (this.#taken < this.#most) {
      this.#taken++;
      return undefined;
    }
    const caller = deferred<void>();
    this.#waiting.push(caller);
    return {
      entered: caller.promise,
      forget: () => {
        const at = this.#waiting.indexOf(caller);
        if (at >= 0) this.#waiting.splice(at, 1);
        return at >= 0;
      },
    };
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#taken--;
  }

  get isFree(): boolean {
    return this.#taken === 0;
  }
}

/** Places by key; those that nobody uses are forgotten. */
export class PlacesByKey {
  #most: number;
  #places = new Map<string, Places>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits for a place, or until `interrupted` resolves. Gives the function that leaves it; undefined if the
   * wait was interrupted.
   */
  async enter(key: string, interrupted: Promise<unknown>): Promise<(() => void) | undefined> {
    const places = this.#places.get(key) ?? new Places(this.#most);
    this.#places.set(key, places);
    const leave = () => {
      places.leave();
      if (places.isFree && this.#places.get(key) === places) this.#places.delete(key);
    };
    const queue = places.enter();
    if (queue === undefined) return leave;
    const entered = await Promise.race([
      queue.entered.then(() => true),
      interrupted.then(() => false),
    ]);
    if (entered) return leave;
    // It may have been let in at the very same moment.
    if (!queue.forget()) leave();
    return undefined;
  }
}
