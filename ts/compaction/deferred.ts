// Values that are made when they are first read.
import { newError } from "apex-parts:errors";
import type { Transcript } from "apex-parts:glue";

export class Deferred<T> {
  #make: (() => T) | undefined;
  #made: { value: T } | undefined;
  #error: { error: unknown } | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  /** Makes it now. An error is thrown when it is read. */
  settle(): void {
    const make = this.#make;
    if (make === undefined) return;
    this.#make = undefined;
    try {
      this.#made = { value: make() };
    } catch (error) {
      this.#error = { error };
    }
  }

  get value(): T {
    this.settle();
    if (this.#made) return this.#made.value;
    throw this.#error?.error;
  }
}

/** The most values of a transcript that are made before it changes: the newest ones. */
const MOST = 8;

/** How often a transcript has changed, and what waits for it. */
interface State {
  changes: number;
  open: WeakRef<Deferred<unknown>>[];
}

/** For each transcript how often it has changed, and the values that are read from it when somebody asks. */
const states = new WeakMap<Transcript, State>();

function stateOf(transcript: Transcript): State {
  const existing = states.get(transcript);
  if (existing) return existing;
  const state: State = { changes: 0, open: [] };
  states.set(transcript, state);
  return state;
}

/**
 * A value that `make` reads from a transcript: when somebody asks, or before the transcript is freed or changes. Of
 * many that nobody reads the oldest are not made then.
 */
export function deferred<T>(transcript: Transcript, make: () => T): Deferred<T> {
  const state = stateOf(transcript);
  const { changes } = state;
  const plan = new Deferred(() => {
    if (state.changes !== changes) {
      const message =
        "the transcript has changed since the plan was made: make a new one (stale_plan)";
      throw newError("CompactionError", message, { reason: "stale_plan" });
    }
    return make();
  });
  if (state.open.length === MOST) state.open.shift();
  state.open.push(new WeakRef(plan));
  return plan;
}

/** Makes the values that wait for this transcript. */
function settle(transcript: Transcript) {
  const state = states.get(transcript);
  if (state === undefined) return;
  for (const one of state.open) one.deref()?.settle();
  state.open = [];
  state.changes++;
}

/** The methods after which a transcript has other messages, or none. */
const CHANGING = ["push", "end", "refresh", "free"] as const;

/** Lets the methods of a class that change a transcript settle first what waits for it. */
export function settleBeforeChanges(prototype: Transcript): void {
  // A cast: the methods take different arguments, which are passed on as they are.
  const methods = prototype as unknown as {
    [method: string | symbol]: (this: Transcript, ...given: unknown[]) => unknown;
  };
  for (const name of CHANGING) {
    const own = methods[name];
    methods[name] = function (...given) {
      settle(this);
      return own?.apply(this, given);
    };
  }
  // Not every engine has the symbol.
  const { dispose }: { dispose?: symbol } = Symbol;
  if (dispose && methods.free) methods[dispose] = methods.free;
}
