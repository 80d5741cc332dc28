import { discard } from "./discard";

/** Bytes of one read; browsers mostly give fewer. */
const ROOM = 1 << 20;
/** How many buffers are kept for reuse. */
const SPARE = 3;

/**
 * Reads a file from its beginning to its end, some hundred thousand bytes at a time: sooner and faster
 * than slices of it. All pieces share one buffer: a piece is valid until the next.
 */
export async function* readForward(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = byteReader(file);
  if (!reader) return yield* readChunks(file);
  let buffer = new ArrayBuffer(ROOM);
  try {
    for (;;) {
      const { value } = await reader.read(new Uint8Array(buffer));
      if (!value || value.length === 0) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    stop(reader);
  }
}

/** Reads ranges of a file, each of which begins where the one before it ended, or a little later. */
export class ForwardReader {
  private readonly reader: ReadableStreamBYOBReader | undefined;
  /** Buffers that were given back. */
  private readonly spare: ArrayBuffer[] = [];
  private isStopped = false;

  constructor(
    private readonly file: Blob,
    /** The offset up to which the file was read. */
    public at: number,
  ) {
    this.reader = byteReader(file.slice(at));
  }

  /** These bytes, or as many of them as the file has. */
  async read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.reader) {
      this.at = end;
      return new Uint8Array(await this.file.slice(start, end).arrayBuffer());
    }
    if (start > this.at) this.giveBack((await this.fill(this.reader, start - this.at)).buffer);
    return this.fill(this.reader, end - start);
  }

  /** Returns the buffer of bytes that are no longer used, to be used again. */
  giveBack(buffer: ArrayBuffer): void {
    if (this.isStopped || this.spare.length === SPARE) discard(buffer);
    else this.spare.push(buffer);
  }

  stop(): void {
    this.isStopped = true;
    for (const buffer of this.spare.splice(0)) discard(buffer);
    if (this.reader) stop(this.reader);
  }

  private async fill(
    reader: ReadableStreamBYOBReader,
    length: number,
  ): Promise<Uint8Array<ArrayBuffer>> {
    let buffer = this.room(length);
    let from = 0;
    while (from < length) {
      const { value } = await reader.read(new Uint8Array(buffer, from, length - from));
      if (!value) break;
      buffer = value.buffer;
      if (value.length === 0) break;
      from += value.length;
    }
    this.at += from;
    return new Uint8Array(buffer, 0, from);
  }

  private room(length: number): ArrayBuffer {
    const fits = this.spare.findIndex(({ byteLength }) => byteLength >= length);
    const [found] = fits < 0 ? [] : this.spare.splice(fits, 1);
    return found ?? new ArrayBuffer(Math.ceil(length / ROOM) * ROOM);
  }
}

/**
 * The readers in use. Chromium collects the stream of a file as garbage while a read into the caller's buffer is
 * pending, if only who waits for that read has the reader: the read is never answered, and the file never ends.
 */
const inUse = new Set<ReadableStreamBYOBReader | ReadableStreamDefaultReader>();

/** A reader into the caller's own buffer; undefined where the browser has none. In use until it is stopped. */
function byteReader(file: Blob): ReadableStreamBYOBReader | undefined {
  try {
    const reader = file.stream().getReader({ mode: "byob" });
    inUse.add(reader);
    return reader;
  } catch {
    return undefined;
  }
}

async function* readChunks(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = file.stream().getReader();
  inUse.add(reader);
  try {
    for (;;) {
      const { value } = await reader.read();
      if (!value) return;
      yield value;
    }
  } finally {
    stop(reader);
  }
}

/** Cancels the rest of a stream. */
function stop(reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader): void {
  inUse.delete(reader);
  reader.cancel().catch(() => {});
}
