/** A folder, or many files: a list of runs, each opened by a click, two of them side by side. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { carried, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, sample, samplePath, session, text } from "./transcripts.mjs";

const viewer = served();

const { visit } = viewer;
let folder;
let runs;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-runs-"));
  runs = join(folder, "my-runs");
  mkdirSync(join(runs, "deep", "deeper"), { recursive: true });
  copyFileSync(samplePath("fix-greeting.json"), join(runs, "first.json"));
  copyFileSync(samplePath("long-compaction.json"), join(runs, "deep", "second.json"));
  copyFileSync(samplePath("provider-errors.json"), join(runs, "deep", "deeper", "third.json"));
  writeFileSync(join(runs, "notes.txt"), "These are notes.");
  writeFileSync(join(runs, "picture.png"), "no picture");
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

/** Drops what has this path, as a person would from a list of files, a moment after the pointer came to its place. */
async function dropPath(page, ...files) {
  const cdp = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize();
  const data = { items: [], files, dragOperationsMask: 1 };
  const drag = (type, y) =>
    cdp.send("Input.dispatchDragEvent", { type, x: Math.floor(width / 2), y, data });
  await drag("dragEnter", 10);
  await drag("dragOver", 10);
  await drag("drop", height - 10);
  await cdp.detach();
}

const lines = (page) => page.locator("tbody .run");
const line = (page, name) => lines(page).filter({ hasText: name });
const cell = (page, name, column) => words(line(page, name).locator(`.run-${column}`));
const titles = (page) => page.locator("tbody .run strong").allInnerTexts();
const read = (page, count) => page.getByText(new RegExp(`^${count} runs$`)).waitFor();

async function listed(page) {
  await dropPath(page, runs);
  await read(page, 4);
}

