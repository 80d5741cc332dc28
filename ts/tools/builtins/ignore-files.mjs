// The ignore files of a tree, as ripgrep reads them: those of each directory, of the directories above, and
// `.git/info/exclude`. Neither ripgrep nor this reads the ignore file of git's user.
import { ToolsIgnore } from "apex-parts:glue";
import { parentOf, resolved } from "./paths.ts";
import { wholeText } from "./whole-text.ts";

const NAMES = [".gitignore", ".ignore", ".rgignore"];
/** The most bytes of an ignore file that count. */
const MOST_BYTES = 4 * 1024 * 1024;

const below = (directory, name) => (directory === "/" ? `/${name}` : `${directory}/${name}`);

/** A directory as the rules name it: from the root. */
export const folderOf = (directory) => directory.replace(/^\//, "");

/** A directory and those above it. */
function upwards(directory) {
  const folders = [directory];
  for (let at = directory; parentOf(at) !== at; at = parentOf(at)) folders.push(parentOf(at));
  return folders;
}

/** Whether a directory is in a working copy of git. */
export async function isInRepository(fs, directory) {
  const has = async (folder) => {
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
  #fs;
  #rules = new ToolsIgnore();
  /**
   * In a working copy, its root ends what `.gitignore` files above it say. Elsewhere they hold for all below, as
   * with ripgrep's `--no-require-git`.
   */
  #isInRepository = false;

  constructor(fs) {
    this.#fs = fs;
  }

  /** What the walk does not pass over, as 0 and 1 of each entry. */
  keep(directory, entries, entersHidden) {
    const isDirectory = Uint8Array.from(entries, ({ kind }) => (kind === "directory" ? 1 : 0));
    const names = entries.map(({ name }) => name).join("/");
    return this.#rules.keep(folderOf(directory), names, isDirectory, entersHidden);
  }

  /** Reads the files that count in a directory and lie above it. */
  async readAbove(directory) {
    this.#isInRepository = await isInRepository(this.#fs, directory);
    const [, ...above] = upwards(directory);
    await Promise.all(
      above.map(async (folder) => {
        const found = await Promise.all(
          [...NAMES, ".git"].map((name) => this.#has(below(folder, name)).then((is) => is && name)),
        );
        await this.read(folder, new Set(found));
      }),
    );
  }

  /** Reads the files of a directory that has entries with these names. */
  async read(directory, names) {
    const folder = folderOf(directory);
    const own = NAMES.filter((name) => names.has(name));
    const texts = await Promise.all(own.map((name) => this.#text(below(directory, name))));
    texts.forEach((text, i) => {
      if (text !== undefined) this.#rules.add(folder, own[i], text);
    });
    if (!names.has(".git")) return;
    if (this.#isInRepository) this.#rules.addRepository(folder);
    const exclude = await this.#text(await this.#excludeOf(below(directory, ".git")));
    if (exclude !== undefined) this.#rules.add(folder, "exclude", exclude);
  }

  free() {
    this.#rules.free();
  }

  async #has(path) {
    try {
      await this.#fs.lstat(path);
      return true;
    } catch {
      return false;
    }
  }

  /** The exclude file of a repository. In a working tree beside the first, `.git` is a file that names it. */
  async #excludeOf(git) {
    const pointer = this.#isInRepository ? await this.#text(git) : undefined;
    const [, named] = /^gitdir:\s*(.*?)\s*$/m.exec(pointer ?? "") ?? [];
    if (named === undefined) return `${git}/info/exclude`;
    const own = resolved(parentOf(git), named);
    const common = (await this.#text(`${own}/commondir`))?.trim();
    return `${common ? resolved(own, common) : own}/info/exclude`;
  }

  /** The text of a file; through a link, as ripgrep reads it. Undefined if there is none. */
  async #text(path) {
    try {
      const { kind } = await this.#fs.stat(path);
      if (kind !== "file") return undefined;
      return await wholeText(this.#fs, await this.#fs.realpath(path), MOST_BYTES);
    } catch {
      return undefined;
    }
  }
}
