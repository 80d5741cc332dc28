import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { serve } from "../../pkg/cli/view/server.mjs";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'";

let folder;
let root;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "serve-"));
  root = join(folder, "root");
  writeFileSync(join(folder, "secret.txt"), "secret");
  mkdirSync(root);
  for (const name of ["index.html", "a.js", "a.css", "a.wasm", "a.json", "a.svg"]) {
    writeFileSync(join(root, name), name);
  }
  symlinkSync(join(folder, "secret.txt"), join(root, "link.txt"));
});
after(() => rmSync(folder, { recursive: true }));

async function serving(options, run) {
  const server = await serve({ root, ...options });
  try {
    await run(server, await cookieOf(server));
  } finally {
    await server.close();
  }
}

/** A request with an unchanged path, which fetch would normalize. */
async function ask(port, path, { method = "GET", ...headers } = {}) {
  const asked = request({ host: "127.0.0.1", port, path, method, headers }).end();
  const [response] = await once(asked, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

/** What the first address gives for its token: the cookie. */
async function cookieOf({ port, url }) {
  const { headers } = await ask(port, url.slice(url.indexOf("/?")));
  return headers["set-cookie"]?.[0].split(";")[0];
}

/** How many files of this name the process has open. */
function openFiles(name) {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(join("/proc/self/fd", fd));
    } catch {
      return ""; // the one of this listing
    }
  });
  return links.filter((link) => link.endsWith(name)).length;
}

