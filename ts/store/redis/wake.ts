// How a process hears that followed runs have changed. Whichever way it is, it only says "look"; and there is a look
// each second in any case, so that nothing is lost with a message.
import { Bells, nonce } from "../shared.ts";
import { adapted, connection, disconnect, within } from "./client.ts";

const LOOK_MS = 1000;
const POLL_MS = 100;
/** How long the connection stays after the last follower: the next one may come at once. */
const LINGER_MS = 3000;

export class Wake extends Bells {
  #redis;
  #options;
  #timer;
  #wakeKey;
  #isLooping = false;
  #isInterrupted = false;
  /** The subscriber, or a promise of it. */
  #subscriber;

  constructor(redis, options) {
    super();
    this.#redis = redis;
    this.#options = options;
    this.#wakeKey = `${options.prefix}wake:${nonce()}`;
  }

  join(runId) {
    const bell = super.join(runId);
    this.#timer ??= this.#startTimer();
    return bell;
  }

  /** A follower has read up to this position: from there on it is to be told. */
  seen(runId, position) {
    const bell = this.get(runId);
    if (!bell || bell.last !== undefined) return;
    bell.last = `${position}-0`;
    const { wake } = this.#options;
    if (wake === "spublish") this.#subscribe(runId);
    if (wake !== "block") return;
    if (this.#isLooping) this.#interrupt();
    else this.#loop();
  }

  leave(runId) {
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
    let own;
    let wakeId = "0-0";
    let idleSince;
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
        const bells = [...this].filter(([, bell]) => bell.last !== undefined);
        const keys = [this.#wakeKey, ...bells.map(([runId]) => this.#options.keyOf(runId))];
        const ids = [wakeId, ...bells.map(([, bell]) => bell.last)];
        const args = ["XREAD", "COUNT", "1", "BLOCK", String(LOOK_MS), "STREAMS"];
        const reply = await within(2 * LOOK_MS, own.send(keys[0], [...args, ...keys, ...ids]));
        for (const [key, entries] of entriesOf(reply)) {
          const id = String(entries.at(-1)[0]);
          // A client may put a prefix of its own before each key.
          const index = keys.findIndex((name) => String(key).endsWith(name));
          if (index <= 0) wakeId = id;
          else {
            bells[index - 1][1].last = id;
            bells[index - 1][1].ring();
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
  async #subscribe(runId) {
    const ring = () => this.get(runId)?.ring();
    this.#subscriber ??= connection(this.#redis.client, this.#options.blocking);
    const subscriber = this.#subscriber;
    try {
      const own = await subscriber;
      const channel = this.#options.channelOf(runId);
      if (typeof own.sSubscribe === "function") await own.sSubscribe(channel, ring);
      else {
        if (!own.listenerCount("smessage")) own.on("smessage", (name) => this.#heard(name));
        await own.ssubscribe(channel);
      }
    } catch {
      if (this.#subscriber !== subscriber) return;
      this.#subscriber = undefined;
      subscriber.then(disconnect, () => {});
    }
    ring();
  }

  #heard(channel) {
    for (const [runId, bell] of this) if (this.#options.channelOf(runId) === channel) bell.ring();
  }

  #unsubscribe(own, runId) {
    if (this.get(runId)) return undefined;
    return (own.sUnsubscribe ?? own.sunsubscribe).call(own, this.#options.channelOf(runId));
  }
}

/** The streams of a reply to XREAD: pairs, or with RESP 3 a map, which ioredis 6 gives as one list. */
function entriesOf(reply) {
  if (!Array.isArray(reply)) return reply instanceof Map ? [...reply] : Object.entries(reply ?? {});
  if (Array.isArray(reply[0])) return reply;
  return reply.flatMap((name, index) => (index % 2 === 0 ? [[name, reply[index + 1]]] : []));
}
