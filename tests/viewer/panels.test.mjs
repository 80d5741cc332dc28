/** The inspector, the sheet of a narrow page, stops of the Tab key, and what fingers can hit. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe } from "./audit.mjs";
import { drop, partRow, quiet, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { faultySession, longSession, loopingSession, toolSession } from "./transcripts.mjs";

const viewer = served();

const { visit } = viewer;

const inspector = (page) => page.getByRole("complementary", { name: "Inspector" });
const chosen = (page) => page.locator(".row[data-selected]");
const hasFocus = (locator) => locator.evaluate((element) => element === document.activeElement);
/** Where it is once it has come there. */
const box = (locator) =>
  locator.evaluate(async (element) => {
    await Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
    return element.getBoundingClientRect().toJSON();
  });

async function open(page, title, content) {
  await drop(page, `${title}.json`, content);
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await settled(page);
}

describe("the inspector", () => {
  for (const width of [1440, 1024]) {
    test(`is closed until it is asked for, by key or by the row's button, at ${width} px`, () =>
      viewer.shareSample({ width }, async (page) => {
        await partRow(page, 1, 3).locator(".tool-name").click();
        await thereAre(inspector(page), 0);
        await page.keyboard.press("i");
        assert.match(await words(inspector(page).locator("h2")), /^Tool bash/);
        await page.keyboard.press("i");
        await thereAre(inspector(page), 0);
        const row = partRow(page, 1, 1);
        await row.locator(".fold-title").click();
        await row.getByRole("button", { name: "Inspect" }).click();
        assert.match(await words(inspector(page).locator("h2")), /^Reasoning/);
        await page.keyboard.press("j");
        await inspector(page).getByRole("heading", { name: "Text", level: 2 }).waitFor();
        await inspector(page).getByRole("button", { name: "Close the inspector" }).click();
        await thereAre(inspector(page), 0);
      }));
  }

  test("lies over the transcript at 1024 px, and gives the focus back", () =>
    viewer.shareSample({ width: 1024 }, async (page) => {
      const wide = await box(page.getByRole("main"));
      for (let i = 0; i < 4; i++) await page.keyboard.press("j");
      const label = await chosen(page).getAttribute("aria-label");
      await page.keyboard.press("i");
      await page.waitForFunction(() =>
        document.activeElement.closest(".pane-inspector")?.matches("aside"),
      );
      // The transcript keeps its width: what is read does not move.
      assert.deepEqual(await box(page.getByRole("main")), wide);
      const over = await box(inspector(page));
      assert.ok(over.left > wide.left && over.right <= wide.right + 1);
      assert.deepEqual(await axe(page), []);
      await page.keyboard.press("Escape");
      await thereAre(inspector(page), 0);
      assert.ok(await hasFocus(chosen(page)));
      assert.equal(await chosen(page).getAttribute("aria-label"), label);
    }));

  test("is a column at 1440 px; the row keeps the focus", () =>
    viewer.shareSample({}, async (page) => {
      const wide = await box(page.getByRole("main"));
      await page.keyboard.press("j");
      await page.keyboard.press("i");
      assert.ok((await box(page.getByRole("main"))).width < wide.width - 200);
      assert.ok(await hasFocus(chosen(page)));
    }));
});

