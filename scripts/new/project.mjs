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
