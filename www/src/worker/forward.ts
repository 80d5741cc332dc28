import { discard } from "./discard";

/** So much is asked for at once, mostly more than comes. */
const ROOM = 1 << 20;
/** So many pieces of memory are kept that may be of use again. */
const SPARE = 3;

/**
 * The bytes of a file from one end to the other, as they come: some hundred thousand at a time, sooner
 * and faster than slices of it. They stand in the same memory each time: a piece is good until the next.
 */
export async function* forward(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = byteReader(file);
  if (!reader) return yield* plainly(file);
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
export class Forward {
  private readonly reader: ReadableStreamBYOBReader | undefined;
  /** Memory that was given back. */
  private readonly spare: ArrayBuffer[] = [];
  private isOver = false;

  constructor(
    private readonly file: Blob,
    /** How far it was read. */
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

  /** Bytes that came from here are of no more use: others may come in the same memory. */
  giveBack(buffer: ArrayBuffer): void {
    if (this.isOver || this.spare.length === SPARE) discard(buffer);
    else this.spare.push(buffer);
  }

  stop(): void {
    this.isOver = true;
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

/** Not every browser reads a file into memory that it is given. */
function byteReader(file: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return file.stream().getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

async function* plainly(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = file.stream().getReader();
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

/** What is not read any more need not come. */
function stop(reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader): void {
  reader.cancel().catch(() => {});
}
