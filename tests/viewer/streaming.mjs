/** A server that sends streams piece by piece beside the viewer, for the tests of live transcripts. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { serve } from "./server.mjs";

const FIXTURES = new URL("../fixtures/", import.meta.url);

/** The bytes of a stream of tests/fixtures. */
export const recording = (name) => readFileSync(new URL(name, FIXTURES));

/** Pieces of bytes of about a length, cut wherever it comes. */
export function pieces(bytes, length) {
  const cut = [];
  for (let at = 0; at < bytes.length; at += length) cut.push(bytes.subarray(at, at + length));
  return cut;
}

/**
 * The viewer, and under `/live/NAME` what `streams[NAME](response)` sends.
 *
 * @param {Record<string, (response: import("node:http").ServerResponse) => Promise<void>>} streams
 */
export function streaming(streams) {
  return besideViewer(/^\/live\/(\w+)/, (name, _request, response) => {
    if (!streams[name]) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    void streams[name](response);
  });
}

/**
 * The viewer, and beside it what `answer` answers to addresses of this form; it is called with what the
 * expression's group found.
 *
 * @param {RegExp} path
 * @param {(name: string, request: import("node:http").IncomingMessage,
 *   response: import("node:http").ServerResponse) => unknown} answer
 */
export async function besideViewer(path, answer) {
  const viewer = await serve();
  const server = createServer((request, response) => {
    const name = path.exec(request.url)?.[1];
    if (name !== undefined) return answer(name, request, response);
    // The page may have gone, and the server with it.
    return forward(viewer.url, request, response).catch(() => response.destroy());
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await viewer.close();
    },
  };
}

async function forward(base, request, response) {
  const answer = await fetch(new URL(request.url.slice(1), base));
  const headers = Object.fromEntries(answer.headers);
  delete headers["content-length"];
  delete headers["transfer-encoding"];
  delete headers.connection;
  delete headers["keep-alive"];
  response.writeHead(answer.status, headers);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** A stream that the test itself writes to. */
export function tap() {
  let open;
  const opened = new Promise((done) => {
    open = done;
  });
  return {
    answer: async (response) => open(response),
    /** The response, once the page has asked. */
    opened,
    async write(text) {
      (await opened).write(text);
    },
    async end() {
      (await opened).end();
    },
    async break() {
      (await opened).destroy();
    },
  };
}

let seq = 0;
/** One delta, as a line of an event stream. */
export function delta(kind, payload = {}) {
  const record = { runId: "r1", seq: ++seq, kind, payload, timestamp: "2026-01-01T00:00:00.000Z" };
  return `data: ${JSON.stringify(record)}\n\n`;
}

export function begin(model = "m-1") {
  seq = 0;
  return delta("start", { modelId: model, requestId: "q" });
}
