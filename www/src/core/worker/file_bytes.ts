import type { Source } from "../rpc";
import { ForwardReader } from "./forward_reader";
import { readSlice } from "./read";

/** Bytes of the beginning that are held: the rows that are shown first are in it. */
export const HEAD = 512 << 10;
/** The largest gap in bytes between two ranges for which one sequential read continues. */
const GAP = 64 << 10;
/** A sequential read that is not continued for this long is ended, in ms. */
const REST = 1000;

interface FilePiece {
  start: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The bytes of a file that is not held in memory: read synchronously when asked for, or ahead of that. */
export class FileBytes {
  private readonly readNow: (start: number, end: number) => Uint8Array;
  private readonly pieces = new Set<FilePiece>();
  private readonly head = new Uint8Array(HEAD);
  private headLength = 0;
  private forward: ForwardReader | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly file: File) {
    this.readNow = readSlice(file);
  }

  /** Keeps the next bytes, as long as they belong to the beginning that is held. */
  note(bytes: Uint8Array): void {
    const piece = bytes.subarray(0, HEAD - this.headLength);
    this.head.set(piece, this.headLength);
    this.headLength += piece.length;
  }

  readonly read = (start: number, end: number): Uint8Array => {
    if (end <= this.headLength) return this.head.subarray(start, end);
    for (const { start: first, bytes } of this.pieces) {
      if (start >= first && end <= first + bytes.length) {
        return bytes.subarray(start - first, end - first);
      }
    }
    return this.readNow(start, end);
  };

  /**
   * Reads these bytes in the background. Once they are there `read` finds them, until the returned
   * function drops them. If they cannot be read that is not an error here: `read` throws it.
   */
  async ahead(start: number, end: number): Promise<() => void> {
    const turn = this.last.then(() => this.inOrder(start, end)).catch(() => undefined);
    this.last = turn;
    const read = await turn;
    if (!read) return () => {};
    const piece = { start, bytes: read.bytes };
    this.pieces.add(piece);
    return () => {
      if (this.pieces.delete(piece)) read.from.giveBack(piece.bytes.buffer);
    };
  }

  /** Continues the sequential read if this range follows the one before. */
  private async inOrder(start: number, end: number) {
    clearTimeout(this.timer);
    const at = this.forward?.at ?? -1;
    if (!this.forward || start < at || start > at + GAP) {
      this.forward?.stop();
      this.forward = new ForwardReader(this.file, start);
    }
    this.timer = setTimeout(() => {
      this.forward?.stop();
      this.forward = undefined;
    }, REST);
    const from = this.forward;
    return { from, bytes: await from.read(start, end) };
  }
}

/** A file of more bytes is not held in memory, only its index is. */
const MOST_HELD = 64 << 20;

/** The bytes of a file that is not held in memory; undefined where they are. */
export function unheldFile(source: Source): FileBytes | undefined {
  if (source.kind !== "file" || source.file.size <= MOST_HELD) return undefined;
  return new FileBytes(source.file);
}
