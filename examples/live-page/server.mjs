/**
 * Streams a recorded run at its original speed, and serves a page that shows it:
 *
 *   node examples/live-page/server.mjs [EXPORT.json] [--speed 4] [--port 4180]
 *
 * The events are those that an OpenCode server sends (`message.updated`, `message.part.updated`,
 * `message.part.delta`); here they are derived from an exported session and its times. A service would send
 * its own events or deltas in the same way.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const SAMPLE = at("../../www/public/samples/fix-greeting.json");
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/** The number of characters in a delta: about one or two tokens. */
const DELTA = 12;

/** The events of a run with their times, in order. */
export function eventsOf({ info, messages }) {
  const events = [{ at: 0, type: "session.created", properties: { info } }];
  let now = 0;
  const say = (time, type, properties) => {
    // The times of a recording may be out of order; the events are in order.
    now = Math.max(now, time ?? now);
    events.push({ at: now, type, properties });
  };
  for (const { info: message, parts } of messages) {
    const { completed, ...time } = message.time;
    say(time.created, "message.updated", { info: { ...message, time } });
    for (const part of parts) eventsOfPart(part, say);
    say(completed, "message.updated", { info: message });
  }
  return events;
}

function eventsOfPart(part, say) {
  const { sessionID, messageID, id: partID } = part;
  const span = part.state?.time ?? part.time ?? {};
  if (part.type === "tool") {
    const { input } = part.state;
    const state = { status: "running", input, time: { start: span.start } };
    say(span.start, "message.part.updated", { part: { ...part, state } });
  } else if (typeof part.text === "string" && span.end !== undefined) {
    const begun = { ...part, text: "", time: { start: span.start } };
    say(span.start, "message.part.updated", { part: begun });
    const units = Array.from(part.text);
    for (let i = 0; i < units.length; i += DELTA) {
      const delta = units.slice(i, i + DELTA).join("");
      const share = (i + DELTA) / units.length;
      const time = span.start + Math.min(1, share) * (span.end - span.start);
      say(time, "message.part.delta", { sessionID, messageID, partID, field: "text", delta });
    }
  }
  say(span.end, "message.part.updated", { part });
}

/**
 * Serves the page and the run.
 *
 * @param {{ file?: string, speed?: number, port?: number }} [options]
 */
export function serve({ file = SAMPLE, speed = 1, port = 0 } = {}) {
  const events = eventsOf(JSON.parse(readFileSync(file, "utf8")));
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    if (path === "/events") return stream(events, speed, response);
    const found = /^\/(?:(apex-parts)\/)?([\w-]+\/)?([\w.-]*)$/.exec(path);
    const name = `${found?.[2] ?? ""}${found?.[3] || "index.html"}`;
    try {
      const body = readFileSync(at(found?.[1] ? `../../pkg/${name}` : name));
      response.writeHead(200, {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        // The policy that a page with the element needs.
        "content-security-policy":
          "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
          "img-src data:; connect-src 'self'; worker-src 'self'",
      });
      response.end(body);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("There is no such file.\n");
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve({
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () => {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}

async function stream(events, speed, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  let gone = false;
  response.on("close", () => {
    gone = true;
  });
  let before = events[1]?.at ?? 0;
  for (const { at: time, ...event } of events) {
    const pause = Math.max(0, time - before) / speed;
    before = Math.max(before, time);
    if (pause >= 1) await wait(pause);
    if (gone) return;
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end("event: done\ndata:\n\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { speed: { type: "string" }, port: { type: "string" } },
  });
  const speed = Number(values.speed ?? 1);
  if (!(speed > 0)) throw new Error("--speed is a number above 0");
  const { url } = await serve({ file: positionals[0], speed, port: Number(values.port ?? 4180) });
  console.log(`a recorded run: ${url}`);
}
