/** What a person sees of calls that are completed and have failed, as a command with exit code 101 has. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { drop, partRow, quiet, settled, thereAre, troubleKnown, wheel, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { message, session, text, tool } from "./transcripts.mjs";

const viewer = served();

const ERROR = "error[E0425]: cannot find value `x` in this scope";
const LINES = Array.from({ length: 300 }, (_, i) =>
  i === 119
    ? ERROR
    : i === 299
      ? "error: could not compile `demo`"
      : `   line ${i + 1} of the build`,
);

const check = (exit, output = LINES.join("\n")) =>
  tool("bash", { command: "cargo check" }, { output, metadata: { exit } });

/** A failed check, edits, and then the same failing check six times. */
function checks() {
  return session("Checks", [
    message("user", [text("Make it build")]),
    message("assistant", [text("I will see."), check(0, "Finished"), check(101)]),
    message("assistant", [tool("read", { filePath: "/a.rs" }, { output: "fn main() {}" })]),
    message("assistant", [
      tool(
        "bash",
        { command: "sleep 9" },
        {
          output: "(no output)\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>",
          metadata: { exit: null },
        },
      ),
    ]),
    message("user", [text("Go on")]),
    ...Array.from({ length: 6 }, () =>
      message("assistant", [
        tool("bash", { command: "make" }, { output: "make: *** No rule.", metadata: { exit: 2 } }),
      ]),
    ),
    message("assistant", [text("It does not build.")]),
  ]);
}

const BUILDS = 12;
const failing = (build) => `error: build ${build} has failed here`;

/** Numbers that are the same for the same seed. */
function roll(seed) {
  let state = seed * 7919 + 1;
  return (below) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state % below;
  };
}

const times = (count, each) => Array.from({ length: count }, (_, i) => each(i));

/**
 * Builds that fail somewhere in up to 2,000 lines, some of them among the last, which are shown without opening the
 * output; before them are parts of every height, and no loops.
 */
function builds(seed) {
  const below = roll(seed);
  const output = (build) => {
    const lines = [40, 120, 430, 430, 2000][below(5)];
    const at = below(2) === 0 ? below(lines) : lines - 1 - below(38);
    const line = (i) => `   line ${i + 1} of build ${build} ${"x".repeat(below(140))}`;
    return times(lines, (i) => (i === at ? failing(build) : line(i))).join("\n");
  };
  const before = (build) => [
    ...times(below(4), (i) => text(times(below(400), (word) => word * build + i + 1).join(" "))),
    ...times(below(6), (i) =>
      tool(
        "read",
        { filePath: `/${build}/a${i}.rs` },
        { output: times(1 + below(100), (line) => `fn f${build}_${line}() {}`).join("\n") },
      ),
    ),
  ];
  const run = (build) => {
    const [parts, call] = [before(build), check(1, output(build))];
    if (below(2) === 0) return [message("assistant", [...parts, call])];
    return [message("assistant", [text("I will see."), ...parts]), message("assistant", [call])];
  };
  return session(`Builds ${seed}`, [
    message("user", [text("Make it build")]),
    ...times(BUILDS, (i) => run(i + 1)).flat(),
    message("assistant", [text("It does not build.")]),
  ]);
}

/** Runs in the page: whether the line that is marked is in view. */
function whereFirstErrorIs() {
  const [range] = CSS.highlights.get("first-error");
  const line = range.getBoundingClientRect();
  const view = document.querySelector(".pane-transcript .scroller").getBoundingClientRect();
  const isIn = line.height > 0 && line.top >= view.top && line.bottom <= view.bottom;
  return isIn ? "in view" : `${line.top} … ${line.bottom} of ${view.top} … ${view.bottom}`;
}

const visit = (options, run) =>
  viewer.share(options, async (page) => {
    await drop(page, "checks.json", checks());
    await page.getByRole("heading", { name: "Checks", level: 1 }).waitFor();
    await troubleKnown(page);
    await settled(page);
    await run(page);
  });

const chosen = (page) => page.locator(".row[data-selected]");
const placeOf = async (page) => (await chosen(page).getAttribute("aria-label")).split(":")[0];
const field = (page) => page.getByRole("search").getByRole("textbox");

async function search(page, query, expected) {
  if ((await field(page).count()) === 0) await page.keyboard.press("/");
  await field(page).fill(query);
  await page.locator(".search-count", { hasText: expected }).waitFor();
}

