// What the command is about to write: everything or, if a place cannot be found, nothing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { marked } from "./marker.mjs";
import { filled } from "./names.mjs";

/** A template of this folder. */
const template = (name) => readFileSync(new URL(name, import.meta.url), "utf8");

/** What names every forgotten place without building anything. */
export const PLACES = "node --test tests/command/places.test.mjs";

export class Plan {
  #project;
  #texts = new Map();
  /** The sentences that were marked before. */
  #marked = new Set();
  #places = [];

  constructor(project) {
    this.#project = project;
  }

  /** Adds what a place needs: a file from a template, a change of a file, or something that is written by hand. */
  add(place, words) {
    const path = filled(place.path, words);
    const text = this.#texts.get(path) ?? this.#project.read(path);
    if (place.template !== undefined) {
      if (text !== undefined) throw new Error(`${path} is there already; nothing was written`);
      this.#texts.set(path, filled(template(place.template), words));
    } else if (place.insert) {
      if (text === undefined) throw new Error(`there is no ${path}; nothing was written`);
      this.#texts.set(path, place.insert(text, words, this.#project));
    }
    for (const { says } of marked(this.#project.read(path) ?? "")) this.#marked.add(says);
    this.#places.push({ ...place, path });
  }

  /** Writes all files; `formatted` gives a file's text as its formatter writes it. */
  async write(formatted) {
    const files = [...this.#texts];
    const texts = await Promise.all(files.map(([path, text]) => formatted(path, text)));
    for (const [index, [path]] of files.entries()) {
      const file = join(this.#project.root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, texts[index]);
    }
  }

  get paths() {
    return [...this.#texts.keys()];
  }

  /** What is marked in a file that was written, and was not before. */
  #marks(path) {
    return marked(this.#project.read(path)).filter(({ says }) => !this.#marked.has(says));
  }

  /** What is still to be written, in the order of the places: where, what, and the command that shows it. */
  left(words) {
    const seen = new Set();
    return this.#places.flatMap(({ path, template: from, insert, write, shown }) => {
      const command = filled(shown ?? PLACES, words);
      const own = { where: path, write: write && filled(write, words), shown: command };
      if (from === undefined && !insert) return [own];
      if (seen.has(path)) return [];
      seen.add(path);
      return this.#marks(path).map(({ line, says }) => ({
        where: `${path}:${line}`,
        write: says,
        shown: command,
      }));
    });
  }
}
