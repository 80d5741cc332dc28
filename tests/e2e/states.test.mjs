/** The page when there is nothing to show: not yet, not at all, or an empty transcript. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { drop, launch, newPage, settled, words } from "./browser.mjs";
import { message, session, text } from "./transcripts.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function serious(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  describe(`at ${width} px`, () => {
    test("while the first file is read, its name is there", async () => {
      const { page, close } = await newPage(browser, { width, height });
      let release;
      const held = new Promise((done) => {
        release = done;
      });
      await page.route("**/samples/*", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(server.url);
      await page.getByText("Reading fix-greeting.json…").waitFor();
      assert.deepEqual(await serious(page), []);
      release();
      await settled(page);
      assert.equal(await page.getByText(/^Reading /).count(), 0);
      await close();
    });

    test("where nothing could be opened, the ways to open something are on the page", async () => {
      const { page, close } = await newPage(browser, { width, height });
      await page.route("**/samples/*", (route) => route.abort());
      await page.goto(server.url);
      await page.getByRole("main").getByText("Choose a file").waitFor();
      assert.match(await words(page.getByRole("alert")), /fix-greeting\.json could not be opened/);
      assert.deepEqual(await serious(page), []);
      const content = session("Pasted", [message("user", [text("Hello")])]);
      await page.getByRole("main").getByLabel("Or paste its text").fill(content);
      await page.getByRole("main").getByRole("button", { name: "Open pasted text" }).click();
      await settled(page);
      assert.equal(await words(page.locator("h1")), "Pasted");
      await close();
    });

    test("a transcript without messages says so", async () => {
      const { page, seen, close } = await newPage(browser, { width, height });
      await page.goto(server.url);
      await settled(page);
      await drop(page, "none.json", session("Nothing yet", []));
      await page.getByText("There are no messages in this transcript.").waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("n");
      assert.deepEqual(await serious(page), []);
      assert.deepEqual(seen.complaints, []);
      await close();
    });
  });
}
