// Every format opens in the viewer, and a file that is too large to be held.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { FORMATS } from "../../scripts/generate/formats.mjs";
import { generate } from "../../scripts/generate.mjs";
import { drop, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";

const viewer = served();
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-"));
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

const visit = (run) => viewer.share({}, run);
const made = (format) => Buffer.concat([...generate({ format, bytes: 100_000, seed: 3 })]);

/** How many rows there are, and the words of the one that is chosen. */
const rows = (page) =>
  page.locator(".row").evaluateAll((all) => Number(all[0]?.getAttribute("aria-setsize")));

describe("a file opens", () => {
  for (const format of Object.keys(FORMATS)) {
    test(`of ${format}`, () =>
      visit(async (page) => {
        await drop(page, `made.${format}`, made(format).toString());
        await page
          .getByTitle(`made.${format}`)
          .or(page.getByText(`made.${format}`))
          .first()
          .waitFor();
        await settled(page);
        assert.ok((await rows(page)) > 10, `${await rows(page)} rows`);
        assert.equal(await page.getByRole("alert").count(), 0);
      }));
  }

  test("of 75 MB, of which the index alone is held, and the first rows show before it is read", () =>
    visit(async (page) => {
      // More than is held, which is 64 MB.
      const path = join(folder, "large.json");
      const fd = openSync(path, "w");
      for (const chunk of generate({ format: "opencode-export", bytes: 75e6, seed: 4 })) {
        writeSync(fd, chunk);
      }
      closeSync(fd);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.locator("input[type=file]").setInputFiles(path);
      await page.waitForFunction(() => {
        const status = document.querySelector(".facts .status")?.textContent;
        return status === "reading" && document.querySelector('.row[aria-busy="false"]');
      });
      await page.waitForFunction(
        () => Number(document.querySelector(".row")?.getAttribute("aria-setsize")) > 25_000,
        undefined,
        { timeout: 60_000 },
      );
      await settled(page);
      const scroller = page.getByRole("feed");
      for (const to of [0.5, 1, 0]) {
        await scroller.evaluate((element, part) => {
          element.scrollTop = element.scrollHeight * part;
        }, to);
        await settled(page);
        assert.ok((await words(page.locator(".row").first())).length > 0);
      }
      assert.equal(await page.getByRole("alert").count(), 0);
    }));
});
