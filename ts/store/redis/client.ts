// The clients of Redis that programs have: node-redis 4, 5, 6 and ioredis 5, 6, single or a cluster, told apart by
// their methods.

/** A command: its name and its arguments. */
export type Command = [name: string, ...rest: (string | Uint8Array)[]];

/** A string or a number of a reply. */
export type Bulk = string | number | Buffer;

// biome-ignore-start lint/suspicious/noExplicitAny: the clients type each command and reply in ways of their own
/** What the clients have, each a part of it. */
export interface Client {
  sendCommand?(args: any, ...more: any[]): Promise<any>;
  call?(command: string, ...args: any[]): Promise<any>;
  callBuffer?(command: string, ...args: any[]): Promise<any>;
  duplicate(...options: any[]): any;
  nodeClient?: unknown;
  isCluster?: boolean;
  isReady?: boolean;
  isOpen?: boolean;
  status?: string;
  on?(event: string, listener: (name: unknown) => void): unknown;
  listenerCount?(event: string): number;
  connect?(): Promise<unknown>;
  close?(): unknown;
  destroy?(): unknown;
  disconnect?(): unknown;
  sSubscribe?(channel: string, listener: () => void): Promise<unknown>;
  ssubscribe?(channel: string): Promise<unknown>;
  sUnsubscribe?(channel: string): Promise<unknown>;
  sunsubscribe?(channel: string): Promise<unknown>;
}
// biome-ignore-end lint/suspicious/noExplicitAny: to here

/** A client with one way to send a command; `Reply` is what Redis answers to it. */
export interface Adapted {
  client: Client;
  send<Reply>(key: string, args: Command, hasBytes?: boolean): Promise<Reply>;
  isCluster: boolean;
}

/** Strings of a reply as Buffers: for node-redis 4, and for 5 and 6 ("$" is the type of a bulk string). */
const BUFFERS = { returnBuffers: true, typeMapping: { 36: globalThis.Buffer } };

/** A client's one way to send a command: `send(key, args, hasBytes)`. */
export function adapted(client: Client): Adapted {
  if (typeof client?.sendCommand === "function" && typeof client.callBuffer !== "function") {
    // A cluster of node-redis has to be told the key.
    const isCluster = typeof client.nodeClient === "function";
    const send: Adapted["send"] = async (key, args, hasBytes) => {
      if (client.isReady === false) throw new Error("the Redis client is not connected");
      const options = hasBytes ? BUFFERS : undefined;
      return isCluster
        ? client.sendCommand?.(key, false, args, options)
        : client.sendCommand?.(args, options);
    };
    return { client, send, isCluster };
  }
  if (typeof client?.call !== "function") {
    throw new TypeError(
      "a Redis client must have a method sendCommand (node-redis) or call (ioredis)",
    );
  }
  const send: Adapted["send"] = async (_key, [command, ...args], hasBytes) => {
    if (AWAY.has(client.status)) throw new Error("the Redis client is not connected");
    return hasBytes && client.callBuffer
      ? client.callBuffer(command, ...args)
      : client.call?.(command, ...args);
  };
  return { client, send, isCluster: client.isCluster === true };
}

/** States of ioredis in which commands would wait for a connection that was lost. */
const AWAY = new Set<string | undefined>(["close", "reconnecting", "end"]);

/** Rejects if it takes longer. */
export function within<T>(ms: number, promise: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A connection of one's own, open; nobody else hears its errors. */
export async function connection(client: Client, made?: () => Promise<Client>): Promise<Client> {
  const own: Client = made ? await made() : client.duplicate();
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
export async function disconnect(own: Client): Promise<void> {
  try {
    await (own.destroy ?? own.disconnect ?? own.close)?.call(own);
  } catch {
    // It was closed already.
  }
}
