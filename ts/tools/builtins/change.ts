// Changing a file: asked with the diff, and done only if the file is still the one that was asked about.

import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { assertUnmoved, hashAt, sameAs, statOf } from "./content.ts";
import { failed, isMissing, stoppedError } from "./failures.ts";
import { guardOf } from "./guard.ts";
import { type HardLinks, hardLinksOf } from "./hard-links.ts";
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
  if (now === undefined || now.id !== before.id) throw changed(place.path);
  if ((await hashAt(host, place, before, context)) !== before.hash) throw changed(place.path);
}

/**
 * Asks for `edit`, puts the bytes in place, and counts them as read by the session. While a human decides, which
 * may take minutes, anything can happen to the file, its path and the links in it.
 */
export async function changeFile(
  host: Host,
  context: RunContext,
  place: Place,
  { before, bytes, diff }: { before: Before | undefined; bytes: Uint8Array; diff: string },
): Promise<HardLinks | undefined> {
  await context.ask({
    permission: "edit",
    patterns: place.patterns,
    always: ["*"],
    metadata: { filepath: place.path, diff },
  });
  const links = await hardLinksOf(host, before);
  await assertUnchanged(host, context, place, before);
  if (context.abort.aborted) throw stoppedError();
  try {
    const inPlace = links?.inPlace ? { inPlace: true } : {};
    await host.fs.write(
      place.real,
      bytes,
      before ? { ...sameAs(before), ...inPlace } : { id: null },
    );
  } catch (error) {
    throw isMissing(error) ? await missing(host, place) : failed(error, place.path, "written");
  }
  guardOf(host).record(context.sessionID, place.real, hashOf(bytes));
  return links;
}
