// What a log of runs throws.

const MESSAGES = {
  fenced: "another writer has claimed it since",
  held: "another writer holds its lease",
  gap: "the batch does not begin where the log ends",
  ended: "it has ended",
  trimmed: "the text from there on was replaced by a snapshot, or taken back",
  expired: "its time to live is over",
  unknown_run: "there is no such run",
  too_large: "a batch has at most 1 MB, a run at most 64 MB",
  unavailable: "the store does not answer",
};

/** An error of a run's log; `code` says which, `details` where. */
export class RunStoreError extends Error {
  constructor(code, details, options = {}) {
    const { message = MESSAGES[code], cause } = options;
    super(
      `run ${details.runId}: ${message} (${code})`,
      cause === undefined ? undefined : { cause },
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

/** Throws unless it is the id of a run. */
export function checkRunId(runId) {
  if (typeof runId !== "string" || runId === "")
    throw new TypeError("a runId is a string, not empty");
}

/** Throws unless it is a position. */
export function checkPosition(position, name) {
  if (Number.isSafeInteger(position) && position >= 0) return;
  throw new TypeError(`${name} is a position: a whole number, not negative`);
}

/** Throws unless these are bytes, and no more than `most`. */
export function checkBytes(runId, bytes, most) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes are a Uint8Array");
  if (bytes.length > most) throw new RunStoreError("too_large", { runId });
}

/** Throws unless the batch is one. */
export function checkBatch(runId, { from, to, bytes, end }) {
  checkRunId(runId);
  checkPosition(from, "from");
  checkPosition(to, "to");
  if (end !== undefined && end !== "done" && end !== "error") {
    throw new TypeError('end is "done" or "error"');
  }
  checkBytes(runId, bytes, MOST_BATCH);
}

/** Throws unless the options of a claim are such; returns its lease. */
export function checkClaim(runId, o, otherwise = LEASE) {
  checkRunId(runId);
  if (typeof o?.owner !== "string") throw new TypeError("a claim has an owner, a string");
  const { leaseMs = otherwise } = o;
  return checkTime(leaseMs, "leaseMs");
}

/** Throws unless it is a time; returns whole milliseconds. */
export function checkTime(ms, name) {
  if (typeof ms === "number" && ms > 0 && ms <= Number.MAX_SAFE_INTEGER) return Math.ceil(ms);
  throw new TypeError(`${name} is a time in milliseconds`);
}

/** Bytes of a batch, of a run. */
export const MOST_BATCH = 1 << 20;
export const MOST_RUN = 64 << 20;
/** Milliseconds: of a lease, until a run expires, and until one expires that has ended. */
export const LEASE = 10_000;
export const TTL = 86_400_000;
export const ENDED_TTL = 3_600_000;

/** What nobody else has: names a claim. */
export const nonce = () => `${part()}${part()}`;
const part = () => Math.random().toString(36).slice(2, 12);

/** A claim's token: its epoch, and a nonce, because a restart may give the same epoch again. */
export const tokenOf = (epoch, nonce) => `${epoch}.${nonce}`;

/**
 * Under this name our logs have `(runId, token, onStop) => unwatch`: a writer is told of a stop that an append's reply
 * carries. A symbol of the registry, because the log over Redis is a bundle of its own.
 */
export const WATCH = Symbol.for("apex-parts.store.watch");
