import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { drop, partRow, quiet, send, settled, thereAre, wheel, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";
import { hostileSession, longSession, message, PIXEL, session, text } from "./transcripts.mjs";

const viewer = served();
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-"));
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

/** A page of the viewer, with what holds for every page checked at the end. */
const { visit } = viewer;

describe("hostile transcripts", () => {
  test("nothing in them runs, loads or takes the page over", () =>
    viewer.share({}, async (page) => {
      await drop(page, '<img src=x onerror="window.hacked=1">.json', hostileSession());
      await page.waitForFunction(() =>
        document.querySelector("h1")?.textContent.includes("<script>"),
      );
      await settled(page);
      // Every row comes into view once, and the ways to act on one are tried.
      const rows = Number(await page.locator(".row").first().getAttribute("aria-setsize"));
      for (let i = 0; i < rows; i++) {
        await send(page, "j");
        if (i % 6 === 0) await page.keyboard.press("Enter");
        if (i % 6 === 1) await send(page, "r");
      }
      await page.keyboard.press("Enter");
      await settled(page);
      const last = page.locator(".row[data-selected]");
      assert.equal(Number(await last.getAttribute("aria-posinset")), rows, "the last row");
      const found = await page.evaluate(() => ({
        hacked: window.hacked,
        elements: [...document.querySelectorAll("#app *")]
          .filter((element) =>
            /^(script|iframe|object|embed|form|math|style|base|meta|link)$/i.test(element.tagName),
          )
          .map((element) => element.outerHTML),
        handlers: [...document.querySelectorAll("*")]
          .flatMap((element) => [...element.attributes])
          .filter(({ name }) => name.startsWith("on"))
          .map(({ name, value }) => `${name}=${value}`),
        links: [...document.querySelectorAll("a")]
          .map((link) => link.getAttribute("href") ?? "")
          .filter((href) => href !== "" && !/^(https?:|mailto:|#)/.test(href)),
        images: [...document.querySelectorAll("img")]
          .map((image) => image.src)
          .filter((src) => !src.startsWith("data:")),
        ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
      }));
      const { ids, ...rest } = found;
      assert.deepEqual(rest, {
        hacked: undefined,
        elements: [],
        handlers: [],
        links: [],
        images: [],
      });
      assert.deepEqual(
        ids.filter((name) => !/^(app|problems|inspector-(panel|tab-\w+))$/.test(name)),
        [],
      );
    }));

  test("markdown is drawn, within the page's policy", () =>
    visit({}, async (page) => {
      const source = [
        "# Title",
        "| a | b |\n|---|--:|\n| 1 | 2 |",
        "- [x] done\n- [ ] open",
        "```js\nconst one = 1;\n```",
        `![dot](${PIXEL})`,
        "![far](https://example.com/far.png)",
      ].join("\n\n");
      await drop(page, "md.json", session("Markdown", [message("assistant", [text(source)])]));
      await page.getByRole("heading", { name: "Markdown", level: 1 }).waitFor();
      const part = partRow(page, 0, 0);
      await part.locator("pre .hljs-keyword").waitFor();
      const side = await part
        .locator("td")
        .nth(1)
        .evaluate((cell) => getComputedStyle(cell).textAlign);
      assert.equal(side, "end");
      assert.match(await words(part.locator("ul")), /☑ done[\s\S]*☐ open/);
      await thereAre(part.locator("img"), 1);
      assert.match(await words(part), /far/);
    }));

  test("markdown links open safely", () =>
    viewer.share({}, async (page) => {
      const source = "[out](https://example.com/) [mail](mailto:a@b.c) [here](#m=0)";
      await drop(page, "links.json", session("Links", [message("assistant", [text(source)])]));
      await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
      const out = page.locator(".row").getByRole("link", { name: "out" });
      assert.equal(await out.getAttribute("target"), "_blank");
      assert.match(await out.getAttribute("rel"), /noopener/);
      await thereAre(page.locator(".row").getByRole("link"), 3);
    }));
});

describe("long transcripts", () => {
  test("5,000 messages scroll with a bounded number of rows", () =>
    viewer.share({}, async (page) => {
      await drop(page, "long.json", longSession(2500));
      await page.getByRole("heading", { name: "A long one", level: 1 }).waitFor();
      await settled(page);
      const scroller = page.getByRole("feed");
      for (let i = 1; i <= 20; i++) {
        await scroller.evaluate((element, part) => {
          element.scrollTop = (element.scrollHeight * part) / 20;
        }, i);
        await settled(page);
        assert.ok((await page.locator(".row").count()) < 60);
        assert.ok((await page.locator(".outline-item").count()) < 80);
      }
      await page.mouse.move(700, 500);
      for (let i = 0; i < 30; i++) await page.mouse.wheel(0, -400);
      await settled(page);
      assert.ok((await page.locator(".row").count()) < 60);
      await page.evaluate(() => {
        location.hash = "#m=4999&p=0";
      });
      const chosen = page.locator(".row[data-selected]");
      await chosen.waitFor();
      assert.match(await words(chosen), /Answer 2499/);
      // It is in view once the rows around it have been measured, and it stays there.
      await page.waitForFunction(() => {
        const row = document.querySelector(".row[data-selected]")?.getBoundingClientRect();
        return row !== undefined && row.bottom > 0 && row.top < innerHeight;
      });
      await settled(page);
      assert.ok(
        await chosen.evaluate((element) => element.getBoundingClientRect().top < innerHeight),
      );
    }));

  test("one higher than any element can be is reached from end to end", async () => {
    const path = join(folder, "high.json");
    writeFileSync(path, longSession(70_000));
    const own = await serve({ file: path });
    try {
      await visit({ address: own.url }, async (page) => {
        const scroller = page.getByRole("feed");
        const shown = async () => {
          await settled(page);
          return page.locator(".row").evaluateAll((rows) =>
            rows
              .filter((row) => {
                const { top, bottom } = row.getBoundingClientRect();
                return bottom > 80 && top < innerHeight;
              })
              .map((row) => Number(row.getAttribute("aria-posinset"))),
          );
        };
        assert.ok((await scroller.evaluate((element) => element.scrollHeight)) <= 16_000_000);
        for (const part of [0.5, 1]) {
          await scroller.evaluate((element, to) => {
            element.scrollTop = element.scrollHeight * to;
          }, part);
          await quiet(page);
          const rows = await shown();
          assert.ok(rows.length > 5, `${rows.length} rows at ${part}`);
          const middle = rows[Math.floor(rows.length / 2)] / 280_000;
          assert.ok(Math.abs(middle - part) < 0.02, `${middle} at ${part}`);
        }
        assert.ok((await shown()).includes(280_000), "the last row");
        const before = (await shown())[0];
        await wheel(page, scroller, -300);
        const after = (await shown())[0];
        assert.ok(after < before && after > before - 20, `${before} to ${after}`);
        await page.evaluate(() => {
          location.hash = "#m=70000&p=0";
        });
        await page.locator(".row[data-selected]").waitFor();
        assert.match(await words(page.locator(".row[data-selected]")), /Question 35000/);
      });
    } finally {
      await own.close();
    }
  });
});
