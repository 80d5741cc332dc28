/** The viewer in one file, as it opens from a disk: it has everything, and connects to nothing. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { drop, launch, newPage, settled, words } from "./browser.mjs";
import { EVIL, evilMessage } from "./evil.mjs";

const built = fileURLToPath(new URL("../../www/dist/viewer.html", import.meta.url));

let browser;
let folder;
let address;

before(async () => {
  browser = await launch();
  // Away from the other files of the build: it must need none of them.
  folder = mkdtempSync(join(tmpdir(), "apex-parts-single-"));
  const copy = join(folder, "viewer.html");
  copyFileSync(built, copy);
  address = pathToFileURL(copy).href;
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function visit(run, url = address) {
  const { page, seen, close } = await newPage(browser);
  try {
    await page.goto(url);
    await settled(page);
    await run(page, seen);
    // Chromium reports what the policy blocks as well: a test that tries it names it on example.org.
    const own = (each) => each === url || /^(?:blob|data):|^https:\/\/example\.org\//.test(each);
    const asked = seen.requests.filter((each) => !own(each));
    assert.deepEqual(asked, [], "requests");
    assert.deepEqual(seen.dialogs, [], "dialogs");
  } finally {
    await close();
  }
}

test("it opens from a disk with nothing open, and its samples open", () =>
  visit(async (page, seen) => {
    assert.equal(await words(page.locator("h1")), "apex-parts viewer");
    await page.getByRole("button", { name: "Provider errors" }).click();
    await page.getByText("provider-errors.json").first().waitFor();
    assert.deepEqual(seen.complaints, []);
  }));

test("a file that is dropped onto it opens, and code in it is coloured", () =>
  visit(async (page, seen) => {
    const part = { sessionID: "s", messageID: "m", id: "p", type: "text" };
    const text = "```js\nconst answer = 42;\n```";
    const info = { id: "m", sessionID: "s", role: "user", time: { created: 1 } };
    await drop(page, "mine.json", JSON.stringify([{ info, parts: [{ ...part, text }] }]));
    await page.getByText("mine.json").first().waitFor();
    await page.locator("pre .hljs-keyword").waitFor();
    assert.deepEqual(seen.complaints, []);
  }));

test("its policy allows no connection", () =>
  visit(async (page) => {
    const tried = await page.evaluate(async () => {
      const blocked = [];
      addEventListener("securitypolicyviolation", (event) => {
        blocked.push(event.effectiveDirective);
      });
      const failed = await fetch("https://example.org/").then(
        () => "fetched",
        () => "refused",
      );
      const image = new Image();
      image.src = "https://example.org/x.png";
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.head.append(script);
      const style = document.createElement("link");
      style.rel = "stylesheet";
      style.href = "https://example.org/x.css";
      document.head.append(style);
      // The browser tells of each in a task of its own.
      for (let tries = 0; blocked.length < 4 && tries < 600; tries++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return { failed, ran: globalThis.ran, blocked: blocked.sort() };
    });
    assert.deepEqual(tried, {
      failed: "refused",
      ran: undefined,
      blocked: ["connect-src", "img-src", "script-src-elem", "style-src-elem"],
    });
  }));

test("it says that it cannot fetch what ?src= names, and offers its samples", () =>
  visit(async (page) => {
    assert.match(await words(page.getByRole("alert")), /makes no connections/);
  }, `${address}?src=other.json`));

test("a hostile transcript executes nothing in it", () =>
  visit(async (page, seen) => {
    await drop(page, "evil.json", JSON.stringify(EVIL.map(evilMessage)));
    await page.getByText("evil.json").first().waitFor();
    await settled(page);
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("J");
      await settled(page);
    }
    assert.deepEqual(
      // A picture that is none.
      seen.complaints.filter((line) => !/ERR_INVALID_URL/.test(line)),
      [],
    );
    assert.equal(await page.locator("iframe, object, embed, base, form").count(), 0);
  }));

test("it is one file without addresses of others", () => {
  const html = readFileSync(built, "utf8");
  assert.equal(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:)/.exec(html), null);
  const policy = /content="(default-src[^"]+)"/.exec(html)?.[1];
  assert.ok(policy, "a policy");
  assert.ok(!/connect-src|https?:|'unsafe-inline'|'unsafe-eval'|'self'/.test(policy), policy);
});
