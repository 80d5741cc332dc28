// Changing a file: asked with the diff, and done only if the file is still the one that was asked about.

import { Expected } from "../expected.ts";
import { assertUnmoved, hashAt, sameAs, statOf } from "./content.mjs";
import { failed, isMissing, stoppedError } from "./failures.mjs";
import { guardOf } from "./guard.mjs";
import { hashOf } from "./hash.mjs";
import { missing } from "./missing.mjs";

const changed = (path) =>
  new Expected(
    `${path} changed since permission was asked: nothing was written. Read it again first.`,
  );

/** Rejects if the file is not what it was; `before` is its stat with the hash of its content, if it was there. */
async function assertUnchanged(host, context, place, before) {
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
export async function changeFile(host, context, place, { before, bytes, diff }) {
  await context.ask({
    permission: "edit",
    patterns: place.patterns,
    always: ["*"],
    metadata: { filepath: place.path, diff },
  });
  await assertUnchanged(host, context, place, before);
  if (context.abort.aborted) throw stoppedError();
  try {
    await host.fs.write(place.real, bytes, before ? sameAs(before) : { id: null });
  } catch (error) {
    throw isMissing(error) ? await missing(host, place) : failed(error, place.path, "written");
  }
  guardOf(host).record(context.sessionID, place.real, hashOf(bytes));
}
