import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { drop, partRow, quiet, send, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import {
  hostileSession,
  longSession,
  message,
  PAYLOADS,
  session,
  text,
  tool,
} from "./transcripts.mjs";

const viewer = served();

const visit = (run) => viewer.shareSample({}, run);

async function open(page, title, messages) {
  await drop(page, `${title}.json`, session(title, messages));
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await settled(page);
}

const field = (page) => page.getByRole("search").getByRole("textbox");
const chosen = (page) => page.locator(".row[data-selected]");

/** Opens the search, types, and waits for the words that say how much was found. */
async function search(page, query, expected) {
  if ((await field(page).count()) === 0) await page.keyboard.press("/");
  await field(page).fill(query);
  await counted(page, expected);
}

async function counted(page, expected) {
  // Until it has searched, the page says what it found before.
  await page.locator('.search-count[data-busy="false"]', { hasText: expected }).waitFor();
}

/** The words that are marked: as matches, or as the current one. */
const marked = (page, name = "search") =>
  page.evaluate((key) => [...(CSS.highlights.get(key) ?? [])].map(String), name);

/** Waits until the words that are marked are these: they are marked a moment after they are counted. */
async function markedAre(page, isRight) {
  for (const end = performance.now() + 30_000; ; ) {
    const words = await marked(page);
    if (isRight(words)) return;
    assert.ok(performance.now() < end, words.join());
  }
}

/** Waits until just these words are the current match, in view. */
async function currentIs(page, expected) {
  await page.waitForFunction(
    (wanted) =>
      [...(CSS.highlights.get("search-current") ?? [])].some((range) => {
        const { top, bottom } = range.getBoundingClientRect();
        const box = document.querySelector(".pane-transcript .scroller").getBoundingClientRect();
        const row = range.startContainer.parentElement.closest(".row");
        return row && String(range) === wanted && top >= box.top && bottom <= box.bottom;
      }),
    expected,
  );
}

const lines = (count, word) =>
  Array.from(
    { length: count },
    (_, i) => `line ${i + 1} ${i + 1 === count - 5 ? word : "of it"}`,
  ).join("\n");

/** Where a run is searched for by what it did. */
const RUN = [
  message("user", [text("Find the leak")]),
  message(
    "assistant",
    [
      tool("bash", { command: "cargo check --workspace" }),
      tool("grep", { pattern: "leak" }, { status: "error", error: "no rg", output: undefined }),
      text(`${"A long way to go before it. ".repeat(4)}the needle in it\nand another needle.`),
    ],
    { agent: "plumber" },
  ),
];

const completions = (page) => page.getByRole("listbox", { name: "Filters" });

describe("the words of the search", () => {
  test("an unknown filter says so, and what the filters are", () =>
    visit(async (page) => {
      await search(page, "foo:bar", /no matches/);
      const note = page.locator(".search-note");
      assert.match(
        await words(note),
        /^Unknown filter foo:; known are tool:, status:, .*role:, type:, agent:, cost>, tokens>, dur>\./,
      );
      // Addresses, code and sentences are no filters.
      for (const query of ["https://example.com", "std::fs", "error: no", "tool:bash"]) {
        await field(page).fill(query);
        await quiet(page);
        assert.equal(await note.count(), 0, query);
      }
    }));

  test("keys and values complete, by the keys and by the mouse", () =>
    visit(async (page) => {
      await open(page, "Run", RUN);
      await page.keyboard.press("/");
      await page.keyboard.type("to");
      await completions(page).waitFor();
      assert.match(await words(completions(page)), /^tool:\s*calls of a tool\s*tokens>/);
      // Enter without a choice is the next match's, as ever; Tab takes the first.
      await page.keyboard.press("Tab");
      assert.equal(await field(page).inputValue(), "tool:");
      assert.match(await words(completions(page)), /^bash\s*grep$/);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      const active = await field(page).getAttribute("aria-activedescendant");
      assert.equal(await words(page.locator(`#${active}`)), "grep");
      await page.keyboard.press("Enter");
      assert.equal(await field(page).inputValue(), "tool:grep ");
      await counted(page, /^1 match$/);
      await page.keyboard.type("status:er");
      await page.locator(".completion", { hasText: "error" }).click();
      assert.equal(await field(page).inputValue(), "tool:grep status:error ");
      await counted(page, /^1 match$/);
      await page.keyboard.type("agent:");
      await completions(page).waitFor();
      assert.equal(await words(completions(page)), "build\nplumber");
      assert.deepEqual(await axeLightAndDark(page), []);
      // Escape closes the list, and only then the search.
      await page.keyboard.press("Escape");
      await completions(page).waitFor({ state: "detached" });
      assert.equal(await field(page).count(), 1);
    }));

  test("results show what matched: the filters' values, and what it is", () =>
    visit(async (page) => {
      await open(page, "Run", RUN);
      await search(page, "tool:bash dur>1s", /^1 match$/);
      const result = page.locator(".result");
      await result.locator("mark").nth(1).waitFor();
      assert.deepEqual(await result.locator("mark").allInnerTexts(), ["bash", "1.5 s"]);
      assert.match(await words(result), /cargo check --workspace/);
    }));

  test("excerpts begin at the match, which is seen in a narrow list", () =>
    visit(async (page) => {
      await open(page, "Run", RUN);
      await search(page, "needle", /^2 matches$/);
      const results = page.locator(".result");
      await results.nth(1).locator("mark").waitFor();
      for (const result of await results.all()) {
        const seen = await result.evaluate((element) => {
          const box = element.getBoundingClientRect();
          const { left, right } = element.querySelector("mark").getBoundingClientRect();
          return left >= box.left && right <= box.right;
        });
        assert.ok(seen);
      }
      // Of what stands before it, only its own line.
      assert.match(
        await words(results.nth(1).locator(".result-words")),
        /^…?(?:and )?another\s+needle/,
      );
    }));
});

describe("the search bar", () => {
  test("counts, goes on and back, unfolds and marks", () =>
    visit(async (page) => {
      await page.keyboard.press("/");
      // The very next key is typed into the field.
      await page.keyboard.type("greeting");
      await counted(page, /^7 matches$/);
      assert.equal(await field(page).inputValue(), "greeting");
      await markedAre(page, (words) => words.every((word) => word === "greeting"));
      await page.keyboard.press("Enter");
      await counted(page, /^1 of 7$/);
      await page.keyboard.press("Enter");
      await counted(page, /^2 of 7$/);
      await currentIs(page, "greeting");
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, part 1: reasoning/);
      await thereAre(chosen(page).locator(".markdown"), 1, "it is unfolded");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.press("Shift+Enter");
      await counted(page, /^7 of 7$/);
      await page.getByRole("button", { name: "Next match" }).click();
      await counted(page, /^1 of 7$/);
      assert.equal(
        await page.evaluate(() => document.activeElement?.className),
        "button button-icon",
      );
    }));

  test("begins where the reader is", () =>
    visit(async (page) => {
      await page.evaluate(() => {
        location.hash = "#m=6";
      });
      await chosen(page).waitFor();
      await search(page, "greeting", /^7 matches$/);
      await page.keyboard.press("Enter");
      await counted(page, /^5 of 7$/);
    }));

  test("Escape closes it and gives the focus back", () =>
    visit(async (page) => {
      for (let i = 0; i < 3; i++) await page.keyboard.press("j");
      const label = await chosen(page).getAttribute("aria-label");
      await search(page, "greeting", /^7 matches$/);
      await page.keyboard.press("Escape");
      await page.getByRole("search").waitFor({ state: "detached" });
      assert.equal(
        await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
        label,
      );
      await page.waitForFunction(() => !CSS.highlights.has("search"));
      await page.waitForFunction(() => !location.hash.includes("q="));
      // What was typed is still there, and the next letter takes its place.
      await page.keyboard.press("/");
      await counted(page, /^7 matches$/);
      await page.keyboard.type("hello");
      assert.equal(await field(page).inputValue(), "hello");
    }));

  test("only the last of several queries counts", () =>
    visit(async (page) => {
      await drop(page, "long.json", longSession(2500));
      await page.getByRole("heading", { name: "A long one", level: 1 }).waitFor();
      await page.keyboard.press("/");
      for (const query of ["words", "answer", "question 12", "question 1234"]) {
        const asked = await page.evaluate(() => window.asked);
        await field(page).fill(query);
        await page.waitForFunction((before) => window.asked > before, asked);
      }
      await counted(page, /^1 match$/);
      await quiet(page);
      await counted(page, /^1 match$/);
    }));

  test("more than 100,000 are not counted", () =>
    visit(async (page) => {
      await open(page, "Many", [message("assistant", [text("ab ".repeat(120_000))])]);
      await search(page, "ab", /^100,000\+ matches$/);
      await page.keyboard.press("Enter");
      await counted(page, /^1 of 100,000\+$/);
      assert.ok((await page.locator(".result-item").count()) < 60);
    }));

  test("nothing found is said", () =>
    visit(async (page) => {
      await search(page, "no such words anywhere", /^no matches$/);
      assert.match(
        await words(page.locator(".pane-outline")),
        /Nothing in this transcript matches/,
      );
      await page.keyboard.press("Enter");
    }));

  test("a mistake is a sentence with its place, and no search", () =>
    visit(async (page) => {
      for (const [query, says] of [
        ["status:broken", /no status “broken”[\s\S]*character 8/],
        ["/(/", /not a valid regular expression[\s\S]*character 2/],
        ['x "open', /not closed[\s\S]*character 3/],
      ]) {
        if ((await field(page).count()) === 0) await page.keyboard.press("/");
        await field(page).fill(query);
        await page.waitForFunction(
          (source) =>
            new RegExp(source).test(document.querySelector(".search-mistake")?.textContent),
          says.source,
        );
        assert.equal(await page.locator(".search-count").textContent(), "");
      }
      await search(page, "greeting", /^7 matches$/);
      assert.equal(await page.locator(".search-mistake").count(), 0);
    }));

  test("case and regular expressions, by toggle and in the query", () =>
    viewer.visit({}, async (page) => {
      await open(page, "Cases", [message("user", [text("Abc abc ABC a.c")])]);
      const toggle = page.getByRole("button", { name: "Match case" });
      await search(page, "abc", /^3 matches$/);
      await search(page, "Abc", /^3 matches$/);
      assert.equal(await toggle.getAttribute("aria-pressed"), "false");
      await toggle.click();
      assert.equal(await toggle.getAttribute("aria-pressed"), "true");
      await counted(page, /^1 match$/);
      await search(page, "ABC", /^1 match$/);
      await search(page, "a.c", /^1 match$/);
      await page.getByRole("button", { name: "Regular expression" }).click();
      await counted(page, /^2 matches$/);
      await page.getByRole("button", { name: "Match case" }).click();
      await counted(page, /^4 matches$/);
      await page.getByRole("button", { name: "Regular expression" }).click();
      await search(page, "/A[bB]./", /^3 matches$/);
      await page.getByRole("button", { name: "Match case" }).click();
      await counted(page, /^2 matches$/);
      await search(page, "/A[bB]./i", /^3 matches$/);
      await search(page, "/A[bB]./", /^2 matches$/);
      await markedAre(page, (words) => words.slice(0, 2).join() === "Abc,ABC");
    }));
});

