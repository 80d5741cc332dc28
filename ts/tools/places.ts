// Who may run now: a lock for each key, and a number of places for each session.
import { deferred } from "./deferred.ts";

/** Callers wait in order; each is let in when one before it has left. */
class Places {
  #most;
  #taken = 0;
  #waiting = [];

  constructor(most) {
    this.#most = most;
  }

  /** A promise of a place, or undefined if one is free; `forget` takes the caller out of the queue. */
  enter() {
    if (this.#taken < this.#most) {
      this.#taken++;
      return undefined;
    }
    const caller = deferred();
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

  leave() {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#taken--;
  }

  get isFree() {
    return this.#taken === 0;
  }
}

/** Places by key; those that nobody uses are forgotten. */
export class PlacesByKey {
  #most;
  #places = new Map();

  constructor(most) {
    this.#most = most;
  }

  /**
   * Waits for a place, or until `interrupted` resolves. Gives the function that leaves it; undefined if the
   * wait was interrupted.
   */
  async enter(key, interrupted) {
    let places = this.#places.get(key);
    if (!places) {
      places = new Places(this.#most);
      this.#places.set(key, places);
    }
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
