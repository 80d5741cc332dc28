/** What an alignment says of a place: in both sequences, in the first only, in the second only. */
type Aligned = "same" | "del" | "add";

/**
 * Aligns two sequences along a longest common subsequence, by the usual table filled from the end.
 * `take` gets each element of both in order, with its index in each; gives the length of what is common.
 * Costs `a.length * b.length` cells: the caller limits them.
 */
export function align(
  a: readonly string[],
  b: readonly string[],
  take: (kind: Aligned, i: number, j: number) => void,
): number {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) take("same", i++, j++);
    else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) take("del", i++, j);
    else take("add", i, j++);
  }
  return at(0, 0);
}
