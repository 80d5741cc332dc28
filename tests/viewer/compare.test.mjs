/** A second file beside the first: two columns, aligned, with what differs marked. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { carried, drop, paste, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import {
  hostileSession,
  mendingRun,
  message,
  sample,
  secondAttempt,
  session,
  text,
} from "./transcripts.mjs";

const viewer = served();

/** Opens a file that a person named: the next one comes beside it. */
const visit = (options, run) => viewer.shareSample(options, run);

/** Waits until the pairs in view have their content. */
async function paired(page) {
  await page.locator(".pair").first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.cell[aria-busy="true"], .reading'));
}

async function beside(page, content = secondAttempt()) {
  await drop(page, "second.json", content, { beside: true });
  await paired(page);
}

const pair = (page, state) => page.locator(`.pair[data-state="${state}"]`);
const chosen = (page) => page.locator(".cell[data-selected]");
const label = (page) => chosen(page).getAttribute("aria-label");
const workers = (page) => page.workers().length;

describe("two files side by side", () => {
  test("step stands beside step, and the first difference is marked in words", () =>
    visit({ height: 3000 }, async (page) => {
      await beside(page);
      assert.equal(await words(page.locator(".compare-count")), "5 differences");
      assert.equal(
        await words(page.locator(".pair-first")),
        "First difference: message 1, tool bash: output differs",
      );
      // Both cells of a pair begin at the same height.
      const tops = await page
        .locator(".pair-cells")
        .evaluateAll((all) =>
          all.map((cells) => Array.from(cells.children, (e) => e.getBoundingClientRect().top)),
        );
      assert.ok(tops.length > 10);
      for (const [left, right] of tops) assert.equal(left, right);
      const changed = pair(page, "changed").first();
      const marks = await changed.locator(".pair-changes mark").allInnerTexts();
      assert.deepEqual(marks, ["hello", "greeting"]);
      await pair(page, "first").first().waitFor({ state: "attached" });
      await pair(page, "second").first().waitFor({ state: "attached" });
      const same = pair(page, "same").first().locator(".cell");
      assert.equal(await words(same.nth(0)), await words(same.nth(1)));
    }));

  test("says of both what they came to, and what of that is better or worse, in words", () =>
    viewer.share({}, async (page) => {
      await drop(page, "good.json", mendingRun(true));
      await page.locator(".header-title p", { hasText: "good.json" }).waitFor();
      await beside(page, mendingRun(false));
      const measure = async (name) => {
        const found = page.locator(".measure", { has: page.getByText(name, { exact: true }) });
        return (await words(found)).split(/\s*\n\s*/).slice(1);
      };
      assert.deepEqual(await measure("Failed"), ["1", "5 4 more, worse"]);
      // They are looked for after the rest.
      await page.locator(".measure", { hasText: "Loops" }).getByText("more, worse").waitFor();
      assert.deepEqual(await measure("Outcome"), ["finished", "finished"]);
      assert.deepEqual(await measure("Files changed"), ["1", "0 1 less"]);
      assert.deepEqual(await measure("Busy time"), ["9.5 s", "12 s 2.0 s more, worse"]);
      // Neither says what it cost: that is not 0.
      assert.deepEqual(await measure("Cost"), ["—", "—"]);
      assert.deepEqual(await measure("Steps"), ["10", "12 2 more"]);
    }));

  test("says up to where they are the same, and what each does then", () =>
    viewer.share({}, async (page) => {
      await drop(page, "good.json", mendingRun(true));
      await page.locator(".header-title p", { hasText: "good.json" }).waitFor();
      await beside(page, mendingRun(false));
      const verdict = page.locator(".compare-verdict");
      assert.equal(
        await words(verdict),
        "The same up to step 7; then the first edits main.rs, the second repeats cargo check, which fails.",
      );
      await beside(page, sample("fix-greeting.json"));
      assert.match(
        await words(verdict),
        /^These two were asked different things: “Make it compile” and “Fix the greeting”\./,
      );
      await drop(page, "same.json", sample("fix-greeting.json"), {
        second: ["again.json", secondAttempt()],
      });
      await verdict.getByText("same calls").waitFor();
      assert.equal(
        await words(verdict),
        "The same calls up to step 1; then each edits hello.py, in its own way.",
      );
    }));

  test("what is the same in a row is one row, which unfolds", () =>
    viewer.share({}, async (page) => {
      await drop(page, "good.json", mendingRun(true));
      await page.locator(".header-title p", { hasText: "good.json" }).waitFor();
      await beside(page, mendingRun(false));
      const fold = page.locator(".pair-fold").first();
      assert.equal(await words(fold), "7 steps the same");
      assert.equal(await fold.getAttribute("aria-expanded"), "false");
      const reads = page.locator(".cell", { hasText: "3.rs" });
      assert.equal(await reads.count(), 0);
      // By the keys it is one stop, between what is before and behind it.
      await page.keyboard.press("j");
      assert.ok(await fold.evaluate((button) => button === document.activeElement));
      await page.keyboard.press("j");
      assert.match(await label(page), /^First: Message 8, part/);
      await page.keyboard.press("k");
      await page.keyboard.press("Enter");
      await paired(page);
      await thereAre(reads, 2);
      assert.equal(await fold.getAttribute("aria-expanded"), "true");
      await fold.click();
      await reads.first().waitFor({ state: "detached" });
      assert.equal(await reads.count(), 0);
      // What is the same throughout is one row too.
      await beside(page, mendingRun(true));
      assert.equal(await words(page.locator(".pair-fold")), "10 steps the same");
    }));

  test("the keys move over pairs and differences, and the inspector says which file", () =>
    visit({}, async (page) => {
      await beside(page);
      await page.keyboard.press("n");
      assert.match(await label(page), /^First: Message 1, part 3: tool bash.*, differs$/);
      assert.ok(await chosen(page).evaluate((cell) => cell === document.activeElement));
      await page.keyboard.press("i");
      const inspector = page.getByRole("complementary", { name: "Inspector" });
      assert.match(await words(inspector.locator("header")), /First: fix-greeting\.json/);
      await inspector.getByRole("tab", { name: "Output" }).click();
      assert.match(await words(inspector.getByRole("tabpanel")), /hello\.py/);

      const other = page.locator('.pair[data-selected] .cell-1 [class*="tool-name"]');
      await other.click();
      await inspector.getByText("Second: second.json").waitFor();
      await inspector.getByRole("tab", { name: "Output" }).click();
      assert.match(await words(inspector.getByRole("tabpanel")), /greeting\.py/);

      await page.keyboard.press("j");
      assert.match(await label(page), /^Second: Message 1, part 4: tool read/);
      await page.keyboard.press("n");
      assert.match(await label(page), /^Second: Message 2, part 2: tool edit.*, differs$/);
      await page.keyboard.press("p");
      assert.match(await label(page), /Message 1, part 3: tool bash/);
      await page.keyboard.press("J");
      await page.getByRole("button", { name: "First difference" }).click();
      assert.match(await label(page), /Message 1, part 3: tool bash/);
      await page.getByRole("button", { name: "Next difference" }).click();
      assert.match(await label(page), /Message 2, part 2: tool edit/);
    }));

  test("what does nothing there says so", () =>
    visit({}, async (page) => {
      await beside(page);
      for (const [key, sentence] of [
        ["/", "Close one of the two transcripts to search in the other."],
        ["]", "Close one of the two transcripts to go to the compactions of the other."],
      ]) {
        await page.keyboard.press(key);
        await page.getByRole("status").getByText(sentence).waitFor();
      }
    }));

  test("what is the same is folded, and both sides fold together", () =>
    visit({}, async (page) => {
      await beside(page);
      await page.keyboard.press("n");
      await page.keyboard.press("j");
      const folds = page.locator(".pair[data-selected] .foldable");
      const state = () => folds.evaluateAll((all) => all.map(({ dataset }) => dataset.folded));
      assert.deepEqual(await state(), ["true", "true"]);
      await page.keyboard.press("Enter");
      assert.deepEqual(await state(), ["false", "false"]);
      await folds.nth(1).locator(".fold-head").click();
      assert.deepEqual(await state(), ["true", "true"]);
    }));

  test("closing leads back to the one transcript, at the same place, and frees the second worker", () =>
    visit({}, async (page) => {
      assert.equal(workers(page), 1);
      await beside(page);
      assert.equal(workers(page), 2);
      await page.keyboard.press("n");
      await page.getByRole("button", { name: "Close comparison" }).click();
      await settled(page);
      assert.equal(await page.locator(".pair").count(), 0);
      const row = page.locator(".row[data-selected]");
      assert.match(await row.getAttribute("aria-label"), /^Message 1, part 3:/);
      assert.ok(await row.isVisible());
      assert.equal(workers(page), 1);
      // As before: what was folded for being the same is no longer.
      const read = page.locator('.row[aria-label^="Message 1, part 4:"] .foldable');
      assert.equal(await read.getAttribute("data-folded"), "false");
    }));

  test("a third takes the second's place; one that cannot be read leaves all as it was", () =>
    visit({}, async (page) => {
      await beside(page);
      await drop(page, "notes.txt", "no transcript", { beside: true });
      assert.match(await words(page.getByRole("alert")), /^notes\.txt could not be opened\./);
      assert.equal(await words(page.locator(".compare-count")), "5 differences");
      await beside(page, sample("fix-greeting.json"));
      await page.getByText("No difference: both say the same.").waitFor();
      assert.equal(await page.locator(".pair-first").count(), 0);
      await page.locator(".pair-fold", { hasText: "the same" }).waitFor();
      assert.equal(workers(page), 2);
    }));
});

