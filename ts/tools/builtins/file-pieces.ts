// The bytes of files that are read one after another; those that come next are begun early.
import type { FileSystem } from "./types.ts";

/** The files that are read at once. */
const AT_ONCE = 24;
/** The small files that are read at once, and the buffer that they have together. */
const BATCH = 64;
const BUFFER = 1024 * 1024;
/** A file whose first piece is this short has probably no second one. */
const SHORT = 128 * 1024;

/** A file that is being read: at most two pieces are held. */
export class Reading {
  #iterator: AsyncIterator<Uint8Array>;
  #pieces: Promise<IteratorResult<Uint8Array>>[] = [];

  constructor(fs: FileSystem, path: string, id: string | undefined) {
    this.#iterator = fs.read(path, id === undefined ? undefined : { id })[Symbol.asyncIterator]();
    const first = this.#iterator.next();
    this.#pieces.push(first);
    first.then(
      (piece) => {
        if (!piece.done && piece.value.length < SHORT && this.#pieces.length > 0) this.#ahead();
      },
      () => {},
    );
  }

  #ahead() {
    const piece = this.#iterator.next();
    piece.catch(() => {});
    this.#pieces.push(piece);
  }

  /** The next piece; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const first = this.#pieces[0];
    const piece = await (first ?? this.#iterator.next());
    if (first !== undefined) this.#pieces.shift();
    return piece.done ? undefined : piece.value;
  }

  /** Closes the file. */
  close(): void {
    // It was perhaps never opened, or is closed already.
    Promise.resolve(this.#iterator.return?.()).catch(() => {});
  }
}

/** Lists of paths. */
export type Lists = AsyncIterable<string[]> | Iterable<string[]>;

/** A file, and what reads it. */
interface FileReading {
  path: string;
  reading: Reading;
}

/** Gives the files of lists of paths, in order. A single one may have an id. */
export async function* readings(
  fs: FileSystem,
  lists: Lists,
  { fullPath, id }: { fullPath: (path: string) => string; id: string | undefined },
): AsyncGenerator<FileReading> {
  const coming: FileReading[] = [];
  try {
    for await (const paths of lists) {
      for (const path of paths) {
        coming.push({ path, reading: new Reading(fs, fullPath(path), id) });
        const first = coming.length >= AT_ONCE ? coming.shift() : undefined;
        if (first !== undefined) yield first;
      }
    }
    for (let next = coming.shift(); next !== undefined; next = coming.shift()) yield next;
  } finally {
    for (const { reading } of coming) reading.close();
  }
}

/** Small files, whose bytes are one after another in a buffer. */
export interface FileBatch {
  paths: string[];
  /** The size of each file; -1 for one that is to be read by itself. */
  sizes: number[];
  /** Of all that have a size. */
  bytes: Uint8Array;
}

/**
 * Gives the files of lists of paths, in order, from a host that reads small ones together; the bytes hold until the next
 * batch. A list is asked for when `readings` would ask for it.
 */
export async function* batches(
  fs: FileSystem,
  lists: Lists,
  fullPath: (path: string) => string,
): AsyncGenerator<FileBatch> {
  const buffer = new Uint8Array(BUFFER);
  let coming: string[] = [];
  const next = async (most: number): Promise<FileBatch> => {
    const asked = coming.slice(0, most);
    const given = (await fs.readSmall?.(asked.map(fullPath), buffer)) ?? [];
    // A file for which an empty buffer has no room is not small.
    const sizes = given.length === 0 ? [-1] : given;
    const paths = asked.slice(0, sizes.length);
    coming = coming.slice(paths.length);
    const size = sizes.reduce((sum, one) => sum + Math.max(one, 0), 0);
    return { paths, sizes, bytes: buffer.subarray(0, size) };
  };
  for await (const paths of lists) {
    coming = coming.concat(paths);
    while (coming.length >= AT_ONCE) yield next(Math.min(BATCH, coming.length - AT_ONCE + 1));
  }
  while (coming.length > 0) yield next(BATCH);
}
