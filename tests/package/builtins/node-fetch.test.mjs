// The network of the host in Node: the address that was checked is the one that is connected to; bodies are
// decoded only as far as they are read; a connection is closed with its answer.
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { after, describe, test } from "node:test";
import zlib from "node:zlib";
import { allow, outcome } from "./one-call.mjs";
import { imported } from "./source.mjs";

const { fetch, resolve } = await imported("node/fetch.ts");

const MIB = 1024 * 1024;
const ADDRESS = "127.0.0.1";
/** A name that no resolver asks the network for: a part of it is too long. */
const NO_NAME = `${"x".repeat(64)}.invalid`;
const servers = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections?.();
    server.close();
  }
});

async function listen(server) {
  servers.push(server);
  server.listen(0, ADDRESS);
  await once(server, "listening");
  return server.address().port;
}

/** The port of a server that answers so. */
const serve = (answer) => listen(http.createServer(answer));

/** The port of a server that answers with these bytes, and closes unless `isOpen`. */
const serveRaw = (text, isOpen = false) =>
  listen(
    net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () =>
        isOpen ? socket.write(text, "latin1") : socket.end(text, "latin1"),
      );
    }),
  );

/** The answer of a port of this machine, under a name that does not exist. */
const from = (port, init) => fetch(`http://pinned.invalid:${port}/`, { address: ADDRESS, ...init });

