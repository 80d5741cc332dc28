/** Files of messages for models: what they say, their instructions, and the records of a data set. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { drop, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";

const viewer = served();

const fixture = (name) =>
  readFileSync(new URL(`../fixtures/formats/messages-${name}.txt`, import.meta.url), "utf8");
const record = (asked, said) => ({
  messages: [
    { role: "system", content: `Be brief.\n${"Use no lists. ".repeat(20)}` },
    { role: "user", content: asked },
    { role: "assistant", content: said },
  ],
});

async function opened(page, name, content) {
  await drop(page, name, content);
  await page.locator(".header-title bdi").getByText(name, { exact: true }).waitFor();
  await page.locator(".summary").waitFor();
  await settled(page);
}
const title = (page) => words(page.locator(".header h1"));
const system = (page) => page.locator('.summary-fact:has(> dt:text-is("System"))');

describe("a file of messages for models", () => {
  test("shows the calls with their results, and what the model was told", () =>
    viewer.share({ height: 1600 }, async (page) => {
      await opened(page, "body.json", fixture("anthropic"));
      assert.equal(await title(page), "What is in these files?");
      assert.match(await words(system(page)), /Answer in one sentence\.$/);
      await page.getByText("One says alpha.").first().waitFor();
      assert.match(
        await words(page.locator('.summary-fact:has(> dt:text-is("Failed"))')),
        /1 call/,
      );
      assert.equal(await page.getByRole("alert").count(), 0);
    }));

  test("has a session a record, and long instructions on demand", () =>
    viewer.share({ height: 1600 }, async (page) => {
      const records = [record("Who?", "Me."), record("Where?", "Here.")];
      await opened(page, "data.jsonl", records.map((one) => JSON.stringify(one)).join("\n"));
      assert.equal(await title(page), "Who?");
      await system(page).getByRole("button", { name: "all of it" }).click();
      await system(page).locator(".summary-system").waitFor();
      assert.equal(await system(page).getByRole("button").count(), 0);
      await page.getByRole("combobox", { name: "Session" }).selectOption("session-2");
      await page.locator(".header h1").getByText("Where?", { exact: true }).waitFor();
      await page.getByText("Here.").first().waitFor();
    }));
});