describe("filters", () => {
  test("alone choose rows, with words they narrow the search", () =>
    visit(async (page) => {
      await search(page, "tool:bash", /^\d+ matches$/);
      const rows = await page.locator(".result-place").allInnerTexts();
      assert.ok(rows.length > 0 && rows.every((row) => row.startsWith("bash")), rows.join());
      await search(page, "role:user", /^1 match$/);
      await search(page, "status:error", /^1 match$/);
      await page.keyboard.press("Enter");
      assert.match(await chosen(page).getAttribute("aria-label"), /tool \w+, error/);
      await search(page, "greeting tool:write", /^1 match$/);
      await search(page, "greeting -role:assistant", /^1 match$/);
      await search(page, "type:step-finish cost>0.02", /^\d match/);
      await search(page, "cost>1000", /^no matches$/);
      await search(page, "dur>150ms tool:bash", /^\d match/);
    }));

  test("are put into the field by a click", () =>
    visit(async (page) => {
      await page.keyboard.press("/");
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByRole("button", { name: "status:error" }).click();
      await counted(page, /^1 match$/);
      assert.equal(await field(page).inputValue(), "status:error ");
      assert.ok(await field(page).evaluate((element) => element === document.activeElement));
      await page
        .locator(".search-filters")
        .getByRole("button", { name: "read", exact: true })
        .click();
      assert.equal(await field(page).inputValue(), "status:error tool:read ");
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".search-filters").count(), 0);
      await thereAre(page.getByRole("search"), 1);
    }));

  test("a part must have every quoted text", () =>
    visit(async (page) => {
      await open(page, "Both", [
        message("user", [text("alpha only"), text("beta then alpha"), text("beta only")]),
      ]);
      await search(page, '"alpha" "beta"', /^2 matches$/);
      await page.keyboard.press("Enter");
      assert.match(await chosen(page).getAttribute("aria-label"), /part 1/);
    }));
});

