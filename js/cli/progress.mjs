// How far the reading of a large file has come, for whoever waits at a terminal.
import { oneLine } from "./colour.mjs";

/** Smaller files are read before anyone wonders. */
const LARGE = 50e6;

/** Tells at most so often, in milliseconds. */
const PAUSE = 100;

/**
 * Shows `reading FILE 43 %` in one line of a terminal, over and over, and takes it away at the end.
 * Elsewhere, and for small files, it does nothing.
 */
export function progress(name, size, stream = process.stderr, env = process.env) {
  if (!stream.isTTY || env.TERM === "dumb" || size <= LARGE) return { at() {}, end() {} };
  let shown = false;
  let next = 0;
  return {
    at(bytes) {
      const now = performance.now();
      if (now < next) return;
      next = now + PAUSE;
      const percent = Math.min(100, Math.floor((100 * bytes) / size));
      // What does not fit on the line could not be taken away.
      const room = Math.max(8, (stream.columns || 80) - 16);
      const plain = oneLine(name);
      const short = plain.length > room ? `…${plain.slice(1 - room)}` : plain;
      stream.write(`\r\x1b[Kreading ${short} ${percent} %`);
      shown = true;
    },
    end() {
      if (shown) stream.write("\r\x1b[K");
    },
  };
}
