/** The header's facts, and that each of them is to be seen at every width. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe } from "./audit.mjs";
import { drop, settled } from "./browser.mjs";
import { served } from "./served.mjs";
import { faultySession, loopingSession, message, session, text } from "./transcripts.mjs";

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
  await page.locator(".fact", { hasText: "Loops" }).waitFor();
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

const FACTS = ["Model", "Status", "Duration", "Cost", "Tokens", "Problems", "Loops"];

for (const dark of [false, true]) {
  describe(`390 px, ${dark ? "dark" : "light"}`, () => {
    test("all facts are seen, the numbers of problems and loops among them", () =>
      viewer.visit({ width: 390, height: 844, dark }, async (page) => {
        await open(page, "Loops", loopingSession());
        for (const name of FACTS) {
          const { words, isSeen } = await fact(page, name);
          assert.ok(isSeen && words !== "", `${name}: ${words}`);
        }
        assert.equal((await fact(page, "Loops")).words, "2");
        assert.equal((await fact(page, "Model")).words, "mock/script");
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
      const { provider, model } = { provider: MODEL.providerID, model: MODEL.modelID };
      assert.equal((await fact(page, "Model")).words, `${provider}/${model}`);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(isWide, false);
    }));
}

test("the number of problems leads to them where there is one pane", () =>
  viewer.visit({ width: 390, height: 844 }, async (page) => {
    await open(page, "Faults", faultySession());
    assert.equal((await fact(page, "Problems")).words, "2");
    await page.locator(".facts").getByRole("button", { name: "2 problems" }).click();
    await page.getByRole("tab", { name: "File problems 2", selected: true }).waitFor();
    await page.locator(".pane-problems button.problem").first().click();
    // The sheet goes, and what it was about is there.
    await page.locator(".sheet[open]").waitFor({ state: "detached" });
    await page.locator(".row[data-selected] .row-problems").waitFor();
  }));

test("a wide page says it once", () =>
  viewer.visit({}, async (page) => {
    await open(page, "Faults", faultySession());
    assert.equal(await page.getByRole("button", { name: "2 problems" }).count(), 1);
    assert.equal(
      await page.getByText("Problems", { exact: true }).locator("visible=true").count(),
      0,
    );
  }));