describe("a hit far down", () => {
  test("a folded output opens far enough", () =>
    visit(async (page) => {
      await open(page, "Deep", [
        message("assistant", [tool("bash", { command: "seq" }, { output: lines(3000, "needle") })]),
      ]);
      const row = partRow(page, 0, 0);
      await row.locator(".fold-head").click();
      await search(page, "needle", /^1 match$/);
      await page.keyboard.press("Enter");
      await currentIs(page, "needle");
      assert.match(await words(row.locator(".output pre")), /line 2995 needle/);
    }));

  test("a long text is rendered far enough", () =>
    visit(async (page) => {
      const long = `${"Some words of a long text.\n\n".repeat(3000)}Here is the needle.`;
      await open(page, "Long text", [message("assistant", [text(long)])]);
      await search(page, "needle", /^1 match$/);
      await page.keyboard.press("Enter");
      await currentIs(page, "needle");
    }));

  test("a long diff shows all its lines", () =>
    visit(async (page) => {
      const after = lines(200, "needle");
      await open(page, "Diff", [
        message("assistant", [
          tool("edit", { filePath: "a.txt", oldString: "x", newString: after }),
        ]),
      ]);
      await search(page, "needle", /^1 match$/);
      await page.keyboard.press("Enter");
      await currentIs(page, "needle");
    }));

  test("a message far away is scrolled to", () =>
    visit(async (page) => {
      await drop(page, "long.json", longSession(2500));
      await page.getByRole("heading", { name: "A long one", level: 1 }).waitFor();
      await settled(page);
      await search(page, "question 2400", /^1 match$/);
      await page.keyboard.press("Enter");
      await currentIs(page, "Question 2400");
      await search(page, "question 10", /^111 matches$/);
      await page.keyboard.press("Enter");
      await counted(page, /^1 of 111$/);
      await currentIs(page, "Question 10");
    }));

  test("what the row does not draw is shown in the Raw tab", () =>
    visit(async (page) => {
      await open(page, "Undrawn", [
        message("assistant", [
          tool(
            "todowrite",
            { todos: [{ content: "one", status: "pending" }] },
            { output: "needle" },
          ),
        ]),
      ]);
      await search(page, "needle", /^1 match$/);
      await page.keyboard.press("Enter");
      await page.locator(".search-note", { hasText: "/state/output" }).waitFor();
      assert.equal(
        await page.getByRole("tab", { name: "Raw" }).getAttribute("aria-selected"),
        "true",
      );
      await page.waitForFunction(() =>
        [...(CSS.highlights.get("search") ?? [])].some((range) =>
          range.startContainer.parentElement.closest(".inspector-body"),
        ),
      );
    }));

  test("words that stand across coloured pieces of code are marked whole", () =>
    visit(async (page) => {
      await search(page, "print(greet(", /^\d+ match/);
      await page.waitForFunction(() =>
        [...(CSS.highlights.get("search") ?? [])].some(
          (range) =>
            String(range) === "print(greet(" && range.startContainer !== range.endContainer,
        ),
      );
    }));
});

