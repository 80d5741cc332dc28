/** Loops in the viewer: where they are marked, in which words, and how one gets to them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { drop, headerRow, partRow, quiet, settled, troubleKnown, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { longSession, loopingSession, message, session, tool } from "./transcripts.mjs";

const viewer = served();

/** A page with a session that loops. */
const visit = (options, run) =>
  viewer.visit(options, async (page) => {
    await drop(page, "loops.json", loopingSession());
    await page.getByRole("heading", { name: "Loops", level: 1 }).waitFor();
    await troubleKnown(page);
    await settled(page);
    await run(page);
  });

const loopFact = (page) => page.locator(".trouble-loops");

describe("loops", () => {
  test("are counted, and marked at each of their parts with the verdict's words", () =>
    visit({ height: 3000 }, async (page) => {
      assert.match(await words(loopFact(page)), /^2 loops$/);
      assert.match(await loopFact(page).getAttribute("title"), /^loop: exact_repeat ×4\. The same/);
      const marked = await page
        .locator(".row:has(.row-loop)")
        .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label").split(":")[0]));
      assert.deepEqual(marked, [
        ...["Message 2, part 0", "Message 3, part 0", "Message 4, part 0"],
        "Message 5, part 0",
        ...[0, 1, 2, 3, 4, 5].map((part) => `Message 7, part ${part}`),
      ]);

      // The last of its rows has the words; those before say which call it was.
      const seen = partRow(page, 5, 0).locator(".row-loop");
      assert.match(
        await words(seen),
        /^loop: exact_repeat ×4\s+The same call, bash\(.*4 times in a row/,
      );
      const first = partRow(page, 2, 0).locator(".row-loop");
      assert.match(await words(first), /^loop: exact_repeat ×4\s+1 of 4/);
      assert.match(await first.getAttribute("title"), /^The same call, bash\(.*4 times in a row/);
      assert.match(await first.textContent(), /4 times in a row/);
      assert.match(await first.getAttribute("class"), /loop-interrupt/);
      const warning = partRow(page, 7, 5).locator(".row-loop");
      assert.match(await warning.getAttribute("class"), /loop-warning/);
      assert.match(await words(warning), /^loop: stagnation ×6/);
    }));

  test("n and p stop at the last call of each", () =>
    visit({}, async (page) => {
      const chosen = page.locator(".row[data-selected]");
      const walk = [];
      for (const key of ["n", "n", "p"]) {
        await page.keyboard.press(key);
        await chosen.waitFor();
        await settled(page);
        walk.push((await chosen.getAttribute("aria-label")).split(":")[0]);
        await chosen.locator(".row-loop").waitFor();
      }
      assert.deepEqual(walk, ["Message 5, part 0", "Message 7, part 5", "Message 5, part 0"]);
    }));

  test("have a mark in the outline, and the help names them", () =>
    visit({}, async (page) => {
      const entries = page.locator(".outline-entry:has(.mark-loop) .outline-number");
      assert.deepEqual(await entries.allInnerTexts(), ["2", "3", "4", "5", "7"]);
      const mark = page.locator(".mark-loop").first();
      assert.match(await mark.getAttribute("title"), /^is part of a loop: The same call, bash\(/);
      await page.keyboard.press("?");
      const help = await words(page.getByRole("dialog", { name: "Keys" }));
      assert.match(help, /next problem, failure or loop/);
    }));

  test("are gone with the transcript that had them; a long honest one has none", () =>
    visit({}, async (page) => {
      const calls = Array.from({ length: 120 }, (_, i) =>
        message("assistant", [tool("read", { filePath: `file-${i}` }, { output: `text ${i}` })]),
      );
      await drop(page, "honest.json", session("Honest", calls));
      await page.getByRole("heading", { name: "Honest", level: 1 }).waitFor();
      await settled(page);
      await page.locator(".outline-text", { hasText: "read" }).first().waitFor();
      await quiet(page);
      await troubleKnown(page);
      assert.equal(await loopFact(page).count(), 0);
      assert.equal(await page.locator(".row-loop, .mark-loop").count(), 0);
    }));

  test("in a long transcript are found while it is read", () =>
    visit({}, async (page) => {
      const { messages } = JSON.parse(longSession(2000));
      const again = () => message("assistant", [tool("bash", { command: "ls" })]);
      const all = [...messages, again(), again(), again()];
      await drop(page, "long.json", session("Long", all));
      await page.getByRole("heading", { name: "Long", level: 1 }).waitFor();
      await page.locator(".row").first().waitFor();
      await troubleKnown(page);
      await page.keyboard.press("n");
      const chosen = page.locator(".row[data-selected]");
      await chosen.locator(".row-loop").waitFor();
      assert.match(await chosen.getAttribute("aria-label"), /^Message 4002, part 0:/);
      await headerRow(page, 4002).first().waitFor({ state: "attached" });
    }));
});
