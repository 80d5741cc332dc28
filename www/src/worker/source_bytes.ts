import type { Source } from "./rpc";

/** A longer recording is not replayed: going back means reading it from the beginning. */
const MOST_REPLAYED = 64 << 20;

/**
 * The bytes that a transcript was read from, for its replay. A file stays where it is; what came over
 * the network is held, and dropped once it is too much.
 */
export class SourceBytes {
  private pieces: Uint8Array[] = [];
  /** How many there are. */
  length = 0;

  constructor(private readonly source?: Source) {}

  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.source && this.source.kind !== "url") return;
    if (this.length > MOST_REPLAYED) this.pieces = [];
    else this.pieces.push(bytes);
  }

  /** Nothing of it is of use: it cannot be replayed, or something else comes in its place. */
  clear(): void {
    this.pieces = [];
    this.length = 0;
  }

  async bytes(): Promise<Uint8Array> {
    if (this.length > MOST_REPLAYED) {
      throw new Error("It is larger than 64 MB, which is the most that can be replayed.");
    }
    const { source } = this;
    if (source?.kind === "text") return new TextEncoder().encode(source.text);
    if (source?.kind === "file") return new Uint8Array(await source.file.arrayBuffer());
    return this.open();
  }

  /** What came over the network. */
  private open(): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}
