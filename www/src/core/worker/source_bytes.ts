import type { Source } from "../rpc";
import { joined } from "./read";

/** A longer recording is not replayed: each step back reads it again from the beginning. In bytes. */
const MOST_REPLAYED = 256 << 20;
/** The same for what has to be held for it, because it came over the network. */
const MOST_HELD = 64 << 20;

/**
 * The bytes that a transcript was read from, for its replay. A file is read again; what came over the
 * network is held, and dropped once it is too much.
 */
export class SourceBytes {
  private pieces: Uint8Array[] = [];
  /** The number of bytes that were added, also of those that are not held. */
  length = 0;

  constructor(private readonly source?: Source) {}

  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.source && this.source.kind !== "url") return;
    if (this.length > MOST_HELD) this.pieces = [];
    else this.pieces.push(bytes);
  }

  /** Drops the bytes: the transcript cannot be replayed, or another one replaces it. */
  clear(): void {
    this.pieces = [];
    this.length = 0;
  }

  async bytes(): Promise<Uint8Array> {
    const { source } = this;
    const isHeld = source?.kind !== "file" && source?.kind !== "text";
    const most = isHeld ? MOST_HELD : MOST_REPLAYED;
    if (this.length > most) {
      const what = isHeld ? "of what came over the network" : "of a file";
      throw new Error(`${most >> 20} MB ${what} are the most that can be replayed.`);
    }
    if (source?.kind === "text") return new TextEncoder().encode(source.text);
    if (source?.kind === "file") return new Uint8Array(await source.file.arrayBuffer());
    return joined(this.pieces);
  }
}
