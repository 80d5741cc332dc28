// What the modules of a program have in common: its logger, and the last id, after which the next one sorts.

const toConsole = (level, message, details) => {
  console[level](`apex-parts: ${message}`, details);
};
let logger = toConsole;

const LEVELS = ["debug", "warn", "error"];

/** A function that calls this logger; undefined if it is not a logger. */
function callerOf(chosen) {
  if (typeof chosen === "function") return chosen;
  try {
    if (chosen === null || !LEVELS.some((level) => typeof chosen[level] === "function")) return;
  } catch {
    return;
  }
  return (level, message, details) => {
    // Read once: a getter that itself logs would otherwise log twice at every level of nesting.
    const call = chosen[level];
    if (typeof call === "function") return call.call(chosen, message, details);
  };
}

/** Sets the logger, or no logger for undefined; returns false for anything else. */
export function setLogger(chosen) {
  const caller = chosen === undefined ? undefined : callerOf(chosen);
  if (chosen !== undefined && caller === undefined) return false;
  logger = caller;
  return true;
}

// A logger may call the package, which may log again; this ends endless recursion.
const MOST_NESTED = 4;
let nested = 0;

/** Passes a line to the logger and ignores its exceptions. */
export function log(level, message, details) {
  if (nested >= MOST_NESTED) return;
  nested++;
  try {
    const answer = logger?.(level, message, details);
    if (typeof answer?.then === "function") answer.then(undefined, () => {});
  } catch {
    // An exception of the logger must not break the call.
  } finally {
    nested--;
  }
}

/** The last id that a module created: its time in milliseconds, and its counter. */
const last = { time: 0, count: 0 };
export const lastTime = () => last.time;
export const lastCount = () => last.count;
export function setLast(time, count) {
  last.time = time;
  last.count = count;
}
