/** Parts that no writer should have written: they show what they hold, and hold nothing up. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { drop, partRow, saved, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, PIXEL, session, text, tool } from "./transcripts.mjs";

const viewer = served();
const { visit } = viewer;

async function open(page, title, messages) {
  await drop(page, "odd.json", session(title, messages));
  await page.getByRole("heading", { name: title.slice(0, 40), level: 1 }).waitFor();
  await settled(page);
}

describe("markdown made to hold the page up", () => {
  const columns = 500;
  const table = `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${"|x\n".repeat(10_000)}`;
  for (const [name, source, beginning] of [
    ["a table that fills up all of its rows", table, "|a|a|"],
    ["ten thousand quotes in each other", `${"> ".repeat(10_000)}x`, "> > >"],
    ["five thousand lists in each other", `${"- ".repeat(5000)}x`, "- - -"],
  ]) {
    test(`${name} is shown as it stands`, () =>
      viewer.share({}, async (page) => {
        await open(page, "Bomb", [message("assistant", [text(source), text("*After* it")])]);
        const first = partRow(page, 0, 0);
        assert.ok((await words(first.locator("pre"))).startsWith(beginning));
        assert.ok((await first.locator("*").count()) < 50);
      }));
  }

  test("and what is long, but honest, is drawn", () =>
    viewer.share({ height: 3000 }, async (page) => {
      const rows = Array.from({ length: 500 }, (_, i) => `| ${i} | **b** | \`c\` |`).join("\n");
      const deep = `${"> ".repeat(12)}deep`;
      const parts = [text(`| a | b | c |\n|---|---|---|\n${rows}`), text(deep)];
      await open(page, "Honest", [message("assistant", parts)]);
      await thereAre(partRow(page, 0, 0).locator("tbody tr"), 500);
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await partRow(page, 0, 1).waitFor();
      await thereAre(partRow(page, 0, 1).locator("blockquote"), 12);
    }));
});

describe("what is none of what it says", () => {
  test("a part that is no object is shown for what it is", () =>
    viewer.share({}, async (page) => {
      const whole = message("assistant", []);
      await open(page, "No parts", [{ ...whole, parts: [null, 5, "words", ["list"]] }]);
      for (const [part, shown] of ["null", "5", "words", "list"].entries()) {
        assert.match(await words(partRow(page, 0, part).locator(".card-body")), new RegExp(shown));
      }
      await partRow(page, 0, 2).click();
      await page.keyboard.press("r");
      const panel = page.getByRole("tabpanel");
      await panel.getByText('"words"').waitFor();
    }));

  test("and is in every export", () =>
    viewer.share({}, async (page) => {
      const whole = message("assistant", [text("Before.")]);
      await open(page, "Exported", [{ ...whole, parts: [...whole.parts, null, "words"] }]);
      for (const kind of [/^Markdown/, /^HTML/]) {
        await page.getByRole("button", { name: "Share…" }).click();
        const download = page.waitForEvent("download");
        await page.getByRole("dialog").getByRole("button", { name: kind }).click();
        const written = await saved(await download);
        assert.match(written, /Before\./);
        assert.match(written, /words/);
      }
    }));

  test("a diff without a diff's signs loses no letter", () =>
    viewer.share({}, async (page) => {
      const patch = "just words\n@@ -1,2 +1,2 @@\n context\n-old\n+new";
      const edit = tool("edit", { filePath: "a.ts" }, { metadata: { diff: patch } });
      await open(page, "No diff", [message("assistant", [edit])]);
      const shown = await words(partRow(page, 0, 0).locator(".card-body"));
      for (const line of ["just words", "context", "old", "new"]) assert.ok(shown.includes(line));
    }));

  test("a picture too large says so; one with its address in capitals is shown", () =>
    visit({}, async (page) => {
      const large = `data:image/png;base64,${"A".repeat(9_000_000)}`;
      const files = [large, PIXEL.replace("data:image/png", "DATA:IMAGE/PNG")].map((url, i) => ({
        ...{ type: "file", mime: "image/png", filename: `${i}.png`, url },
      }));
      await open(page, "Pictures", [message("assistant", files)]);
      const first = partRow(page, 0, 0);
      assert.match(await words(first), /9,000,022 characters, too large to be shown/);
      assert.equal(await first.locator("img").count(), 0);
      const second = partRow(page, 0, 1);
      assert.match(await words(second), /data: \(\d+ characters\)/);
      await thereAre(second.locator("img"), 1);
    }));
});

describe("names without end", () => {
  const long = "W".repeat(300);
  const messages = [
    message("user", [text("Go")], { agent: long }),
    message("assistant", [tool(long, {}), text("Done")], { agent: long, modelID: long }),
  ];
  for (const width of [1440, 1200, 390]) {
    test(`widen nothing and lie over nothing, at ${width} px`, () =>
      viewer.share({ width }, async (page) => {
        await open(page, long, messages);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        const card = partRow(page, 1, 0);
        const { right } = await card.evaluate((row) => row.getBoundingClientRect());
        for (const state of await card.locator(".state-word").all()) {
          assert.ok((await state.evaluate((word) => word.getBoundingClientRect().right)) <= right);
        }
        if (width < 1180) return;
        const [end, begin] = await page.evaluate(() =>
          [".header-title h1", ".fact"].map((place, i) => {
            const box = document.querySelector(place).getBoundingClientRect();
            return i === 0 ? box.right : box.left;
          }),
        );
        assert.ok(end <= begin, `the title ends at ${end}, the first fact begins at ${begin}`);
      }));
  }
});

describe("the inspector", () => {
  test("has the same five tabs for every part; those of no use are off", () =>
    viewer.share({}, async (page) => {
      const failed = { status: "error", error: "It failed.", output: undefined };
      await open(page, "Tabs", [message("assistant", [text("Words"), tool("bash", {}, failed)])]);
      const inspector = page.getByRole("complementary", { name: "Inspector" });
      const tabs = inspector.getByRole("tab");
      const off = inspector.locator("[role=tab][aria-disabled=true]");
      await partRow(page, 0, 0).click();
      await page.keyboard.press("i");
      await off.first().waitFor();
      const names = ["Rendered", "Input", "Output", "Raw", "Problems"];
      assert.deepEqual(await tabs.allInnerTexts(), names);
      assert.deepEqual(await off.allInnerTexts(), ["Input", "Output"]);
      await tabs.first().focus();
      await page.keyboard.press("ArrowRight");
      assert.equal(await words(inspector.getByRole("tab", { selected: true })), "Raw");
      await partRow(page, 0, 1).locator(".tool-name").click();
      await page.waitForFunction(() => !document.querySelector("[role=tab][aria-disabled=true]"));
      await inspector.getByRole("tab", { name: "Output" }).click();
      assert.match(await words(inspector.getByRole("tabpanel")), /It failed\./);
    }));
});

test("a call that gives a task to another agent is marked in the outline", () =>
  viewer.share({}, async (page) => {
    await drop(
      page,
      "subtask.json",
      readFileSync(new URL("../fixtures/subtask.export.json", import.meta.url), "utf8"),
    );
    await page.locator(".mark-subtask").first().waitFor();
    const marked = page.locator(".outline-entry:has(.mark-subtask) .outline-number");
    assert.deepEqual(await marked.allInnerTexts(), ["1"]);
  }));
