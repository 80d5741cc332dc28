/** The index of the last of these ascending numbers that is not above a place; 0 where all are. */
export function lastNotAbove(numbers: ArrayLike<number>, place: number, count: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
