// The write guard: which files a session has read, by their real path, and what was in them. By content and not
// by time: a file that was touched, or written again as it was, has not changed.
import { perHost } from "./per-host.ts";
import { putNewest } from "./put-newest.ts";
import type { Host } from "./types.ts";

/** The most sessions, and the most files of one; the oldest are forgotten, and must be read again. */
const MOST_SESSIONS = 1000;
const MOST_FILES = 10_000;

class ReadGuard {
  #sessions = new Map<string, Map<string, string>>();

  /** A session has read a file, or written it itself. */
  record(sessionID: string, real: string, hash: string): void {
    const files = this.#sessions.get(sessionID) ?? new Map<string, string>();
    putNewest(this.#sessions, sessionID, files, MOST_SESSIONS);
    putNewest(files, real, hash, MOST_FILES);
  }

  /** The hash of what the session knows of a file; undefined if it has not read it. */
  known(sessionID: string, real: string): string | undefined {
    return this.#sessions.get(sessionID)?.get(real);
  }
}

/** The guard that the tools of a host share. */
export const guardOf: (host: Host) => ReadGuard = perHost(() => new ReadGuard());
