// The body of an answer, read as a stream: whatever a server sends, memory and time are bounded.
import { Expected } from "../expected.ts";
import type { Deadline } from "./deadline.ts";
import type { FetchResponse } from "./types.ts";

const FIRST = 65_536;
/** After so many pieces timers get their turn: a stream of empty pieces would leave them none. */
const PIECES = 1024;

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Stops reading, which closes the connection. */
export function discard(response: FetchResponse | undefined): void {
  try {
    response?.body?.cancel().catch(() => {});
  } catch {
    // Somebody reads it, or it is not a stream: nothing to close.
  }
}

/** All bytes of a body, at most `most`; `tooLarge` is the error if there are more. */
export async function readBody(
  { body }: FetchResponse,
  most: number,
  tooLarge: Expected,
  deadline: Deadline,
): Promise<Uint8Array> {
  if (body === null || body === undefined) return new Uint8Array(0);
  const reader = body.getReader();
  // One buffer that grows: pieces of one byte each would take a hundred times as much.
  let bytes = new Uint8Array(FIRST);
  let size = 0;
  try {
    for (let pieces = 1; ; pieces++) {
      const { done, value } = await deadline.race(reader.read());
      if (done) return bytes.subarray(0, size);
      if (!(value instanceof Uint8Array))
        throw new Expected("The answer is not a stream of bytes.");
      const end = size + value.byteLength;
      if (end > most) throw tooLarge;
      if (end > bytes.length) {
        const larger = new Uint8Array(Math.min(most, Math.max(end, 2 * bytes.length)));
        larger.set(bytes.subarray(0, size));
        bytes = larger;
      }
      bytes.set(value, size);
      size = end;
      if (pieces % PIECES === 0) await deadline.race(pause());
    }
  } finally {
    // After the end this does nothing.
    reader.cancel().catch(() => {});
  }
}