describe("a second file is opened", () => {
  test("by ?beside=, and stays in the address", () =>
    viewer.visit({ address: `${viewer.url}?src=samples/fix-greeting.json` }, async (page) => {
      await page.goto(
        `${viewer.url}?src=samples/fix-greeting.json&beside=samples/provider-errors.json`,
      );
      await paired(page);
      assert.match(await words(page.locator(".compare-heads")), /provider-errors\.json/);
      assert.match(page.url(), /\?src=samples\/fix-greeting\.json&beside=samples\/provider-errors/);
      await page.getByRole("button", { name: "Close comparison" }).click();
      await settled(page);
      assert.doesNotMatch(page.url(), /beside/);
    }));

  test("by ?beside= of another origin it is not", () =>
    viewer.visit({ address: `${viewer.sample}&beside=http://127.0.0.1:9/x.json` }, async (page) => {
      assert.match(await words(page.getByRole("alert")), /only be opened from the address/);
      assert.equal(await page.locator(".pair").count(), 0);
    }));

  test("by ?beside= without ?src= it is not: the page says what is missing", () =>
    viewer.visit({ address: `${viewer.url}?beside=samples/provider-errors.json` }, async (page) => {
      assert.match(await words(page.getByRole("alert")), /beside=.*no first one.*src=/);
      assert.equal(await page.locator(".pair").count(), 0);
    }));

  test("by the button, from a sample and from pasted text", () =>
    visit({}, async (page) => {
      await page.getByRole("button", { name: "Compare…" }).click();
      await page.getByRole("button", { name: /Provider errors/ }).click();
      await paired(page);
      assert.match(await words(page.locator(".compare-heads")), /provider-errors/);
      await page.getByRole("button", { name: "Compare…" }).click();
      await page
        .getByLabel("Or paste its text")
        .fill(session("Pasted", [message("user", [text("Fix the greeting")])]));
      await page.getByRole("button", { name: "Open pasted text" }).click();
      await page.getByRole("heading", { name: /Pasted/ }).waitFor();
    }));

  test("by dropping it; while it hovers, two zones say what they are for", () =>
    visit({}, async (page) => {
      const dataTransfer = await carried(page, [["a.json", "{}"]]);
      const hover = (type, clientY) =>
        page.dispatchEvent("body", type, { dataTransfer, clientX: 1400, clientY });
      const here = page.locator(".drop-overlay .drop-here");
      await hover("dragenter", 10);
      assert.equal(await words(here), "Open beside fix-greeting.json");
      await hover("dragover", 590);
      assert.equal(await words(here), "Open beside fix-greeting.json");
      await hover("dragover", 610);
      assert.equal(await words(here), "Open instead");
      const zones = await page.locator(".drop-zones > div").evaluateAll((all) =>
        all.map((zone) => {
          const { top, bottom } = zone.getBoundingClientRect();
          return top < 600 && bottom < 600 ? "above" : top > 590 ? "below" : "between";
        }),
      );
      assert.deepEqual(zones, ["above", "below"]);
      await hover("dragleave", 610);
      assert.equal(await here.count(), 0);
    }));

  test("by dropping it anywhere above, also on the left; below it takes the first one's place", () =>
    visit({}, async (page) => {
      await drop(page, "second.json", secondAttempt(), { beside: true });
      await paired(page);
      assert.match(
        await words(page.locator(".compare-heads")),
        /fix-greeting\.json[\s\S]*second\.json/,
      );
      await page.getByRole("button", { name: "Close comparison" }).click();
      await drop(page, "own.json", sample("provider-errors.json"));
      await page.locator(".header-title p", { hasText: "own.json" }).waitFor();
      assert.equal(await page.locator(".compare").count(), 0);
      // What a person dropped is left where it is, as what the address names is.
      await beside(page);
      assert.match(await words(page.locator(".compare-heads")), /own\.json[\s\S]*second\.json/);
    }));

  test("by pasting its text, which takes the second one's place after that", () =>
    visit({}, async (page) => {
      const heads = page.locator(".compare-heads");
      await paste(page, sample("provider-errors.json"));
      await paired(page);
      assert.match(
        await words(heads),
        /fix-greeting\.json[\s\S]*provider-errors[\s\S]*Pasted text/,
      );
      await paste(page, session("Once more", [message("user", [text("Fix the greeting")])]));
      await heads.getByText("Once more").waitFor();
      assert.match(await words(heads), /fix-greeting\.json[\s\S]*Once more/);
    }));

  test("but not on the start page, where it is the first", () =>
    viewer.visit({ address: viewer.url }, async (page) => {
      const dataTransfer = await carried(page, [["a.json", "{}"]]);
      await page.dispatchEvent("body", "dragenter", { dataTransfer, clientY: 10 });
      assert.equal(await words(page.locator(".drop-overlay")), "Drop a transcript to open it");
      await drop(page, "own.json", sample("provider-errors.json"), { beside: true });
      await page.locator(".header-title p", { hasText: "own.json" }).waitFor();
      assert.equal(await page.locator(".compare").count(), 0);
      await drop(page, "two.json", secondAttempt(), { beside: true });
      await paired(page);
      assert.match(await words(page.locator(".compare-heads")), /own\.json[\s\S]*two\.json/);
    }));

  test("with two open: above in the second one's place, below in the place of both", () =>
    visit({}, async (page) => {
      await beside(page);
      const dataTransfer = await carried(page, [["a.json", "{}"]]);
      await page.dispatchEvent("body", "dragenter", { dataTransfer, clientY: 10 });
      assert.deepEqual(
        await page.locator(".drop-zones > div").evaluateAll((all) =>
          // biome-ignore lint/performance/useDomNodeTextContent: the rendered text is what it is about
          all.map((zone) => zone.innerText.replace(/\s+/g, " ")),
        ),
        ["Open beside fix-greeting.json instead of second.json", "Open instead of both"],
      );
      await drop(page, "third.json", sample("provider-errors.json"), { beside: true });
      await page.locator(".compare-heads", { hasText: "third.json" }).waitFor();
      assert.match(
        await words(page.locator(".compare-heads")),
        /fix-greeting\.json[\s\S]*third\.json/,
      );
      await drop(page, "notes.txt", "no transcript");
      assert.match(await words(page.getByRole("alert")), /^notes\.txt could not be opened\./);
      await thereAre(page.locator(".compare-head"), 0);
      await page.getByRole("button", { name: /Provider errors/ }).click();
      await settled(page);
      await drop(page, "two.json", secondAttempt(), { beside: true });
      await paired(page);
      await drop(page, "alone.json", secondAttempt());
      await page.locator(".header-title p", { hasText: "alone.json" }).waitFor();
      await settled(page);
      assert.equal(await page.locator(".compare").count(), 0);
      assert.equal(await page.locator(".reading").count(), 0);
      assert.equal(workers(page), 1);
    }));

  test("by dropping it while a dialog asks for one: where the dialog says", () =>
    visit({}, async (page) => {
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await drop(page, "own.json", sample("provider-errors.json"), { beside: true });
      await page.locator(".header-title p", { hasText: "own.json" }).waitFor();
      assert.equal(await page.locator(".compare").count(), 0);
      await page.getByRole("button", { name: "Compare…" }).click();
      await drop(page, "two.json", secondAttempt());
      await paired(page);
      assert.match(await words(page.locator(".compare-heads")), /own\.json[\s\S]*two\.json/);
    }));

  test("by dropping two at once, which take the place of all that is open", () =>
    visit({}, async (page) => {
      await beside(page);
      const second = ["two.json", sample("long-compaction.json")];
      const dataTransfer = await carried(page, [["a.json", "{}"], second]);
      await page.dispatchEvent("body", "dragenter", { dataTransfer, clientY: 10 });
      assert.equal(
        await words(page.locator(".drop-overlay")),
        "Drop both to open them side by side",
      );
      await drop(page, "one.json", sample("provider-errors.json"), { second });
      await page.locator(".compare-heads", { hasText: "two.json" }).waitFor();
      assert.match(await words(page.locator(".compare-heads")), /one\.json[\s\S]*two\.json/);
    }));

  test("the dialog opens another in the first one's place: they are aligned anew", () =>
    visit({}, async (page) => {
      await beside(page);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("button", { name: /Provider errors/ }).click();
      await page.locator(".compare-head").first().getByText("provider-errors.json").waitFor();
      await paired(page);
      assert.match(await words(page.locator(".compare-head").nth(1)), /second\.json/);
    }));
});