describe("a request", () => {
  test("goes to the given address, whatever the name; the name stays in Host", async () => {
    let seen;
    const port = await serve((request, response) => {
      seen = { url: request.url, ...request.headers };
      response.end("here");
    });
    const url = `http://name.invalid:${port}/a%20b?c=d`;
    const response = await fetch(url, {
      address: ADDRESS,
      headers: { accept: "text/html", host: "x" },
    });
    assert.equal(await response.text(), "here");
    assert.ok(response instanceof Response && response.ok);
    assert.equal(seen.url, "/a%20b?c=d");
    assert.equal(seen.host, `name.invalid:${port}`);
    assert.equal(seen.accept, "text/html");
    assert.equal(seen.connection, "close");
    // Also where the URL has an address itself.
    const other = await fetch(`http://192.0.2.1:${port}/`, { address: ADDRESS });
    assert.equal(await other.text(), "here");
    assert.equal(seen.host, `192.0.2.1:${port}`);
  });

  test("without an address the name is resolved", async () => {
    const port = await serve((_, response) => response.end("here"));
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), "here");
    await assert.rejects(fetch(`http://${NO_NAME}:${port}/`), { name: "TypeError" });
  });

  test("over TLS tells the server the name, not the address", async () => {
    let hello = "";
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (data) => {
        hello = data.toString("latin1");
        socket.destroy();
      });
    });
    const port = await listen(server);
    await assert.rejects(fetch(`https://name.invalid:${port}/`, { address: ADDRESS }), {
      message: "fetch failed",
    });
    assert.match(hello, /name\.invalid/);
  });

  test("follows no redirect", async () => {
    let requests = 0;
    const port = await serve((_, response) => {
      requests++;
      response.writeHead(302, { location: "/next" }).end();
    });
    const response = await from(port);
    assert.deepEqual([response.status, response.headers.get("location")], [302, "/next"]);
    assert.equal(requests, 1);
  });

  test("that fails is a TypeError with its cause, as that of the standard fetch", async () => {
    const closed = net.createServer();
    const port = await listen(closed);
    closed.close();
    await once(closed, "close");
    const error = await from(port).catch((reason) => reason);
    assert.deepEqual([error.name, error.cause.code], ["TypeError", "ECONNREFUSED"]);
    const broken = [
      "",
      "nonsense\r\n\r\n",
      "HTTP/1.1 200 OK\r\nx",
      "HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ];
    for (const text of broken)
      await assert.rejects(from(await serveRaw(text)), { name: "TypeError" });
    const headers = `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1000)}\r\n`.repeat(100)}\r\n`;
    await assert.rejects(from(await serveRaw(headers)), { name: "TypeError" });
  });
});

describe("an answer", () => {
  test("may have a status that `Response` does not take", async () => {
    for (const status of [999, 600, 204, 205, 304, 404]) {
      const port = await serveRaw(`HTTP/1.1 ${status} Odd \xe9\r\nx: \xe9\r\nx: 2\r\n\r\n`);
      const response = await from(port);
      assert.equal(response.status, status);
      assert.equal(response.headers.get("x"), "é, 2");
      assert.equal(await response.text(), "");
    }
  });

  const text = "some text, ".repeat(10_000);
  const codings = {
    "": (data) => data,
    identity: (data) => data,
    gzip: zlib.gzipSync,
    "X-GZIP": zlib.gzipSync,
    br: zlib.brotliCompressSync,
    deflate: zlib.deflateSync,
    "deflate, gzip": (data) => zlib.gzipSync(zlib.deflateSync(data)),
    "gzip , br": (data) => zlib.brotliCompressSync(zlib.gzipSync(data)),
  };
  for (const [coding, encode] of Object.entries(codings)) {
    test(`is decoded: "${coding}"`, async () => {
      const port = await serve((_, response) => {
        response.writeHead(200, { "content-encoding": coding }).end(encode(Buffer.from(text)));
      });
      assert.equal(await (await from(port)).text(), text);
    });
  }

  test("is decoded: deflate without a header, as some servers send it; and an empty one", async () => {
    for (const [body, expected] of [
      [zlib.deflateRawSync(text), text],
      [zlib.deflateRawSync("x", { level: 0 }), "x"],
      ["", ""],
    ]) {
      const port = await serve((_, response) => {
        response.writeHead(200, { "content-encoding": "deflate" }).end(body);
      });
      assert.equal(await (await from(port)).text(), expected);
    }
  });

  test("with a coding that is not known, or with too many, is refused, and closed", async () => {
    for (const coding of ["zstd", "gzip, what", "gzip,gzip,gzip,gzip,gzip"]) {
      const port = await serve((_, response) => {
        response.writeHead(200, { "content-encoding": coding }).write("x");
      });
      await assert.rejects(from(port), /coding/);
    }
  });

  test("that is not what its coding says, or ends early, breaks when it is read", async () => {
    const whole = zlib.gzipSync(text);
    const bodies = [Buffer.from("no gzip"), whole.subarray(0, whole.length - 20)];
    for (const body of bodies) {
      const port = await serve((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(body);
      });
      await assert.rejects((await from(port)).text());
    }
    const early = await serveRaw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
    await assert.rejects((await from(early)).text());
    const chunked = await serveRaw(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    );
    await assert.rejects((await from(chunked)).text());
  });

  for (const [coding, encode] of [
    ["gzip", zlib.gzipSync],
    ["br", zlib.brotliCompressSync],
    ["deflate", zlib.deflateRawSync],
  ]) {
    test(`that becomes huge is decoded only as far as it is read: ${coding}`, async () => {
      const bomb = encode(Buffer.alloc(256 * MIB));
      const port = await serve((_, response) => {
        response.writeHead(200, { "content-encoding": coding }).end(bomb);
      });
      const before = process.memoryUsage().arrayBuffers;
      const reader = (await from(port)).body.getReader();
      let size = 0;
      while (size < 2 * MIB) size += (await reader.read()).value.byteLength;
      assert.ok(process.memoryUsage().arrayBuffers - before < 64 * MIB);
      await reader.cancel();
    });
  }
});

describe("a connection", () => {
  /** A server that sends without end, and a promise of the end of its first connection. */
  async function endless() {
    let ended;
    const closed = new Promise((done) => {
      ended = done;
    });
    const port = await serve((request, response) => {
      request.socket.on("close", ended);
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      more();
    });
    return { port, closed };
  }

  test("is closed when its body is cancelled", async () => {
    const { port, closed } = await endless();
    const reader = (await from(port)).body.getReader();
    await reader.read();
    await reader.cancel();
    await closed;
  });

  test("is closed when a body is cancelled that nothing comes of", async () => {
    let ended;
    const closed = new Promise((done) => {
      ended = done;
    });
    const port = await serve((request, response) => {
      request.socket.on("close", ended);
      response.writeHead(200, { "content-encoding": "gzip" }).flushHeaders();
    });
    const reader = (await from(port)).body.getReader();
    const reading = reader.read();
    await reader.cancel();
    assert.equal((await reading).done, true);
    await closed;
  });

  test("is closed on abort, before an answer and after", async () => {
    const { port, closed } = await endless();
    const stop = new AbortController();
    const reader = (await from(port, { signal: stop.signal })).body.getReader();
    await reader.read();
    stop.abort(new Error("enough"));
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    }, /enough/);
    await closed;

    let arrived;
    const waiting = new Promise((done) => {
      arrived = done;
    });
    const silent = await serve((request) => arrived(request.socket));
    const other = new AbortController();
    const asking = from(silent, { signal: other.signal });
    const socket = await waiting;
    const end = once(socket, "close");
    other.abort(new Error("enough"));
    await assert.rejects(asking, /enough/);
    await end;
    await assert.rejects(
      from(silent, { signal: AbortSignal.abort(new Error("before")) }),
      /before/,
    );
  });
});

test("names are resolved to all of their addresses", async () => {
  const addresses = await resolve("localhost");
  assert.ok(addresses.length > 0 && addresses.every((address) => net.isIP(address) > 0));
  assert.equal(new Set(addresses).size, addresses.length);
  assert.deepEqual(await resolve("127.0.0.1"), ["127.0.0.1"]);
  await assert.rejects(resolve(NO_NAME));
});

describe("web-fetch over it", () => {
  const page = (port, host, rules) =>
    outcome(host, "web-fetch", { url: `http://name.invalid:${port}/` }, { rules });

  test("connects to the address that was checked, though the name leads elsewhere later", async () => {
    const port = await serve((request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end(request.headers.host);
    });
    let asked = 0;
    const host = { fetch, resolve: async () => [asked++ === 0 ? ADDRESS : "192.0.2.1"] };
    const rules = [allow("webfetch", `http://name.invalid:${port}/*`)];
    const { state } = await page(port, host, rules);
    assert.equal(state.output, `name.invalid:${port}`);
    assert.equal(asked, 1);
  });

  test("a bomb is stopped at 5 MiB, a server that never ends too", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(64 * MIB, "a"));
    const port = await serve((_, response) => {
      response
        .writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain" })
        .end(bomb);
    });
    const host = { fetch, resolve: async () => [ADDRESS] };
    const { state } = await page(port, host, [allow("webfetch", "http://name.invalid:*")]);
    assert.match(state.error, /larger than 5 MiB/);
  });

  test("the standard fetch does as well", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/end" }).end();
      else response.writeHead(200, { "content-type": "text/html" }).end("<h1>End</h1>");
    });
    const rules = [allow("webfetch", `http://127.0.0.1:${port}/*`)];
    const host = { fetch: globalThis.fetch };
    const { state } = await outcome(
      host,
      "web-fetch",
      { url: `http://127.0.0.1:${port}/` },
      { rules },
    );
    assert.deepEqual([state.output, state.metadata.url], ["# End", `http://127.0.0.1:${port}/end`]);
  });
});
