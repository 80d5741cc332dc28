// A proxy in front of a server, which cuts connections in the middle of a reply, holds all back, or points elsewhere.
import { connect, createServer } from "node:net";

export class TcpProxy {
  static async before(target) {
    const proxy = new TcpProxy(target);
    await new Promise((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** The port that new connections are led to. */
  target;
  /** Connections that were cut. */
  cuts = 0;
  /**
   * Is asked for each piece that the server sends, on each connection: how many of its bytes still get through before
   * the connection is cut; undefined if it is not.
   */
  onReply;
  #server = createServer((client) => this.#accept(client));
  #pairs = new Set();
  #isHeld = false;

  constructor(target) {
    this.target = target;
  }

  get port() {
    return this.#server.address().port;
  }

  #accept(client) {
    const pair = { client, server: connect(this.target, "127.0.0.1") };
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      pair.client.destroy();
      pair.server.destroy();
    };
    for (const socket of [pair.client, pair.server]) {
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", end);
      if (this.#isHeld) socket.pause();
    }
    pair.client.on("data", (data) => pair.server.write(data));
    pair.server.on("data", (data) => this.#reply(pair, data));
    if (!this.#isHeld) return;
    // Who listens for data has set it going.
    for (const socket of Object.values(pair)) socket.pause();
  }

  #reply(pair, data) {
    const { client, server } = pair;
    if (client.writableEnded) return;
    const through = this.onReply?.(data, pair);
    if (through === undefined) client.write(data);
    else {
      this.cuts++;
      client.end(data.subarray(0, through));
      server.destroy();
    }
  }

  /** Nothing gets through any more, and no connection is lost. */
  hold() {
    this.#isHeld = true;
    for (const pair of this.#pairs) for (const socket of Object.values(pair)) socket.pause();
  }

  goOn() {
    this.#isHeld = false;
    for (const pair of this.#pairs) for (const socket of Object.values(pair)) socket.resume();
  }

  /** Cuts all connections. */
  cut() {
    for (const { client, server } of this.#pairs) {
      this.cuts++;
      client.destroy();
      server.destroy();
    }
  }

  async close() {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
