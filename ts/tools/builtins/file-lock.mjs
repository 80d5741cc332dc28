// One change of a file at a time, by its real path: two paths may lead to one file, and the lock of a definition
// knows only what was given.

import { PlacesByKey } from "../places.ts";
import { stoppedError } from "./failures.mjs";
import { perHost } from "./per-host.mjs";

const locksOf = perHost(() => new PlacesByKey(1));

/** Resolves when the call is stopped; `release` takes the listener away. */
function stopped(abort) {
  let release;
  const promise = new Promise((resolve) => {
    if (abort.aborted) resolve();
    else {
      abort.addEventListener("abort", resolve);
      release = () => abort.removeEventListener("abort", resolve);
    }
  });
  return { promise, release: () => release?.() };
}

/** Runs `change` while no other change of this real path runs. */
export async function withFileLock(host, { real }, { abort }, change) {
  const { promise, release } = stopped(abort);
  try {
    const leave = await locksOf(host).enter(real, promise);
    if (leave === undefined) throw stoppedError();
    try {
      return await change();
    } finally {
      leave();
    }
  } finally {
    release();
  }
}
