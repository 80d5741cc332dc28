// Where glob and grep search, and with which glob.
import { type Tool, ToolsGlob, toolsNearest, toolsRelativePattern } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { assertNotDenied } from "./denials.ts";
import { moved as movedError } from "./failures.ts";
import { askOutside, below, located, nameOf, type Place, parentOf } from "./paths.ts";
import type { FileStat, Host } from "./types.ts";

const MOST_NEAR = 3;

/** A place that is searched, and what is there. */
export interface SearchPlace {
  place: Place;
  /** Undefined if nothing is there. */
  kind: FileStat["kind"] | undefined;
  /** By its id it is told later whether it was replaced. */
  id: string | undefined;
}

/** The place that a call names, and what is there; the directory of the host if it names none. */
async function placeAt(host: Host, given: string | undefined): Promise<SearchPlace> {
  const place = await located(host, given === undefined || given === "" ? host.directory : given);
  try {
    const stat = place.exists ? await host.fs.stat(place.real) : undefined;
    return { place, kind: stat?.kind, id: stat?.id };
  } catch {
    // It is gone, or may not be looked at.
    return { place, kind: undefined, id: undefined };
  }
}

/** Rejects if a place leads elsewhere than when it was checked. */
async function lookAgain(host: Host, { place, kind }: SearchPlace) {
  const now = await placeAt(host, place.path);
  if (now.place.real !== place.real || now.kind !== kind) throw movedError(place.path, "read");
  return now;
}

/**
 * Asks for a place outside, then for the tool's own permission; a place that may not be read is refused before. Gives
 * the place as it is then: it may have been replaced while a human decided.
 */
export async function askToSearch(
  host: Host,
  context: RunContext,
  permission: string,
  { pattern, path, include }: { pattern: string; path?: string; include?: string },
): Promise<SearchPlace> {
  const before = await placeAt(host, path);
  await assertNotDenied(context, "read", before.place);
  await askOutside(context, before.place, { isDirectory: before.kind === "directory" });
  const metadata: Tool.Metadata = { pattern };
  if (path !== undefined) metadata.path = path;
  if (include !== undefined) metadata.include = include;
  await context.ask({ permission, patterns: [pattern], always: ["*"], metadata });
  return lookAgain(host, before);
}

/** Rejects if a place was replaced during the search: ripgrep goes where its path leads. */
export async function assertSearched(host: Host, before: SearchPlace): Promise<void> {
  if ((await lookAgain(host, before)).id !== before.id) throw movedError(before.place.path, "read");
}

/** The error for a path that is not there, with near names. */
export async function missing(host: Host, { path, real }: Place, what: string): Promise<Expected> {
  const folder = parentOf(real);
  let near: string[] = [];
  try {
    const entries = await host.fs.readdir(folder);
    const names = entries.map(({ name }) => name).filter((name) => name !== nameOf(real));
    const indexes = [...toolsNearest(nameOf(path), names, MOST_NEAR)];
    near = indexes.flatMap((i) => names[i] ?? []).map((name) => below(parentOf(path), name));
  } catch {
    // There is no such folder either.
  }
  const hint = near.length === 0 ? "" : ` Close to it: ${near.join(", ")}.`;
  return new Expected(`There is no ${what} ${path}.${hint}`);
}

/** A glob of files below a directory, and the same with its brackets as they stand. */
export class FileGlob {
  #glob: ToolsGlob | undefined;
  #literal: ToolsGlob | undefined;
  #error: Expected | undefined;

  /** `name` is that of the argument. Throws `Expected` for a pattern that is not a glob. */
  constructor(given: string, { place, name }: { place: Place; name: string }) {
    const own = toolsRelativePattern(given, place.path);
    const pattern = own === given ? toolsRelativePattern(given, place.real) : own;
    const offset =
      new TextEncoder().encode(given).length - new TextEncoder().encode(pattern).length;
    try {
      this.#glob = ToolsGlob.compile(pattern, false);
    } catch (error) {
      if (typeof error !== "string") throw error;
      const why = moved(error, offset);
      this.#error = new Expected(`The ${name} ${given} is not a glob: ${why}.`);
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

  /** Whether the glob takes a file; nothing if the pattern is not a glob, but may be meant as it stands. */
  takes(path: string): boolean {
    return this.#glob?.matches(path) === true;
  }

  lists(path: string): boolean {
    return this.#glob?.lists(path) === true;
  }

  get hasLiteral(): boolean {
    return this.#literal !== undefined;
  }

  takesLiterally(path: string): boolean {
    return this.#literal?.matches(path) === true;
  }

  listsLiterally(path: string): boolean {
    return this.#literal?.lists(path) === true;
  }

  /** Throws if the pattern is not a glob and nothing was found that it names as it stands. */
  checkNothingFound(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  free(): void {
    this.#glob?.free();
    this.#literal?.free();
  }
}

/** A message whose place is that in the pattern as it was given. */
const moved = (message: string, offset: number) =>
  message.replace(/\(at byte (\d+)\)$/, (_, at: string) => `(at byte ${Number(at) + offset})`);

/**
 * A glob of names that takes every file that the pattern takes, for ripgrep's types; undefined if it would take
 * all.
 */
export function nameGlob(pattern: string): string | undefined {
  if (pattern.startsWith("!")) return undefined;
  if (/\{[^}]*\//.test(pattern) || pattern.endsWith("/")) return undefined;
  const name = nameOf(pattern);
  if (/[{}]/.test(name) && !/^[^{}]*\{[^{}]*\}[^{}]*$/.test(name)) return undefined;
  // ripgrep takes no empty alternative.
  if (/[[\]\\]|\{,|,,|,\}/.test(name)) return undefined;
  const wide = name.replace(/[^\p{L}\p{N}._{},*-]/gu, "*").replace(/\*+/g, "*");
  return /^[*{},]*$/.test(wide) ? undefined : wide;
}