describe("calls that failed", () => {
  test("are said to have failed in the head of their card, with their exit code", () =>
    visit({ height: 2000 }, async (page) => {
      const state = partRow(page, 1, 2).locator(".state-word");
      assert.equal(await words(state), "failed (exit 101)");
      assert.match(await state.getAttribute("class"), /state-failed/);
      assert.match(
        await partRow(page, 1, 2).locator(".card").getAttribute("class"),
        /status-failed/,
      );
      // One that ended well, and one that was stopped.
      assert.equal(await words(partRow(page, 1, 1).locator(".state-word")), "completed");
      assert.equal(await words(partRow(page, 3, 0).locator(".state-word")), "failed");
      assert.match(
        await partRow(page, 1, 2).getAttribute("aria-label"),
        /bash, failed \(exit 101\)$/,
      );
    }));

  test("are counted in the header and marked in the outline and the timeline", () =>
    visit({}, async (page) => {
      const trouble = page.locator(".fact", { has: page.getByText("Trouble", { exact: true }) });
      assert.match(await words(trouble), /^Trouble\s+8 failed( · 1 loop)?$/);
      const entries = page.locator(".outline-entry:has(.mark-error) .outline-number");
      assert.deepEqual(await entries.allInnerTexts(), ["1", "3", "5", "6", "7", "8", "9", "10"]);
      assert.equal(
        await page.locator(".mark-error").first().getAttribute("title"),
        "a call failed",
      );
      await page.locator(".timeline-counts", { hasText: "8 failed" }).waitFor();
      // A press on the number goes to the first of them.
      await trouble.getByRole("button", { name: "8 failed" }).click();
      await chosen(page).waitFor();
      assert.equal(await placeOf(page), "Message 1, part 2");
    }));

  test("are where n stops, at the first line that tells an error", () =>
    visit({}, async (page) => {
      await page.keyboard.press("n");
      await chosen(page).waitFor();
      assert.equal(await placeOf(page), "Message 1, part 2");
      await page.waitForFunction(
        (wanted) =>
          [...(CSS.highlights.get("first-error") ?? [])].some((range) => {
            const { top, bottom } = range.getBoundingClientRect();
            const box = document
              .querySelector(".pane-transcript .scroller")
              .getBoundingClientRect();
            return String(range) === wanted && top >= box.top && bottom <= box.bottom;
          }),
        ERROR,
      );
      await page.keyboard.press("n");
      await settled(page);
      assert.equal(await placeOf(page), "Message 3, part 0");
    }));

  for (const [seed, height] of [
    [1, 600],
    [2, 900],
    [3, 1200],
  ]) {
    test(`are where n stays, however far they are and however long their outputs: ${seed}`, () =>
      viewer.share({ address: viewer.url, height }, async (page) => {
        await drop(page, "builds.json", builds(seed));
        await page.getByRole("heading", { name: `Builds ${seed}`, level: 1 }).waitFor();
        await troubleKnown(page);
        await settled(page);
        for (let build = 1; build <= BUILDS; build++) {
          await page.keyboard.press("n");
          await page.waitForFunction((wanted) => {
            const [range] = CSS.highlights.get("first-error") ?? [];
            return String(range ?? "") === wanted;
          }, failing(build));
          await quiet(page);
          assert.equal(await page.evaluate(whereFirstErrorIs), "in view", `build ${build}`);
        }
      }));
  }

  test("stay in view when something moves, and are not measured otherwise, until the reader scrolls", () =>
    viewer.visit({ address: viewer.url, height: 900 }, async (page) => {
      const heightIs = async (height) => {
        await page.setViewportSize({ ...page.viewportSize(), height });
        await page.waitForFunction((wanted) => window.innerHeight === wanted, height);
        await quiet(page);
      };
      await drop(page, "builds.json", builds(4));
      await page.getByRole("heading", { name: "Builds 4", level: 1 }).waitFor();
      await troubleKnown(page);
      await settled(page);
      await page.keyboard.press("n");
      await page.waitForFunction((wanted) => {
        const [range] = CSS.highlights.get("first-error") ?? [];
        return String(range ?? "") === wanted;
      }, failing(1));
      await quiet(page);
      const measured = await page.evaluate(async () => {
        const { getBoundingClientRect } = Range.prototype;
        let count = 0;
        Range.prototype.getBoundingClientRect = function () {
          count++;
          return getBoundingClientRect.call(this);
        };
        for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
        Range.prototype.getBoundingClientRect = getBoundingClientRect;
        return count;
      });
      assert.equal(measured, 0);
      // A third below the top was beyond the end of this.
      await heightIs(330);
      assert.equal(await page.evaluate(whereFirstErrorIs), "in view");
      await wheel(page, page.locator(".pane-transcript .scroller"), 900);
      assert.notEqual(await page.evaluate(whereFirstErrorIs), "in view");
      await heightIs(900);
      await heightIs(330);
      assert.notEqual(await page.evaluate(whereFirstErrorIs), "in view");
    }));

  test("show the end of their output, and where its first error is", () =>
    visit({ height: 2000 }, async (page) => {
      const row = partRow(page, 1, 2);
      const output = row.locator('[data-field="output"]');
      assert.match(await words(output), /^Last 40 of 300 lines\s+Show all 300 lines/);
      assert.match(await words(output), /line 261 of the build[\s\S]*could not compile `demo`$/);
      assert.doesNotMatch(await words(output), /line 260 of the build/);
      const first = row.getByRole("button", { name: /First error/ });
      assert.match(await words(first), /^First error, line 120\s+error\[E0425\]: cannot find/);
      await output.getByRole("button", { name: "Show all 300 lines" }).click();
      await output.getByText("line 1 of the build", { exact: false }).waitFor();
      await output.getByRole("button", { name: "Show less" }).click();
      // The row is much shorter now, and may be out of sight.
      await page.locator(".outline-entry").nth(1).click();
      await output.getByText("Last 40 of 300 lines").waitFor();
    }));

  test("are found by status and by exit code", () =>
    visit({}, async (page) => {
      await search(page, "status:failed", /^8 matches$/);
      await search(page, "exit:101", /^1 match$/);
      await page.keyboard.press("Enter");
      assert.equal(await placeOf(page), "Message 1, part 2");
      await search(page, "status:error", /^no matches$/);
      await search(page, "exit:2 status:failed", /^6 matches$/);
      await search(page, "exit:0", /^1 match$/);
      await field(page).fill("exit:x");
      await page.getByText(/“x” is not an exit code/).waitFor();
    }));
});

