/**
 * Yields to the event loop, so that calls which have arrived are answered. By a message, because browsers
 * delay nested timers by some milliseconds.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
