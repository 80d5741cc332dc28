/** Compactions as folds over what they hid, and cleared outputs, in a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { drop, headerRow, partRow, quiet, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { compactedSession } from "./transcripts.mjs";

const viewer = served();

const visit = (run) =>
  viewer.share({}, async (page) => {
    await drop(page, "compacted.json", compactedSession());
    await page.getByRole("heading", { name: "Compacted", level: 1 }).waitFor();
    await settled(page);
    await run(page);
  });

const bars = (page) => page.locator(".hidden-bar button");
const chosen = (page) => page.locator(".row[data-selected]").getAttribute("aria-label");
const FIRST = "Compacted: 4 messages, 2 calls, hidden from the model";

test("what was hidden is read in order until it is folded, by a click or by Enter", () =>
  visit(async (page) => {
    const first = page.getByRole("button", { name: FIRST });
    assert.equal(await first.getAttribute("aria-expanded"), "true");
    assert.match(await headerRow(page, 0).getAttribute("aria-label"), /, hidden from the model$/);
    await first.click();
    await quiet(page);
    await thereAre(headerRow(page, 0), 0);
    await thereAre(headerRow(page, 2), 0);
    await thereAre(headerRow(page, 4), 1);
    assert.equal(await first.getAttribute("aria-expanded"), "false");
    // The row stands for all of them: a stop for j and k, opened by Enter.
    await page.keyboard.press("j");
    assert.match(await chosen(page), /^Message 4, part 0/);
    await page.keyboard.press("k");
    assert.equal(await chosen(page), FIRST);
    await page.keyboard.press("Enter");
    await quiet(page);
    await thereAre(headerRow(page, 0), 1);
    assert.match(await chosen(page), /^Message 0,/);
  }));

test("a compaction says what it came to, folds what it hid, and stays where it is", () =>
  visit(async (page) => {
    await page.keyboard.press("]");
    await quiet(page);
    const row = partRow(page, 6, 0);
    const said = await words(row);
    for (const expected of [
      "Compacted automatically here",
      "after the context had overflowed",
      "4 messages, 2 calls hidden",
      "2 messages kept verbatim",
      "17,000 tokens before, 5,000 after",
    ]) {
      assert.ok(said.includes(expected), `${expected} in ${said}`);
    }
    const before = (await row.boundingBox()).y;
    await page.keyboard.press("Enter");
    await quiet(page);
    await thereAre(headerRow(page, 0), 0);
    assert.match(await chosen(page), /^Message 6, part 0/);
    // As far as there is something above it to scroll to.
    assert.ok(Math.abs((await row.boundingBox()).y - before) <= before);
    assert.ok(await row.getByRole("button", { name: "Unfold what it hid" }).isVisible());
    await page.keyboard.press("]");
    await quiet(page);
    assert.match(await words(headerRow(page, 7)), /saw this in place of/);
    for (const [message, expected] of [
      [10, "Compacted by hand here"],
      [14, "not finished: nothing is hidden"],
    ]) {
      await page.keyboard.press("]");
      if (message === 14) await page.keyboard.press("]");
      await quiet(page);
      assert.ok((await words(partRow(page, message, 0))).includes(expected));
    }
    assert.match(await words(headerRow(page, 11)), /The model sees this in place of/);
  }));

test("a hit, a turn, the outline and a link open the fold that they lead into", () =>
  visit(async (page) => {
    const fold = async () => {
      await page.evaluate(() =>
        document.querySelector(".pane-transcript .scroller").scrollTo(0, 0),
      );
      await quiet(page);
      const first = bars(page).first();
      if ((await first.getAttribute("aria-expanded")) === "true") await first.click();
      await quiet(page);
      await thereAre(headerRow(page, 2), 0);
    };
    const isOpen = async (message, part) => {
      await quiet(page);
      await thereAre(partRow(page, message, part), 1);
      assert.match(await chosen(page), new RegExp(`^Message ${message},`));
    };
    await fold();
    await page.keyboard.press("/");
    await page.keyboard.type("two buckets");
    await page.keyboard.press("Enter");
    await isOpen(3, 1);
    await page.keyboard.press("Escape");
    await fold();
    await page.locator(".outline-entry").nth(2).click();
    await isOpen(2, 0);
    await fold();
    await page.keyboard.press("j");
    await page.keyboard.press("K");
    await page.keyboard.press("K");
    await isOpen(2, 0);
    await fold();
    await page.evaluate(() => {
      location.hash = "#m=1&p=1";
    });
    await isOpen(1, 1);
  }));

test("a cleared output says so, and stays readable", () =>
  visit(async (page) => {
    const card = await words(partRow(page, 1, 1));
    assert.match(card, /Cleared at \d\d:\d\d:\d\d: the model no longer sees this output/);
    assert.ok(card.includes("[Old tool result content cleared]"));
    assert.ok(card.includes("a drip below"));
    await thereAre(page.locator(".call-cleared"), 2);
  }));

test("nothing of it is hard to read or to reach", () =>
  visit(async (page) => {
    await bars(page).first().click();
    await quiet(page);
    assert.deepEqual(await axeLightAndDark(page), []);
  }));
