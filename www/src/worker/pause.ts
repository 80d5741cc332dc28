/**
 * Lets the calls in that came meanwhile. By a message, because browsers make every timer wait some
 * milliseconds once several have followed each other.
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
