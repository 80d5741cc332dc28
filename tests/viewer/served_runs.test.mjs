/** `apex-parts view FOLDER`: the list of the runs in a folder that is served, each opened by a click, and back. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";
import { samplePath } from "./transcripts.mjs";

const viewer = served();
let folder;
let list;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "viewer-served-"));
  const runs = join(folder, "my runs");
  mkdirSync(join(runs, "deep"), { recursive: true });
  copyFileSync(samplePath("fix-greeting.json"), join(runs, "first.json"));
  copyFileSync(samplePath("provider-errors.json"), join(runs, "deep", "second 100%.json"));
  writeFileSync(join(runs, "notes.txt"), "These are notes.");
  symlinkSync(runs, join(runs, "deep", "round"));
  list = await serve({ paths: [runs] });
});
after(async () => {
  await list?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const visit = (run, query = "") => viewer.visit({ address: list.url + query }, run);
const lines = (page) => page.locator("tbody .run");
const read = (page) => page.getByText(/^3 runs$/).waitFor();
const title = (page, name) => page.getByRole("heading", { name, level: 1 });

describe("a folder that is served", () => {
  test("is a list of its runs; one opens, and Back returns to the list", () =>
    visit(async (page) => {
      await read(page);
      await thereAre(lines(page), 3);
      assert.equal(await words(page.getByRole("heading", { level: 2 })), "my runs");
      const second = lines(page).filter({ hasText: "provider-errors" });
      assert.match(await words(second), /deep\/second 100%\.json/);
      await page.getByRole("button", { name: "provider-errors" }).click();
      await title(page, "provider-errors").waitFor();
      await settled(page);
      const { searchParams } = new URL(page.url());
      assert.equal(searchParams.get("runs"), "list.json");
      assert.equal(searchParams.get("src"), "files/1/second%20100%25.json");
      // The browser's own Back, its Forward, and the button on the page.
      await page.goBack();
      await thereAre(lines(page), 3);
      await thereAre(page.locator(".row"), 0);
      await page.goForward();
      await title(page, "provider-errors").waitFor();
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await thereAre(lines(page), 3);
      assert.equal(new URL(page.url()).search, "?runs=list.json");
    }));

  test("a run in it is opened by its address, and loading again leaves it open", () =>
    visit(async (page) => {
      await title(page, "fix-greeting").waitFor();
      await settled(page);
      await page.locator(".row[data-selected]").first().waitFor();
      await page.reload();
      await title(page, "fix-greeting").waitFor();
      await page.locator(".row[data-selected]").first().waitFor();
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await thereAre(lines(page), 3);
    }, "&src=files/2/first.json#m=1&p=0"));

  test("what is no transcript says so, and Back returns to the list", () =>
    visit(async (page) => {
      await read(page);
      await page.getByRole("button", { name: "notes.txt" }).click();
      assert.match(await words(page.getByRole("alert")), /^notes\.txt could not be opened/);
      await page.goBack();
      await thereAre(lines(page), 3);
    }));

  test("two are ticked and stand side by side", () =>
    visit(async (page) => {
      await read(page);
      await page.getByRole("checkbox", { name: "Compare fix-greeting" }).check();
      await page.getByRole("checkbox", { name: "Compare provider-errors" }).check();
      await page.getByRole("button", { name: "Compare the two" }).click();
      await page.locator(".compare-head").nth(1).waitFor();
      await page.goBack();
      await thereAre(lines(page), 3);
      await thereAre(page.locator(".compare-head"), 0);
    }));

  test("what is no list says so", () =>
    viewer.visit({ address: `${viewer.url}?runs=samples/fix-greeting.json` }, async (page) => {
      assert.match(
        await words(page.getByRole("alert")),
        /^The list of runs could not be opened\. The answer is not a list of files\./,
      );
    }));

  test("a list at another origin is not asked for", () =>
    viewer.visit(
      { address: `${viewer.url}?runs=${list.url.replace("?runs=", "")}` },
      async (page) => {
        assert.match(await words(page.getByRole("alert")), /only be opened from the address/);
      },
    ));
});