describe("a narrow page", () => {
  const narrow = { width: 390, height: 844 };
  const details = (page) => page.getByRole("button", { name: /^Details/ });
  const sheet = (page) => page.getByRole("dialog", { name: "Details" });
  const tab = (page, name) => sheet(page).getByRole("tab", { name, exact: true });

  test("has the facts of the run, the part and the problems in one sheet", () =>
    visit(narrow, async (page) => {
      await open(page, "Faults", faultySession());
      await thereAre(page.locator(".facts, .pane-inspector, .pane-problems"), 0);
      await details(page).click();
      const { top, bottom } = await box(sheet(page));
      assert.ok(top > 100 && bottom === 844, `${top} to ${bottom}`);
      assert.match(await words(sheet(page)), /Status[\s\S]*Trouble\s+.*2 file problems/);
      assert.deepEqual(await axe(page), []);
      await tab(page, "File problems 2").click();
      await thereAre(sheet(page).locator("button.problem"), 2);
      await tab(page, "Part").click();
      await sheet(page).getByText("Select a part to see it in full.").waitFor();
      await page.keyboard.press("Escape");
      await sheet(page).waitFor({ state: "detached" });
      assert.ok(await hasFocus(details(page)));
    }));

  test("comes with the selected part, and goes with its button", () =>
    visit(narrow, async (page) => {
      for (let i = 0; i < 4; i++) await page.keyboard.press("j");
      await details(page).click();
      assert.match(await words(inspector(page).locator("h2")), /^Tool bash/);
      await inspector(page).getByRole("tab", { name: "Output" }).click();
      assert.match(await words(inspector(page).getByRole("tabpanel")), /hello\.py/);
      await sheet(page).getByRole("button", { name: "Close details" }).click();
      await sheet(page).waitFor({ state: "detached" });
      assert.ok(await chosen(page).isVisible());
      await page.keyboard.press("r");
      await inspector(page).getByRole("tab", { name: "Raw", selected: true }).waitFor();
    }));

  for (const width of [560, 390, 320]) {
    test(`has a way to inspect the selected part on it, at ${width} px`, () =>
      viewer.share({ ...narrow, width }, async (page) => {
        await open(page, "Faults", faultySession());
        await page.locator(".row-part").first().click();
        const row = page.locator(".row[data-selected]");
        const button = row.getByRole("button", { name: "Inspect" });
        const { width: wide, height } = await box(button);
        assert.ok(wide >= 44 && height >= 44, `${wide} by ${height}`);
        assert.deepEqual(await axe(page), []);
        await button.click();
        await sheet(page).getByRole("tab", { name: "Part", selected: true }).waitFor();
      }));
  }

  /** What a finger cannot hit well: smaller than 44 px, and no link in a text. */
  const small = (page) =>
    page.evaluate(() => {
      const controls = "button, select, summary, input, textarea, [role=tab], [role=slider]";
      const modal = document.querySelector("dialog[open]");
      return (
        [...(modal ?? document).querySelectorAll(controls)]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .filter(
            (element) => !element.closest(".hidden, .markdown") && !element.matches(".hidden"),
          )
          // A finger hits a tick by its words too.
          .map((each) =>
            each.matches("[type=checkbox], [type=radio]") ? (each.closest("label") ?? each) : each,
          )
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 43.9 || box.height < 43.9)
          .map(
            ({ element, box }) => `${box.width}x${box.height} ${element.outerHTML.slice(0, 120)}`,
          )
      );
    });

  test("has nothing to hit of less than 44 px", () =>
    visit(narrow, async (page) => {
      assert.deepEqual(await small(page), []);
      for (const name of ["Outline", "Timeline", "Transcript"]) {
        await page.locator(".pane-tabs").getByRole("button", { name }).click();
        await quiet(page);
        assert.deepEqual(await small(page), [], name);
      }
      for (const name of ["Run", "Part", "File problems"]) {
        await page.keyboard.press("j");
        await details(page).click();
        await tab(page, name).click();
        assert.deepEqual(await small(page), [], name);
        await page.keyboard.press("Escape");
      }
      for (const name of ["Open", "Compare…", "Share…", "Help and keys"]) {
        await page.getByRole("button", { name, exact: true }).click();
        assert.deepEqual(await small(page), [], name);
        await page.keyboard.press("Escape");
      }
      await page.keyboard.press("/");
      await page.getByRole("search").waitFor();
      await page.getByRole("button", { name: "Filters" }).click();
      assert.deepEqual(await small(page), [], "search");
      await page.getByRole("button", { name: "Close search" }).click();
      await open(page, "Loops", loopingSession());
      assert.deepEqual(await small(page), [], "loops");
    }));

  test("nor has a session with every kind of tool", () =>
    viewer.share({ ...narrow, height: 4000 }, async (page) => {
      await open(page, "Every kind of tool", toolSession());
      assert.deepEqual(await small(page), []);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(isWide, false);
    }));
});