describe("results", () => {
  test("are listed by message, and each leads to its place", () =>
    visit(async (page) => {
      await search(page, "greeting", /^7 matches$/);
      const list = page.getByRole("navigation", { name: "Search results" });
      await thereAre(list.locator(".result-message"), 5);
      assert.ok((await list.locator("mark").allInnerTexts()).every((word) => word === "greeting"));
      await list.locator(".result").nth(5).click();
      await counted(page, /^6 of 7$/);
      await currentIs(page, "greeting");
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 6, part \d: tool bash/);
      await list.getByRole("button", { name: "Show outline" }).click();
      const outline = page.getByRole("navigation", { name: "Outline" });
      assert.deepEqual(
        (await outline.locator(".hit-count").allInnerTexts()).map((words) =>
          Number.parseInt(words, 10),
        ),
        [1, 1, 2, 2, 1],
      );
      await outline.getByRole("button", { name: "Show results" }).click();
      await list.waitFor();
    }));

  test("follow a new transcript", () =>
    visit(async (page) => {
      await search(page, "greeting", /^7 matches$/);
      await open(page, "Next", [message("user", [text("one greeting here")])]);
      await counted(page, /^1 match$/);
      await open(page, "None", [message("user", [text("nothing")])]);
      await counted(page, /^no matches$/);
    }));
});

