// The ignore files of a tree, as ripgrep reads them: those of each directory, of the directories above, and
// `.git/info/exclude`. Neither ripgrep nor this reads the ignore file of git's user.
import { ToolsIgnore } from "apex-parts:glue";
import { below, parentOf, resolved } from "./paths.ts";
import type { FileStat, FileSystem } from "./types.ts";
import { wholeText } from "./whole-text.ts";

const NAMES = [".gitignore", ".ignore", ".rgignore"];
/** The most bytes of an ignore file that count. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A directory as the rules name it: from the root. */
export const folderOf = (directory: string): string => directory.replace(/^\//, "");

/** A directory and those above it. */
function upwards(directory: string) {
  const folders = [directory];
  for (let at = directory; parentOf(at) !== at; at = parentOf(at)) folders.push(parentOf(at));
  return folders;
}

/** Whether a directory is in a working copy of git. */
export async function isInRepository(fs: FileSystem, directory: string): Promise<boolean> {
  const has = async (folder: string) => {
    try {
      await fs.stat(below(folder, ".git"));
      return true;
    } catch {
      return false;
    }
  };
  return (await Promise.all(upwards(directory).map(has))).includes(true);
}

export class IgnoreFiles {
  #fs: FileSystem;
  #rules = new ToolsIgnore();
  /**
   * In a working copy, its root ends what `.gitignore` files above it say. Elsewhere they hold for all below, as
   * with ripgrep's `--no-require-git`.
   */
  #isInRepository = false;

  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  /** What the walk does not pass over, as 0 and 1 of each entry. */
  keep(
    directory: string,
    entries: { name: string; kind: FileStat["kind"] }[],
    entersHidden: boolean,
  ): Uint8Array {
    const isDirectory = new Uint8Array(entries.length);
    for (const [i, { kind }] of entries.entries()) isDirectory[i] = kind === "directory" ? 1 : 0;
    const names = entries.map(({ name }) => name).join("/");
    return this.#rules.keep(folderOf(directory), names, isDirectory, entersHidden);
  }

  /** Reads the files that count in a directory and lie above it. */
  async readAbove(directory: string): Promise<void> {
    this.#isInRepository = await isInRepository(this.#fs, directory);
    const [, ...above] = upwards(directory);
    await Promise.all(
      above.map(async (folder) => {
        const names = [...NAMES, ".git"];
        const isThere = await Promise.all(names.map((name) => this.#has(below(folder, name))));
        await this.read(folder, new Set(names.filter((_, i) => isThere[i])));
      }),
    );
  }

  /** Reads the files of a directory that has entries with these names. */
  async read(directory: string, names: Set<string>): Promise<void> {
    const folder = folderOf(directory);
    const own = NAMES.filter((name) => names.has(name));
    const texts = await Promise.all(own.map((name) => this.#text(below(directory, name))));
    own.forEach((name, i) => {
      const text = texts[i];
      if (text !== undefined) this.#rules.add(folder, name, text);
    });
    if (!names.has(".git")) return;
    if (this.#isInRepository) this.#rules.addRepository(folder);
    const exclude = await this.#text(await this.#excludeOf(below(directory, ".git")));
    if (exclude !== undefined) this.#rules.add(folder, "exclude", exclude);
  }

  free(): void {
    this.#rules.free();
  }

  async #has(path: string) {
    try {
      await this.#fs.lstat(path);
      return true;
    } catch {
      return false;
    }
  }

  /** The exclude file of a repository. In a working tree beside the first, `.git` is a file that names it. */
  async #excludeOf(git: string) {
    const pointer = this.#isInRepository ? await this.#text(git) : undefined;
    const [, named] = /^gitdir:\s*(.*?)\s*$/m.exec(pointer ?? "") ?? [];
    if (named === undefined) return `${git}/info/exclude`;
    const own = resolved(parentOf(git), named);
    const common = (await this.#text(`${own}/commondir`))?.trim();
    return `${common ? resolved(own, common) : own}/info/exclude`;
  }

  /** The text of a file; through a link, as ripgrep reads it. Undefined if there is none. */
  async #text(path: string) {
    try {
      const { kind } = await this.#fs.stat(path);
      if (kind !== "file") return undefined;
      return await wholeText(this.#fs, await this.#fs.realpath(path), MOST_BYTES);
    } catch {
      return undefined;
    }
  }
}
