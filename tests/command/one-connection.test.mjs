// The proxy between Chromium and the server of the wasm suite.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { startOneConnection } from "../../scripts/one-connection.mjs";

let server;
let proxy;
let open = 0;
let most = 0;
before(async () => {
  server = createServer(({ url }, answer) => {
    if (url === "/endless") {
      const more = () => {
        while (!answer.destroyed && answer.write("x".repeat(1 << 16)));
      };
      answer.on("drain", more);
      more();
    } else if (url === "/cut") answer.write("a", () => answer.destroy());
    else answer.end(url);
  });
  server.on("connection", (socket) => {
    most = Math.max(most, ++open);
    socket.on("close", () => open--);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await startOneConnection();
});
after(() => {
  proxy?.end();
  server?.closeAllConnections();
  server?.close();
});

const address = (path) => `http://127.0.0.1:${server.address().port}${path}`;

async function asked(path) {
  const [answer] = await once(get({ port: proxy.port, host: "127.0.0.1", path }), "response");
  let text = "";
  for await (const chunk of answer) text += chunk;
  return `${answer.statusCode} ${text}`;
}

test("requests that come together have one connection at a time", async () => {
  const paths = Array.from({ length: 12 }, (_, i) => `/${i}`);
  const answers = await Promise.all(paths.map((path) => asked(address(path))));
  assert.deepEqual(
    answers,
    paths.map((path) => `200 ${path}`),
  );
  assert.equal(most, 1);
});

test("a browser that leaves, and an answer that is cut, keep nobody waiting", async () => {
  const browser = connect(proxy.port, "127.0.0.1");
  browser.write(`GET ${address("/endless")} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(browser, "data");
  browser.destroy();
  await assert.rejects(asked(address("/cut")));
  assert.equal(await asked(address("/next")), "200 /next");
});

test("other machines are not asked", async () => {
  assert.equal(await asked("http://example.com/"), "403 ");
});
