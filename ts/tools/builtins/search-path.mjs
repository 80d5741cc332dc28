// Where glob and grep search, and with which glob.
import { ToolsGlob, toolsNearest, toolsRelativePattern } from "apex-parts:glue";
import { Expected } from "../expected.ts";
import { assertNotDenied } from "./denials.ts";
import { moved as movedError } from "./failures.ts";
import { askOutside, below, located, nameOf, parentOf } from "./paths.ts";

const MOST_NEAR = 3;

/** The place that a call names, and what is there; the directory of the host if it names none. */
async function searched(host, given) {
  const place = await located(host, given === undefined || given === "" ? host.directory : given);
  try {
    // By its id it is told later whether it was replaced.
    const { kind, id } = place.exists ? await host.fs.stat(place.real) : {};
    return { place, kind, id };
  } catch {
    // It is gone, or may not be looked at.
    return { place, kind: undefined };
  }
}

/** Rejects if a place leads elsewhere than when it was checked. */
async function lookedAtAgain(host, { place, kind }) {
  const now = await searched(host, place.path);
  if (now.place.real !== place.real || now.kind !== kind) throw movedError(place.path, "read");
  return now;
}

/**
 * Asks for a place outside, then for the tool's own permission; a place that may not be read is refused before. Gives
 * the place as it is then: it may have been replaced while a human decided.
 */
export async function askToSearch(host, context, permission, { pattern, path, include }) {
  const found = await searched(host, path);
  await assertNotDenied(context, "read", found.place);
  await askOutside(context, found.place, { isDirectory: found.kind === "directory" });
  const metadata = { pattern };
  if (path !== undefined) metadata.path = path;
  if (include !== undefined) metadata.include = include;
  await context.ask({ permission, patterns: [pattern], always: ["*"], metadata });
  return lookedAtAgain(host, found);
}

/** Rejects if a place was replaced during the search: ripgrep goes where its path leads. */
export async function assertSearched(host, found) {
  if ((await lookedAtAgain(host, found)).id !== found.id)
    throw movedError(found.place.path, "read");
}

/** The error for a path that is not there, with near names. */
export async function missing(host, { path, real }, what) {
  const folder = parentOf(real);
  let near = [];
  try {
    const entries = await host.fs.readdir(folder);
    const names = entries.map(({ name }) => name).filter((name) => name !== nameOf(real));
    const shown = parentOf(path);
    near = [...toolsNearest(nameOf(path), names, MOST_NEAR)].map((i) => below(shown, names[i]));
  } catch {
    // There is no such folder either.
  }
  const hint = near.length === 0 ? "" : ` Close to it: ${near.join(", ")}.`;
  return new Expected(`There is no ${what} ${path}.${hint}`);
}

/** A glob of files below a directory, and the same with its brackets as they stand. */
export class FileGlob {
  #glob;
  #literal;
  #error;

  /** Throws `Expected` for a pattern that is no glob. */
  constructor(given, { place, name }) {
    const own = toolsRelativePattern(given, place.path);
    const pattern = own === given ? toolsRelativePattern(given, place.real) : own;
    const offset =
      new TextEncoder().encode(given).length - new TextEncoder().encode(pattern).length;
    try {
      this.#glob = ToolsGlob.compile(pattern, false);
    } catch (error) {
      if (typeof error !== "string") throw error;
      const said = moved(error, offset);
      this.#error = new Expected(`The ${name} ${given} is no glob: ${said}.`);
    }
    if (this.#glob === undefined ? /\[[^\]]*\]/.test(pattern) : this.#glob.hasClass()) {
      try {
        this.#literal = ToolsGlob.compile(pattern, true);
      } catch {
        // It is wrong in another place as well.
      }
    }
    if (this.#glob === undefined && this.#literal === undefined) throw this.#error;
  }

  /** Whether the glob takes a file; nothing if the pattern is none, but may be meant as it stands. */
  takes(path) {
    return this.#glob?.matches(path) === true;
  }

  lists(path) {
    return this.#glob?.lists(path) === true;
  }

  get hasLiteral() {
    return this.#literal !== undefined;
  }

  takesLiterally(path) {
    return this.#literal?.matches(path) === true;
  }

  listsLiterally(path) {
    return this.#literal?.lists(path) === true;
  }

  /** Throws if the pattern is no glob and nothing was found that it names as it stands. */
  checkNothingFound() {
    if (this.#error !== undefined) throw this.#error;
  }

  free() {
    this.#glob?.free();
    this.#literal?.free();
  }
}

/** A message whose place is that in the pattern as it was given. */
const moved = (message, offset) =>
  message.replace(/\(at byte (\d+)\)$/, (_, at) => `(at byte ${Number(at) + offset})`);

/**
 * A glob of names that takes every file that the pattern takes, for ripgrep's types; undefined if it would take
 * all.
 */
export function nameGlob(pattern) {
  if (pattern.startsWith("!")) return undefined;
  if (/\{[^}]*\//.test(pattern) || pattern.endsWith("/")) return undefined;
  const name = nameOf(pattern);
  if (/[{}]/.test(name) && !/^[^{}]*\{[^{}]*\}[^{}]*$/.test(name)) return undefined;
  // ripgrep takes no empty alternative.
  if (/[[\]\\]|\{,|,,|,\}/.test(name)) return undefined;
  const wide = name.replace(/[^\p{L}\p{N}._{},*-]/gu, "*").replace(/\*+/g, "*");
  return /^[*{},]*$/.test(wide) ? undefined : wide;
}
