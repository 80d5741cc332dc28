/**
 * Frees the memory of a buffer now, not when the garbage is collected, which may be a gigabyte later: it
 * is transferred to a closed message port, which leaves it detached here.
 */
export function discard(buffer: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(undefined, [buffer]);
  port1.close();
}
