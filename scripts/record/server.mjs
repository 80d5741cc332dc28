// `opencode serve` on loopback: sessions and prompts over its HTTP API, and all that its `GET /event` sends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { forget, keep, killAll } from "./processes.mjs";

/** Waits for the line that says where the server listens. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        const match = /listening on (http:\/\/\S+)/.exec(output);
        if (match) resolve(match[1]);
      });
    }
    child.on("exit", (code) => reject(new Error(`opencode serve ended with ${code}:\n${output}`)));
    child.on("error", reject);
  });
}

/** The events of the server from now on. */
class Events {
  /** Everything that was sent, as it was. */
  text = "";
  /** The events so far. */
  list = [];
  #rest = "";
  #takers = new Set();

  async follow(response) {
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      const text = decoder.decode(bytes, { stream: true });
      this.text += text;
      const records = (this.#rest + text).split("\n\n");
      this.#rest = records.pop();
      for (const record of records) {
        const event = JSON.parse(record.slice(record.indexOf("data: ") + 6));
        this.list.push(event);
        for (const take of this.#takers) take(event);
      }
    }
  }

  /** Calls a function with each event from now on. */
  on(take) {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  /** The first event, of those so far or to come, for which the function holds. */
  async find(isWanted) {
    for (;;) {
      const event = this.list.find(isWanted);
      if (event) return event;
      await sleep(10);
    }
  }

  /** Waits until nothing has been sent for a while: what follows the last answer has been sent then. */
  async silence(ms = 400) {
    for (let length = -1; length !== this.list.length; await sleep(ms)) length = this.list.length;
  }
}

/**
 * Starts the server.
 *
 * @param {{ after(work: () => unknown): void }} t what the server ends with
 * @param {{ program: string, cwd: string, env: object, model: object }} place
 */
export async function startServer(t, { program, cwd, env, model }) {
  const args = ["serve", "--hostname", "127.0.0.1", "--port", "0"];
  const child = spawn(program, args, {
    ...{ cwd, env, stdio: ["ignore", "pipe", "pipe"] },
    detached: process.platform !== "win32",
  });
  keep(child);
  const ended = once(child, "exit");
  let isOver = false;
  const close = async () => {
    if (isOver) return;
    isOver = true;
    killAll(child);
    await ended;
    forget(child);
  };
  t.after(close);
  const url = await listening(child);

  async function ask(method, path, body) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  }

  const events = new Events();
  events.follow(await fetch(new URL("/event", url))).catch((error) => {
    if (!isOver) throw error;
  });
  await events.find(({ type }) => type === "server.connected");

  const messages = (sessionID) => ask("GET", `/session/${sessionID}/message`);
  const info = (sessionID) => ask("GET", `/session/${sessionID}`);

  return {
    events,
    /** A new session. */
    session: (title) => ask("POST", "/session", { title }),
    /** A prompt, to the end of its turn; texts or parts. */
    prompt(sessionID, parts, options = {}) {
      const list = typeof parts === "string" ? [{ type: "text", text: parts }] : parts;
      return ask("POST", `/session/${sessionID}/message`, { model, parts: list, ...options });
    },
    /** Summarises a session by hand. */
    summarize: (sessionID) => ask("POST", `/session/${sessionID}/summarize`, model),
    abort: (sessionID) => ask("POST", `/session/${sessionID}/abort`),
    messages,
    info,
    /** The session as `opencode export` writes it. */
    read: async (sessionID) => ({
      info: await info(sessionID),
      messages: await messages(sessionID),
    }),
    /** Answers a request for permission. */
    reply: (requestID, reply) => ask("POST", `/permission/${requestID}/reply`, reply),
    close,
  };
}
