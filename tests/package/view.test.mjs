// `apex-parts view` from the packed package, in a project that has nothing else: its page in a browser, the one file
// that it writes, and what its server refuses there.
// Needs: viewer, browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { at, consumer, browser as launch, run } from "./helper.mjs";

const SESSION = at("tests", "fixtures", "subtask.export.json");
const FORMATS = at("tests", "fixtures", "formats");
/** What its list says. */
const RUNS = new RegExp(`^${readdirSync(FORMATS).length} runs`);

let browser;
let project;
let command;
let outside;

before(async () => {
  project = await consumer("view", {});
  command = join(project, "node_modules", ".bin", "apex-parts");
  cpSync(SESSION, join(project, "session.json"));
  cpSync(FORMATS, join(project, "runs"), { recursive: true });
  outside = mkdtempSync(join(tmpdir(), "apex-parts-view-"));
  writeFileSync(join(outside, "secret.json"), "secret");
  symlinkSync(join(outside, "secret.json"), join(project, "runs", "out.json"));
  symlinkSync(outside, join(project, "runs", "out"));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (outside) rmSync(outside, { recursive: true });
});

/** Runs the installed command until it has printed its address, and stops it afterwards. */
async function viewing(args, look) {
  const child = spawn(command, args, { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  let err = "";
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  try {
    let out = "";
    for await (const chunk of child.stdout) {
      out += chunk;
      if (out.includes("\n")) break;
    }
    assert.match(out, /^http:\/\/127\.0\.0\.1:\d+\/\?t=[\da-f]{32}/, err);
    await look(new URL(out.trim()));
  } finally {
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
  }
  assert.equal(child.exitCode, 0, err);
}

/** A page that nobody has complained of when `look` has ended, and that has asked for nothing from elsewhere. */
async function visiting(address, isOwn, look) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("request", (asked) => {
    if (!isOwn(asked.url())) complaints.push(`asked for ${asked.url()}`);
  });
  try {
    await page.goto(address);
    await look(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const visit = (url, look) =>
  visiting(
    url.href,
    (asked) => asked.startsWith(`${url.origin}/`) || asked.startsWith("blob:"),
    look,
  );

const title = (page, name) => page.getByRole("heading", { name, level: 1 }).waitFor();

describe("the installed command shows", () => {
  test("a session, with npx too", async () => {
    const { info } = JSON.parse(await run("cat", [SESSION], { quiet: true }));
    await viewing(["view", "session.json", "--port", "0"], (url) =>
      visit(url, async (page) => {
        await title(page, info.title);
        // The token has become a cookie.
        assert.equal(new URL(page.url()).search, "?src=files/1/session.json");
        await page.locator(".row").first().waitFor();
        await page.reload();
        await title(page, info.title);
      }),
    );
    const npx = await run("npx", ["--no-install", "apex-parts", "view", "--help"], {
      quiet: true,
      cwd: project,
    });
    assert.match(npx, /^ {2}apex-parts view /);
  });

  test("a folder, with its name; a run in it opens, and Back returns", () =>
    viewing(["view", "runs", "--port", "0"], (url) =>
      visit(url, async (page) => {
        await page.getByRole("heading", { name: "runs", level: 2 }).waitFor();
        await page.getByText(/\/consumers\/[^/]+\/runs$/).waitFor();
        await page.getByText(RUNS).waitFor();
        await page.locator("tbody .run button").first().click();
        await page.locator(".row").first().waitFor();
        await page.goBack();
        await page.getByText(RUNS).waitFor();
      }),
    ));

  test("its start page, without arguments: no sample unasked, and samples to choose", () =>
    viewing(["--port", "0"], (url) =>
      visit(url, async (page) => {
        await page.getByRole("heading", { name: "See what an agent did" }).waitFor();
        assert.equal(await page.locator("h1").filter({ hasText: "fix-greeting" }).count(), 0);
        await page.getByText("Fix a greeting").click();
        await title(page, "fix-greeting");
      }),
    ));

  test("one page that it wrote, from a disk and without a network", async () => {
    const out = join(outside, "page.html");
    await run(command, ["view", "session.json", "--out", out], { quiet: true, cwd: project });
    const { info } = JSON.parse(await run("cat", [SESSION], { quiet: true }));
    const address = pathToFileURL(out).href;
    const isOwn = (asked) => asked === address || /^(?:blob|data):/.test(asked);
    await visiting(address, isOwn, async (page) => {
      await page.context().setOffline(true);
      await title(page, info.title);
      await page.locator(".row").first().waitFor();
    });
  });

  test("one page that a reader shared from what is served", () =>
    viewing(["view", "session.json", "--port", "0"], (url) =>
      visit(url, async (page) => {
        await page.locator(".row").first().waitFor();
        await page.getByRole("button", { name: "Share…" }).click();
        const dialog = page.locator("dialog[open]");
        await dialog.locator(".samples button:enabled").first().waitFor();
        const download = page.waitForEvent("download");
        await dialog.getByRole("button", { name: /^Viewer/ }).click();
        const path = join(outside, "shared.html");
        await (await download).saveAs(path);
        const address = pathToFileURL(path).href;
        const isOwn = (asked) => asked === address || /^(?:blob|data):/.test(asked);
        await visiting(address, isOwn, (other) => other.locator(".row").first().waitFor());
      }),
    ));
});

/** A request with an unchanged path, which fetch would normalize. */
async function ask({ port }, path, headers = {}) {
  const asked = request({ host: "127.0.0.1", port, path, headers }).end();
  const [response] = await once(asked, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

describe("its server refuses", () => {
  /** Looks at a server that shows the folder with a link that leads out, with the cookie of its token. */
  const hostile = (look) =>
    viewing(["view", "runs", "--port", "0"], async (url) => {
      const first = await ask(url, `${url.pathname}${url.search}`);
      const cookie = first.headers["set-cookie"][0].split(";")[0];
      await look(url, cookie);
      const { status, body } = await ask(url, "/list.json", { cookie });
      assert.equal(status, 200, "it goes on");
      assert.doesNotMatch(body, /secret|out\.json/);
    });

  test("who has no token, another host's name, another origin", () =>
    hostile(async (url, cookie) => {
      const own = url.host;
      for (const headers of [
        {},
        { cookie: cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0")) },
        { cookie, host: "evil.example" },
        { cookie, host: `evil.example:${url.port}` },
        { cookie, origin: "https://evil.example" },
        { cookie, origin: "null" },
        { cookie, origin: `https://${own}` },
        { cookie, "sec-fetch-site": "cross-site" },
      ]) {
        for (const path of ["/", "/list.json", "/files/1/claude-code.txt", "/page.js"]) {
          const { status, body } = await ask(url, path, headers);
          assert.deepEqual([status, body], [403, ""], `${path} ${JSON.stringify(headers)}`);
        }
      }
      assert.equal((await ask(url, "/", { cookie, host: `localhost:${url.port}` })).status, 200);
    }));

  test("paths that lead elsewhere, and links that lead out", () =>
    hostile(async (url, cookie) => {
      for (const path of [
        ...[
          "/../package.json",
          "/%2e%2e/package.json",
          "/%2E%2E%2Fpackage.json",
          "/..\\package.json",
        ],
        ...["/..%5cpackage.json", "/viewer-page/../cli.mjs", "/cli.mjs", "/viewer-page/index.html"],
        ...[
          "/package.json",
          "/%00",
          "/page.js%00",
          "//etc/passwd",
          "/etc/passwd",
          "/files/1/../../x",
        ],
        ...["/files/1/%2e%2e/%2e%2e/session.json", "/files/15/out.json", "/files/1/out.json"],
        ...["/runs/out.json", "/out/secret.json", "/files/15/secret.json"],
        ...["/samples/../index.html", "/samples/", "/files/", "/list.json/"],
      ]) {
        const { status, body } = await ask(url, path, { cookie });
        assert.deepEqual([status, body], [404, ""], path);
      }
    }));

  test("a page of another origin, in a browser that has the cookie", () =>
    hostile(async (url) => {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(url.href);
        await page.getByText(RUNS).waitFor();
        // The same machine by its other name is another site, and asks for what it may not have.
        const other = await context.newPage();
        await other.route("http://evil.example/", (route) =>
          route.fulfill({ contentType: "text/html", body: "<!doctype html><title>evil</title>" }),
        );
        await other.goto("http://evil.example/");
        const got = await other.evaluate(async (address) => {
          const said = [];
          for (const mode of ["cors", "no-cors"]) {
            said.push(
              await fetch(address, { mode, credentials: "include" }).then(
                (answer) => answer.text(),
                () => "refused",
              ),
            );
          }
          const loads = (name) =>
            new Promise((done) => {
              const element = document.createElement(name);
              element.onload = () => done("loaded");
              element.onerror = () => done("refused");
              element.src = address;
              document.head.append(element);
            });
          return [...said, await loads("script"), await loads("img")];
        }, `${url.origin}/list.json`);
        assert.deepEqual(
          got.filter((said) => said !== "refused" && said !== ""),
          [],
        );
      } finally {
        await context.close();
      }
    }));
});

test("a package without its page says so", async () => {
  const pkg = join(project, "node_modules", "apex-parts", "pkg");
  const [page, away] = [join(pkg, "viewer-page"), join(pkg, "away")];
  renameSync(page, away);
  try {
    await assert.rejects(
      run(command, ["view"], { quiet: true, cwd: project }),
      /ended with 2\n.+ does not contain the complete viewer \(no index\.html\): install or build it again\n$/,
    );
  } finally {
    mkdirSync(pkg, { recursive: true });
    renameSync(away, page);
  }
});
