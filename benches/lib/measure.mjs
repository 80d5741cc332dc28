// Measures contenders side by side: alternately in many rounds, of which the best counts, so that noise of
// the machine affects them equally. Quote the ratios.
import { met } from "./bars.mjs";

/** Nanoseconds per call of each contender: `{ name: () => void }`. */
export function sideBySide(contenders, { rounds = 9, minMs = 30 } = {}) {
  const names = Object.keys(contenders);
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY]));
  const repeats = {};
  for (const name of names) repeats[name] = calibrate(contenders[name], minMs);
  for (let round = 0; round < rounds; round++) {
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

/** Prints one comparison: ours, the peer, the ratio, and the target. */
export function report(title, ours, peer, { target, faster = false } = {}) {
  const ratio = faster ? peer / ours : ours / peer;
  const isMet = faster ? ratio >= target : ratio <= target;
  const verdict = target === undefined ? "" : met(isMet);
  const words = faster ? "times as fast" : "times the cost";
  const aim = target === undefined ? "" : ` (${faster ? "at least" : "at most"} ${target})`;
  console.log(
    `${title.padEnd(56)} ${duration(ours).padStart(10)} vs ${duration(peer).padStart(10)}  ${ratio.toFixed(2)} ${words}${aim} ${verdict}`,
  );
}
