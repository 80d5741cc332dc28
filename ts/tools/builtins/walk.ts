// The files of a tree in the order of their paths. Links are not followed, so no walk leaves its directory or
// goes round in a circle.
import type { Tool } from "apex-parts:glue";
import { IgnoreFiles } from "./ignore-files.ts";
import type { FileStat, FileSystem } from "./types.ts";

/** The directories that are read at once. */
const AT_ONCE = 16;

/** A file or a directory. */
interface Entry {
  name: string;
  kind: FileStat["kind"];
  /** What it is sorted by. */
  key: string;
}

const byKey = (a: Entry, b: Entry) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** A reader of directories that begins with those that come next. */
class Directories {
  #fs: FileSystem;
  #ignores: IgnoreFiles;
  #entersHidden: boolean;
  #coming = new Map<string, Promise<Entry[]>>();
  /** Some directory could not be read. */
  isIncomplete = false;

  constructor(fs: FileSystem, ignores: IgnoreFiles, entersHidden: boolean) {
    this.#fs = fs;
    this.#ignores = ignores;
    this.#entersHidden = entersHidden;
  }

  /** Begins to read a directory; false if enough are being read. */
  prepare(path: string): boolean {
    if (this.#coming.has(path)) return true;
    if (this.#coming.size >= AT_ONCE) return false;
    const reading = this.#read(path);
    // It may never be asked for.
    reading.catch(() => {});
    this.#coming.set(path, reading);
    return true;
  }

  /** The entries that are not passed over, in order; none where the directory cannot be read. */
  async take(path: string, isRoot: boolean, id: string | undefined): Promise<Entry[]> {
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

  async #read(path: string, id?: string): Promise<Entry[]> {
    const entries = await this.#fs.readdir(path, id === undefined ? undefined : { id });
    const names = new Set(entries.map(({ name }) => name));
    await this.#ignores.read(path, names);
    return entries
      .filter(({ kind }) => kind === "file" || kind === "directory")
      .map(({ name, kind }) => ({ name, kind, key: kind === "directory" ? `${name}/` : name }));
  }
}

/** A directory on the way to the files that come next. */
interface Frame {
  /** Its path below the root, with `/` at its end; "" for the root. */
  folder: string;
  entries: Entry[];
  /** The entry that comes next. */
  at: number;
  /** The directories before this entry are being read. */
  prepared: number;
}

export class Walk {
  #root: string;
  #id: string | undefined;
  #abort: Tool.Abort;
  #ignores: IgnoreFiles;
  #directories: Directories;

  /**
   * `root` is a directory by its real path, `id` tells whether it was replaced. Hidden directories are entered if
   * `entersHidden`.
   */
  constructor(
    fs: FileSystem,
    root: string,
    {
      id,
      entersHidden,
      abort,
    }: { id: string | undefined; entersHidden: boolean; abort: Tool.Abort },
  ) {
    this.#root = root;
    this.#id = id;
    this.#abort = abort;
    this.#ignores = new IgnoreFiles(fs);
    this.#directories = new Directories(fs, this.#ignores, entersHidden);
  }

  /** Whether some directory could not be read. */
  get isIncomplete(): boolean {
    return this.#directories.isIncomplete;
  }

  /** Lists of paths below the root, in order. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string[]> {
    const root = this.#root === "/" ? "" : this.#root;
    try {
      await this.#ignores.readAbove(this.#root);
      const frames = [await this.#frame("", true)];
      for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
        this.#abort?.throwIfAborted?.();
        const files: string[] = [];
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

  async #frame(folder: string, isRoot: boolean): Promise<Frame> {
    const root = this.#root === "/" ? "" : this.#root;
    const path = `${root}/${folder}`.replace(/(.)\/$/, "$1");
    const entries = await this.#directories.take(path, isRoot, isRoot ? this.#id : undefined);
    const frame = { folder, entries, at: 0, prepared: 0 };
    this.#prepare(frame, root);
    return frame;
  }

  /** Begins to read the next directories of a frame. */
  #prepare(frame: Frame, root: string) {
    frame.prepared = Math.max(frame.prepared, frame.at);
    for (; frame.prepared < frame.entries.length; frame.prepared++) {
      const entry = frame.entries[frame.prepared];
      if (entry?.kind !== "directory") continue;
      if (!this.#directories.prepare(`${root}/${frame.folder}${entry.name}`)) return;
    }
  }
}
