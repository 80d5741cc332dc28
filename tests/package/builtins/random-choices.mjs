// Choices that look random and are the same for a seed.

/** A generator of numbers between 0 and 1 (mulberry32). */
function numbers(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export class RandomChoices {
  #random;

  constructor(seed) {
    this.#random = numbers(seed);
  }

  below(n) {
    return Math.floor(this.#random() * n);
  }
  pick(list) {
    return list[this.below(list.length)];
  }
  chance(p) {
    return this.#random() < p;
  }
}
