// The clients of Redis that programs have: node-redis 4, 5, 6 and ioredis 5, 6, single or a cluster, told apart by
// their methods.

/** Strings of a reply as Buffers: for node-redis 4, and for 5 and 6 ("$" is the type of a bulk string). */
const BUFFERS = { returnBuffers: true, typeMapping: { 36: globalThis.Buffer } };

/** A client's one way to send a command: `send(key, args, hasBytes)`. */
export function adapted(client) {
  if (typeof client?.sendCommand === "function" && typeof client.callBuffer !== "function") {
    // A cluster of node-redis has to be told the key.
    const isCluster = typeof client.nodeClient === "function";
    const send = (key, args, hasBytes) => {
      if (client.isReady === false) throw new Error("the client of Redis is not connected");
      const options = hasBytes ? BUFFERS : undefined;
      return isCluster
        ? client.sendCommand(key, false, args, options)
        : client.sendCommand(args, options);
    };
    return { client, send, isCluster };
  }
  if (typeof client?.call !== "function") {
    throw new TypeError(
      "a client of Redis has a method sendCommand (node-redis) or call (ioredis)",
    );
  }
  const send = (_key, [command, ...args], hasBytes) => {
    if (AWAY.has(client.status)) throw new Error("the client of Redis is not connected");
    return hasBytes && client.callBuffer
      ? client.callBuffer(command, ...args)
      : client.call(command, ...args);
  };
  return { client, send, isCluster: client.isCluster === true };
}

/** States of ioredis in which commands would wait for a connection that was lost. */
const AWAY = new Set(["close", "reconnecting", "end"]);

/** Rejects if it takes longer. */
export function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A connection of one's own, open; nobody else hears its errors. */
export async function connection(client, made) {
  const own = made ? await made() : client.duplicate();
  own.on?.("error", () => {});
  // ioredis connects by itself.
  if (own.isOpen === true || typeof own.call === "function") return own;
  const connecting = own.connect?.();
  connecting?.catch?.(() => {});
  try {
    await within(2000, connecting);
  } catch (error) {
    await disconnect(own);
    throw error;
  }
  return own;
}

/** Closes a connection at once. */
export async function disconnect(own) {
  try {
    await (own.destroy ?? own.disconnect ?? own.close)?.call(own);
  } catch {
    // It was closed already.
  }
}
