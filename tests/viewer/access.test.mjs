import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { drop, quiet, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { faultySession, loopingSession } from "./transcripts.mjs";

const viewer = served();

const { visit } = viewer;

describe("axe finds nothing serious", () => {
  for (const width of [1440, 1024, 390]) {
    test(`light and dark, ${width} px`, () =>
      visit({ width }, async (page) => {
        assert.deepEqual(await axeLightAndDark(page), []);
        for (let i = 0; i < 12; i++) await page.keyboard.press("n");
        await settled(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        await page.keyboard.press("r");
        await page.locator(".inspector-body .code").waitFor();
        assert.deepEqual(await axeLightAndDark(page), []);
        await page.keyboard.press("Escape");
        await page.locator(".inspector-body").waitFor({ state: "detached" });
        for (const name of ["Open", "Compare…", "Share…", "Help and keys"]) {
          await page.getByRole("button", { name, exact: true }).click();
          await page.getByRole("dialog").waitFor();
          assert.deepEqual(await axeLightAndDark(page), []);
          await page.keyboard.press("Escape");
        }
        await drop(page, "faults.json", faultySession());
        await page.getByRole("heading", { name: "Faults", level: 1 }).waitFor();
        await settled(page);
        if (width > 960) await page.locator(".problem-count").click();
        else {
          await page
            .locator(".pane-tabs")
            .getByRole("button", { name: /^Details/ })
            .click();
          await page.getByRole("tab", { name: /^File problems/ }).click();
        }
        await page.locator(".problem").first().waitFor();
        assert.deepEqual(await axeLightAndDark(page), []);
        await drop(page, "loops.json", loopingSession());
        await page.getByRole("heading", { name: "Loops", level: 1 }).waitFor();
        await page.locator(".row-loop").first().waitFor();
        await page.keyboard.press("n");
        await settled(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        await drop(page, "broken.txt", "no transcript");
        await page.getByRole("alert").waitFor();
        assert.deepEqual(await axeLightAndDark(page), []);
      }));
  }
});

describe("the keyboard alone", () => {
  test("walks by part and turn, folds, shows raw JSON and help", () =>
    viewer.shareSample({}, async (page) => {
      const chosen = page.locator(".row[data-selected]");
      const label = () => chosen.getAttribute("aria-label");
      await page.keyboard.press("j");
      assert.match(await label(), /^Message 0, part 0:/);
      await page.keyboard.press("j");
      assert.match(await label(), /^Message 1, part 1: reasoning/);
      assert.ok(await chosen.evaluate((element) => element === document.activeElement));
      await page.keyboard.press("Enter");
      await chosen.locator(".markdown").waitFor();
      await page.keyboard.press("Enter");
      await chosen.locator(".markdown").waitFor({ state: "detached" });
      await page.keyboard.press("J");
      await page.keyboard.press("K");
      assert.match(await label(), /^Message 0, user/);
      await page.keyboard.press("j");
      await page.keyboard.press("k");
      assert.match(await label(), /^Message 0/);
      await page.keyboard.press("r");
      assert.equal(
        await page.getByRole("tab", { name: "Raw" }).getAttribute("aria-selected"),
        "true",
      );
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.keyboard.press("j");
      assert.match(await label(), /^Message 0/);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
      await thereAre(page.locator("dialog[open]"), 0);
    }));

  test("opens the help again at once after it closed", () =>
    viewer.shareSample({}, async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      // Between the closing and the browser's late word of it there is no time for a real key.
      await page.evaluate(() => {
        const dialog = document.querySelector("dialog[open]");
        const again = new MutationObserver(() => {
          again.disconnect();
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
        });
        again.observe(dialog, { attributeFilter: ["open"] });
        window.wordOfIt = new Promise((resolve) => {
          dialog.addEventListener("close", resolve, { once: true });
        });
      });
      await page.keyboard.press("?");
      await page.evaluate(() => window.wordOfIt);
      await quiet(page);
      await thereAre(page.locator("dialog[open]"), 1);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    }));

  test("reaches every control with Tab, in view and with a ring", () =>
    visit({}, async (page) => {
      const seen = new Set();
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        const stop = await page.evaluate(() => {
          const element = document.activeElement;
          if (!element || element === document.body) return undefined;
          const { outlineStyle } = getComputedStyle(element);
          return { name: element.className || element.tagName, ring: outlineStyle };
        });
        if (!stop) continue;
        seen.add(stop.name);
        if (!/row/.test(stop.name)) assert.notEqual(stop.ring, "none", stop.name);
      }
      for (const part of [
        "skip-link",
        "trouble-failed",
        "outline-entry",
        "row ",
        "timeline-title",
      ]) {
        assert.ok(
          [...seen].some((name) => name.includes(part)),
          `${part} in ${[...seen]}`,
        );
      }
    }));

  test("moves between the inspector's tabs with the arrows", () =>
    viewer.shareSample({}, async (page) => {
      for (let i = 0; i < 4; i++) await page.keyboard.press("j");
      await page.keyboard.press("i");
      await page.getByRole("tab", { name: "Rendered" }).focus();
      await page.getByRole("tab", { name: "Input" }).waitFor();
      await page.keyboard.press("ArrowRight");
      assert.equal(await words(page.locator("[role=tab][aria-selected=true]")), "Input");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      assert.match(await words(page.locator("[role=tab][aria-selected=true]")), /Problems/);
    }));
});

describe("a narrow screen", () => {
  test("shows one pane at a time, and nothing wider than itself", () =>
    visit({ width: 390, height: 844 }, async (page) => {
      const tabs = page.getByRole("navigation", { name: "Panes" });
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(await wide(), false);
      for (const [name, pane] of [
        ["Outline", ".pane-outline"],
        ["Timeline", ".pane-timeline"],
        ["Transcript", ".pane-transcript"],
      ]) {
        await tabs.getByRole("button", { name: new RegExp(`^${name}`) }).click();
        assert.ok(await page.locator(pane).isVisible());
        await thereAre(page.locator(".pane:visible"), 1);
        assert.equal(await wide(), false);
      }
      await tabs.getByRole("button", { name: "Outline" }).click();
      await page.locator(".outline-entry").nth(3).click();
      assert.ok(await page.locator(".pane-transcript").isVisible());
      await page.waitForFunction(() => location.hash === "#m=3");
    }));
});
