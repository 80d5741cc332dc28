/** The self-contained HTML page of a transcript: whatever the transcript says, it executes nothing. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { htmlPage, messageToHtml } from "../../pkg/node.mjs";
import { generate } from "../../scripts/generate.mjs";
import { launch, newPage, quiet } from "./browser.mjs";
import { EVIL, evilMessage } from "./evil.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const folder = mkdtempSync(join(tmpdir(), "apex-parts-page-"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

function write(name, title, messages) {
  const { head, foot } = htmlPage({ title, facts: [title] });
  const path = join(folder, name);
  writeFileSync(path, head + messages.map(messageToHtml).join("") + foot);
  return pathToFileURL(path).href;
}

test("a hostile transcript executes nothing and asks for nothing", async () => {
  for (const [i, evil] of EVIL.entries()) {
    const { page, seen, close } = await newPage(browser);
    const address = write(`evil-${i}.html`, evil, [evilMessage(evil)]);
    await page.goto(address);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    await quiet(page);
    const own = seen.requests.filter((url) => url !== address && !url.startsWith("data:image/png"));
    assert.deepEqual(own, [], evil);
    assert.deepEqual(seen.dialogs, [], evil);
    assert.equal(page.url(), address);
    const found = await page.evaluate(() => ({
      elements: document.querySelectorAll(
        "script,iframe,object,embed,form,svg,math,base,link,textarea",
      ).length,
      handlers: [...document.querySelectorAll("*")].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on")),
      ),
      links: [...document.querySelectorAll("a")]
        .map(({ protocol }) => protocol)
        .filter((protocol) => !["https:", "http:", "mailto:", "file:", ":"].includes(protocol)),
      styles: document.querySelectorAll("style").length,
    }));
    assert.deepEqual(found, { elements: 0, handlers: [], links: [], styles: 1 }, evil);
    await close();
  }
});

test("a page is readable: no overflow, no serious finding, light and dark, wide and narrow", async () => {
  const bytes = Buffer.concat([...generate({ format: "opencode-export", bytes: 200_000 })]);
  const address = write("made.html", "A session", JSON.parse(bytes).messages);
  for (const [width, dark] of [
    [1440, false],
    [390, true],
    [390, false],
    [1440, true],
  ]) {
    const { page, seen, close } = await newPage(browser, { width, dark });
    await page.goto(address);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const found = await globalThis.axe.run(document, { resultTypes: ["violations"] });
      return found.violations
        .filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200), nodes.length]);
    });
    assert.deepEqual(violations, []);
    assert.deepEqual(seen.complaints, []);
    await close();
  }
});
