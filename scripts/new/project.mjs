// The files of the project, by their paths from its root.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export class Project {
  constructor(root) {
    this.root = root;
  }

  /** The text of a file; undefined if there is none. */
  read(path) {
    const file = join(this.root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  /** The names in a folder. */
  list(folder) {
    const path = join(this.root, folder);
    return existsSync(path) ? readdirSync(path).sort() : [];
  }
}

/** A check of a place: what `found` says of the text of a file, which is empty if there is none. */
export const inText = (path, found) => (project, words) => found(project.read(path) ?? "", words);

/** The lines of a `registry!` block, each as the name of the variant and what it names. */
export function registryLines(project, path) {
  const [, lines] = /\nregistry! \{([\s\S]*?)\n\}/.exec(project.read(path) ?? "") ?? [];
  return [...(lines ?? "").matchAll(/^ {4}(\w+) => ([\w:]+),$/gm)].map(([, ...line]) => line);
}