describe("hostile words", () => {
  test("run nowhere: in queries, in excerpts, in marks", () =>
    visit(async (page) => {
      await drop(page, "hostile.json", hostileSession());
      await page.waitForFunction(() =>
        document.querySelector("h1")?.textContent.includes("<script>"),
      );
      for (const bad of [...PAYLOADS, "/<[a-z]+/i", "(a+)+$", "tool:<script>"]) {
        if ((await field(page).count()) === 0) await page.keyboard.press("/");
        await field(page).fill(bad.includes('"') || /^[/(]|:/.test(bad) ? bad : `"${bad}"`);
        await quiet(page);
        await page.keyboard.press("Enter");
        await send(page, "Enter");
      }
      await search(page, "alert", /\d+ matches/);
      for (let i = 0; i < 30; i++) await send(page, "Enter");
      await quiet(page);
      const found = await page.evaluate(() => ({
        hacked: window.hacked,
        elements: document.querySelectorAll(
          ".search script, .pane-outline img, .pane-outline script",
        ).length,
        ids: [...document.querySelectorAll("[id]")]
          .map(({ id }) => id)
          .filter(
            (id) =>
              !/^(app|problems|transcript|search-(count|completions)|inspector-(panel|tab-\w+))$/.test(
                id,
              ),
          ),
      }));
      assert.deepEqual(found, { hacked: undefined, elements: 0, ids: [] });
    }));

  test("in the address they are text", () =>
    viewer.visit(
      { address: `${viewer.sample}#q=${encodeURIComponent("<img src=x onerror=alert(1)>")}` },
      async (page) => {
        await counted(page, /match/);
        assert.equal(await field(page).inputValue(), "<img src=x onerror=alert(1)>");
        assert.equal(await page.locator("img").count(), 0);
      },
    ));
});

describe("axe finds nothing serious in the search", () => {
  for (const width of [1440, 390]) {
    test(`light and dark, ${width} px`, () =>
      viewer.visit({ width }, async (page) => {
        const check = async () => assert.deepEqual(await axeLightAndDark(page), []);
        await search(page, "greeting", /^7 matches$/);
        await page.keyboard.press("Enter");
        await check();
        await page.getByRole("button", { name: "Filters" }).click();
        await check();
        await field(page).fill("status:broken");
        await page.locator(".search-mistake").waitFor();
        await check();
        await search(page, "greeting", /7/);
        if (width < 960) {
          await page.locator(".pane-tabs").getByRole("button", { name: "Results" }).click();
          await page.locator(".result").first().waitFor();
          await check();
          await page.locator(".result").nth(2).click();
          assert.ok(await page.locator(".pane-transcript").isVisible());
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(wide, false);
      }));
  }
});
