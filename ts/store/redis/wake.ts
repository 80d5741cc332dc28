// How a process hears that followed runs have changed. Whichever way it is, it only says "look"; and there is a look
// each second in any case, so that nothing is lost with a message.
import { type Bell, Bells, nonce } from "../shared.ts";
import type { Position } from "../types.ts";
import {
  type Adapted,
  adapted,
  type Bulk,
  type Client,
  connection,
  disconnect,
  within,
} from "./client.ts";
import type { RedisRunLogOptions } from "./types.ts";

const LOOK_MS = 1000;
const POLL_MS = 100;
/** How long the connection stays after the last follower: the next one may come at once. */
const LINGER_MS = 3000;

/** How followers are woken, and the names of a run's stream and channel. */
interface Options {
  prefix: string;
  wake: RedisRunLogOptions["wake"];
  blocking: RedisRunLogOptions["blocking"];
  keyOf: (runId: string) => string;
  channelOf: (runId: string) => string;
}

/** The entries of a stream: their ids and fields. */
type Entries = [id: Bulk, fields: Bulk[]][];

export class Wake extends Bells {
  #redis: Adapted;
  #options: Options;
  #timer: ReturnType<typeof setInterval> | undefined;
  #wakeKey: string;
  #isLooping = false;
  #isInterrupted = false;
  #subscriber: Promise<Client> | undefined;

  constructor(redis: Adapted, options: Options) {
    super();
    this.#redis = redis;
    this.#options = options;
    this.#wakeKey = `${options.prefix}wake:${nonce()}`;
  }

  override join(runId: string): Bell {
    const bell = super.join(runId);
    this.#timer ??= this.#startTimer();
    return bell;
  }

  /** A follower has read up to this position: from there on it is to be told. */
  seen(runId: string, position: Position): void {
    const bell = this.get(runId);
    if (!bell || bell.last !== undefined) return;
    bell.last = `${position}-0`;
    const { wake } = this.#options;
    if (wake === "spublish") this.#subscribe(runId);
    if (wake !== "block") return;
    if (this.#isLooping) this.#interrupt();
    else this.#loop();
  }

  override leave(runId: string): void {
    super.leave(runId);
    if (this.get(runId)) return;
    const subscriber = this.#subscriber;
    if (this.size > 0) {
      subscriber?.then((own) => this.#unsubscribe(own, runId)).catch(() => {});
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#subscriber = undefined;
    subscriber?.then(disconnect, () => {});
  }

  #startTimer() {
    const ms = this.#options.wake === "poll" ? POLL_MS : LOOK_MS;
    const timer = setInterval(() => this.#ringAll(), ms);
    timer.unref?.();
    return timer;
  }

  #ringAll() {
    for (const [, bell] of this) bell.ring();
  }

  /** Makes the waiting connection return, so that it waits for the new set. */
  async #interrupt() {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    try {
      const key = this.#wakeKey;
      await this.#redis.send(key, ["XADD", key, "MAXLEN", "1", "*", "w", "1"]);
      await this.#redis.send(key, ["PEXPIRE", key, "60000"]);
    } catch {
      // It returns within a second.
    }
  }

  /** Waits on one connection for all runs that are followed. Never rejects. */
  async #loop() {
    this.#isLooping = true;
    let own: Adapted | undefined;
    let wakeId = "0-0";
    let idleSince: number | undefined;
    for (;;) {
      if (this.size > 0) idleSince = undefined;
      else {
        idleSince ??= Date.now();
        // Nor is a connection made again for nobody.
        if (!own || Date.now() - idleSince >= LINGER_MS) break;
      }
      try {
        own ??= adapted(await connection(this.#redis.client, this.#options.blocking));
        this.#isInterrupted = false;
        const bells = [...this].flatMap(([runId, bell]) => {
          const { last } = bell;
          return last === undefined ? [] : [{ key: this.#options.keyOf(runId), bell, last }];
        });
        const keys = [this.#wakeKey, ...bells.map(({ key }) => key)];
        const ids = [wakeId, ...bells.map(({ last }) => last)];
        const options = ["COUNT", "1", "BLOCK", String(LOOK_MS), "STREAMS"];
        const asked = own.send(this.#wakeKey, ["XREAD", ...options, ...keys, ...ids]);
        for (const [key, entries] of entriesOf(await within(2 * LOOK_MS, asked))) {
          const id = String(entries.at(-1)?.[0]);
          // A client may put a prefix of its own before each key.
          const index = keys.findIndex((name) => String(key).endsWith(name));
          const bell = bells[index - 1]?.bell;
          if (!bell) wakeId = id;
          else {
            bell.last = id;
            bell.ring();
          }
        }
      } catch {
        if (own) await disconnect(own.client);
        own = undefined;
        this.#ringAll();
        await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400));
      }
    }
    this.#isLooping = false;
    if (own) await disconnect(own.client);
  }

  /** Subscribes to the run's channel. Never rejects: without it there is the look each second. */
  async #subscribe(runId: string) {
    const ring = () => this.get(runId)?.ring();
    this.#subscriber ??= connection(this.#redis.client, this.#options.blocking);
    const subscriber = this.#subscriber;
    try {
      const own = await subscriber;
      const channel = this.#options.channelOf(runId);
      if (typeof own.sSubscribe === "function") await own.sSubscribe(channel, ring);
      else {
        if (!own.listenerCount?.("smessage")) own.on?.("smessage", (name) => this.#heard(name));
        await own.ssubscribe?.(channel);
      }
    } catch {
      if (this.#subscriber !== subscriber) return;
      this.#subscriber = undefined;
      subscriber.then(disconnect, () => {});
    }
    ring();
  }

  #heard(channel: unknown) {
    for (const [runId, bell] of this) if (this.#options.channelOf(runId) === channel) bell.ring();
  }

  #unsubscribe(own: Client, runId: string) {
    if (this.get(runId)) return undefined;
    return (own.sUnsubscribe ?? own.sunsubscribe)?.call(own, this.#options.channelOf(runId));
  }
}

/** The streams of a reply to XREAD: pairs, or with RESP 3 a map, which ioredis 6 gives as one list. */
function entriesOf(reply: unknown): [key: Bulk, entries: Entries][] {
  if (!Array.isArray(reply)) return reply instanceof Map ? [...reply] : Object.entries(reply ?? {});
  if (Array.isArray(reply[0])) return reply;
  return reply.flatMap((name, index) => (index % 2 === 0 ? [[name, reply[index + 1]]] : []));
}
