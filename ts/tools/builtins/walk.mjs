// The files of a tree in the order of their paths. Links are not followed, so no walk leaves its directory or
// goes round in a circle.
import { IgnoreFiles } from "./ignore-files.mjs";

/** The directories that are read at once. */
const AT_ONCE = 16;

const byKey = (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** A reader of directories that begins with those that come next. */
class Directories {
  #fs;
  #ignores;
  #entersHidden;
  #coming = new Map();
  /** Some directory could not be read. */
  isIncomplete = false;

  constructor(fs, ignores, entersHidden) {
    this.#fs = fs;
    this.#ignores = ignores;
    this.#entersHidden = entersHidden;
  }

  /** Begins to read a directory; false if enough are being read. */
  prepare(path) {
    if (this.#coming.has(path)) return true;
    if (this.#coming.size >= AT_ONCE) return false;
    const reading = this.#read(path);
    // It may never be asked for.
    reading.catch(() => {});
    this.#coming.set(path, reading);
    return true;
  }

  /** The entries that are not passed over, in order; none where the directory cannot be read. */
  async take(path, isRoot, id) {
    const reading = this.#coming.get(path) ?? this.#read(path, id);
    this.#coming.delete(path);
    try {
      const entries = await reading;
      const kept = this.#ignores.keep(path, entries, this.#entersHidden);
      return entries.filter((_, i) => kept[i] === 1).sort(byKey);
    } catch (error) {
      if (isRoot) throw error;
      this.isIncomplete = true;
      return [];
    }
  }

  async #read(path, id) {
    const entries = await this.#fs.readdir(path, id === undefined ? undefined : { id });
    const names = new Set(entries.map(({ name }) => name));
    await this.#ignores.read(path, names);
    return entries
      .filter(({ kind }) => kind === "file" || kind === "directory")
      .map(({ name, kind }) => ({ name, kind, key: kind === "directory" ? `${name}/` : name }));
  }
}

export class Walk {
  #root;
  #id;
  #abort;
  #ignores;
  #directories;

  /**
   * `root` is a directory by its real path, `id` tells whether it was replaced. Hidden directories are entered if
   * `entersHidden`.
   */
  constructor(fs, root, { id, entersHidden, abort }) {
    this.#root = root;
    this.#id = id;
    this.#abort = abort;
    this.#ignores = new IgnoreFiles(fs);
    this.#directories = new Directories(fs, this.#ignores, entersHidden);
  }

  /** Whether some directory could not be read. */
  get isIncomplete() {
    return this.#directories.isIncomplete;
  }

  /** Lists of paths below the root, in order. */
  async *[Symbol.asyncIterator]() {
    const root = this.#root === "/" ? "" : this.#root;
    try {
      await this.#ignores.readAbove(this.#root);
      const frames = [await this.#frame("", true)];
      while (frames.length > 0) {
        this.#abort?.throwIfAborted?.();
        const frame = frames.at(-1);
        const files = [];
        let entry = frame.entries[frame.at];
        while (entry?.kind === "file") {
          files.push(frame.folder + entry.name);
          entry = frame.entries[++frame.at];
        }
        if (files.length > 0) yield files;
        if (entry === undefined) {
          frames.pop();
          continue;
        }
        frame.at++;
        this.#prepare(frame, root);
        frames.push(await this.#frame(`${frame.folder}${entry.name}/`, false));
      }
    } finally {
      this.#ignores.free();
    }
  }

  async #frame(folder, isRoot) {
    const root = this.#root === "/" ? "" : this.#root;
    const path = `${root}/${folder}`.replace(/(.)\/$/, "$1");
    const entries = await this.#directories.take(path, isRoot, isRoot ? this.#id : undefined);
    const frame = { folder, entries, at: 0, prepared: 0 };
    this.#prepare(frame, root);
    return frame;
  }

  /** Begins to read the next directories of a frame. */
  #prepare(frame, root) {
    frame.prepared = Math.max(frame.prepared, frame.at);
    for (; frame.prepared < frame.entries.length; frame.prepared++) {
      const { kind, name } = frame.entries[frame.prepared];
      if (kind !== "directory") continue;
      if (!this.#directories.prepare(`${root}/${frame.folder}${name}`)) return;
    }
  }
}
