/** The documentation as `npm run docs` writes it, in a browser: served, and opened from a disk. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { buildDocs, POLICY } from "../../scripts/docs.mjs";
import { launch, newPage } from "./browser.mjs";
import { serve } from "./server.mjs";

let browser;
let server;
let out;

before(async () => {
  out = mkdtempSync(join(tmpdir(), "docs-"));
  await buildDocs(out);
  server = await serve({ root: out, policy: POLICY });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(out, { recursive: true, force: true });
});

/** Opens a page, and sees that it neither complains nor asks for anything but files beside it. */
async function visit(address, run) {
  const { page, seen, close } = await newPage(browser);
  try {
    await page.goto(address);
    await run(page);
    const own = new RegExp(`^(?:${server.url}|${pathToFileURL(out).href}|blob:|data:)`);
    assert.deepEqual(
      seen.requests.filter((url) => !own.test(url)),
      [],
    );
    // From a disk the drawings of icons are not loaded from their file: a script beside it has them too.
    const icons = /^Unsafe attempt to load URL file:\S+\/icons\.svg#/;
    assert.deepEqual(
      seen.complaints.filter((said) => !icons.test(said)),
      [],
    );
  } finally {
    await close();
  }
}

for (const from of ["a server", "a disk"]) {
  test(`a name is found, and leads to its page, from ${from}`, () => {
    const start = from === "a disk" ? pathToFileURL(join(out, "index.html")).href : server.url;
    return visit(start, async (page) => {
      await page.locator("#tsd-search-trigger").click();
      await page.locator("#tsd-search-input").pressSequentially("DeltaAssembler");
      const found = page.locator("#tsd-search-results a", { hasText: "DeltaAssembler" });
      await found.first().click();
      await page.locator("h1", { hasText: "DeltaAssembler" }).waitFor();
    });
  });
}

test("a rule of the playground leads to its section", () =>
  visit(`${server.url}playground/#sample=damaged`, async (page) => {
    const link = page.locator("#problems .rule", { hasText: "DC-3" }).first();
    await link.waitFor();
    const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
    await opened.locator("#dc-3").waitFor();
    assert.match(opened.url(), /\/documents\/rules\.html#dc-3$/);
    await opened.close();
  }));

for (const name of ["rules", "environments_README", "modules", "publishing", "provider-fields"]) {
  test(`no page of tables or code is wider than the window: ${name}`, () =>
    visit(`${server.url}documents/${name}.html`, async (page) => {
      await page.locator("h1").first().waitFor();
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForFunction((wanted) => innerWidth === wanted, width);
        const surplus = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        );
        assert.ok(surplus <= 0, `${name} is ${surplus} px too wide at ${width} px`);
      }
    }));
}
