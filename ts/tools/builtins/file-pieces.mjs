// The bytes of files that are read one after another; those that come next are begun early.

/** The files that are read at once. */
const AT_ONCE = 24;
/** A file whose first piece is this short has probably no second one. */
const SHORT = 128 * 1024;

/** A file that is being read: at most two pieces are held. */
class Reading {
  #iterator;
  #pieces = [];

  constructor(fs, path, id) {
    this.#iterator = fs.read(path, id === undefined ? undefined : { id })[Symbol.asyncIterator]();
    const first = this.#iterator.next();
    this.#pieces.push(first);
    first.then(
      ({ done, value }) => {
        if (!done && value.length < SHORT && this.#pieces.length > 0) this.#ahead();
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
  async next() {
    const first = this.#pieces[0];
    if (first === undefined) {
      const { done, value } = await this.#iterator.next();
      return done ? undefined : value;
    }
    const { done, value } = await first;
    this.#pieces.shift();
    return done ? undefined : value;
  }

  /** Closes the file. */
  close() {
    // It was perhaps never opened, or is closed already.
    Promise.resolve(this.#iterator.return?.()).catch(() => {});
  }
}

/** Gives the files of an iterable of lists of paths as `{path, reading}`, in order. A single one may have an id. */
export async function* readings(fs, lists, { fullPath, id }) {
  const coming = [];
  try {
    for await (const paths of lists) {
      for (const path of paths) {
        coming.push({ path, reading: new Reading(fs, fullPath(path), id) });
        if (coming.length >= AT_ONCE) yield coming.shift();
      }
    }
    while (coming.length > 0) yield coming.shift();
  } finally {
    for (const { reading } of coming) reading.close();
  }
}
