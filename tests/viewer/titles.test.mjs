/** What a transcript without a title is called: by what a person asked, and not by what the program added. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { carried, drop, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, text } from "./transcripts.mjs";

const viewer = served();
const { visit } = viewer;

const FORMATS = new URL("../fixtures/formats/", import.meta.url);

const title = (page) => words(page.locator(".header h1"));
const outline = (page) => page.locator(".outline-text:not(.outline-tools)").allInnerTexts();

const harness = (words) => ({ ...text(words), synthetic: true });
const ANSWER = message("assistant", [text("I will.")]);

async function opened(page, name, content) {
  await drop(page, name, content);
  await page.locator(".header-title bdi").getByText(name, { exact: true }).waitFor();
  await settled(page);
}

/** A session of Codex that nobody has named. */
function unnamed() {
  const lines = readFileSync(new URL("codex.txt", FORMATS), "utf8").split("\n");
  return lines.filter((line) => !line.includes("Slugs of umlauts")).join("\n");
}

describe("a session without a title", () => {
  test("is called by what was asked, in the header, the outline and the list of runs", () =>
    viewer.share({}, async (page) => {
      const asked = /slugify\("Größe"\) gives "gr-e": please fix it/;
      await opened(page, "unnamed.jsonl", unnamed());
      assert.match(await title(page), asked);
      assert.match(await page.title(), asked);
      assert.match((await outline(page))[0], asked);
      for (const entry of await outline(page)) assert.doesNotMatch(entry, /environment_context/);
      await page.locator(".summary").getByText(asked).first().waitFor();
      // The agent has one name in the header, and over its messages.
      assert.match(await words(page.locator(".header-title p")), / · Codex · /);
      await page.locator(".message-head").getByText("Codex", { exact: true }).first().waitFor();
      const other = JSON.stringify([ANSWER]);
      const dataTransfer = await carried(page, [
        ["one.jsonl", unnamed()],
        ["two.json", other],
        ["three.json", other],
      ]);
      await page.dispatchEvent("body", "drop", { dataTransfer, clientY: 800 });
      await page.getByText(/^3 runs$/).waitFor();
      await thereAre(page.locator("tbody .run strong").filter({ hasText: asked }), 1);
    }));

  test("is called by a later message where the first ones have nothing that a person wrote", () =>
    visit({}, async (page) => {
      const messages = [
        message("user", [harness("<environment_context>")]),
        message("user", [{ ...text("The plugin was loaded"), ignored: true }]),
        message("user", [harness("# AGENTS.md"), text("Paint the harbour")]),
        ANSWER,
      ];
      await opened(page, "made.json", JSON.stringify(messages));
      assert.equal(await title(page), "Paint the harbour");
      const entries = await page.locator(".outline-text").allInnerTexts();
      const said = ["synthetic text", "ignored text", "Paint the harbour", "I will."];
      for (const [at, words] of said.entries()) assert.ok(entries[at].endsWith(words), entries[at]);
    }));

  test("is compared by what was asked", () =>
    visit({}, async (page) => {
      const asked = (words) =>
        JSON.stringify([message("user", [harness("<environment_context>"), text(words)]), ANSWER]);
      const second = ["two.json", asked("Count the boats")];
      await drop(page, "one.json", asked("Paint the harbour"), { second });
      const verdict = page.locator(".compare-verdict");
      const said =
        "These two were asked different things: “Paint the harbour” and “Count the boats”";
      await verdict.getByText(said).waitFor();
    }));

  test("is called by its file where nobody wrote anything", () =>
    viewer.share({}, async (page) => {
      const messages = [message("user", [harness("<environment_context>")]), ANSWER];
      await opened(page, "made.json", JSON.stringify(messages));
      assert.equal(await title(page), "made.json");
    }));
});
