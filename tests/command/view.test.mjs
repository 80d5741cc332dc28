// `apex-parts view`, as a user runs it: what it prints, what it refuses, how it ends. (Its server:
// view-server.test.mjs; its page in a browser: tests/package/view.test.mjs)
// Needs: viewer.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { hasBrowser, openInBrowser } from "../../pkg/cli/view/browser.mjs";
import { at, file, folder, run, start } from "./command.mjs";

const SESSION = at("tests/fixtures/subtask.export.json");
const ADDRESS = /^http:\/\/127\.0\.0\.1:(\d+)\/\?t=[\da-f]{32}(.*)$/;
const here = (name) => mkdtempSync(join(folder, `${name}-`));

const running = new Set();
after(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** Runs a program until it has printed the address; then `look` at it, and stop it as Ctrl-C does. */
async function whileRunning(child, look) {
  running.add(child);
  const said = { out: "", err: "" };
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  for await (const chunk of child.stdout) {
    said.out += chunk;
    if (said.out.includes("\n")) break;
  }
  const found = ADDRESS.exec(said.out.split("\n")[0]);
  assert.ok(found, `${said.out}${said.err}`);
  await look({ port: Number(found[1]), query: found[2], url: said.out.trim(), said, child });
  child.kill("SIGINT");
  const [code] = child.exitCode === null ? await once(child, "close") : [child.exitCode];
  running.delete(child);
  assert.equal(code, 0, said.err);
  return said;
}

const viewing = (args, look = () => {}) =>
  whileRunning(start(["view", "--no-open", "--port", "0", ...args]), look);

/** Asks as the browser does, with the cookie. */
async function asked(url, address) {
  const first = await fetch(url, { redirect: "manual" });
  const cookie = first.headers.get("set-cookie").split(";")[0];
  return fetch(new URL(address, url), { headers: { cookie } });
}

/** Waits until a condition holds. */
async function until(holds) {
  while (!holds()) await new Promise((done) => setTimeout(done, 10));
}

describe("view", () => {
  test("prints the address, serves the file, and ends with Ctrl-C", async () => {
    const said = await viewing([SESSION], async ({ url, query }) => {
      assert.equal(query, "&src=files/1/subtask.export.json");
      const answer = await asked(url, "/files/1/subtask.export.json");
      assert.equal(await answer.text(), readFileSync(SESSION, "utf8"));
      assert.match(await (await asked(url, "/")).text(), /page\.js/);
      assert.equal((await fetch(new URL("/files/1/subtask.export.json", url))).status, 403);
    });
    // Not on a terminal: the address, and nothing else.
    assert.match(said.out, /^http:\S+\n$/);
    assert.equal(said.err, "");
  });

  test("of folders and files: their list; of none, and without a command: the start page", async () => {
    const runs = here("runs");
    for (const name of ["a.json", "b.jsonl", "c.png"]) writeFileSync(join(runs, name), "{}");
    const said = await viewing([runs, SESSION], async ({ url, query }) => {
      assert.equal(query, "&runs=list.json");
      const { name, total, files } = await (await asked(url, "/list.json")).json();
      assert.deepEqual([name, total], ["2 files", 3]);
      assert.deepEqual(
        files.map(({ address }) => address),
        ["files/1/a.json", "files/2/b.jsonl", "files/3/subtask.export.json"],
      );
    });
    assert.match(said.err, /: 3 files\n$/);
    const page = async ({ url, query }) => {
      assert.equal(query, "");
      assert.equal((await asked(url, "/samples/fix-greeting.json")).status, 200);
      assert.equal((await asked(url, "/list.json")).status, 404);
    };
    await viewing([], page);
    await whileRunning(start(["--port", "0"]), page);
  });

  test("a file is followed, also one that is not there yet", async () => {
    const path = join(here("follow"), "later.sse");
    const said = await viewing([path, "--follow"], ({ query }) => {
      assert.equal(query, "&live=follow/1/later.sse");
    });
    assert.equal(said.err, `${path} does not exist yet: waiting for it.\n`);
  });

  test("a link that is named is followed; one in a folder that leads out of it is not", async () => {
    const outside = here("outside");
    const inside = here("inside");
    writeFileSync(join(outside, "far.json"), "far");
    writeFileSync(join(inside, "near.json"), "near");
    symlinkSync(join(outside, "far.json"), join(inside, "far.json"));
    await viewing([join(inside, "far.json")], async ({ url }) => {
      assert.equal(await (await asked(url, "/files/1/far.json")).text(), "far");
    });
    await viewing([inside], async ({ url }) => {
      const { files } = await (await asked(url, "/list.json")).json();
      assert.deepEqual(
        files.map(({ path }) => path),
        ["near.json"],
      );
    });
  });
});

describe("view refuses in one sentence, with exit code 2,", () => {
  const refused = (args, says) => {
    const { status, stdout, stderr } = run(["view", ...args]);
    assert.deepEqual([status, stdout], [2, ""], `${args}: ${stderr}`);
    assert.match(stderr, says, `${args}`);
    assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
  };

  test("what is no file or folder", () => {
    refused([join(folder, "gone.json")], /^\S*gone\.json: no such file\n$/);
    refused([SESSION, "gone.json"], /^gone\.json: no such file\n$/);
    refused(
      ["/dev/zero"],
      /^\/dev\/zero: it is not a file or folder, but a device, a pipe or a socket\n$/,
    );
    refused(["-"], /^-: the viewer reads files, not standard input; save it/);
    refused([join(folder, "no", "x.sse"), "--follow"], /its folder does not exist\n$/);
    refused([folder, "--follow"], /it is a folder, not a file\n$/);
  });

  test("a wrong command line", () => {
    for (const port of ["x", "-1", "65536", "1.5", "", "8080;ls"]) {
      refused(
        [`--port=${port}`],
        /^--port must be an integer from 0 \(any free port\) to 65535, not/,
      );
    }
    refused(["--follow"], /^view --follow takes exactly one FILE/);
    refused([SESSION, SESSION, "--follow"], /^view --follow takes exactly one FILE/);
    refused(["--out", "x.html"], /^view --out takes one FILE: it writes one page/);
    refused([SESSION, SESSION, "--out", "x.html"], /^view --out takes one FILE/);
    refused([SESSION, "--out", "x.html", "--port", "1"], /^view --out has no --port/);
    refused([folder, "--out", "x.html"], /it is a folder, not a file\n$/);
    refused([SESSION, "--json"], /^view has no --json\n\n {2}apex-parts view /);
  });

  test("what may not be read", async () => {
    // The tests may run as a user who may read everything: the file system itself says no.
    const script = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const denied = (path) => { throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES", path }); };
      for (const name of ["accessSync", "opendirSync"]) {
        const own = fs[name];
        fs[name] = (path, ...more) => String(path).includes("locked") ? denied(path) : own(path, ...more);
      }
      syncBuiltinESMExports();
      const { view } = await import(${JSON.stringify(new URL("../../pkg/cli/view.mjs", import.meta.url).href)});
      const [path] = process.argv.slice(1);
      await view(path, { port: "0" }, []).catch(({ message, code }) => {
        console.error(message);
        process.exitCode = code;
      });`;
    const top = here("rights");
    mkdirSync(join(top, "locked"));
    writeFileSync(join(top, "locked.json"), "{}");
    const script_ = (path) =>
      spawn(process.execPath, ["--input-type=module", "-e", script, path], { stdio: "pipe" });
    for (const name of ["locked", "locked.json"]) {
      const child = script_(join(top, name));
      let err = "";
      child.stderr.on("data", (chunk) => {
        err += chunk;
      });
      const [code] = await once(child, "close");
      assert.equal(code, 2, err);
      assert.equal(err, `${join(top, name)}: you have no permission to read it\n`);
    }
    // A folder below the one that is named is left out, and named.
    const said = await whileRunning(script_(top), async ({ said: { err }, said: all }) => {
      await until(() => all.err.includes("\n", err.length) || all.err.includes("may not"));
    });
    assert.match(said.err, /1 file\n1 folder below it cannot be read, such as \S*locked\n$/);
  });
});

describe("view goes on", () => {
  test("in a folder without a transcript: the page lists what comes", async () => {
    const empty = here("empty");
    const said = await viewing([empty], async ({ url }) => {
      assert.deepEqual((await (await asked(url, "/list.json")).json()).files, []);
      writeFileSync(join(empty, "one.json"), "{}");
      assert.equal((await (await asked(url, "/list.json")).json()).files.length, 1);
    });
    assert.match(said.err, /: it contains no transcript yet; reload the page when it does\n$/);
  });

  test("in a folder of 100,000 files: it lists 10,000, and says of how many", async () => {
    const many = here("many");
    for (let i = 0; i < 100_000; i++) writeFileSync(join(many, `${i}.json`), "");
    const said = await viewing([many], async ({ url }) => {
      const { files, total, more } = await (await asked(url, "/list.json")).json();
      assert.deepEqual([files.length, total, more], [10_000, 100_000, true]);
    });
    assert.match(said.err, /: the first 10,000 of 100,000 files, by path\n$/);
  });

  test("on the next free port, unless its own was named", async () => {
    const server = createServer().listen(4173, "127.0.0.1");
    // It may be in use already: that is as good.
    await Promise.race([once(server, "listening"), once(server, "error")]);
    try {
      await whileRunning(start(["view", "--no-open"]), ({ port }) => assert.ok(port > 4173));
      const { status, stdout, stderr } = run(["view", "--port", "4173"]);
      assert.deepEqual([status, stdout], [2, ""]);
      assert.equal(stderr, "port 4173 is in use: choose another, or none\n");
    } finally {
      server.close();
    }
  });

  test("where no browser can be opened: the address is there, and the reason", async () => {
    const script = `
      import { view } from ${JSON.stringify(new URL("../../pkg/cli/view.mjs", import.meta.url).href)};
      const env = { PATH: "/nowhere", DISPLAY: ":0" };
      await view(undefined, { port: "0" }, [], { isTerminal: true, env });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
    const said = await whileRunning(child, ({ said: all }) =>
      until(() => all.err.includes("No browser")),
    );
    assert.match(said.err, /^Only this machine can open it\. Ctrl-C stops it\.\n/);
    assert.match(
      said.err,
      /^No browser could be opened \(there is no [\w-]+\): open the address yourself\.$/m,
    );
  });
});

test("a browser is opened where somebody sees it, and never through a shell", async (t) => {
  const linux = (env) => hasBrowser({ platform: "linux", env });
  assert.deepEqual(
    [{}, { DISPLAY: ":0" }, { WAYLAND_DISPLAY: "w" }, { DISPLAY: ":0", SSH_CONNECTION: "x" }].map(
      linux,
    ),
    [false, true, true, false],
  );
  assert.equal(hasBrowser({ platform: "darwin", env: {} }), true);
  assert.equal(hasBrowser({ platform: "win32", env: { CI: "true" } }), false);
  // The program that opens it does not keep this one running.
  const running = setInterval(() => {}, 1000);
  t.after(() => clearInterval(running));
  // A program in the place of the browser writes down what it is given.
  const bin = here("bin");
  const seen = join(bin, "seen");
  const opener = `#!${process.execPath}\nrequire("fs").writeFileSync(${JSON.stringify(seen)}, process.argv[2]);\n`;
  writeFileSync(join(bin, "xdg-open"), opener, { mode: 0o755 });
  const url = "http://127.0.0.1:1/?t=0&src=$(touch x)";
  assert.equal(await openInBrowser(url, { platform: "linux", env: { PATH: bin } }), undefined);
  assert.equal(readFileSync(seen, "utf8"), url);
  writeFileSync(join(bin, "xdg-open"), `#!${process.execPath}\nprocess.exit(3);\n`, {
    mode: 0o755,
  });
  const why = await openInBrowser(url, { platform: "linux", env: { PATH: bin } });
  assert.equal(why, "xdg-open ended with 3");
});

describe("view --out", () => {
  test("writes one page with the file in it", () => {
    const odd = file('a "b" <c> & d.json', readFileSync(SESSION));
    const out = join(here("out"), "page.html");
    const { status, stdout, stderr } = run(["view", odd, "--out", out]);
    assert.deepEqual([status, stdout], [0, ""]);
    assert.match(stderr, /^Nothing in it is masked: apex-parts redact /);
    const html = readFileSync(out, "utf8");
    const [, name, packed] =
      /<script type="text\/plain" data-name="shared" data-file="([^"]*)">([^<]*)</.exec(html);
    assert.equal(name, "a &quot;b&quot; &lt;c&gt; &amp; d.json");
    assert.deepEqual(gunzipSync(Buffer.from(packed, "base64")), readFileSync(SESSION));
    assert.match(html, /default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval';/);
    assert.doesNotMatch(html, /connect-src/);
    // To standard output, the same.
    assert.equal(run(["view", odd, "--out", "-"]).stdout, html);
  });

  test("does not write onto the file that it reads, nor where there is no folder", () => {
    const own = file("own.json", readFileSync(SESSION));
    const { status, stderr } = run(["view", own, "--out", own]);
    assert.deepEqual([status, stderr], [2, `${own}: it is the input file\n`]);
    assert.deepEqual(readFileSync(own), readFileSync(SESSION));
    const lost = run(["view", own, "--out", join(folder, "no", "page.html")]);
    assert.equal(lost.status, 2);
    assert.match(lost.stderr, /its folder does not exist\n$/);
  });
});
