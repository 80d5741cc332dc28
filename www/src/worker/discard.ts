/**
 * Gives the memory of bytes back now, not when the garbage is collected, which may be after a gigabyte
 * of them: they are sent to where nobody hears, and nothing is left of them here.
 */
export function discard(buffer: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(undefined, [buffer]);
  port1.close();
}
