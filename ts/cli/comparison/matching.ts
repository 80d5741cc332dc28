// Equal and alike things of two lists, as pairs in the order of both.

/** Above this many cells a table costs too much. */
const CELLS = 1_000_000;
/** How deep anchors are looked for between anchors. */
const DEPTH = 24;

interface Window {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
  depth: number;
}

/**
 * Pairs of equal numbers in the order of both lists, as many as can be found in time that grows with
 * their length: what begins and ends alike, then what occurs once in either (patience), then, where
 * little is left between, the longest common subsequence.
 */
export function matched(a: Uint32Array, b: Uint32Array): [number, number][] {
  const found: [number, number][] = [];
  const waiting: Window[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length, depth: 0 }];
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    trim(a, b, range, found);
    const height = range.aEnd - range.a;
    const width = range.bEnd - range.b;
    if (height === 0 || width === 0) continue;
    if (height * width <= CELLS) {
      common(a, b, range, found);
      continue;
    }
    const anchors = range.depth < DEPTH ? unique(a, b, range) : [];
    if (anchors.length === 0) {
      inPlace(a, b, range, found);
      continue;
    }
    let from = { a: range.a, b: range.b };
    for (const [i, j] of anchors) {
      waiting.push({ ...from, aEnd: i, bEnd: j, depth: range.depth + 1 });
      found.push([i, j]);
      from = { a: i + 1, b: j + 1 };
    }
    waiting.push({ ...from, aEnd: range.aEnd, bEnd: range.bEnd, depth: range.depth + 1 });
  }
  return found.sort((one, other) => one[0] - other[0]);
}

/**
 * All of two lists in order, as pairs: those that are the same, and between them the most alike; -1
 * means no partner. `likeness` is above 0 if two may be paired.
 */
export function* paired(
  left: number,
  right: number,
  same: [number, number][],
  likeness: (i: number, j: number) => number,
): Generator<[number, number]> {
  let i = 0;
  let j = 0;
  for (const [nextLeft, nextRight] of [...same, [left, right] as const]) {
    yield* between({ a: i, aEnd: nextLeft, b: j, bEnd: nextRight }, likeness);
    if (nextLeft < left || nextRight < right) yield [nextLeft, nextRight];
    i = nextLeft + 1;
    j = nextRight + 1;
  }
}

type Gap = Omit<Window, "depth">;

/** Likeness costs more than a comparison does. */
const LIKENESS_CELLS = 4_096;

function* between(
  { a, aEnd, b, bEnd }: Gap,
  likeness: (i: number, j: number) => number,
): Generator<[number, number]> {
  const height = aEnd - a;
  const width = bEnd - b;
  const partners =
    height * width <= LIKENESS_CELLS
      ? best(height, width, (i, j) => likeness(a + i, b + j))
      : byPlace(height, width, (i, j) => likeness(a + i, b + j));
  let i = 0;
  let j = 0;
  for (const [left, right] of [...partners, [height, width] as const]) {
    for (; i < left; i++) yield [a + i, -1];
    for (; j < right; j++) yield [-1, b + j];
    if (left < height) yield [a + left, b + right];
    i = left + 1;
    j = right + 1;
  }
}

/** The pairing with the greatest sum of likeness, by a table filled from the end. */
function best(
  height: number,
  width: number,
  likeness: (i: number, j: number) => number,
): [number, number][] {
  if (height === 0 || width === 0) return [];
  const row = width + 1;
  const likes = new Float32Array(height * width);
  const sums = new Float32Array((height + 1) * row);
  const sum = (i: number, j: number) => sums[i * row + j] ?? 0;
  for (let i = height - 1; i >= 0; i--) {
    for (let j = width - 1; j >= 0; j--) {
      const like = likeness(i, j);
      likes[i * width + j] = like;
      const together = like > 0 ? Math.fround(like + sum(i + 1, j + 1)) : -1;
      sums[i * row + j] = Math.max(together, sum(i + 1, j), sum(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < height && j < width; ) {
    const like = likes[i * width + j] ?? 0;
    if (like > 0 && Math.fround(like + sum(i + 1, j + 1)) === sum(i, j)) pairs.push([i++, j++]);
    else if (sum(i + 1, j) === sum(i, j)) i++;
    else j++;
  }
  return pairs;
}

function byPlace(
  height: number,
  width: number,
  likeness: (i: number, j: number) => number,
): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < Math.min(height, width); i++) if (likeness(i, i) > 0) pairs.push([i, i]);
  return pairs;
}

/** Takes what a range begins and ends with alike out of it. */
function trim(a: Uint32Array, b: Uint32Array, range: Window, found: [number, number][]): void {
  while (range.a < range.aEnd && range.b < range.bEnd && a[range.a] === b[range.b]) {
    found.push([range.a++, range.b++]);
  }
  while (range.a < range.aEnd && range.b < range.bEnd && a[range.aEnd - 1] === b[range.bEnd - 1]) {
    found.push([--range.aEnd, --range.bEnd]);
  }
}

/** What occurs exactly once in either range, as the longest run that is in order in both. */
function unique(a: Uint32Array, b: Uint32Array, range: Window): [number, number][] {
  const MANY = -2;
  const places = new Map<number, { a: number; b: number }>();
  for (let i = range.a; i < range.aEnd; i++) {
    const digest = a[i] ?? 0;
    const place = places.get(digest);
    if (place) place.a = MANY;
    else places.set(digest, { a: i, b: -1 });
  }
  for (let j = range.b; j < range.bEnd; j++) {
    const place = places.get(b[j] ?? 0);
    if (place) place.b = place.b === -1 ? j : MANY;
  }
  const candidates: [number, number][] = [];
  // A Map keeps the order of insertion: that of the first list.
  for (const place of places.values()) {
    if (place.a >= 0 && place.b >= 0) candidates.push([place.a, place.b]);
  }
  return increasing(candidates);
}

/** The longest subsequence whose second numbers increase, by patience sorting. */
function increasing(pairs: [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, value], at) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[at] = tops[low - 1] ?? -1;
    tops[low] = at;
  });
  const run: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) run.push(pair);
  }
  return run.reverse();
}

/** Longest common subsequence, by a table filled from the end. */
function common(a: Uint32Array, b: Uint32Array, range: Window, found: [number, number][]): void {
  const height = range.aEnd - range.a;
  const width = range.bEnd - range.b;
  const row = width + 1;
  const table = new Uint32Array((height + 1) * row);
  const at = (i: number, j: number) => table[i * row + j] ?? 0;
  for (let i = height - 1; i >= 0; i--) {
    for (let j = width - 1; j >= 0; j--) {
      table[i * row + j] =
        a[range.a + i] === b[range.b + j]
          ? at(i + 1, j + 1) + 1
          : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < height && j < width; ) {
    if (a[range.a + i] === b[range.b + j]) found.push([range.a + i++, range.b + j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
}

/** Too many to search: what is the same at the same distance from the beginning. */
function inPlace(a: Uint32Array, b: Uint32Array, range: Window, found: [number, number][]): void {
  const length = Math.min(range.aEnd - range.a, range.bEnd - range.b);
  for (let i = 0; i < length; i++) {
    if (a[range.a + i] === b[range.b + i]) found.push([range.a + i, range.b + i]);
  }
}