describe("the server", () => {
  const counts = {
    timeout: 60_000,
    skip: existsSync("/proc/self/fd") ? false : "open files cannot be counted here",
  };
  test("closes a file when who asked for it has gone before it was open", counts, () =>
    serving({ isPublic: true }, async ({ port }) => {
      const warnings = [];
      const warn = ({ message }) => warnings.push(message);
      process.on("warning", warn);
      try {
        for (let i = 0; i < 100; i++) {
          const socket = connect(port, "127.0.0.1");
          await once(socket, "connect");
          socket.write(`GET /a.wasm HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
          socket.destroy();
        }
        assert.equal((await ask(port, "/a.wasm")).status, 200);
        // One that is being closed is closed soon.
        while (openFiles("a.wasm") > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      } finally {
        process.off("warning", warn);
      }
      assert.deepEqual(warnings, [], "none was left to the garbage collector");
    }),
  );

  test("sends files with their types and the policy", () =>
    serving({}, async ({ port, url }, cookie) => {
      assert.match(url, new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?t=[\\da-f]{32}$`));
      const types = {
        "/": "text/html; charset=utf-8",
        "/index.html": "text/html; charset=utf-8",
        "/a.js": "text/javascript; charset=utf-8",
        "/a.css": "text/css; charset=utf-8",
        "/a.wasm": "application/wasm",
        "/a.json?x=1": "application/json; charset=utf-8",
        "/a.svg": "image/svg+xml",
      };
      for (const [path, type] of Object.entries(types)) {
        const { status, headers } = await ask(port, path, { cookie });
        assert.equal(status, 200, path);
        assert.equal(headers["content-type"], type);
        assert.equal(headers["content-security-policy"], POLICY);
        assert.equal(headers["x-content-type-options"], "nosniff");
        assert.equal(headers["referrer-policy"], "no-referrer");
        assert.equal(headers["cache-control"], "no-store");
        assert.equal(headers["cross-origin-resource-policy"], "same-origin");
        const open = Object.keys(headers).filter((name) => name.startsWith("access-control"));
        assert.deepEqual(open, []);
      }
      assert.equal((await ask(port, "/a.js", { cookie, method: "HEAD" })).body, "");
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
        assert.equal((await ask(port, "/a.js", { cookie, method })).status, 405, method);
      }
    }));

  test("listens on this machine's own address only", () =>
    serving({}, async ({ port }) => {
      // All of 127.0.0.0/8 is this machine, and what listens on every address would answer there.
      const socket = connect({ host: "127.0.0.2", port });
      const [error] = await once(socket, "error");
      assert.match(error.code, /^(?:ECONNREFUSED|EADDRNOTAVAIL|ETIMEDOUT)$/);
    }));

  test("serves nothing from outside its folder, and goes on after each try", () =>
    serving({}, async ({ port }, cookie) => {
      for (const path of [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/%252e%252e/secret.txt",
        "/..\\secret.txt",
        "/..%5csecret.txt",
        "/a/../../secret.txt",
        "//secret.txt",
        "/link.txt",
        "/%00",
        "/a.js%00",
        "/a.js%00.html",
        "/%",
        "/nothing",
        "/files/1/secret.txt",
        "/list.json",
        `/${encodeURIComponent(join(folder, "secret.txt"))}`,
        join(folder, "secret.txt"),
      ]) {
        const { status, body } = await ask(port, path, { cookie });
        assert.deepEqual([status, body], [404, ""], path);
      }
      assert.equal((await ask(port, "/a.js", { cookie })).body, "a.js");
    }));

  test("serves the given file, under its number and its name only", () =>
    serving({ file: join(folder, "secret.txt") }, async ({ port, url }, cookie) => {
      assert.match(url, /&src=files\/1\/secret\.txt$/);
      const { body, headers } = await ask(port, "/files/1/secret.txt", { cookie });
      assert.equal(body, "secret");
      assert.equal(headers["content-type"], "application/octet-stream");
      for (const path of [
        "2/secret.txt",
        "1/other.txt",
        "1",
        "1/",
        "01/secret.txt",
        "1/../1/secret.txt",
      ]) {
        assert.equal((await ask(port, `/files/${path}`, { cookie })).status, 404, path);
      }
    }));

  test("serves the list of the runs in a folder, and of them only what it names", async () => {
    const runs = join(folder, "runs");
    mkdirSync(join(runs, "a b", "node_modules"), { recursive: true });
    const files = { "one.json": "1", "a b/two 100%.jsonl": "22", "a b/node_modules/x.json": "x" };
    for (const [name, text] of Object.entries({ ...files, "key.pem": "secret" })) {
      writeFileSync(join(runs, name), text);
    }
    symlinkSync(join(folder, "secret.txt"), join(runs, "out.txt"));
    symlinkSync(folder, join(runs, "out"));
    symlinkSync(runs, join(runs, "a b", "round"));
    await serving({ paths: [runs] }, async ({ port, url }, cookie) => {
      assert.match(url, /&runs=list\.json$/);
      const { status, headers, body } = await ask(port, "/list.json", { cookie });
      assert.equal(status, 200);
      assert.equal(headers["content-security-policy"], POLICY);
      const list = JSON.parse(body);
      const home = homedir();
      const shown = runs.startsWith(`${home}/`) ? runs.replace(home, "~") : runs;
      assert.deepEqual([list.name, list.folder, list.more, list.total], ["runs", shown, false, 2]);
      assert.deepEqual(
        list.files.map(({ path, address, size }) => [path, address, size]),
        [
          ["a b/two 100%.jsonl", "files/1/two%20100%25.jsonl", 2],
          ["one.json", "files/2/one.json", 1],
        ],
      );
      assert.equal((await ask(port, "/files/1/two%20100%25.jsonl", { cookie })).body, "22");
      for (const path of [
        ...["key.pem", "2/key.pem", "3/out.txt", "out/secret.txt", "2/../1/two%20100%25.jsonl"],
        ...["..%2fsecret.txt", "1/../../../secret.txt", "2/..%5cone.json", "", ".", "2\\one.json"],
        ...["%2e%2e/secret.txt", "2/one.json/", "2//one.json", "2/one.json%00", "-1/one.json"],
      ]) {
        const answer = await ask(port, `/files/${path}`, { cookie });
        assert.deepEqual([answer.status, answer.body], [404, ""], path);
      }
      // What was a file when it was listed may be a link that leads elsewhere by now.
      rmSync(join(runs, "one.json"));
      symlinkSync(join(folder, "secret.txt"), join(runs, "one.json"));
      assert.equal((await ask(port, "/files/2/one.json", { cookie })).status, 404);
      // Or a pipe, for whose other end nobody waits.
      rmSync(join(runs, "one.json"));
      execFileSync("mkfifo", [join(runs, "one.json")]);
      assert.equal((await ask(port, "/files/2/one.json", { cookie })).status, 404);
      // The list is that of the moment in which it is asked for, and a file keeps its number.
      writeFileSync(join(runs, "three.json"), "3");
      const next = JSON.parse((await ask(port, "/list.json", { cookie })).body);
      assert.deepEqual(
        next.files.map(({ address }) => address),
        ["files/1/two%20100%25.jsonl", "files/3/three.json"],
      );
    });
  });

  test("serves a list of several files, from wherever they are", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "same.txt"), "other");
    writeFileSync(join(folder, "same.txt"), "first");
    const paths = [join(folder, "same.txt"), join(other, "same.txt")];
    await serving({ paths }, async ({ port }, cookie) => {
      const { name, files } = JSON.parse((await ask(port, "/list.json", { cookie })).body);
      assert.equal(name, "2 files");
      assert.deepEqual(
        files.map(({ path }) => path),
        ["same.txt", "other/same.txt"],
      );
      assert.equal((await ask(port, "/files/2/same.txt", { cookie })).body, "other");
      assert.equal((await ask(port, "/files/3/secret.txt", { cookie })).status, 404);
    });
    await assert.rejects(
      serve({ root, paths: [folder, join(folder, "gone")] }),
      /gone: no such file$/,
    );
  });

  test("uses the next port if its own is taken, unless the port was given", async () => {
    await serving({}, async ({ port }) => {
      await assert.rejects(serve({ root, port }), /is in use: choose another, or none$/);
      await serving({ port, fallback: true }, (next) => assert.ok(next.port > port));
    });
  });
});