describe("a loop of six failing commands", () => {
  test("is marked at each of the six, and says so", () =>
    visit({ height: 4000 }, async (page) => {
      await quiet(page);
      const rows = page.locator(".row:has(.row-loop)");
      await thereAre(page.locator(".loop-call"), 6);
      await page.locator(".loop-fold").click();
      await thereAre(rows, 6);
      const places = await rows.evaluateAll((all) =>
        all.map((row) => row.getAttribute("aria-label").split(":")[0]),
      );
      assert.deepEqual(
        places,
        [5, 6, 7, 8, 9, 10].map((each) => `Message ${each}, part 0`),
      );
      const marks = page.locator(".row-loop");
      assert.match(await words(marks.first()), /^loop: the same failing call ×6\s+1 of 6/);
      assert.match(
        await words(marks.last()),
        /^loop: the same failing call ×6[\s\S]*6 times in a row/,
      );
      const entries = page.locator(".outline-entry:has(.mark-loop) .outline-number");
      assert.deepEqual(await entries.allInnerTexts(), ["5", "6", "7", "8", "9", "10"]);
    }));

  test("begins as one row, and unfolds by Enter", () =>
    visit({ height: 4000 }, async (page) => {
      const first = partRow(page, 5, 0);
      const headers = page.locator(".row-message");
      await thereAre(page.locator(".row:has(.row-loop)"), 1);
      const before = await headers.count();
      await first.getByRole("button", { name: "show all 6" }).waitFor();
      // The list goes on behind it.
      await partRow(page, 11, 0).getByText("It does not build.").waitFor();
      for (const place of ["Message 1, part 2", "Message 3, part 0", "Message 5, part 0"]) {
        await page.keyboard.press("n");
        await settled(page);
        assert.equal(await placeOf(page), place);
      }
      await thereAre(page.locator(".row:has(.row-loop)"), 1);
      await page.keyboard.press("Enter");
      await partRow(page, 6, 0).locator(".row-loop").waitFor();
      assert.ok((await headers.count()) > before);
      await first.getByRole("button", { name: "Fold 6 repeats" }).click();
      await thereAre(page.locator(".row:has(.row-loop)"), 1);
      // A link into it opens it too.
      await page.locator(".outline-entry", { hasText: "make" }).last().click();
      await partRow(page, 6, 0).locator(".row-loop").waitFor({ state: "attached" });
    }));
});