describe("the Tab key", () => {
  /** The stops from where the focus is, each by the class of what is around it. */
  async function stops(page, most = 80) {
    const found = [];
    for (let i = 0; i < most; i++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const { activeElement } = document;
        const around = activeElement.closest(
          ".outline-entry, .row, .timeline-head, .tabs, .summary",
        );
        return around?.className.split(" ")[0] ?? activeElement.className.split(" ")[0];
      });
      if (!stop) break;
      found.push(stop);
    }
    return found;
  }
  const count = (all, name) => all.filter((each) => each === name).length;

  test("first comes to a link that skips to the transcript", () =>
    visit({}, async (page) => {
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to the transcript" });
      assert.ok(await hasFocus(skip));
      await page.keyboard.press("Enter");
      assert.ok(await hasFocus(page.getByRole("main")));
      assert.doesNotMatch(page.url(), /#transcript/);
      // The lines of the summary come first.
      const isInSummary = () => document.activeElement.closest(".summary") !== null;
      do await page.keyboard.press("Tab");
      while (await page.evaluate(isInSummary));
      assert.ok(await hasFocus(chosen(page)));
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 0, user/);
    }));

  test("has one stop in the outline, one in the toolbar of the timeline, one row of the transcript", () =>
    viewer.shareSample({}, async (page) => {
      const all = await stops(page);
      assert.equal(count(all, "outline-entry"), 1, all.join());
      assert.equal(count(all, "timeline-head"), 1, all.join());
      // The row, and the button at its edge.
      assert.equal(count(all, "row"), 2, all.join());
      assert.ok(all.indexOf("outline-entry") < all.indexOf("row"));
    }));

  test("comes to the controls of the selected row only", () =>
    viewer.shareSample({}, async (page) => {
      for (let i = 0; i < 4; i++) await page.keyboard.press("j");
      const inside = await page.evaluate(() =>
        [...document.querySelectorAll(".row :is(button, a, summary)")]
          .filter((element) => element.tabIndex >= 0)
          .map((element) => element.closest(".row").matches("[data-selected]")),
      );
      assert.ok(inside.length >= 2 && inside.every(Boolean), inside.join());
      await page.keyboard.press("Tab");
      assert.ok(await hasFocus(chosen(page).locator(".fold-head")));
    }));

  test("leaves the arrows to move in the outline, also far down", () =>
    viewer.share({}, async (page) => {
      await open(page, "A long one", longSession(2000));
      const entries = page.locator(".outline-entry");
      await entries.first().focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
      const number = () => page.evaluate(() => document.activeElement.dataset.roving);
      assert.equal(await number(), "3");
      await page.keyboard.press("End");
      await page.waitForFunction(() => document.activeElement.dataset.roving === "3999");
      await page.keyboard.press("ArrowUp");
      await page.waitForFunction(() => document.activeElement.dataset.roving === "3998");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash === "#m=3998");
      await page.locator('.outline-entry[data-roving="3998"]').focus();
      await page.keyboard.press("Home");
      await page.waitForFunction(() => document.activeElement.dataset.roving === "0");
    }));

  test("leaves the arrows to move from row to row, and in the timeline's toolbar", () =>
    viewer.shareSample({}, async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("ArrowDown");
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, part 1: reasoning/);
      assert.ok(await hasFocus(chosen(page)));
      await page.keyboard.press("ArrowUp");
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 0, part 0/);
      await page.locator(".timeline-title").focus();
      await page.keyboard.press("ArrowRight");
      assert.ok(await hasFocus(page.getByRole("button", { name: "Zoom out" })));
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      assert.ok(await hasFocus(page.getByRole("button", { name: "Fit the timeline (0)" })));
    }));
});
