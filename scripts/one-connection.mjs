// A proxy that has one connection open at a time, for the browser of the wasm suite. The server of wasm-bindgen's
// test runner gives every connection a thread, and counts a thread as free until it wakes up: of connections that come
// together, some wait for a thread that serves another one until the browser gives up. In 4 of 10 runs the page
// did not load.
import { createServer, request } from "node:http";
import { pipeline } from "node:stream";

/** Starts the proxy; only addresses of this machine are served. Resolves to its port and to what ends it. */
export async function startOneConnection() {
  let last = Promise.resolve();

  const forward = (asked, answer) =>
    new Promise((done) => {
      const url = URL.canParse(asked.url) ? new URL(asked.url) : undefined;
      if (url?.protocol !== "http:" || url.hostname !== "127.0.0.1") {
        answer.writeHead(403).end(done);
        return;
      }
      const { "proxy-connection": _, ...headers } = asked.headers;
      const options = { method: asked.method, headers: { ...headers, connection: "close" } };
      const sent = request(url, { ...options, agent: false }, (got) => {
        const { connection: __, ...given } = got.headers;
        answer.writeHead(got.statusCode, given);
        // Either side may leave before the end: then the other one is closed, and the next request has its turn.
        pipeline(got, answer, () => {});
      });
      sent.on("error", () => answer.destroy());
      sent.on("close", done);
      pipeline(asked, sent, () => {});
    });

  const server = createServer((asked, answer) => {
    last = last.then(() => forward(asked, answer));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

  return {
    port: server.address().port,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
