/** Loops in the viewer: where they are marked, in which words, and how one gets to them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { drop, headerRow, partRow, quiet, settled, troubleKnown, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { longSession, loopingSession, message, session, text, tool } from "./transcripts.mjs";

const viewer = served();

/** A page with a session that loops. */
const visit = (options, run) =>
  viewer.share(options, async (page) => {
    await drop(page, "loops.json", loopingSession());
    await page.getByRole("heading", { name: "Loops", level: 1 }).waitFor();
    await troubleKnown(page);
    await settled(page);
    await run(page);
  });

const fold = (page) => page.locator(".loop-fold").first();
const unfold = async (page) => {
  await fold(page).click();
  await page.locator('.loop-fold[aria-expanded="true"]').first().waitFor();
  await settled(page);
};
/** A run in which one command is given six times, each in a step of its own. */
const sixTimes = () => {
  const call = () => tool("bash", { command: "cargo check" }, { output: "nothing to do" });
  const steps = Array.from({ length: 6 }, () => message("assistant", [call()]));
  return session("Six", [
    message("user", [text("Check it")]),
    ...steps,
    message("assistant", [text("It does not change.")]),
  ]);
};
const six = (options, run) =>
  viewer.share(options, async (page) => {
    await drop(page, "six.json", sixTimes());
    await page.getByRole("heading", { name: "Six", level: 1 }).waitFor();
    await troubleKnown(page);
    await settled(page);
    await run(page);
  });
const chosen = (page) => page.locator(".row[data-selected]");
const chosenPlace = async (page) => (await chosen(page).getAttribute("aria-label")).split(":")[0];
const isFolded = async (page) => (await fold(page).getAttribute("aria-expanded")) === "false";

const loopFact = (page) => page.locator(".trouble-loops");

