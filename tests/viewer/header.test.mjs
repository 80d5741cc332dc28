/** The header's facts, and that each of them is to be seen at every width. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe } from "./audit.mjs";
import { drop, settled, troubleKnown, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { faultySession, loopingSession, message, session, text, tool } from "./transcripts.mjs";

const viewer = served();

const MODEL = {
  providerID: "a-provider-with-a-name",
  modelID: "a-very-long-name-20260101-preview",
};

async function open(page, title, content) {
  await drop(page, `${title}.json`, content);
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await settled(page);
  const details = page.getByRole("button", { name: /^Details/ });
  if (await details.isVisible()) await details.click();
  await troubleKnown(page);
}

/** Whether one fact's value is seen, in the header or in the sheet of a narrow page; and its words. */
async function fact(page, name) {
  const value = page.locator(".fact", { has: page.getByText(name, { exact: true }) }).locator("dd");
  return value.evaluate((element) => {
    const { left, right, top, bottom, width } = element.getBoundingClientRect();
    const header = element.closest(".header, .sheet").getBoundingClientRect();
    const isIn = left >= header.left && right <= header.right && bottom <= header.bottom;
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return {
      words: element.textContent.trim(),
      isSeen: isIn && width > 5 && element.contains(middle),
    };
  });
}

const FACTS = ["Model", "Status", "Duration", "Cost", "Tokens", "Trouble"];

for (const dark of [false, true]) {
  describe(`390 px, ${dark ? "dark" : "light"}`, () => {
    test("all facts are seen, the numbers of problems and loops among them", () =>
      viewer.share({ width: 390, height: 844, dark }, async (page) => {
        await open(page, "Loops", loopingSession());
        for (const name of FACTS) {
          const { words, isSeen } = await fact(page, name);
          assert.ok(isSeen && words !== "", `${name}: ${words}`);
        }
        assert.equal((await fact(page, "Trouble")).words, "2 loops");
        assert.equal((await fact(page, "Model")).words, "script");
        assert.deepEqual(await axe(page), []);
      }));
  });
}

for (const width of [320, 390, 700]) {
  test(`a long model leaves the numbers in sight at ${width} px`, () =>
    viewer.visit({ width, height: 844 }, async (page) => {
      const messages = [
        message("user", [text("Hello")], { model: MODEL }),
        message("assistant", [text("Hello")], MODEL),
      ];
      await open(page, "Long model", session("Long model", messages));
      for (const name of FACTS) assert.ok((await fact(page, name)).isSeen, name);
      // It goes on in a second line where there is no room.
      assert.equal((await fact(page, "Model")).words, MODEL.modelID);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(isWide, false);
    }));
}

test("the number of problems leads to them where there is one pane", () =>
  viewer.share({ width: 390, height: 844 }, async (page) => {
    await open(page, "Faults", faultySession());
    assert.match((await fact(page, "Trouble")).words, /2 file problems$/);
    await page.locator(".facts").getByRole("button", { name: "2 file problems" }).click();
    await page.getByRole("tab", { name: "File problems 2", selected: true }).waitFor();
    await page.locator(".pane-problems button.problem").first().click();
    // The sheet goes, and what it was about is there.
    await page.locator(".sheet[open]").waitFor({ state: "detached" });
    await page.locator(".row[data-selected] .row-problems").waitFor();
  }));

test("what a file does not tell is a dash, never a 0 and never the clock of today", () =>
  viewer.share({}, async (page) => {
    const bare = [message("user", [text("Hello")], { time: undefined, model: undefined })];
    await open(page, "Bare", session("Bare", bare));
    for (const name of ["Model", "Duration", "Cost", "Tokens", "Steps"]) {
      assert.equal((await fact(page, name)).words, "—", name);
    }
    // A recording of what a provider sent has no times: the module gives it that of its opening.
    const events = [
      { id: "c", model: "m", choices: [{ index: 0, delta: { role: "assistant", content: "Hi" } }] },
      { id: "c", model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ];
    const lines = [...events.map((event) => JSON.stringify(event)), "[DONE]"];
    await drop(page, "stream.sse", lines.map((line) => `data: ${line}\n\n`).join(""));
    await page.locator(".header-title p", { hasText: "stream.sse" }).waitFor();
    await settled(page);
    await troubleKnown(page);
    for (const name of ["Duration", "Cost"]) {
      assert.equal((await fact(page, name)).words, "—", name);
    }
    assert.equal(await page.locator(".row time").count(), 0);
    assert.equal(await page.locator('.timeline-lanes[data-axis="rows"]').count(), 1);
  }));

describe("trouble", () => {
  const trouble = (page) => page.locator(".header .trouble");

  test("is one line of what there is; each piece goes to its first place, then to the next", () =>
    viewer.visit({}, async (page) => {
      const failed = () =>
        tool("bash", { command: "make" }, { output: "no", metadata: { exit: 2 } });
      const { messages } = JSON.parse(loopingSession());
      const faulty = message("assistant", [failed(), failed()], { cost: "much" });
      await open(page, "All", session("All", [...messages, faulty]));
      assert.match(await words(trouble(page)), /^2 failed · 2 loops · 1 file problem$/);
      const chosen = page.locator(".row[data-selected]");
      const press = async (name) => {
        await trouble(page).getByRole("button", { name }).click();
        await settled(page);
        return (await chosen.getAttribute("aria-label")).split(":")[0];
      };
      assert.equal(await press("2 failed"), "Message 14, part 0");
      assert.equal(await press("2 failed"), "Message 14, part 1");
      assert.equal(await press("2 loops"), "Message 2, part 0");
      assert.equal(await press("2 failed"), "Message 14, part 0");
      const problems = trouble(page).getByRole("button", { name: /file problem/ });
      assert.equal(await problems.getAttribute("aria-expanded"), "false");
      await problems.click();
      await page.locator(".pane-problems").waitFor();
      assert.equal(await problems.getAttribute("aria-expanded"), "true");
      assert.deepEqual(await axe(page), []);
    }));

  test("that is not there is not counted", () =>
    viewer.share({}, async (page) => {
      await open(page, "Calm", session("Calm", [message("user", [text("Hello")])]));
      assert.equal(await words(trouble(page)), "no trouble");
      assert.equal(await trouble(page).getByRole("button").count(), 0);
    }));
});

test("a wide page says it once", () =>
  viewer.share({}, async (page) => {
    await open(page, "Faults", faultySession());
    assert.equal(await page.getByRole("button", { name: "2 file problems" }).count(), 1);
  }));
