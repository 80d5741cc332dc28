// Names that are equal but for their Unicode form: `é` is one character, or `e` and an accent.
import { entriesOf } from "./missing.ts";
import { located, type Place } from "./paths.ts";
import type { Host } from "./types.ts";

const isAscii = (text: string) => !/[^\0-\x7f]/u.test(text);

/** The only entry of a directory whose name is equal to one but for its form; undefined if there is none, or several. */
async function entryLike(host: Host, directory: string, name: string) {
  const wanted = name.normalize();
  const entries = await entriesOf(host, directory);
  const like = entries.filter((entry) => entry.name.normalize() === wanted);
  return like.length === 1 ? like[0]?.name : undefined;
}

/** A path whose names are those that are there, in whichever form, as far as they are. */
async function asThere(host: Host, path: string): Promise<string> {
  const names = path.split("/");
  let here = names.shift() ?? "";
  for (const [i, name] of names.entries()) {
    const next = `${here}/${name}`;
    const { exists } = await located(host, next);
    const other =
      exists || isAscii(name) ? name : await entryLike(host, here === "" ? "/" : here, name);
    if (!exists && other === undefined) return [here, ...names.slice(i)].join("/");
    here = `${here}/${other}`;
  }
  return here;
}

/**
 * Where a file that a model named is: under a name that differs in its Unicode form alone, if nothing has the one that
 * was given. What is forbidden for either name is forbidden.
 */
export async function locatedFile(host: Host, given: string): Promise<Place> {
  const place = await located(host, given);
  if (place.exists || place.isOutside || isAscii(place.path)) return place;
  const path = await asThere(host, place.path);
  if (path === place.path) return place;
  const there = await located(host, path);
  if (there.isOutside) return place;
  return { ...there, patterns: [...new Set([...there.patterns, ...place.patterns])] };
}
