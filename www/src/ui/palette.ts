/** A colour as red, green and blue, each 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number];

/** The 16 colours that a terminal has names for, as terminals mostly show them. */
const NAMED: readonly Colour[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];
/** What each step of red, green and blue is in the cube of 216 colours. */
const STEPS = [0, 95, 135, 175, 215, 255];

/** The named colour that is nearest to this one. */
export function nearest([red, green, blue]: Colour): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, [r, g, b]] of NAMED.entries()) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance >= least) continue;
    least = distance;
    best = index;
  }
  return best;
}

/** The same of one of the 256 colours: the named ones, a cube, and 24 greys. */
export function of256(index: number): number {
  if (index < NAMED.length) return index;
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return nearest([grey, grey, grey]);
  }
  const place = index - NAMED.length;
  const step = (unit: number) => STEPS[Math.floor(place / unit) % 6] ?? 0;
  return nearest([step(36), step(6), step(1)]);
}
