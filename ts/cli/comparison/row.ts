// The rows of a transcript side by side with another: a message is one, each of its parts another.

/** A part of a message; without `part`, the message itself: its role and its error. */
export interface RowPlace {
  message: number;
  part?: number;
}

/** The place of a row. `firstPart` is that of `layout()`. */
export function placeOfRow(firstPart: Uint32Array, row: number): RowPlace {
  let message = 0;
  while (message + 2 < firstPart.length && (firstPart[message + 1] ?? 0) + message + 1 <= row) {
    message++;
  }
  const part = row - (firstPart[message] ?? 0) - message - 1;
  return part < 0 ? { message } : { message, part };
}

/**
 * Where a row would stand that only the other transcript has: behind this one, the last before it. `begins`: the
 * row begins a message there.
 */
export function placeAfterRow(firstPart: Uint32Array, row: number, begins: boolean): RowPlace {
  if (row < 0) return { message: 0, part: 0 };
  const { message, part = -1 } = placeOfRow(firstPart, row);
  return begins ? { message: message + 1, part: 0 } : { message, part: part + 1 };
}