describe("who asks the server", () => {
  /** Asks for the page and for a file of the user; both answers must be the same. */
  async function status(port, headers) {
    const answers = [];
    for (const path of ["/", "/files/1/secret.txt"]) answers.push(await ask(port, path, headers));
    assert.equal(answers[0].status, answers[1].status);
    if (answers[0].status !== 200) {
      assert.deepEqual(
        answers.map(({ body }) => body),
        ["", ""],
      );
    }
    return answers[0].status;
  }
  const withFile = (run) => serving({ file: join(folder, "secret.txt") }, run);

  test("needs the token of this start: first in the address, then in the cookie", () =>
    withFile(async ({ port, url }, cookie) => {
      const first = await ask(port, `${url.slice(url.indexOf("/?"))}&beside=x`);
      assert.equal(first.status, 302);
      assert.equal(first.headers.location, "/?src=files/1/secret.txt&beside=x");
      const [set] = first.headers["set-cookie"];
      assert.match(set, /^apex-parts-\d+=[\da-f]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
      assert.equal(first.body, "");
      assert.equal(await status(port, { cookie }), 200);
      assert.equal(await status(port, { cookie: `a=b; ${cookie}; c=d` }), 200);
      const token = cookie.split("=")[1];
      const name = cookie.split("=")[0];
      const flipped = `${token[0] === "0" ? "1" : "0"}${token.slice(1)}`;
      for (const wrong of [
        "",
        `${name}=`,
        `${name}=${flipped}`,
        `${name}=${token}0`,
        `x=${token}`,
      ]) {
        assert.equal(await status(port, { cookie: wrong }), 403, wrong);
      }
      assert.equal(await status(port, {}), 403);
      for (const path of [
        `/?t=${flipped}`,
        "/?t=",
        `/files/1/secret.txt?t=${token}`,
        `/a.js?t=${token}`,
      ]) {
        const { status: code, headers } = await ask(port, path);
        assert.deepEqual([code, headers["set-cookie"]], [403, undefined], path);
      }
      assert.equal((await ask(port, `/?t=${token}`, { method: "POST" })).status, 403);
    }));

  test("the token of one start is not that of another", () =>
    withFile(({ url }, cookie) =>
      withFile(async (other, own) => {
        assert.notEqual(url.split("t=")[1], other.url.split("t=")[1]);
        // A browser sends both: cookies have no port.
        assert.equal(await status(other.port, { cookie: `${cookie}; ${own}` }), 200);
        assert.equal(await status(other.port, { cookie }), 403);
      }),
    ));

  test("by another name than this machine's is refused: a name of somebody else's may lead here", () =>
    withFile(async ({ port }, cookie) => {
      assert.equal(await status(port, { cookie, host: `localhost:${port}` }), 200);
      for (const host of [
        ...[
          "evil.example",
          `evil.example:${port}`,
          "127.0.0.1",
          "localhost",
          `127.0.0.1:${port + 1}`,
        ],
        ...[`localhost.evil.example:${port}`, `[::1]:${port}`, `0.0.0.0:${port}`],
      ]) {
        assert.equal(await status(port, { cookie, host }), 403, host);
      }
    }));

  test("from a page of another origin is refused, with the cookie too", () =>
    withFile(async ({ port, url }, cookie) => {
      for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
        assert.equal(await status(port, { cookie, origin }), 200, origin);
      }
      for (const origin of [
        ...["https://evil.example", "null", `https://127.0.0.1:${port}`, "http://127.0.0.1"],
        ...[`http://127.0.0.1:${port + 1}`, `http://127.0.0.1:${port}.evil.example`, ""],
      ]) {
        assert.equal(await status(port, { cookie, origin }), 403, origin);
      }
      const cross = { cookie, "sec-fetch-site": "cross-site" };
      assert.equal(await status(port, cross), 403);
      assert.equal((await ask(port, url.slice(url.indexOf("/?")), cross)).status, 403);
      // Another server of this machine: its page may lead here, and not take what is here.
      const near = { cookie, "sec-fetch-site": "same-site" };
      assert.equal(await status(port, { ...near, "sec-fetch-mode": "no-cors" }), 403);
      assert.equal(await status(port, { ...near, "sec-fetch-mode": "navigate" }), 200);
      for (const site of ["none", "same-origin"]) {
        assert.equal(await status(port, { cookie, "sec-fetch-site": site }), 200, site);
      }
    }));

  test("in broken HTTP ends with its connection, and the server goes on", () =>
    withFile(async ({ port }, cookie) => {
      for (const text of [
        "GET / HTTP/1.1\r\n\r\n",
        "nonsense\r\n\r\n",
        `GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
        `GET /\0 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
        `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      ]) {
        const socket = connect({ host: "127.0.0.1", port }).on("error", () => {});
        socket.end(text);
        let said = "";
        for await (const chunk of socket) said += chunk;
        assert.match(said, /^(?:HTTP\/1\.1 4|$)/);
      }
      assert.equal(await status(port, { cookie }), 200);
    }));

  test("for what everybody may have needs no token, and the rest holds", () =>
    serving({ isPublic: true }, async ({ port, url }) => {
      assert.equal(url, `http://127.0.0.1:${port}/`);
      assert.equal((await ask(port, "/")).status, 200);
      assert.equal((await ask(port, "/", { host: "evil.example" })).status, 403);
      assert.equal((await ask(port, "/", { origin: "https://evil.example" })).status, 403);
    }));
});
