// The progress of reading a large file, for a terminal.
import type { Env } from "./colour.ts";
import { oneLine } from "./colour.ts";

/** Smaller files are read too fast to show progress. */
const LARGE = 50e6;

/** The shortest time between two updates, in milliseconds. */
const PAUSE = 100;

/** What a line of progress is shown on. */
interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** The line of progress. */
export interface Progress {
  /** So many bytes have been read. */
  at(bytes: number): void;
  end(): void;
}

/**
 * Shows `reading FILE 43 %` in one line of a terminal, updates it, and removes it at the end. Does nothing
 * without a terminal and for small files.
 */
export function progress(
  name: string,
  size: number,
  stream: Terminal = process.stderr,
  env: Env = process.env,
): Progress {
  if (!stream.isTTY || env.TERM === "dumb" || size <= LARGE) return { at() {}, end() {} };
  let isShown = false;
  let next = 0;
  return {
    at(bytes: number) {
      const now = performance.now();
      if (now < next) return;
      next = now + PAUSE;
      const percent = Math.min(100, Math.floor((100 * bytes) / size));
      // Text that wraps to the next line could not be removed.
      const room = Math.max(8, (stream.columns || 80) - 16);
      const plain = oneLine(name);
      const short = plain.length > room ? `…${plain.slice(1 - room)}` : plain;
      stream.write(`\r\x1b[Kreading ${short} ${percent} %`);
      isShown = true;
    },
    end() {
      if (isShown) stream.write("\r\x1b[K");
    },
  };
}