describe("a dropped folder", () => {
  test("is a list of the runs in it, with what each came to", () =>
    viewer.shareSample({}, async (page) => {
      await listed(page);
      await thereAre(lines(page), 4);
      // Nothing of the session that was open.
      await thereAre(page.locator(".row, .facts, .pane-outline"), 0);
      assert.equal(await words(page.getByRole("heading", { level: 2 })), "my-runs");
      assert.match(await words(line(page, "fix-greeting")), /my-runs\/first\.json/);
      assert.equal(await cell(page, "fix-greeting", "date"), "21 Nov 2026, 20:33");
      assert.equal(await cell(page, "fix-greeting", "agent"), "OpenCode");
      assert.equal(await cell(page, "fix-greeting", "model"), "script");
      assert.equal(await cell(page, "fix-greeting", "cost"), "$0.169");
      assert.equal(await cell(page, "fix-greeting", "failed"), "1");
      assert.equal(await cell(page, "fix-greeting", "loops"), "0");
      assert.match(await cell(page, "fix-greeting", "busy"), /^\d\.\d s$/);
      assert.equal(await cell(page, "fix-greeting", "size"), "25.8 kB");
      // What is no transcript says so; what is not known of it is a dash.
      assert.match(await words(line(page, "notes.txt")), /This is not a transcript/);
      assert.equal(await cell(page, "notes.txt", "cost"), "—");
      assert.equal(await cell(page, "notes.txt", "busy"), "—");
      await thereAre(line(page, "picture.png"), 0);
    }));

  test("is sorted by any column, both ways, and searched by words of names", () =>
    viewer.share({}, async (page) => {
      await listed(page);
      const by = (name) => page.getByRole("columnheader", { name }).getByRole("button").click();
      await by("Cost");
      assert.deepEqual((await titles(page)).slice(0, 2), ["long-compaction", "fix-greeting"]);
      assert.equal((await titles(page)).at(-1), "notes.txt");
      await by("Cost");
      assert.equal((await titles(page))[0], "provider-errors");
      // What is not known comes last both ways.
      assert.equal((await titles(page)).at(-1), "notes.txt");
      const sorted = page.getByRole("columnheader", { name: "Cost" });
      assert.equal(await sorted.getAttribute("aria-sort"), "ascending");
      await by("Title");
      assert.deepEqual(await titles(page), [
        "fix-greeting",
        "long-compaction",
        "notes.txt",
        "provider-errors",
      ]);
      const search = page.getByRole("searchbox", { name: "Search the runs" });
      await search.fill("deep OpenCode");
      await page.getByText("2 of 4 runs").waitFor();
      assert.deepEqual(await titles(page), ["long-compaction", "provider-errors"]);
      await search.fill("nowhere");
      await page.getByText("No run has all of these words.").waitFor();
    }));

  test("is searched for contents too: only runs with hits are listed, each opens at its first", () =>
    viewer.share({}, async (page) => {
      await listed(page);
      await page.keyboard.press("/");
      await page.keyboard.type("greeting");
      const found = (name) => words(line(page, name).locator(".run-hits"));
      await page.getByText(/^1 of 4 runs, \d+ hits in 1$/).waitFor();
      assert.deepEqual(await titles(page), ["fix-greeting"]);
      assert.match(await found("fix-greeting"), /^\d+ hits$/);
      // Filters, as in a transcript: the calls that have failed.
      const search = page.getByRole("searchbox", { name: "Search the runs" });
      await search.fill("tool:read status:error");
      await page.getByText(/^1 of 4 runs, 1 hit in 1$/).waitFor();
      assert.deepEqual(await titles(page), ["fix-greeting"]);
      await page.getByRole("button", { name: "fix-greeting" }).click();
      await page.getByRole("heading", { name: "fix-greeting", level: 1 }).waitFor();
      await page.locator(".search-count").getByText("1 of 1").waitFor();
      assert.match(
        await page.locator(".row[data-selected]").getAttribute("aria-label"),
        /tool read/,
      );
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await page.getByText(/^1 of 4 runs, 1 hit in 1$/).waitFor();
      // What is found by its name alone opens as it is.
      await search.fill("provider-errors");
      await page.getByText(/^1 of 4 runs$/).waitFor();
      await page.getByRole("button", { name: "provider-errors" }).click();
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      await settled(page);
      await thereAre(page.getByRole("search"), 0);
    }));

  test("says what is wrong with a query, and lists all again without one", () =>
    viewer.share({}, async (page) => {
      await listed(page);
      const search = page.getByRole("searchbox", { name: "Search the runs" });
      await search.fill('"greet');
      await page.getByText("This quotation mark is not closed.").waitFor();
      await search.fill("colour:red");
      await page.getByText("Unknown filter colour:").waitFor();
      await search.fill("");
      await page.getByText(/^4 runs$/).waitFor();
      await thereAre(lines(page), 4);
    }));

  test("a search that another takes the place of ends, and the other is answered", () =>
    visit({}, async (page) => {
      await page.evaluate((content) => {
        const transfer = new DataTransfer();
        for (let i = 0; i < 300; i++) {
          transfer.items.add(new File([content], `run-${i}.json`, { type: "application/json" }));
        }
        document.body.dispatchEvent(
          new DragEvent("drop", { dataTransfer: transfer, bubbles: true, clientY: 800 }),
        );
      }, sample("provider-errors.json"));
      await page.getByText(/^300 runs/).waitFor();
      const search = page.getByRole("searchbox", { name: "Search the runs" });
      await search.fill("type:text");
      await page.getByText(/of 300 searched/).waitFor();
      await search.fill("no such words anywhere");
      await page.getByText("No run has all of these words.").waitFor();
      await thereAre(lines(page), 0);
    }));

  test("leads to each of its runs, and back", () =>
    viewer.share({}, async (page) => {
      await listed(page);
      await page.getByRole("button", { name: "fix-greeting" }).click();
      await page.getByRole("heading", { name: "fix-greeting", level: 1 }).waitFor();
      await settled(page);
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await thereAre(lines(page), 4);
      await thereAre(page.locator(".row"), 0);
      await page.getByRole("button", { name: "notes.txt" }).click();
      assert.match(await words(page.getByRole("alert")), /^notes\.txt could not be opened/);
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await thereAre(lines(page), 4);
    }));

  test("shows two that are ticked side by side", () =>
    viewer.share({}, async (page) => {
      await listed(page);
      const compare = page.getByRole("button", { name: "Tick two to compare" });
      assert.ok(await compare.isDisabled());
      await page.getByRole("checkbox", { name: "Compare fix-greeting" }).check();
      await page.getByRole("checkbox", { name: "Compare provider-errors" }).check();
      await page.getByRole("button", { name: "Compare the two" }).click();
      await page.locator(".compare-head").nth(1).waitFor();
      assert.match(await words(page.locator(".compare-heads")), /first\.json[\s\S]*third\.json/);
    }));

  test("with links in circles is read once", () =>
    visit({}, async (page) => {
      const own = join(folder, "circles");
      mkdirSync(join(own, "in", "side"), { recursive: true });
      copyFileSync(samplePath("fix-greeting.json"), join(own, "one.json"));
      copyFileSync(samplePath("provider-errors.json"), join(own, "in", "two.json"));
      symlinkSync(own, join(own, "again"));
      symlinkSync("..", join(own, "in", "up"));
      symlinkSync(join(own, "in"), join(own, "in", "side", "round"));
      await dropPath(page, own);
      await read(page, 2);
      await thereAre(lines(page), 2);
    }));

  test("with one transcript opens it; with none says so", () =>
    visit({}, async (page) => {
      const own = join(folder, "single");
      mkdirSync(own);
      copyFileSync(samplePath("provider-errors.json"), join(own, "one.json"));
      await dropPath(page, own);
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      await settled(page);
      const none = join(folder, "pictures");
      mkdirSync(none);
      writeFileSync(join(none, "a.png"), "no picture");
      await dropPath(page, none);
      assert.match(
        await words(page.getByRole("alert")),
        /^pictures could not be opened\. No file in it/,
      );
    }));

  for (const width of [1440, 1024, 390]) {
    test(`axe has nothing serious to say of the list, at ${width} px`, () =>
      viewer.share({ width, height: 844 }, async (page) => {
        await listed(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      }));
  }
});

describe("many files", () => {
  test("on a phone say of a run without a date who ran it, and leave no dash", () =>
    visit({ width: 390, height: 844 }, async (page) => {
      const step = { thought: "So.", action: "ls", observation: "a", response: "", query: [] };
      const history = [{ role: "user", content: "Undated", message_type: "observation" }];
      const undated = JSON.stringify({ trajectory: [step], history, info: {} });
      const other = session("Other", [message("user", [text("Other")])]);
      const dataTransfer = await carried(page, [
        ["undated.traj", undated],
        ["other.json", other],
        ["third.json", other],
      ]);
      await page.dispatchEvent("body", "drop", { dataTransfer, clientY: 800 });
      await read(page, 3);
      assert.equal(await words(line(page, "Undated").locator(".run-brief")), "SWE-agent");
      // The column that is left out here has the same name.
      assert.equal(await line(page, "Undated").locator(".run-agent").textContent(), "SWE-agent");
    }));

  test("dropped at once are a list; arrows move in it", () =>
    visit({}, async (page) => {
      const named = (name) => session(name, [message("user", [text(name)])]);
      const files = ["Alpha", "Beta", "Gamma"].map((name) => [`${name}.json`, named(name)]);
      const dataTransfer = await carried(page, [...files, ["readme.md", "# No run"]]);
      await page.dispatchEvent("body", "drop", { dataTransfer, clientY: 800 });
      await read(page, 3);
      await page.getByRole("columnheader", { name: "Title" }).getByRole("button").click();
      const buttons = page.locator("tbody .run-open");
      await buttons.first().focus();
      await page.keyboard.press("ArrowDown");
      assert.ok(await buttons.nth(1).evaluate((each) => each === document.activeElement));
      await page.keyboard.press("End");
      assert.ok(await buttons.nth(2).evaluate((each) => each === document.activeElement));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Gamma", level: 1 }).waitFor();
    }));

  test("of ten thousand some are drawn, and a run opens while they are read", () =>
    visit({}, async (page) => {
      await page.evaluate((content) => {
        const transfer = new DataTransfer();
        for (let i = 0; i < 10_050; i++) {
          transfer.items.add(new File([i === 0 ? content : "{}"], `run-${i}.json`));
        }
        document.body.dispatchEvent(
          new DragEvent("drop", { dataTransfer: transfer, bubbles: true, clientY: 800 }),
        );
      }, sample("fix-greeting.json"));
      await page.getByText(/^10,000 runs, the first 10,000 of more/).waitFor();
      assert.ok((await lines(page).count()) < 60);
      await page.getByRole("searchbox").fill("run-0.json");
      await page.locator("tbody .run-open").first().click();
      await page.getByRole("heading", { name: "fix-greeting", level: 1 }).waitFor();
      await page.locator(".row").first().waitFor();
      // Another file takes the place of the list, and of what is read for it.
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("button", { name: /Provider errors/ }).click();
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      await settled(page);
    }));
});
