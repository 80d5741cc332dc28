/** The summary at the top of a transcript: what it says, and where its lines lead. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { drop, newPage, partRow, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { streaming, tap } from "./streaming.mjs";
import { longOnes, watchTasks } from "./tasks.mjs";
import { message, session, text, tool } from "./transcripts.mjs";

const viewer = served();

const check = (exit, output) =>
  tool("bash", { command: "cargo check" }, { output, metadata: { exit } });

/** A run whose check fails, and passes after an edit. */
const mended = () =>
  session("Mended", [
    message("user", [text("Fix the build")]),
    message("assistant", [
      check(101, "\u001b[1m\u001b[31merror[E0308]\u001b[0m: mismatched types\n"),
    ]),
    message("assistant", [
      tool("edit", { filePath: "/src/main.rs", oldString: "1", newString: "2\n3" }),
    ]),
    message("assistant", [check(0, "ok"), text("It builds.")]),
  ]);

const visit = (options, content, run) =>
  viewer.share(options, async (page) => {
    await drop(page, "run.json", content);
    await page
      .getByRole("article", { name: "Summary" })
      .getByText("Ended", { exact: true })
      .waitFor();
    await settled(page);
    await run(page, page.getByRole("article", { name: "Summary" }));
  });

const fact = (summary, name) => summary.locator(`.summary-fact:has(> dt:text-is("${name}"))`);

describe("the summary", () => {
  test("says what was asked, how it ended, what failed and was fixed, and what changed", () =>
    visit({ height: 1600 }, mended(), async (_page, summary) => {
      assert.match(await words(fact(summary, "Asked")), /Fix the build$/);
      assert.match(await words(fact(summary, "Ended")), /finished\s+It builds\.$/);
      const failed = await words(fact(summary, "Failed"));
      assert.match(failed, /1 call\s*, 1 fixed later/);
      assert.match(failed, /bash cargo check\s+exit 101\s+error\[E0308\]: mismatched types/);
      assert.match(
        await words(fact(summary, "Changed")),
        /1 file \+2 −1\s+\/src\/main\.rs \+2 −1$/,
      );
      assert.match(await words(fact(summary, "Cost")), /—$/);
    }));

  test("each line leads to where it happened", () =>
    visit({}, mended(), async (page, summary) => {
      await summary.getByRole("button", { name: /cargo check/ }).click();
      await page.locator(".row[data-selected]").waitFor();
      assert.equal(await partRow(page, 1, 0).getAttribute("data-selected"), "true");
    }));

  test("the table of what was spent is by tool, and by what is asked for", () =>
    visit({ height: 1600 }, mended(), async (page, summary) => {
      const rows = summary.locator(".breakdown tbody tr");
      await rows.first().waitFor();
      const table = async () =>
        (await rows.allInnerTexts()).map((row) => row.split(/\s+/).join(" "));
      assert.deepEqual(await table(), ["bash 2 1 3.0 s — —", "edit 1 0 1.5 s — —"]);
      await summary.getByRole("button", { name: "model", exact: true }).click();
      await rows.getByText("script").waitFor();
      await summary.getByRole("button", { name: "tool", exact: true }).click();
      await summary.getByRole("button", { name: "bash", exact: true }).click();
      await page.getByLabel("Search in the transcript").waitFor();
      assert.equal(await page.getByLabel("Search in the transcript").inputValue(), "tool:bash");
    }));

  test("scrolls away with the rows, which keep their places when it comes", () =>
    visit({ height: 500 }, mended(), async (page, summary) => {
      const box = await summary.boundingBox();
      const first = await page.locator(".row").first().boundingBox();
      assert.ok(first.y >= box.y + box.height - 1, "the rows are below it");
    }));
});

describe("the summary of a transcript that grows", () => {
  const part = (name, value) => `data: ${JSON.stringify({ type: name, properties: value })}\n\n`;
  const said = ({ info, parts }) =>
    part("message.updated", { info }) +
    parts.map((each) => part("message.part.updated", { part: each })).join("");

  test("is there, and goes on, while the stream is open", async () => {
    const stream = tap();
    const server = await streaming({ s: stream.answer });
    const { page, seen, close } = await newPage(viewer.browser, { height: 1600 });
    try {
      await page.goto(`${server.url}?live=live/s`);
      const { info, messages } = JSON.parse(mended());
      await stream.write(part("session.created", { info }));
      await stream.write(said(messages[0]) + said(messages[1]));
      const summary = page.getByRole("article", { name: "Summary" });
      const failed = fact(summary, "Failed");
      await failed.getByText("1 call").waitFor();
      assert.match(await words(fact(summary, "Asked")), /Fix the build$/);
      assert.match(await words(fact(summary, "Ended")), /still running/);
      assert.doesNotMatch(await words(failed), /fixed/);
      const rows = summary.locator(".breakdown tbody tr");
      assert.equal((await words(rows)).split(/\s+/).join(" ").slice(0, 8), "bash 1 1");

      const tasksDone = await watchTasks(viewer.browser);
      await stream.write(said(messages[2]) + said(messages[3]));
      await failed.getByText("1 fixed later").waitFor();
      await fact(summary, "Changed").getByText("1 file").waitFor();
      await rows.nth(1).waitFor();
      assert.match(await words(fact(summary, "Ended")), /still running/);
      const tasks = await tasksDone();
      // 50 ms is the aim; a machine that does something else beside it works more slowly, too.
      assert.ok(
        tasks.every(({ cpu }) => cpu < 250),
        longOnes(tasks),
      );
      await stream.end();
      await fact(summary, "Ended").getByText("finished").waitFor();
      assert.deepEqual(seen.complaints, []);
    } finally {
      await close();
      await server.close();
    }
  });
});
