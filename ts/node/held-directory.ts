// A directory that is held open: what is done to names in it is done there, even if its path leads elsewhere by
// then. Node has no openat(); on Linux a path through /proc/self/fd does the same. Elsewhere the path is checked
// again before what counts, which leaves a gap of microseconds.
import { constants, type Dirent } from "node:fs";
import fs from "node:fs/promises";
import {
  descriptorPath,
  type Failure,
  failure,
  idOf,
  placeOf,
  replaced,
  slashed,
} from "./file-identity.ts";

/** Linux: a descriptor that needs no permission to read the directory. Node does not name it. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The directory that a path with `/` is in; that of a root is the root. */
export function parentOf(path: string): string {
  const parent = path.slice(0, path.lastIndexOf("/"));
  return parent === "" || /^[A-Za-z]:$/.test(parent) ? `${parent}/` : parent;
}

export class HeldDirectory {
  #path: string;
  #handle: fs.FileHandle | undefined;

  constructor(path: string, handle: fs.FileHandle | undefined) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Opens a directory. `through`: the path that leads to it, if not its own. */
  static async open(
    path: string,
    { through = path, follows = true }: { through?: string; follows?: boolean } = {},
  ): Promise<HeldDirectory> {
    if (process.platform === "linux") {
      const handle = await fs.open(through, O_PATH | O_DIRECTORY | (follows ? 0 : O_NOFOLLOW));
      if ((await placeOf(handle)) !== undefined) return new HeldDirectory(path, handle);
      await handle.close();
    }
    const stat = follows ? await fs.stat(through) : await fs.lstat(through);
    if (!stat.isDirectory()) throw failure("ENOTDIR", path, "not a directory");
    return new HeldDirectory(path, undefined);
  }

  /**
   * Opens the directory of this path, and makes it and those above it if they are missing. `isReal`: there are
   * no links in the path; it rejects with `ESTALE` if there is one now.
   */
  static async make(path: string, isReal: boolean): Promise<HeldDirectory> {
    const missing: string[] = [];
    let at = path;
    let directory: HeldDirectory | undefined;
    while (directory === undefined) {
      try {
        directory = await HeldDirectory.open(at);
      } catch (error) {
        // What Node throws.
        if ((error as Failure).code !== "ENOENT" || parentOf(at) === at) throw error;
        missing.unshift(nameOf(at));
        at = parentOf(at);
      }
    }
    let held = directory;
    try {
      if (isReal) await held.assertAtPath();
      for (const name of missing) {
        const next: HeldDirectory = await held.#makeChild(name);
        await held.close();
        held = next;
      }
      return held;
    } catch (error) {
      await held.close();
      throw error;
    }
  }

  async #makeChild(name: string): Promise<HeldDirectory> {
    const through = this.at(name);
    await fs.mkdir(through).catch((error: Failure) => {
      if (error.code !== "EEXIST") throw error;
    });
    const path = this.#path.endsWith("/") ? this.#path + name : `${this.#path}/${name}`;
    return HeldDirectory.open(path, { through, follows: false });
  }

  /** The path by which a name in it is reached; "" is the directory itself. */
  at(name: string): string {
    const directory = this.#handle ? descriptorPath(this.#handle.fd) : this.#path;
    return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
  }

  /** The entries, as Node gives them. With `id` it rejects with `ESTALE` if another directory is at its path. */
  async entries(id?: string): Promise<Dirent[]> {
    if (id !== undefined) await this.#assertIs(id);
    const entries = await fs.readdir(this.at(""), { withFileTypes: true });
    // Without a descriptor, the path may have led elsewhere by now.
    if (id !== undefined && !this.#handle) await this.#assertIs(id);
    return entries;
  }

  async #assertIs(id: string): Promise<void> {
    await this.assertAtPath();
    if (idOf(await fs.stat(this.at(""), { bigint: true })) !== id) throw replaced(this.#path);
  }

  /** Rejects with `ESTALE` if it is not where its path says, or a link is in that. */
  async assertAtPath(): Promise<void> {
    const place = this.#handle
      ? await placeOf(this.#handle)
      : slashed(await fs.realpath(this.#path));
    if (place !== this.#path) throw replaced(this.#path);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}
