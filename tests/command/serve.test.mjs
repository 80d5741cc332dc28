import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../scripts/serve.mjs";

const SCRIPT = fileURLToPath(new URL("../../scripts/serve.mjs", import.meta.url));
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
    await run(server);
  } finally {
    await server.close();
  }
}

/** A request with an unchanged path, which fetch would normalize. */
async function get(port, path, method = "GET") {
  const asked = request({ host: "127.0.0.1", port, path, method }).end();
  const [response] = await once(asked, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

describe("the server", () => {
  test("sends files with their types and the policy", () =>
    serving({}, async ({ port, url }) => {
      assert.equal(url, `http://127.0.0.1:${port}/`);
      const types = {
        "/": "text/html; charset=utf-8",
        "/a.js": "text/javascript; charset=utf-8",
        "/a.css": "text/css; charset=utf-8",
        "/a.wasm": "application/wasm",
        "/a.json?x=1": "application/json; charset=utf-8",
        "/a.svg": "image/svg+xml",
      };
      for (const [path, type] of Object.entries(types)) {
        const { status, headers } = await get(port, path);
        assert.equal(status, 200, path);
        assert.equal(headers["content-type"], type);
        assert.equal(headers["content-security-policy"], POLICY);
        assert.equal(headers["x-content-type-options"], "nosniff");
      }
      assert.equal((await get(port, "/a.js", "HEAD")).body, "");
      assert.equal((await get(port, "/a.js", "POST")).status, 405);
    }));

  test("serves nothing from outside its folder", () =>
    serving({}, async ({ port }) => {
      for (const path of [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/a/../../secret.txt",
        "//secret.txt",
        "/link.txt",
        "/%00",
        "/%",
        "/nothing",
        "/open/secret.txt",
      ]) {
        const { status, body } = await get(port, path);
        assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
        assert.doesNotMatch(body, /secret/);
      }
    }));

  test("serves the given file", () =>
    serving({ file: join(folder, "secret.txt") }, async ({ port, url }) => {
      assert.equal(url, `http://127.0.0.1:${port}/?src=open/secret.txt`);
      assert.equal((await get(port, "/open/secret.txt")).body, "secret");
      assert.equal((await get(port, "/open/other.txt")).status, 404);
    }));

  test("uses the next port if its own is taken, unless the port was given", async () => {
    await serving({}, async ({ port }) => {
      await assert.rejects(serve({ root, port }), /is taken/);
      await serving({ port, fallback: true }, (next) => assert.ok(next.port > port));
    });
  });
});

describe("the script", () => {
  test("prints its address and ends cleanly", async () => {
    const child = spawn(process.execPath, [SCRIPT, "--port", "0", "--no-open"]);
    const [line] = await once(child.stdout, "data");
    assert.match(String(line), /^apex-parts viewer: http:\/\/127\.0\.0\.1:\d+\/\n$/);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  });

  test("reports a missing file in one sentence", async () => {
    const result = await new Promise((done) => {
      execFile(process.execPath, [SCRIPT, "no such file.json"], (error, out, err) =>
        done({ code: error?.code, out, err }),
      );
    });
    assert.deepEqual(result, { code: 1, out: "", err: "There is no file no such file.json.\n" });
  });
});