describe("loops", () => {
  test("are counted, and marked at each of their parts with the verdict's words", () =>
    visit({ height: 3000 }, async (page) => {
      assert.match(await words(loopFact(page)), /^2 loops$/);
      assert.match(
        await loopFact(page).getAttribute("title"),
        /^loop: the same call ×4\. The same/,
      );
      await unfold(page);
      const marked = await page
        .locator(".row:has(.row-loop)")
        .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label").split(":")[0]));
      assert.deepEqual(marked, [
        ...["Message 2, part 0", "Message 3, part 0", "Message 4, part 0"],
        "Message 5, part 0",
        ...[7, 8, 9, 10, 11, 12].map((index) => `Message ${index}, part 0`),
      ]);

      // The last of its rows has the words; those before say which call it was.
      const seen = partRow(page, 5, 0).locator(".row-loop");
      assert.match(
        await words(seen),
        /^loop: the same call ×4\s+The same call, bash\(.*4 times in a row/,
      );
      const first = partRow(page, 2, 0).locator(".row-loop");
      assert.match(await words(first), /^loop: the same call ×4\s+1 of 4/);
      assert.match(await first.getAttribute("title"), /^The same call, bash\(.*4 times in a row/);
      assert.match(await first.textContent(), /4 times in a row/);
      assert.match(await first.getAttribute("class"), /loop-interrupt/);
      const warning = partRow(page, 12, 0).locator(".row-loop");
      assert.match(await warning.getAttribute("class"), /loop-warning/);
      assert.match(await words(warning), /^loop: the same result ×6/);
    }));

  test("of equal calls begin folded into one row, with a mark for each call", () =>
    six({ height: 1600 }, async (page) => {
      const row = partRow(page, 1, 0);
      assert.equal(await page.locator(".row:has(.row-loop)").count(), 1);
      assert.match(await words(row.locator(".row-loop")), /6 times in a row/);
      assert.match(await words(fold(page)), /^show all 6$/);
      assert.match(await row.getAttribute("aria-label"), /, ×6$/);
      assert.equal(await row.locator(".loop-call").count(), 6);
      assert.deepEqual(
        await row
          .locator(".loop-call")
          .evaluateAll((marks) => marks.map((mark) => mark.getAttribute("aria-label"))),
        [1, 2, 3, 4, 5, 6].map((call) => `Call ${call} of 6`),
      );
      // They are one row of the list: the next one is what comes after all of them.
      const place = Number(await row.getAttribute("aria-posinset"));
      assert.equal(Number(await headerRow(page, 7).getAttribute("aria-posinset")), place + 1);
      const entries = page.locator(".outline-entry:has(.mark-loop) .outline-number");
      assert.deepEqual(await entries.allInnerTexts(), ["1", "2", "3", "4", "5", "6"]);

      await row.getByRole("button", { name: "Call 4 of 6" }).click();
      await page.waitForFunction(() => location.hash === "#m=4&p=0");
      await settled(page);
      assert.equal(await chosenPlace(page), "Message 4, part 0");
      assert.equal(await page.locator(".row:has(.row-loop)").count(), 6);
      await fold(page).click();
      await page.locator(".loop-call").first().waitFor();
      // What was selected folds into the row that stands for it.
      assert.equal(await chosenPlace(page), "Message 1, part 0");
    }));

  test("eight calls in one message are eight in the outline", () =>
    viewer.share({}, async (page) => {
      const call = () => tool("bash", { command: "cargo check" }, { output: "nothing to do" });
      const calls = Array.from({ length: 8 }, call);
      const messages = [message("user", [text("Check it")]), message("assistant", calls)];
      await drop(page, "eight.json", session("Eight", messages));
      await page.getByRole("heading", { name: "Eight", level: 1 }).waitFor();
      await troubleKnown(page);
      await settled(page);
      const mark = page.locator(".outline-entry", { hasText: /^1/ }).locator(".mark-loop");
      assert.match(await mark.getAttribute("title"), /^8 calls are part of a loop/);
      assert.match(await words(mark), /×8/);
    }));

  for (const [name, place, go] of [
    ["j", "Message 2, part 0", (page) => page.keyboard.press("j")],
    ["n", "Message 6, part 0", (page) => page.keyboard.press("n")],
    [
      "a link",
      "Message 5, part 0",
      (page) =>
        page.evaluate(() => {
          location.hash = "#m=5&p=0";
        }),
    ],
    [
      "a hit of the search",
      "Message 3, part 0",
      async (page) => {
        await page.keyboard.press("/");
        await page.getByRole("search").getByRole("textbox").fill("cargo check");
        await page.locator(".search-count", { hasText: "6 matches" }).waitFor();
        for (let i = 0; i < 3; i++) await page.keyboard.press("Enter");
      },
    ],
    [
      "an entry of the outline",
      "Message 3, assistant",
      (page) => page.locator(".outline-entry").nth(3).click(),
    ],
  ]) {
    test(`${name} that leads into folded ones unfolds them`, () =>
      six({}, async (page) => {
        await partRow(page, 1, 0).locator(".tool-name").click();
        await chosen(page).waitFor();
        assert.ok(await isFolded(page));
        await go(page);
        await page.locator(`.row[data-selected][aria-label^="${place}"]`).waitFor();
      }));
  }

  test("k from below comes to the last of them", () =>
    six({}, async (page) => {
      await headerRow(page, 7).click();
      await page.keyboard.press("k");
      await page.locator('.row[data-selected][aria-label^="Message 6, part 0"]').waitFor();
    }));

  test("n and p stop at the last call of each", () =>
    visit({}, async (page) => {
      const walk = [];
      for (const key of ["n", "n", "p"]) {
        await page.keyboard.press(key);
        await chosen(page).waitFor();
        await settled(page);
        walk.push(await chosenPlace(page));
        await chosen(page).locator(".row-loop").waitFor();
      }
      assert.deepEqual(walk, ["Message 5, part 0", "Message 12, part 0", "Message 5, part 0"]);
    }));

  test("have a mark in the outline, and the help names them", () =>
    visit({}, async (page) => {
      const entries = page.locator(".outline-entry:has(.mark-loop) .outline-number");
      const places = [2, 3, 4, 5, 7, 8, 9, 10, 11, 12].map(String);
      assert.deepEqual(await entries.allInnerTexts(), places);
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
    viewer.share({}, async (page) => {
      const { messages } = JSON.parse(longSession(2000));
      const again = () => message("assistant", [tool("bash", { command: "ls" })]);
      const all = [...messages, again(), again(), again()];
      await drop(page, "long.json", session("Long", all));
      await page.getByRole("heading", { name: "Long", level: 1 }).waitFor();
      await page.locator(".row").first().waitFor();
      await troubleKnown(page);
      await page.keyboard.press("n");
      await chosen(page).locator(".row-loop").waitFor();
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 4002, part 0:/);
      await headerRow(page, 4002).first().waitFor({ state: "attached" });
    }));
});
