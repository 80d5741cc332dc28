// Changing a file: asked with the diff, and done only if the file is still the one that was asked about.

import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { assertUnmoved, hashAt, sameAs, statOf } from "./content.ts";
import { failed, isMissing, stoppedError } from "./failures.ts";
import { withFileLock } from "./file-lock.ts";
import { guardOf } from "./guard.ts";
import { type HardLinks, hardLinksOf, patternsOf } from "./hard-links.ts";
import { hashOf } from "./hash.ts";
import { missing } from "./missing.ts";
import type { Place } from "./paths.ts";
import type { FileStat, Host } from "./types.ts";

const changed = (path: string) =>
  new Expected(
    `${path} changed since permission was asked: nothing was written. Read it again first.`,
  );

/** A file as it was when permission was asked. */
export type Before = FileStat & { hash: string };

/** Rejects if the file is not what it was; `before` is undefined if it was not there. */
async function assertUnchanged(
  host: Host,
  context: RunContext,
  place: Place,
  before: Before | undefined,
) {
  await assertUnmoved(host, place, "written");
  const now = await statOf(host, place);
  if (before === undefined) {
    if (now !== undefined) throw changed(place.path);
    return;
  }
  if (now?.id !== before.id || now?.links !== before.links) throw changed(place.path);
  if ((await hashAt(host, place, before, context)) !== before.hash) throw changed(place.path);
}

/**
 * Asks for `edit`, puts the bytes in place, and counts them as read by the session. While a human decides, which
 * may take minutes, anything can happen to the file, its path and the links in it. Gives the names of a file that has
 * several: permission is asked for each that gets the new content.
 */
export async function changeFile(
  host: Host,
  context: RunContext,
  place: Place,
  { before, bytes, diff }: { before: Before | undefined; bytes: Uint8Array; diff: string },
): Promise<HardLinks | undefined> {
  const links = await hardLinksOf(host, before);
  await context.ask({
    permission: "edit",
    patterns: await patternsOf(host, links, place.patterns),
    always: ["*"],
    metadata: { filepath: place.path, diff },
  });
  const put = async () => {
    await assertUnchanged(host, context, place, before);
    if (context.abort.aborted) throw stoppedError();
    const inPlace = links?.paths && { inPlace: true };
    const options = before ? { ...sameAs(before), ...inPlace } : { id: null };
    try {
      await host.fs.write(place.real, bytes, options);
    } catch (error) {
      throw isMissing(error) ? await missing(host, place) : failed(error, place.path, "written");
    }
  };
  // The names of a file have locks of their own.
  await (links?.paths ? withFileLock(host, { real: `id ${before?.id}` }, context, put) : put());
  for (const real of links?.paths ?? [place.real]) {
    guardOf(host).record(context.sessionID, real, hashOf(bytes));
  }
  return links;
}
