/** The lines of a text of this many bytes, up to where it folds. */
export function linesOf(size: number): number {
  return Math.min(40, Math.ceil(size / 90));
}

/** The height of a text. */
export function estimateText(size: number): number {
  return 24 + linesOf(size) * 22;
}
