// One change of a file at a time, by its real path: two paths may lead to one file, and the lock of a definition
// knows only what was given.

import type { Tool } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { PlacesByKey } from "../places.ts";
import { stoppedError } from "./failures.ts";
import type { Place } from "./paths.ts";
import { perHost } from "./per-host.ts";
import type { Host } from "./types.ts";

const locksOf = perHost(() => new PlacesByKey(1));

/** Resolves when the call is stopped; `release` takes the listener away. */
function stopped(abort: Tool.Abort) {
  let release: (() => void) | undefined;
  const promise = new Promise<void>((given) => {
    const resolve = () => given();
    if (abort.aborted) resolve();
    else {
      abort.addEventListener("abort", resolve);
      release = () => abort.removeEventListener("abort", resolve);
    }
  });
  return { promise, release: () => release?.() };
}

/** Runs `change` while no other change of this real path runs. */
export async function withFileLock<Result>(
  host: Host,
  { real }: Pick<Place, "real">,
  { abort }: Pick<RunContext, "abort">,
  change: () => Promise<Result>,
): Promise<Result> {
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