describe("comparing is", () => {
  test("safe with hostile transcripts on both sides", () =>
    viewer.share({ height: 2000 }, async (page) => {
      await drop(page, "first.json", hostileSession());
      await settled(page);
      await beside(page, hostileSession().replaceAll("cover", "recover"));
      for (let i = 0; i < 15; i++) {
        await page.keyboard.press("n");
        await paired(page);
      }
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      await page.locator(".pair-changes").first().waitFor({ state: "attached" });
    }));

  for (const width of [1440, 390]) {
    test(`without a serious finding of axe: light and dark, ${width} px`, () =>
      visit({ width, height: 900 }, async (page) => {
        await beside(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        for (let i = 0; i < 3; i++) await page.keyboard.press("n");
        await paired(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        await page.getByRole("button", { name: "Compare…" }).click();
        await page.getByRole("dialog").waitFor();
        assert.deepEqual(await axeLightAndDark(page), []);
      }));
  }

  test("of use on a narrow screen: both under each other, or one alone", () =>
    visit({ width: 390, height: 844 }, async (page) => {
      await beside(page);
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      const shown = async () => [
        await page.locator(".cell-0:visible").count(),
        await page.locator(".cell-1:visible").count(),
      ];
      assert.equal(await wide(), false);
      await page.getByRole("button", { name: "First", exact: true }).click();
      const [left, none] = await shown();
      assert.ok(left > 0);
      assert.equal(none, 0);
      await page.getByRole("button", { name: "Second", exact: true }).click();
      assert.equal((await shown())[0], 0);
      await page.getByRole("button", { name: "Both", exact: true }).click();
      await page.getByRole("button", { name: "First difference" }).click();
      const changed = page.locator('.pair[data-selected][data-state="changed"] .cell');
      await thereAre(changed, 2);
      const [one, other] = await changed.evaluateAll((all) =>
        all.map((cell) => cell.getBoundingClientRect()),
      );
      assert.ok(other.top >= one.bottom);
      assert.equal(await wide(), false);
    }));
});
