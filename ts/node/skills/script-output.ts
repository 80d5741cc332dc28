// What a script prints, in bytes: its beginning or its end is kept, cut on a character.

const decoded = (bytes: Uint8Array, isCut: boolean) =>
  new TextDecoder().decode(bytes, { stream: isCut });

/** The first bytes of an output. */
export class Head {
  #pieces: Buffer[] = [];
  #most: number;
  total: number = 0;

  constructor(most: number) {
    this.#most = most;
  }

  push(bytes: Buffer): void {
    const room = this.#most - this.total;
    if (room > 0) this.#pieces.push(bytes.subarray(0, room));
    this.total += bytes.length;
  }

  /** A character that the limit cuts is left out. */
  text(): string {
    return decoded(Buffer.concat(this.#pieces), this.total > this.#most);
  }
}

/** The last bytes of an output. */
export class Tail {
  #bytes: Buffer = Buffer.alloc(0);
  #most: number;
  total: number = 0;

  constructor(most: number) {
    this.#most = most;
  }

  push(bytes: Buffer): void {
    this.total += bytes.length;
    // A copy: a piece of a buffer keeps all of it in memory.
    this.#bytes = Buffer.concat([this.#bytes, bytes.subarray(-this.#most)]).subarray(-this.#most);
  }

  text(): string {
    let start = 0;
    // The rest of a character that began before.
    if (this.total > this.#most)
      while (((this.#bytes[start] ?? 0) & 0xc0) === 0x80 && start < 3) start++;
    return decoded(this.#bytes.subarray(start), false);
  }
}
