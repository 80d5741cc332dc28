// Measures contenders side by side: alternately in many rounds, of which the best counts, so that noise of
// the machine affects them equally. Quote the ratios.
import { met } from "./bars.mjs";
import { figure, inWords, rounded } from "./figures.mjs";

/**
 * Nanoseconds per call of each contender: `{ name: () => void }`. After `mostMs` there is no further round, but for the
 * first two.
 */
export function sideBySide(
  contenders,
  { rounds = 9, minMs = 30, mostMs = Number.POSITIVE_INFINITY } = {},
) {
  const names = Object.keys(contenders);
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY]));
  const repeats = {};
  const start = performance.now();
  for (const name of names) repeats[name] = calibrate(contenders[name], minMs);
  for (let round = 0; round < rounds; round++) {
    if (round >= 2 && performance.now() - start > mostMs) break;
    for (const name of names) {
      const each = time(contenders[name], repeats[name]) / repeats[name];
      best[name] = Math.min(best[name], each);
    }
  }
  return best;
}

function calibrate(work, minMs) {
  for (let n = 1; ; n *= 4) {
    if (time(work, n) > minMs * 1e6 || n > 1e7) return n;
  }
}

function time(work, n) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < n; i++) work();
  return Number(process.hrtime.bigint() - start);
}

export function duration(ns) {
  if (ns < 1e3) return `${ns.toFixed(0)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(2)} µs`;
  return `${(ns / 1e6).toFixed(2)} ms`;
}

/** A bar in a table, and whether it is met. */
export const barOf = (bar, isLeast, isMet) =>
  `at ${isLeast ? "least" : "most"} ${bar}: ${isMet ? "met" : "missed"}`;

/** Prints one comparison: ours, the peer, the ratio, and the target; `id` is for pages that quote it. */
export function report(title, ours, peer, { target, faster = false, id = "" } = {}) {
  const ratio = faster ? peer / ours : ours / peer;
  const isMet = faster ? ratio >= target : ratio <= target;
  const verdict = target === undefined ? "" : met(isMet);
  const words = faster ? "times as fast" : "times the cost";
  const aim = target === undefined ? "" : ` (${faster ? "at least" : "at most"} ${target})`;
  figure({
    ...{ id, what: title.trim(), ours: inWords(ours), "beside it": inWords(peer) },
    ...{ [words]: rounded(ratio), bar: target === undefined ? "" : barOf(target, faster, isMet) },
  });
  console.log(
    `${title.padEnd(56)} ${duration(ours).padStart(10)} vs ${duration(peer).padStart(10)}  ${ratio.toFixed(2)} ${words}${aim} ${verdict}`,
  );
}
