/** `<apex-transcript>` in somebody's page: from an address, fed piece by piece, themed, and safe. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve as serveExample } from "../../examples/live-page/server.mjs";
import { launch, newPage, quiet, words } from "./browser.mjs";
import { EVIL, evilMessage } from "./evil.mjs";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const PAGE = `<!doctype html><html lang="en"><title>host</title><body><h1>Host</h1>
<script type="module" src="/pkg/viewer.mjs"></script></body></html>`;

let browser;
let server;
let origin;

before(async () => {
  browser = await launch();
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    const headers = {
      "content-type": TYPES[extname(path)] ?? (path === "/" ? "text/html" : "application/json"),
      "content-security-policy":
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'none'; " +
        "img-src data:; connect-src 'self'; worker-src 'self'",
    };
    try {
      const body = path === "/" ? PAGE : readFileSync(at(path.slice(1)));
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${server.address().port}/`;
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

async function visit(run, address = origin) {
  const { page, seen, close } = await newPage(browser);
  try {
    await page.goto(address);
    await page.waitForFunction(() => customElements.get("apex-transcript"));
    await run(page, seen);
    const own = new URL(address).origin;
    const foreign = seen.requests.filter(
      (url) => !url.startsWith(`${own}/`) && !/^(?:blob|data):/.test(url),
    );
    assert.deepEqual(foreign, [], "requests to other origins");
    assert.deepEqual(seen.dialogs, [], "dialogs");
  } finally {
    await close();
  }
}

/** An element with these attributes at the end of the page. */
const add = (page, attributes = {}) =>
  page.evaluate((given) => {
    const element = document.createElement("apex-transcript");
    for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    document.body.append(element);
  }, attributes);

const rows = (page) => page.locator("apex-transcript .row:not([aria-busy=true])");

test("`src` shows a transcript, and another when it changes", () =>
  visit(async (page, seen) => {
    await add(page, { src: "www/public/samples/fix-greeting.json" });
    await rows(page).first().waitFor();
    assert.match(await words(page.locator("apex-transcript h2").first()), /fix-greeting/);
    await page.evaluate(() => {
      const element = document.querySelector("apex-transcript");
      globalThis.opened = new Promise((done) => element.addEventListener("open", done));
      element.src = "www/public/samples/provider-errors.json";
    });
    await page.evaluate(() => globalThis.opened.then(() => true));
    await page
      .locator("apex-transcript h2", { hasText: /provider/i })
      .first()
      .waitFor();
    // The page's own address and title are the page's.
    assert.equal(page.url(), origin);
    assert.equal(await page.title(), "host");
    assert.deepEqual(seen.complaints, []);
  }));

test("what is not there is said in it, and told to the page", () =>
  visit(async (page) => {
    await page.evaluate(() => {
      const element = document.createElement("apex-transcript");
      globalThis.failed = new Promise((done) => {
        element.addEventListener("error", (event) => done(event.message));
      });
      element.src = "nowhere.json";
      document.body.append(element);
    });
    assert.match(await page.evaluate(() => globalThis.failed), /nowhere\.json.*404/);
    assert.match(await words(page.locator("apex-transcript [role=alert]")), /404/);
  }));

test("what is no address is said in it too", () =>
  visit(async (page, seen) => {
    for (const attribute of ["src", "live"]) {
      await add(page, { [attribute]: "http://[" });
      const last = page.locator("apex-transcript").last();
      assert.match(
        await words(last.locator("[role=alert]")),
        /^http:\/\/\[ is not a valid address/,
      );
    }
    assert.deepEqual(seen.complaints, []);
  }));

test("deltas, events, text and bytes are pushed, and shown as they come", () =>
  visit(async (page, seen) => {
    await add(page);
    const push = (piece) =>
      page.evaluate((given) => document.querySelector("apex-transcript").push(given), piece);
    const fixture = readFileSync(at("tests/fixtures/formats/deltas.txt"), "utf8");
    const deltas = fixture.trim().split("\n");
    for (const line of deltas.slice(0, 3)) await push(JSON.parse(line));
    await rows(page).first().waitFor();
    const half = Math.floor(deltas.length / 2);
    await push(`${deltas.slice(3, half).join("\n")}\n`);
    await page.evaluate((rest) => {
      const element = document.querySelector("apex-transcript");
      element.push(new TextEncoder().encode(rest));
      element.end();
    }, deltas.slice(half).join("\n"));
    await page.locator("apex-transcript .element-head", { hasNotText: /\blive\b/i }).waitFor();
    await rows(page).nth(2).waitFor();
    assert.deepEqual(seen.complaints, []);
  }));

test("it is themed with custom properties, and the page's styles stay out", () =>
  visit(async (page) => {
    await add(page, { src: "www/public/samples/fix-greeting.json" });
    await rows(page).first().waitFor();
    const colour = await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("apex-transcript { --surface: rgb(1, 2, 3); } h2 { font-size: 99px; }");
      document.adoptedStyleSheets = [sheet];
      const root = document.querySelector("apex-transcript").shadowRoot;
      const head = root.querySelector(".element-head");
      const title = head.querySelector("h2");
      return [getComputedStyle(head).backgroundColor, getComputedStyle(title).fontSize];
    });
    assert.deepEqual(colour, ["rgb(1, 2, 3)", "13px"]);
  }));

test("it is moved and taken away without leaving a worker behind", () =>
  visit(async (page, seen) => {
    await add(page, { src: "www/public/samples/fix-greeting.json" });
    await rows(page).first().waitFor();
    assert.equal(page.workers().length, 1);
    await page.evaluate(() => document.body.prepend(document.querySelector("apex-transcript")));
    await quiet(page);
    assert.equal(page.workers().length, 1);
    await rows(page).first().waitFor({ state: "attached" });
    const gone = new Promise((done) => page.workers()[0].on("close", done));
    await page.evaluate(() => document.querySelector("apex-transcript").remove());
    await gone;
    await add(page, { src: "www/public/samples/fix-greeting.json" });
    await rows(page).first().waitFor();
    assert.deepEqual(seen.complaints, []);
  }));

test("a hostile transcript executes nothing in it", () =>
  visit(async (page) => {
    await add(page);
    await page.evaluate(
      (text) => document.querySelector("apex-transcript").open(text, "evil.json"),
      JSON.stringify(EVIL.map(evilMessage)),
    );
    await rows(page).first().waitFor();
    await page.locator("apex-transcript .scroller").focus();
    for (let i = 0; i < 12; i++) await page.keyboard.press("J");
    await quiet(page);
    assert.equal(
      await page.locator("apex-transcript").locator("iframe, object, embed, base, form").count(),
      0,
    );
  }));

test("axe has nothing serious to say of it", () =>
  visit(async (page) => {
    await add(page, { src: "www/public/samples/fix-greeting.json" });
    await rows(page).first().waitFor();
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const found = await globalThis.axe.run(document, { resultTypes: ["violations"] });
      return found.violations
        .filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200)]);
    });
    assert.deepEqual(violations, []);
  }));

test("the example's page shows a recorded run while it is streamed", async () => {
  const example = await serveExample({ speed: 8 });
  try {
    await visit(async (page, seen) => {
      await rows(page).first().waitFor();
      const early = await rows(page).count();
      await page.getByText("The run is over.").waitFor({ timeout: 20_000 });
      await page.locator("apex-transcript .status", { hasText: "finished" }).waitFor();
      assert.ok((await rows(page).count()) >= early);
      assert.deepEqual(seen.complaints, []);
    }, example.url);
  } finally {
    example.close();
  }
});
