/** Scrolling through a long transcript: nothing jumps, nothing is left out, and no task is long. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { settled } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";
import { assertShort, watchTasks } from "./tasks.mjs";
import { message, session, text, tool } from "./transcripts.mjs";

const viewer = served();
let folder;
let server;

/** Rows of all heights, in an order that has no pattern a guess could follow. */
function transcript() {
  const messages = [];
  for (let turn = 0; turn < 6000; turn++) {
    const paragraphs = (turn * 7919) % 11;
    messages.push(
      message("user", [text(`Question ${turn}.\n\n${"More of it.\n\n".repeat(turn % 4)}`)]),
    );
    messages.push(
      message("assistant", [
        text(`Answer ${turn}.\n\n${"- **one** of `many`\n".repeat(paragraphs)}`),
        tool("bash", { command: `echo ${turn}` }, { output: "line\n".repeat((turn * 31) % 25) }),
      ]),
    );
  }
  return session("Long", messages);
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "viewer-"));
  const path = join(folder, "long.json");
  writeFileSync(path, transcript());
  server = await serve({ file: path });
});
after(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** The rows that are elements, by number: where each stands in the window. */
const places = (page) =>
  page.locator(".row").evaluateAll((rows) =>
    rows
      .map((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return { row: Number(row.getAttribute("aria-posinset")), top, bottom };
      })
      .sort((a, b) => a.row - b.row),
  );

/** Each row begins where the one before it ends, and they fill what is in view. */
async function seamless(page) {
  const rows = await places(page);
  for (const [i, { row, top }] of rows.entries()) {
    if (i === 0) continue;
    assert.equal(row, rows[i - 1].row + 1);
    assert.ok(Math.abs(top - rows[i - 1].bottom) <= 1, `row ${row} at ${top}`);
  }
  const view = await page.getByRole("feed").evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });
  assert.ok(rows[0].top <= view.top && rows.at(-1).bottom >= view.bottom, "rows fill the view");
  return rows;
}

// It takes long to open, so that is done once: each goes on where the one before has left the list.
test("a long list", (list) =>
  viewer.visit({ address: server.url }, async (page) => {
    await page.locator("h1", { hasText: "Long" }).waitFor();
    await settled(page);
    const box = await page.getByRole("feed").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);

    await list.test(
      "the first press on a row moves nothing, or its release would be on another",
      async () => {
        // Beyond the summary, which comes by itself.
        await page.locator(".summary").waitFor();
        await page.mouse.wheel(0, 837);
        await settled(page);
        const feed = await page.getByRole("feed").boundingBox();
        const before = await places(page);
        const { bottom } = before.find((row) => row.top < feed.y && row.bottom > feed.y + 4);
        await page.mouse.move(feed.x + feed.width / 2, bottom - 2);
        await page.mouse.down();
        await page.locator(".row[data-selected]").waitFor();
        await settled(page);
        assert.deepEqual(await places(page), before);
        await page.mouse.up();
      },
    );

    await list.test(
      "up from a far place, rows that are met for the first time move nothing",
      async () => {
        await page.getByRole("feed").evaluate((element) => {
          element.scrollTop = element.scrollHeight / 2;
        });
        await settled(page);
        const middle = (await seamless(page))[0].row;
        assert.ok(middle > 10_000 && middle < 20_000, `row ${middle} in the middle`);
        for (let step = 0; step < 12; step++) {
          const before = await places(page);
          await page.mouse.wheel(0, -240);
          await page.waitForFunction(({ row, top }) => {
            const element = document.querySelector(`.row[aria-posinset="${row}"]`);
            return !element || element.getBoundingClientRect().top !== top;
          }, before[8]);
          await settled(page);
          const now = (await seamless(page)).find(({ row }) => row === before[8].row);
          assert.ok(
            Math.abs(now.top - before[8].top - 240) <= 1.5,
            `${now.top - before[8].top} px`,
          );
        }
      },
    );

    await list.test("a link, a key and the outline lead to rows thousands away", async () => {
      const chosen = page.locator(".row[data-selected]");
      for (const [turn, hash] of [
        [5900, "#m=11801&p=0"],
        [40, "#m=81&p=0"],
        [3000, "#m=6001&p=0"],
      ]) {
        await page.evaluate((to) => {
          location.hash = to;
        }, hash);
        await chosen.filter({ hasText: `Answer ${turn}.` }).waitFor();
        await settled(page);
        const rows = await seamless(page);
        const row = Number(await chosen.getAttribute("aria-posinset"));
        const place = rows.find((each) => each.row === row);
        assert.ok(place.top >= 0 && place.top < 900, `row ${row} at ${place.top}`);
        await page.keyboard.press("j");
        await page.waitForFunction(
          (old) => Number(document.querySelector(".row[data-selected]").ariaPosInSet) > old,
          row,
        );
        await page.keyboard.press("k");
        await page.waitForFunction(
          (old) => Number(document.querySelector(".row[data-selected]").ariaPosInSet) === old,
          row,
        );
        await page
          .locator(`.outline-entry[aria-current="true"]`, { hasText: String(turn * 2 + 1) })
          .waitFor();
      }
    });

    await list.test("by wheel and by far jumps, no task holds the page up", async () => {
      const tasksDone = await watchTasks(viewer.browser);
      for (let i = 0; i < 60; i++) {
        await page.mouse.wheel(0, i % 20 === 19 ? 40_000 : 120);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await settled(page);
      const tasks = await tasksDone();
      assertShort(tasks);
      await seamless(page);
    });
  }));
