/** What cannot be opened leaves an empty page: the reason, what can be read, and the samples; nothing of another. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TRANSCRIPT_FORMATS } from "../../pkg/node.mjs";
import { axeLightAndDark } from "./audit.mjs";
import { drop, quiet, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { sample, taskEvents } from "./transcripts.mjs";

const viewer = served();

const { visit } = viewer;

const SAMPLES = ["Fix a greeting", "A long session", "Provider errors"];
const title = (page) => words(page.getByRole("heading", { level: 1 }));
const said = (page) => words(page.getByRole("alert").locator("p"));

/** Nothing of a transcript is on the page, in its title or its address; the ways to open one are. */
async function isEmpty(page) {
  await thereAre(page.locator(".row, .facts, .pane-outline, .pane-timeline, .session-bar"), 0);
  assert.equal(await title(page), "apex-parts viewer");
  assert.equal(await page.title(), "apex-parts viewer");
  const main = page.getByRole("main");
  for (const name of SAMPLES) await main.getByRole("button", { name }).waitFor();
  await main.getByText("Choose a file").waitFor();
  await thereAre(main.locator(".formats li"), TRANSCRIPT_FORMATS.length);
}

describe("an address that cannot be opened", () => {
  for (const [name, search, why] of [
    ["is not there", "?src=nowhere.json", /^nowhere\.json could not be opened\. .*404/],
    ["is no transcript", "?src=index.html", /^index\.html could not be opened\. /],
    ["is of another origin", "?src=https://example.org/x.json", /only be opened from the address/],
    ["is none", "?src=http://[", /is not a valid address/],
    ["is a stream that is not there", "?live=nowhere", /^nowhere could not be opened\. .*404/],
  ]) {
    test(`${name}: nothing opens in its place`, () =>
      visit({ address: `${viewer.url}${search}#m=3&p=1` }, async (page) => {
        assert.match(await said(page), why);
        await isEmpty(page);
        // Loading the page again asks for the same.
        assert.equal(new URL(page.url()).search, new URL(`${viewer.url}${search}`).search);
        await page.getByRole("button", { name: "Try again" }).waitFor();
        await page.getByRole("button", { name: "Provider errors" }).click();
        await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
        assert.match(page.url(), /\?src=samples\/provider-errors\.json$/);
      }));
  }

  test("is asked for again by a button", () =>
    visit({ address: `${viewer.url}?src=later.json` }, async (page) => {
      await page.route("**/later.json", (route) =>
        route.fulfill({ body: sample("provider-errors.json") }),
      );
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
    }));

  test("and one beside it: the second does not open in the first one's place", () =>
    visit(
      { address: `${viewer.url}?src=nowhere.json&beside=samples/fix-greeting.json` },
      async (page) => {
        await quiet(page);
        assert.match(await said(page), /^nowhere\.json could not be opened/);
        await isEmpty(page);
      },
    ));
});

describe("a file that cannot be opened", () => {
  test("leaves nothing of the session that was open, and its address", () =>
    visit({ address: `${viewer.url}?src=samples/long-compaction.json#m=9&p=1` }, async (page) => {
      await page.locator(".row[data-selected]").waitFor();
      await drop(page, "notes.txt", "These are notes, and no transcript.");
      assert.match(await said(page), /^notes\.txt could not be opened\. .+[.!?]$/);
      await isEmpty(page);
      assert.equal(page.url(), viewer.url);
      await page.keyboard.press("j");
      await page.keyboard.press("n");
      await isEmpty(page);
      await drop(page, "next.json", sample("provider-errors.json"));
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      await settled(page);
      await thereAre(page.getByRole("alert"), 0);
    }));

  test("leaves no session of a task, and no search", () =>
    visit({}, async (page) => {
      await drop(page, "tasks.sse", taskEvents());
      await page.getByRole("combobox", { name: "Session" }).selectOption("ses_task");
      await page.getByRole("heading", { name: "Look around", level: 1 }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("files");
      await drop(page, "broken.json", '{"name": "a package"}');
      assert.match(await said(page), /^broken\.json could not be opened\. /);
      await isEmpty(page);
      await thereAre(page.getByRole("search"), 0);
    }));

  for (const width of [1440, 1024, 390]) {
    test(`and axe has nothing serious to say of that page, at ${width} px`, () =>
      visit({ width, height: 844, address: `${viewer.url}?src=nowhere.json` }, async (page) => {
        await isEmpty(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      }));
  }
});

test("the dialog says what can be read, too", () =>
  visit({}, async (page) => {
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const formats = page.getByRole("list", { name: "What can be read" });
    await formats.getByText("Claude Code").waitFor();
    await formats.getByText("OpenCode Export").waitFor();
    assert.equal(await formats.getByRole("listitem").count(), TRANSCRIPT_FORMATS.length);
  }));
