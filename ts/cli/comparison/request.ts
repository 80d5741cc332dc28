// Whether two runs were asked the same.

/** Requests that share fewer of their words than this are different ones. */
const ALIKE = 0.6;

/** Do two requests say the same, but for a few words? */
export const isSameRequest = (one: string, other: string): boolean => likeness(one, other) >= ALIKE;

/** The share of the words that both have. */
function likeness(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [text.trim()]);
}
