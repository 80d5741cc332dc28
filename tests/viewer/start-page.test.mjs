/** The start page: what the viewer is, and the ways to open something. Nothing is opened unasked. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { drop, paste, quiet, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, sample, session, text } from "./transcripts.mjs";

const viewer = served();

const { visit } = viewer;

const heading = (page) => page.getByRole("heading", { name: "See what an agent did" });

describe("an address that names no transcript", () => {
  for (const hash of ["", "#m=999", "#m=1&p=3", "#q=greeting", "#prt_1"]) {
    test(`the start page, and no transcript: "${hash}"`, () =>
      visit({ address: `${viewer.url}${hash}` }, async (page) => {
        await heading(page).waitFor();
        await quiet(page);
        await thereAre(page.locator(".row, .facts, .pane-outline, .toast[data-shown='true']"), 0);
        assert.equal(await words(page.locator("h1")), "apex-parts viewer");
        assert.equal(await page.title(), "apex-parts viewer");
        const main = page.getByRole("main");
        assert.match(await words(main), /Drop a file or a folder here/);
        await main.getByText("Choose a file").waitFor();
        await page.getByRole("button", { name: "Open", exact: true }).waitFor();
        const samples = main.locator("section", { hasText: "Samples" }).getByRole("button");
        await thereAre(samples, 3);
      }));
  }

  test("a file that is dropped on it opens, with nothing above it to be compared with", () =>
    visit({ address: viewer.url }, async (page) => {
      await drop(page, "errors.json", sample("provider-errors.json"), { beside: true });
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      await thereAre(page.locator(".compare"), 0);
      await thereAre(heading(page), 0);
    }));

  test("so does text that is pasted", () =>
    visit({ address: viewer.url }, async (page) => {
      await paste(page, session("On the page", [message("user", [text("Hello")])]));
      await page.getByRole("heading", { name: "On the page", level: 1 }).waitFor();
    }));

  test("a sample has an address, which brings it up again", () =>
    visit({ address: viewer.url }, async (page) => {
      await page.getByRole("button", { name: "Provider errors" }).click();
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      assert.match(page.url(), /\?src=samples\/provider-errors\.json$/);
      await page.reload();
      await settled(page);
      assert.equal(await words(page.locator("h1")), "provider-errors");
    }));
});

describe("while what the address names is read", () => {
  test("nothing else is offered", () =>
    visit({ address: viewer.url }, async (page) => {
      // Every state of the page that it paints, from its first.
      await page.addInitScript(() => {
        globalThis.offered = 0;
        new MutationObserver(() => {
          if (document.querySelector(".welcome-choices")) globalThis.offered++;
        }).observe(document, { childList: true, subtree: true });
      });
      await page.goto(viewer.sample);
      await page.locator(".row").first().waitFor();
      assert.equal(await page.evaluate(() => globalThis.offered), 0);
    }));
});

for (const width of [1440, 1024, 390]) {
  test(`axe has nothing serious to say of it at ${width} px`, () =>
    visit({ address: viewer.url, width, height: 844 }, async (page) => {
      await heading(page).waitFor();
      assert.deepEqual(await axeLightAndDark(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }));
}
