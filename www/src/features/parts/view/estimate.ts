/** The lines that so many bytes come to, up to where a text folds. */
export function linesOf(size: number): number {
  return Math.min(40, Math.ceil(size / 90));
}

/** The height of a text. */
export function estimateText(size: number): number {
  return 24 + linesOf(size) * 22;
}
