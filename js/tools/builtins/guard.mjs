// The write guard: which files a session has read, by their real path, and what was in them. By content and not
// by time: a file that was touched, or written again as it was, has not changed.
import { perHost } from "./per-host.mjs";

/** The most sessions, and the most files of one; the oldest are forgotten, and must be read again. */
const MOST_SESSIONS = 1000;
const MOST_FILES = 10_000;

/** Sets an entry as the newest one. */
function put(map, key, value, most) {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
}

class ReadGuard {
  #sessions = new Map();

  /** A session has read a file, or written it itself. */
  record(sessionID, real, hash) {
    const files = this.#sessions.get(sessionID) ?? new Map();
    put(this.#sessions, sessionID, files, MOST_SESSIONS);
    put(files, real, hash, MOST_FILES);
  }

  /** The hash of what the session knows of a file; undefined if it has not read it. */
  known(sessionID, real) {
    return this.#sessions.get(sessionID)?.get(real);
  }
}

/** The guard that the tools of a host share. */
export const guardOf = perHost(() => new ReadGuard());
