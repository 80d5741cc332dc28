/** The compact view: a line a part; folding all; titles that say what a call is about; what green and red mean. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { drop, partRow, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { longSession, message, sample, session, text, tool } from "./transcripts.mjs";

const viewer = served();

const { visit } = viewer;

const CALLS = [
  tool("bash", { command: "cargo check\n# again" }, { time: { start: 1000, end: 1027 } }),
  tool(
    "edit",
    { filePath: "/work/src/main.rs", oldString: "a\n", newString: "b\nc\n" },
    { time: { start: 2000, end: 2003 } },
  ),
  tool("bash", { command: "cargo test" }, { metadata: { exit: 101 } }),
  tool("grep", { pattern: "fn main", path: "/work/src" }),
  tool("webfetch", { url: "https://example.org/a/" }),
  tool("task", { description: "Look around", prompt: "Say what there is" }),
  tool("read", { filePath: "/work/none.rs" }, { status: "error", error: "No.", output: undefined }),
];

async function opened(page) {
  const messages = [
    message("user", [text("Check it\nand more")]),
    message("assistant", [text("First line.\n\nSecond line."), ...CALLS]),
    message("assistant", CALLS.slice(0, 2)),
    message("assistant", [CALLS[0], CALLS[0]]),
  ];
  await drop(page, "calls.json", session("Calls", messages));
  await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
  await settled(page);
}

/** What a row says, in one line. */
const said = async (row) => (await words(row.locator(".compact-line"))).replace(/\s+/g, " ").trim();
const chosen = (page) => page.locator(".row[data-selected]");

describe("the compact view", () => {
  test("has one line a call, with what it is about and what came of it", () =>
    visit({ height: 1400 }, async (page) => {
      await opened(page);
      await thereAre(page.locator(".compact-line"), 0);
      await page.keyboard.press("d");
      await settled(page);
      assert.equal(await said(partRow(page, 0, 0)), "Check it");
      assert.equal(await said(partRow(page, 1, 0)), "First line.");
      const lines = [];
      for (let part = 1; part <= CALLS.length; part++)
        lines.push(await said(partRow(page, 1, part)));
      const seen = lines.map((line) => line.replace(/(?:completed|failed|edit): /, ""));
      assert.equal(seen[0], "✓ bash cargo check 27 ms");
      assert.equal(seen[1], "✎ main.rs +2 −1 3 ms");
      assert.match(seen[2], /^✗ bash cargo test exit 101/);
      assert.match(seen[3], /^✓ grep fn main/);
      assert.match(seen[4], /^✓ webfetch example\.org\/a/);
      assert.match(seen[5], /^✓ task Look around/);
      assert.match(seen[6], /^✗ read none\.rs/);
      for (const line of await page.locator(".compact-line").all()) {
        assert.ok((await line.evaluate((element) => element.clientHeight)) <= 30);
      }
      assert.deepEqual(await axeLightAndDark(page), []);
    }));

  test("opens a line to the whole part, and goes as it came", () =>
    visit({}, async (page) => {
      await page.keyboard.press("d");
      for (let i = 0; i < 4; i++) await page.keyboard.press("j");
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, part 3: tool bash/);
      await page.keyboard.press("Enter");
      await chosen(page).getByText("hello.py").waitFor();
      await chosen(page).locator(".fold-head").click();
      await chosen(page).locator(".compact-line").waitFor();
      await chosen(page).locator(".compact-line").click();
      await chosen(page).getByText("hello.py").waitFor();
      await page.keyboard.press("d");
      await settled(page);
      await thereAre(page.locator(".compact-line"), 0);
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, part 3: tool bash/);
    }));

  test("stays for what is opened next, and keeps the place", () =>
    visit({}, async (page) => {
      await page.getByRole("button", { name: "Compact view" }).click();
      await drop(page, "long.json", longSession(2000));
      await page.getByRole("heading", { name: "A long one", level: 1 }).waitFor();
      await settled(page);
      await page.locator(".compact-line").first().waitFor();
      await page.evaluate(() => {
        location.hash = "#m=1500";
      });
      await chosen(page).waitFor();
      await page.keyboard.press("d");
      await settled(page);
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1500,/);
      await thereAre(page.locator(".compact-line"), 0);
    }));

  test("is in the sheet of a narrow page", () =>
    visit({ width: 390, height: 844 }, async (page) => {
      await page.getByRole("button", { name: /^Details/ }).click();
      await page.getByRole("button", { name: "Compact view" }).click();
      await page.locator(".compact-line").first().waitFor();
      await page.locator(".sheet[open]").waitFor({ state: "detached" });
      const { height } = await page.locator(".compact-line").first().boundingBox();
      assert.ok(height >= 43.9);
    }));
});

test("e unfolds all parts, E folds them", () =>
  visit({ height: 2000 }, async (page) => {
    await opened(page);
    const open = page.locator('.foldable[data-folded="false"]');
    const folded = page.locator('.foldable[data-folded="true"]');
    const calls = CALLS.length + 4;
    await page.keyboard.press("E");
    await thereAre(folded, calls);
    await thereAre(open, 0);
    assert.match(await words(partRow(page, 1, 0)), /^First line\.\s*3 lines$/);
    await page.keyboard.press("e");
    await open.first().waitFor();
    await thereAre(folded, 0);
    await partRow(page, 1, 0).getByText("Second line.").waitFor();
    await page.keyboard.press("d");
    await page.keyboard.press("e");
    await open.first().waitFor();
    await page.keyboard.press("E");
    await thereAre(open, 0);
    await page.locator(".compact-line").first().waitFor();
  }));

test("the outline says what calls are about", () =>
  visit({ width: 1900 }, async (page) => {
    await opened(page);
    const titles = page.locator(".outline-text");
    await titles.filter({ hasText: "cargo check, edit main.rs" }).waitFor();
    assert.deepEqual(
      (await titles.allInnerTexts()).map((title) => title.replace(/\s+/g, " ").trim()),
      ["User: Check it", "First line.", "bash cargo check, edit main.rs", "bash cargo check ×2"],
    );
  }));

test("green and red say how something ended, and nothing else", () =>
  visit({ height: 2400 }, async (page) => {
    await opened(page);
    await drop(page, "two.json", sample("fix-greeting.json"), { beside: false });
    await settled(page);
    const used = await page.evaluate(() => {
      const probe = document.createElement("i");
      document.body.append(probe);
      const named = (name) => {
        probe.style.setProperty("color", `var(${name})`);
        return getComputedStyle(probe).color;
      };
      const outcome = ["--good", "--good-soft", "--bad", "--bad-soft"].map(named);
      probe.remove();
      const found = new Set();
      for (const element of document.querySelectorAll("#app *")) {
        const { color, backgroundColor } = getComputedStyle(element);
        if (!outcome.includes(color) && !outcome.includes(backgroundColor)) continue;
        const allowed =
          ".status, .outcome, .states, .mark-error, .tool-error, .timeline-counts, .exit, " +
          ".trouble-failed, .summary-end, .summary-cross, .summary-mended, .breakdown-failed";
        if (!element.closest(allowed)) found.add(element.className);
      }
      return [...found];
    });
    assert.deepEqual(used, []);
  }));
