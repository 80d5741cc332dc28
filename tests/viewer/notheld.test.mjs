/** Search in a file of which the index alone is held: it goes step by step, and others are answered. */
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, quiet, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text } from "./transcripts.mjs";

const viewer = served();
/** Of as many messages, 72 MB: more than what is held. */
const COUNT = 720;
/** 100 KB of plain words: a backtracking expression takes some 20 ms over them. */
const FILLER = "the agent reads a file and writes what it has found there, ".repeat(1700);
/** Takes many seconds over the whole file, and finds nothing. */
const SLOW = "/(?:\\w+ ){16}zzz/";

let folder;
let path;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-"));
  path = join(folder, "away.json");
  const [head, tail] = session("Away", ["@"]).split('"@"');
  const fd = openSync(path, "w");
  writeSync(fd, head);
  for (let i = 0; i < COUNT; i++) {
    const place = { 0: "alphaneedle", [COUNT / 2]: "betaneedle", [COUNT - 1]: "gammaneedle" }[i];
    const made = message(i % 2 ? "assistant" : "user", [text(`${place ?? ""} ${FILLER}`)]);
    writeSync(fd, `${i > 0 ? "," : ""}${JSON.stringify(made)}`);
  }
  writeSync(fd, tail);
  closeSync(fd);
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

const field = (page) => page.getByRole("search").getByRole("textbox");

async function counted(page, expected) {
  await page.locator(".search-count", { hasText: expected }).waitFor({ timeout: 60_000 });
}

/** Opens the file in a page, and the search in that: it takes long, so that is done once for all. */
async function opened(page) {
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator("input[type=file]").setInputFiles(path);
  await page.getByRole("heading", { name: "Away", level: 1 }).waitFor();
  await page.waitForFunction(
    (rows) => Number(document.querySelector(".row")?.getAttribute("aria-setsize")) === rows,
    2 * COUNT,
    { timeout: 60_000 },
  );
  await settled(page);
  await page.keyboard.press("/");
}

test("a file is read to its end however often garbage is collected meanwhile", async () => {
  const browser = await launch("--js-flags=--expose-gc");
  try {
    const page = await browser.newPage();
    const [worker] = await Promise.all([page.waitForEvent("worker"), page.goto(viewer.url)]);
    const input = page.locator('.welcome-choices input[type="file"]');
    await input.waitFor({ state: "attached" });
    await worker.evaluate(() => {
      setInterval(() => globalThis.gc(), 10);
    });
    await input.setInputFiles(path);
    await page.waitForFunction(
      (rows) => Number(document.querySelector(".row")?.getAttribute("aria-setsize")) === rows,
      2 * COUNT,
      { timeout: 60_000 },
    );
  } finally {
    await browser.close();
  }
});

test("a search in a file that is not held", (file) =>
  viewer.visit({}, async (page) => {
    await opened(page);

    await file.test(
      "finds what stands in its first message, in the middle, and in the last",
      async () => {
        await field(page).fill("needle");
        await counted(page, /^3 matches$/);
        for (const [number, word] of [
          [0, "alphaneedle"],
          [COUNT / 2, "betaneedle"],
          [COUNT - 1, "gammaneedle"],
        ]) {
          await field(page).fill(word);
          await counted(page, /^1 match$/);
          await page.keyboard.press("Enter");
          const chosen = page.locator(".row[data-selected]");
          await page.waitForFunction(
            (start) =>
              document
                .querySelector(".row[data-selected]")
                ?.getAttribute("aria-label")
                ?.startsWith(start),
            `Message ${number}, part 0`,
          );
          await settled(page);
          assert.ok((await words(chosen)).includes(word), `${word} is in the row`);
        }
        await field(page).fill("/(alpha|beta|gamma)need(le)/");
        await counted(page, /^3 matches$/);
        await field(page).fill('"needle" "betan"');
        await counted(page, /^2 matches$/);
        await field(page).fill("needle role:assistant");
        await counted(page, /^1 match$/);
        await field(page).fill("the");
        await counted(page, /^100,000\+ matches$/);
      },
    );

    await file.test("lets rows be asked for, and a newer one takes its place", async () => {
      const isBusy = () =>
        page.locator(".search-count").evaluate((element) => /search/i.test(element.textContent));
      await field(page).fill(SLOW);
      await page.waitForFunction(() =>
        /search/i.test(document.querySelector(".search-count")?.textContent),
      );
      const scroller = page.getByRole("feed");
      for (const to of [1, 0.3, 0.6]) {
        await scroller.evaluate((element, part) => {
          element.scrollTop = element.scrollHeight * part;
        }, to);
        await page.waitForFunction(
          ([part, rows]) => {
            const place = Number(document.querySelector(".row")?.getAttribute("aria-posinset"));
            const isLoaded = !document.querySelector('.row[aria-busy="true"]');
            return Math.abs(place / rows - part) < 0.1 && isLoaded;
          },
          [to, 2 * COUNT],
        );
      }
      assert.ok(await isBusy(), "the search goes on meanwhile");
      await field(page).fill("gammaneedle");
      await counted(page, /^1 match$/);
      assert.equal(await page.evaluate(() => window.overtaken), 1, "the one before did not end");
      await quiet(page);
      await counted(page, /^1 match$/);
    });

    await file.test("begins anew in what is opened meanwhile", async () => {
      await field(page).fill(SLOW);
      await page.waitForFunction(() =>
        /search/i.test(document.querySelector(".search-count")?.textContent),
      );
      const next = session("Next", [message("user", [text("we see what we zzz see")])]);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.locator("input[type=file]").setInputFiles({
        name: "next.json",
        mimeType: "application/json",
        buffer: Buffer.from(next),
      });
      await page.getByRole("heading", { name: "Next", level: 1 }).waitFor();
      await counted(page, /^no matches$/);
      await field(page).fill("zzz");
      await counted(page, /^1 match$/);
    });
  }));
