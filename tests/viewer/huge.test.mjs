/** One part that is larger than anything a page could hold: 100 MB of a tool's output. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { partRow, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text, tool } from "./transcripts.mjs";

const viewer = served();

const MARK = "@@output@@";

/** Drops a session whose one output is made in the page, of pieces that it never has as one text. */
async function dropHuge(page, title, call) {
  const content = session(title, [
    message("user", [text("before")]),
    message("assistant", [call]),
    message("assistant", [text("behind it stands the needle")]),
  ]);
  await page.evaluate(([head, tail]) => {
    const line = "a line of the output, of forty letters..\\n";
    const piece = new Blob([line.repeat(25_000)]);
    const transfer = new DataTransfer();
    transfer.items.add(new File([head, ...Array(100).fill(piece), tail], "huge.json"));
    for (const type of ["dragenter", "drop"]) {
      const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent(type, init));
    }
  }, content.split(MARK));
  await page.getByRole("heading", { name: title, level: 1 }).waitFor({ timeout: 90_000 });
  await settled(page);
}

const shown = (page, place) =>
  page.locator(`${place} pre`).evaluateAll((list) => list.map((pre) => pre.textContent.length));

for (const [name, call, least, most] of [
  ["bash", tool("bash", { command: "yes" }, { output: MARK }), 200_000, 220_000],
  ["read", tool("read", { filePath: "a.txt" }, { output: MARK }), 40_000, 60_000],
]) {
  test(`${name}: the row shows, opens piece by piece, and is searched`, (context) =>
    viewer.visit({ address: viewer.url }, async (page) => {
      await page.evaluate(() => {
        window.tasks = [];
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) window.tasks.push(duration);
        }).observe({ type: "longtask" });
      });
      await dropHuge(page, `Huge ${name}`, call);
      // To make the file costs the page more than to show it.
      await page.evaluate(() => window.tasks.splice(0));
      const row = partRow(page, 1, 0);
      assert.ok(Math.max(...(await shown(page, ".row"))) <= 8192);
      await row.getByRole("button", { name: /^Show .* more of 10\d\.\d MB$/ }).click();
      const output = ".row figure[data-field=output]";
      await page.waitForFunction(
        ([place, size]) => document.querySelector(`${place} pre`).textContent.length >= size,
        [output, least],
        { timeout: 60_000 },
      );
      assert.ok(Math.max(...(await shown(page, output))) <= most);
      await row.locator(".tool-name").click();
      await page.keyboard.press("i");
      for (const tab of ["Output", "Raw"]) {
        await page.getByRole("tab", { name: tab }).click({ timeout: 60_000 });
        const panel = page.locator(".inspector-body pre");
        await panel.getByText("a line of the output").waitFor({ timeout: 60_000 });
        assert.ok(Math.max(...(await shown(page, ".inspector-body"))) <= 220_000);
        assert.match(await words(page.locator(".inspector-body .code-more")), /more of 10\d\./);
      }
      await page.keyboard.press("/");
      const field = page.getByRole("search").getByRole("textbox");
      await field.fill("needle");
      await page.locator(".search-count", { hasText: /^1 match$/ }).waitFor({ timeout: 60_000 });
      await field.fill("forty");
      await page.locator(".search-count", { hasText: "100,000+" }).waitFor({ timeout: 60_000 });
      await page.keyboard.press("Shift+Enter");
      await page.locator(".search-note", { hasText: "further down than the page" }).waitFor();
      const tasks = await page.evaluate(() => window.tasks);
      context.diagnostic(`longest task on the page: ${Math.max(0, ...tasks).toFixed(0)} ms`);
    }));
}
