import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe } from "./audit.mjs";
import { drop, headerRow, partRow, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";
import {
  faultySession,
  message,
  notedCalls,
  PIXEL,
  sample,
  samplePath,
  session,
  text,
  tool,
} from "./transcripts.mjs";

const viewer = served();
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-"));
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

/** A page of the viewer, with what holds for every page checked at the end. */
const { visit } = viewer;

const title = (page) => page.locator("h1").textContent();

describe("a sample", () => {
  test("shows its facts, messages and parts", () =>
    viewer.shareSample({ height: 3000 }, async (page) => {
      assert.equal(await title(page), "fix-greeting");
      await page.locator(".facts .status", { hasText: "finished" }).waitFor();
      const facts = await words(page.locator(".facts"));
      for (const fact of ["script", "finished", "8.1 s", "$0.169"]) {
        assert.ok(facts.includes(fact), `${fact} in ${facts}`);
      }
      assert.match(await words(headerRow(page, 0)), /User/);
      assert.match(await words(headerRow(page, 1)), /Assistant[\s\S]*mock\/script/);
      assert.equal(await words(partRow(page, 0, 0).locator(".markdown p")), "Fix the greeting");
      assert.match(await words(partRow(page, 1, 0)), /Step 1/);
      const finish = await words(partRow(page, 1, 5));
      for (const fact of [
        "Step 1 finished",
        "$0.0228",
        "7,257 in",
        "38 out",
        "12 reasoning",
        "800 cached",
      ]) {
        assert.ok(finish.includes(fact), `${fact} in ${finish}`);
      }
    }));

  test("keeps reasoning folded to its first line until it is asked for", () =>
    viewer.shareSample({}, async (page) => {
      const reasoning = partRow(page, 1, 1);
      assert.match(await words(reasoning), /The user wants a greeting fix/);
      assert.equal(await reasoning.locator(".markdown").count(), 0);
      await reasoning.locator(".fold-head").click();
      await thereAre(reasoning.locator(".markdown"), 1);
      await reasoning.locator(".fold-head").click();
      assert.equal(await reasoning.locator(".markdown").count(), 0);
    }));

  test("shows tool calls with state, input, output, error and times", () =>
    viewer.shareSample({ height: 3000 }, async (page) => {
      const shell = await words(partRow(page, 1, 3));
      for (const fact of ["bash", "ls -la && git log --oneline", "hello.py", "exit 0", "206 ms"]) {
        assert.ok(shell.includes(fact), `${fact} in ${shell}`);
      }
      // It was quick: its times are beside how long it took, and its states in the inspector.
      const took = partRow(page, 1, 3).locator(".outcome .fold-time");
      assert.match(await took.getAttribute("title"), /^\d\d:\d\d:05\.265 to \d\d:\d\d:05\.471$/);
      assert.equal(await partRow(page, 1, 3).locator(".states").count(), 0);

      const read = partRow(page, 1, 4);
      assert.equal(await words(read.locator(".numbered .line").first()), "def greet(name):");
      await read.locator(".hljs-keyword").first().waitFor();

      const edit = await words(partRow(page, 2, 2));
      assert.match(edit, /return f"Hello, \{name\}!/);
      await thereAre(partRow(page, 2, 2).locator(".diff-add"), 1);
      await thereAre(partRow(page, 2, 2).locator(".diff-del"), 1);

      await thereAre(partRow(page, 3, 1).locator(".todo"), 2);
      const failed = await words(partRow(page, 5, 1));
      assert.match(failed, /File not found: \/home\/dev\/demo\/missing\.py/);
      assert.match(failed, /error/);
    }));

  test("the inspector shows input, output and raw JSON of the selected part", () =>
    viewer.shareSample({}, async (page) => {
      await partRow(page, 1, 3).locator(".tool-name").click();
      await page.keyboard.press("Enter");
      await page.keyboard.press("i");
      const inspector = page.getByRole("complementary", { name: "Inspector" });
      await inspector.getByRole("tab", { name: "Input" }).click();
      assert.match(await words(inspector.getByRole("tabpanel")), /command[\s\S]*ls -la/);
      await inspector.getByRole("tab", { name: "Output" }).click();
      assert.match(await words(inspector.getByRole("tabpanel")), /hello\.py/);
      await inspector.getByRole("tab", { name: "Raw" }).click();
      assert.match(await words(inspector.getByRole("tabpanel")), /"callID": "call_0_0/);
      await page.waitForFunction(() => location.hash === "#m=1&p=3");
    }));
});

describe("opening", () => {
  test("a dropped file", () =>
    viewer.share({}, async (page) => {
      await drop(page, "errors.json", sample("provider-errors.json"));
      await page.getByRole("heading", { name: "provider-errors" }).waitFor();
      await page.locator(".failure").first().waitFor();
      assert.match(await words(page.locator(".failure").first()), /HTTP 400/);
      await page.locator(".facts .status", { hasText: "failed" }).waitFor();
    }));

  test("a picked file, a sample and pasted text", () =>
    viewer.shareSample({}, async (page) => {
      await page.getByRole("button", { name: "Open", exact: true }).click();
      const path = fileURLToPath(samplePath("long-compaction.json"));
      await page.locator("input[type=file]").setInputFiles(path);
      await page.getByRole("heading", { name: "long-compaction", level: 1 }).waitFor();
      await page.locator(".mark-compaction").first().waitFor({ state: "attached" });

      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("button", { name: /Provider errors/ }).click();
      await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      assert.match(page.url(), /\?src=samples\/provider-errors\.json$/);

      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page
        .getByLabel("Or paste its text")
        .fill(session("Pasted", [message("user", [text("Hello")])]));
      await page.getByRole("button", { name: "Open pasted text" }).click();
      await page.getByRole("heading", { name: "Pasted", level: 1 }).waitFor();
    }));

  test("a file named on the command line", async () => {
    const path = join(folder, "a name with ü and #.json");
    writeFileSync(path, session("Named", [message("user", [text("From the command line")])]));
    const own = await serve({ file: path });
    try {
      await visit({ address: own.url }, async (page) => {
        assert.equal(await title(page), "Named");
        assert.match(await words(page.locator(".header-title p")), /a name with ü and #\.json/);
      });
    } finally {
      await own.close();
    }
  });

  test("with a name that turns round what follows it: only itself", () =>
    viewer.share({}, async (page) => {
      await drop(page, "a\u202egpj.json", session("Turned", [message("user", [text("Hello")])]));
      await page.getByRole("heading", { name: "Turned", level: 1 }).waitFor();
      const line = page.locator(".header-title p");
      assert.match(await words(line), /^a\u202egpj\.json · OpenCode Export · 1 message · /);
      const { name, rest } = await line.evaluate((element) => {
        const range = new Range();
        range.selectNodeContents(element);
        range.setStart(element.lastChild, " · ".length);
        const { right } = element.firstElementChild.getBoundingClientRect();
        range.setEnd(element.lastChild, " · OpenCode".length);
        return { name: right, rest: range.getBoundingClientRect().left };
      });
      assert.ok(rest >= name, `the format begins at ${rest} px, the name ends at ${name} px`);
    }));

  test("?src= with a deep link, kept when another part is selected", () =>
    visit({ address: `${viewer.url}?src=samples/long-compaction.json#m=9&p=1` }, async (page) => {
      const chosen = page.locator(".row[data-selected]");
      await chosen.waitFor();
      await settled(page);
      assert.match(await chosen.getAttribute("aria-label"), /^Message 9, part 1:/);
      await page.keyboard.press("k");
      await page.waitForFunction(() => !location.hash.endsWith("#m=9&p=1"));
      await page.reload();
      await chosen.waitFor();
      await settled(page);
      assert.match(await chosen.getAttribute("aria-label"), /^Message /);
    }));

  test("another origin is refused in one sentence", () =>
    visit({ address: `${viewer.url}?src=http://127.0.0.1:9/x.json` }, async (page) => {
      assert.match(await words(page.getByRole("alert")), /only be opened from the address/);
      assert.equal(await title(page), "apex-parts viewer");
    }));

  for (const [name, content] of [
    ["no-json.txt", "Once upon a time there was no JSON at all.\n"],
    ["other.json", '{"name": "a package", "version": "1.0.0"}'],
    ["empty.json", ""],
    ["binary.bin", "\u0000\u0001\u0002\u0003\ufffd"],
  ]) {
    test(`${name} is refused in one sentence, and nothing of what was open stays`, () =>
      viewer.shareSample({}, async (page) => {
        await drop(page, name, content);
        const sentence = await words(page.getByRole("alert").locator("p"));
        assert.match(
          sentence,
          new RegExp(`^${name.replace(".", "\\.")} could not be opened\\. .+[.!?]$`),
        );
        assert.equal(await title(page), "apex-parts viewer");
        await thereAre(page.locator(".row, .facts, .pane-outline, .pane-timeline"), 0);
        await drop(page, "next.json", sample("provider-errors.json"));
        await page.getByRole("heading", { name: "provider-errors", level: 1 }).waitFor();
      }));
  }

  test("a file cut off in the middle shows what there is, and says so", () =>
    viewer.share({}, async (page) => {
      const whole = sample("long-compaction.json");
      await drop(page, "cut.json", whole.slice(0, whole.length / 2));
      await page.getByText("cut.json").waitFor();
      await settled(page);
      await page.locator(".row").nth(3).waitFor({ state: "attached" });
      await page.locator(".problem-count").click();
      await page.locator(".problem").first().waitFor();
      const problems = await words(page.locator(".pane-problems"));
      assert.match(problems, /byte [\d,]+/);
    }));
});

describe("problems", () => {
  test("are listed, and each leads to its place", () =>
    viewer.share({}, async (page) => {
      await drop(page, "faults.json", faultySession());
      await page.getByRole("heading", { name: "Faults", level: 1 }).waitFor();
      assert.match(await words(page.locator(".problem-count")), /^[1-9]\d* file problems?$/);
      await page.locator(".problem-count").click();
      await page.locator(".problem").first().waitFor();
      const panel = page.locator(".pane-problems");
      for (const rule of ["BR-01", "BR-08"]) assert.match(await words(panel), new RegExp(rule));
      await panel.locator("button.problem", { hasText: "BR-08" }).first().click();
      const chosen = page.locator(".row[data-selected]");
      await chosen.waitFor();
      assert.match(await chosen.getAttribute("aria-label"), /^Message 2, part 1:/);
      assert.match(await words(chosen.locator(".row-problems")), /BR-08/);
      assert.ok(await chosen.evaluate((element) => element === document.activeElement));
      await page.keyboard.press("i");
      const inspector = page.getByRole("complementary", { name: "Inspector" });
      assert.match(await words(inspector.getByRole("tabpanel")), /BR-08/);
    }));

  test("n and p move between them and errors", () =>
    viewer.share({}, async (page) => {
      await drop(page, "faults.json", faultySession());
      await page.getByRole("heading", { name: "Faults", level: 1 }).waitFor();
      await settled(page);
      const chosen = page.locator(".row[data-selected]");
      const walk = [];
      for (const key of ["n", "n", "n", "p"]) {
        await page.keyboard.press(key);
        await chosen.waitFor();
        walk.push((await chosen.getAttribute("aria-label")).match(/part (\d)/)?.[1]);
      }
      assert.deepEqual(walk, ["0", "1", "2", "1"]);
    }));
});

describe("tool cards", () => {
  test("fold long outputs and open them piece by piece", () =>
    viewer.shareSample({ height: 2000 }, async (page) => {
      const lines = Array.from({ length: 3000 }, (_, i) => `line ${i + 1} of a long output`).join(
        "\n",
      );
      await drop(
        page,
        "long.json",
        session("Long output", [
          message("assistant", [tool("bash", { command: "seq" }, { output: lines })]),
        ]),
      );
      await page.getByRole("heading", { name: "Long output", level: 1 }).waitFor();
      const output = partRow(page, 0, 0).locator(".output");
      assert.equal((await words(output.locator("pre"))).split("\n").length, 40);
      await output.getByRole("button", { name: "Show all 3,000 lines" }).click();
      await page.waitForFunction(() =>
        document.querySelector(".row .output pre")?.textContent.includes("line 3000 of"),
      );
      await output.getByRole("button", { name: "Show less" }).click();
      assert.equal((await words(output.locator("pre"))).split("\n").length, 40);
    }));

  test("fold one long line of few letters and many bytes, and speak of one line", () =>
    viewer.shareSample({}, async (page) => {
      const output = "語".repeat(3000);
      const list = { todos: [{ content: "One", status: "pending" }] };
      const parts = [
        tool("bash", { command: "one" }, { output }),
        tool("todowrite", list, { title: "1 todos" }),
      ];
      await drop(page, "one.json", session("One line", [message("assistant", parts)]));
      await page.getByRole("heading", { name: "One line", level: 1 }).waitFor();
      const block = partRow(page, 0, 0).locator(".output");
      assert.equal((await words(block.locator("pre"))).length, Math.floor(8192 / 3));
      await block.getByRole("button", { name: "Show the whole line" }).click();
      assert.equal(await words(block.locator("pre")), output);
      assert.equal(await words(partRow(page, 0, 1).locator(".fold-first")), "1 todo");
    }));

  test("say what the metadata of a call says", () =>
    viewer.share({ height: 3000 }, async (page) => {
      const parts = notedCalls();
      await drop(page, "noted.json", session("Noted", [message("assistant", parts)]));
      await page.getByRole("heading", { name: "Noted", level: 1 }).waitFor();
      await settled(page);
      const said = await Promise.all(parts.map((_, i) => words(partRow(page, 0, i))));
      assert.match(said[0], /lines 12–13[\s\S]*matched ignoring indentation/);
      assert.match(said[1], /waits for permission[\s\S]*Waits for permission: edit src\/greet\.py/);
      assert.match(said[2], /exit 0[\s\S]*left something running/);
      assert.match(said[3], /timed out[\s\S]*killed by SIGTERM/);
      assert.match(said[4], /8 lines \(16 B\) left out[\s\S]*whole output: \/tmp\/outputs/);
      assert.match(said[5], /Loop warning: grep was[\s\S]*Arguments repaired: limit: read/);
      assert.match(said[5], /12 matches in 3 files/);
      assert.match(said[6], /status 200[\s\S]*redirected to https:\/\/example\.com\/new/);
      assert.match(said[7], /not permitted/);
      assert.deepEqual(await axe(page), []);
    }));

  test("show states that are not finished, ANSI colours, JSON and other types", () =>
    viewer.shareSample({ height: 3000 }, async (page) => {
      const parts = [
        tool(
          "bash",
          { command: "make" },
          { status: "running", output: undefined, time: { start: 1_795_293_000_000 } },
        ),
        tool(
          "search",
          {},
          { status: "pending", raw: '{"query": "hal', output: undefined, time: undefined },
        ),
        tool(
          "bash",
          { command: "ls" },
          { output: "\u001b[31mred\u001b[0m plain \u001b[2Kend \u001b[38;5;21;7mturned" },
        ),
        tool(
          "lookup",
          { query: { deep: [1, 2, { x: "y" }] } },
          { output: '{"found": [true, null]}' },
        ),
        { type: "file", mime: "image/png", filename: "dot.png", url: PIXEL },
        { type: "from-the-future", anything: { goes: 1 } },
      ];
      await drop(
        page,
        "kinds.json",
        session("Kinds", [message("assistant", parts, { time: { created: 1 } })]),
      );
      await page.getByRole("heading", { name: "Kinds", level: 1 }).waitFor();
      await settled(page);
      assert.match(await words(partRow(page, 0, 0).locator("[aria-current=step]")), /^running/);
      assert.match(await words(partRow(page, 0, 1)), /\{"query": "hal/);
      assert.equal(await words(partRow(page, 0, 2).locator(".ansi-fg-red")), "red");
      assert.match(await words(partRow(page, 0, 2)), /red plain end turned/);
      const turned = partRow(page, 0, 2).locator(".ansi-fg-blue.ansi-inverse");
      const colours = await turned.evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element);
        return [backgroundColor, color];
      });
      assert.deepEqual(colours, ["rgb(58, 91, 199)", "rgb(255, 255, 255)"]);
      assert.match(await words(partRow(page, 0, 3)), /query[\s\S]*found/);
      assert.ok(
        await partRow(page, 0, 4)
          .locator("img")
          .evaluate((image) => image.naturalWidth === 1),
      );
      assert.match(await words(partRow(page, 0, 5)), /from-the-future[\s\S]*goes/);
      await page.locator(".facts .status", { hasText: "cut off" }).waitFor();
    }));
});
