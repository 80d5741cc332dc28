// A hash of a file's content, for the write guard. It must notice a change, not withstand someone who looks for
// two contents with the same hash: who can write the file needs none. So it is a small one that takes pieces
// (crypto.subtle takes only the whole), 64 bits as two lanes of xxHash32's mixing, with the length beside it.

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const SEEDS = [0x3c6ef372, 0x1b873593];

const turned = (x, by) => (x << by) | (x >>> (32 - by));

/** Mixes a last time, so that every bit of the state counts for every bit of the hash. */
function finished(state) {
  let x = state ^ (state >>> 15);
  x = Math.imul(x, PRIME_2);
  x ^= x >>> 13;
  x = Math.imul(x, PRIME_3);
  return (x ^ (x >>> 16)) >>> 0;
}

const hex = (x) => x.toString(16).padStart(8, "0");

/** The hash of bytes that come in pieces, wherever they are cut. */
export class ContentHash {
  #a = SEEDS[0];
  #b = SEEDS[1];
  #length = 0;
  /** The bytes of a word that is not complete. */
  #rest = 0;

  push(bytes) {
    let at = 0;
    const end = bytes.length;
    while (at < end && this.#length % 4 !== 0) this.#byte(bytes[at++]);
    let a = this.#a;
    let b = this.#b;
    const words = end - ((end - at) % 4);
    this.#length += words - at;
    for (; at < words; at += 4) {
      const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
      a = Math.imul(turned(a + Math.imul(word, PRIME_2), 13), PRIME_1);
      b = Math.imul(turned(b + Math.imul(word, PRIME_3), 17), PRIME_4);
    }
    this.#a = a;
    this.#b = b;
    while (at < end) this.#byte(bytes[at++]);
  }

  #byte(byte) {
    this.#rest |= byte << (8 * (this.#length % 4));
    this.#length++;
    if (this.#length % 4 === 0) {
      this.#word(this.#rest);
      this.#rest = 0;
    }
  }

  #word(word) {
    this.#a = Math.imul(turned(this.#a + Math.imul(word, PRIME_2), 13), PRIME_1);
    this.#b = Math.imul(turned(this.#b + Math.imul(word, PRIME_3), 17), PRIME_4);
  }

  /** The hash of what was pushed so far, as text. */
  get value() {
    const { a, b } = this.#closed();
    return `${hex(finished(a ^ this.#length))}${hex(finished(b + this.#length))}-${this.#length}`;
  }

  #closed() {
    if (this.#length % 4 === 0) return { a: this.#a, b: this.#b };
    return {
      a: Math.imul(turned(this.#a + Math.imul(this.#rest, PRIME_2), 13), PRIME_1),
      b: Math.imul(turned(this.#b + Math.imul(this.#rest, PRIME_3), 17), PRIME_4),
    };
  }
}

/** The hash of bytes that are all there. */
export function hashOf(bytes) {
  const hash = new ContentHash();
  hash.push(bytes);
  return hash.value;
}
