/** The page when there is nothing to show: not yet, not at all, or an empty transcript. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe } from "./audit.mjs";
import { drop, newPage, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text } from "./transcripts.mjs";

const viewer = served();

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  describe(`at ${width} px`, () => {
    test("while the first file is read, its name is there", async () => {
      const { page, close } = await newPage(viewer.browser, { width, height });
      let release;
      const held = new Promise((done) => {
        release = done;
      });
      await page.route("**/samples/*", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(viewer.sample);
      await page.getByText("Reading fix-greeting.json…").waitFor();
      assert.deepEqual(await axe(page), []);
      release();
      await settled(page);
      assert.equal(await page.getByText(/^Reading /).count(), 0);
      await close();
    });

    test("where nothing could be opened, the ways to open something are on the page", async () => {
      const { page, close } = await newPage(viewer.browser, { width, height });
      await page.route("**/samples/*", (route) => route.abort());
      await page.goto(viewer.sample);
      await page.getByRole("main").getByText("Choose a file").waitFor();
      assert.match(await words(page.getByRole("alert")), /fix-greeting\.json could not be opened/);
      assert.deepEqual(await axe(page), []);
      const content = session("Pasted", [message("user", [text("Hello")])]);
      await page.getByRole("main").getByLabel("Or paste its text").fill(content);
      await page.getByRole("main").getByRole("button", { name: "Open pasted text" }).click();
      await settled(page);
      assert.equal(await words(page.locator("h1")), "Pasted");
      await close();
    });

    test("a transcript without messages says so", async () => {
      const { page, seen, close } = await newPage(viewer.browser, { width, height });
      await page.goto(viewer.sample);
      await settled(page);
      await drop(page, "none.json", session("Nothing yet", []));
      await page.getByText("There are no messages in this transcript.").waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("n");
      assert.deepEqual(await axe(page), []);
      assert.deepEqual(seen.complaints, []);
      await close();
    });
  });
}
