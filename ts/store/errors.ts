// What a log of runs throws.

/** An error of a run's log; `code` says which, `details` where. */
export class RunStoreError extends Error {
  /** Not by its class: an entry and its copies have one each. */
  static [Symbol.hasInstance](error) {
    return error instanceof Error && error.name === "RunStoreError" && "code" in error;
  }

  constructor(code, details, { message, cause } = {}) {
    super(
      `run ${details.runId} failed${message ? `: ${message}` : ""} (${code})`,
      cause && { cause },
    );
    this.name = "RunStoreError";
    this.code = code;
    this.details = details;
  }
}

/** The details that are known. */
export const detailsOf = (details) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

/** The code of an error of a log; what is not one means that the store is not there. */
export function codeOf(error) {
  // Not instanceof: a log of another copy of this package throws another class.
  return error?.name === "RunStoreError" ? error.code : "unavailable";
}

/** Throws a TypeError unless an argument is what it has to be. */
export function check(isIt, what) {
  if (!isIt) throw new TypeError(`not ${what}`);
}

export const checkRunId = (runId) => check(runId && typeof runId === "string", "a runId");

export const checkPosition = (position) =>
  check(Number.isSafeInteger(position) && position >= 0, "a position");

/** Throws unless these are bytes, and no more than `most`. */
export function checkBytes(runId, bytes, most) {
  check(bytes instanceof Uint8Array, "bytes");
  if (bytes.length > most) throw new RunStoreError("too_large", { runId });
}

export function checkBatch(runId, { from, to, bytes, end }) {
  checkRunId(runId);
  checkPosition(from);
  checkPosition(to);
  check([undefined, "done", "error"].includes(end), "an end");
  checkBytes(runId, bytes, MOST_BATCH);
}

/** Throws unless the options of a claim are such; returns its lease. */
export function checkClaim(runId, o, otherwise = LEASE) {
  checkRunId(runId);
  check(typeof o?.owner === "string", "an owner");
  return checkTime(o.leaseMs ?? otherwise);
}

/** Throws unless it is a time; returns whole milliseconds. */
export function checkTime(ms) {
  check(ms > 0 && ms <= Number.MAX_SAFE_INTEGER, "a time in milliseconds");
  return Math.ceil(ms);
}

/** Bytes of a batch, of a run. */
export const MOST_BATCH = 1 << 20;
export const MOST_RUN = 64 << 20;
/** Milliseconds: of a lease, until a run expires, and until one expires that has ended. */
export const LEASE = 10_000;
export const TTL = 86_400_000;
export const ENDED_TTL = 3_600_000;

/** The state of a run that is not there. */
export const none = () => ({
  state: { status: "none", position: 0, epoch: 0, leaseMs: 0, snapshotAt: 0, began: {} },
  snapshotAt: 0,
});

/** What nobody else has: names a claim. */
export const nonce = () => `${Math.random()}${Math.random()}`.replaceAll("0.", "");

/** A claim's token: its epoch, and a nonce, because a restart may give the same epoch again. */
export const tokenOf = (epoch, nonce) => `${epoch}.${nonce}`;

/**
 * Under this name our logs have `(runId, token, onStop) => unwatch`: a writer is told of a stop that an append's reply
 * carries. A symbol of the registry, because the log over Redis is a bundle of its own.
 */
export const WATCH = Symbol.for("apex-parts.store.watch");
