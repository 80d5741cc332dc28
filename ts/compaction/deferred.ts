// Values that are made when they are first read.
import { newError } from "apex-parts:errors";

export class Deferred {
  #make;
  #value;
  #error;

  constructor(make) {
    this.#make = make;
  }

  /** Makes it now. An error is thrown when it is read. */
  settle() {
    const make = this.#make;
    if (make === undefined) return;
    this.#make = undefined;
    try {
      this.#value = make();
    } catch (error) {
      this.#error = { error };
    }
  }

  get value() {
    this.settle();
    if (this.#error) throw this.#error.error;
    return this.#value;
  }
}

/** The most values of a transcript that are made before it changes: the newest ones. */
const MOST = 8;

/** For each transcript how often it has changed, and the values that are read from it when somebody asks. */
const states = new WeakMap();

function stateOf(transcript) {
  if (!states.has(transcript)) states.set(transcript, { changes: 0, open: [] });
  return states.get(transcript);
}

/**
 * A value that `make` reads from a transcript: when somebody asks, or before the transcript is freed or changes. Of
 * many that nobody reads the oldest are not made then.
 */
export function deferred(transcript, make) {
  const state = stateOf(transcript);
  const { changes } = state;
  const made = new Deferred(() => {
    if (state.changes !== changes) {
      const message =
        "the transcript has changed since the plan was made: make a new one (stale_plan)";
      throw newError("CompactionError", message, { reason: "stale_plan" });
    }
    return make();
  });
  if (state.open.length === MOST) state.open.shift();
  state.open.push(new WeakRef(made));
  return made;
}

/** Makes the values that wait for this transcript. */
function settle(transcript) {
  const state = states.get(transcript);
  if (state === undefined) return;
  for (const one of state.open) one.deref()?.settle();
  state.open = [];
  state.changes++;
}

/** The methods after which a transcript has other messages, or none. */
const CHANGING = ["push", "end", "refresh", "free"];

/** Lets the methods of a class that change a transcript settle first what waits for it. */
export function settleBeforeChanges(prototype) {
  for (const name of CHANGING) {
    const own = prototype[name];
    prototype[name] = function (...given) {
      settle(this);
      return own.apply(this, given);
    };
  }
  if (Symbol.dispose) prototype[Symbol.dispose] = prototype.free;
}
