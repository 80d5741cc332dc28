/** The timeline at the bottom: what it says, what it draws, and how one gets about in it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { drop, settled, troubleKnown, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { longOnes, watchTasks } from "./tasks.mjs";
import { loopingSession, message, session, text, tool } from "./transcripts.mjs";

const AXE = new URL("../../node_modules/axe-core/axe.min.js", import.meta.url);
const START = 1_795_293_000_000;

const viewer = served();

const { visit } = viewer;

const strip = (page) => page.getByRole("region", { name: "Timeline" });
const brush = (page) => strip(page).getByRole("slider");
const summary = (page) => strip(page).locator("p.hidden").textContent();
const laneNames = (page) => strip(page).locator("li .timeline-name").allInnerTexts();

async function openText(page, title, content) {
  await drop(page, `${title}.json`, content);
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await settled(page);
}

/** Two frames on, so that what was to be drawn is drawn. */
const drawn = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** Where in the lanes (0 to 1 from the left) the pixels have a colour of the stylesheet. */
async function coloured(page, name, canvas = ".timeline-lanes canvas") {
  await drawn(page);
  return page.evaluate(
    ([token, selector]) => {
      const probe = document.createElement("canvas").getContext("2d");
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
      probe.fillRect(0, 0, 1, 1);
      const wanted = probe.getImageData(0, 0, 1, 1).data;
      // A copy, so that the picture itself is not moved to where pixels are read fast.
      const picture = document.querySelector(selector);
      const { width, height } = picture;
      const copy = new OffscreenCanvas(width, height).getContext("2d", {
        willReadFrequently: true,
      });
      copy.drawImage(picture, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      const found = [];
      for (let x = 0; x < width; x++) {
        for (let y = 0; y < height; y++) {
          const at = 4 * (y * width + x);
          if (wanted.every((value, i) => Math.abs(value - data[at + i]) <= 1)) {
            found.push(x / width);
            break;
          }
        }
      }
      return found;
    },
    [name, canvas],
  );
}

/** Puts the pointer, or clicks, at a share of the lanes' width, in a lane. */
async function at(page, share, lane = 0) {
  const box = await page.locator(".timeline-lanes").boundingBox();
  const names = await strip(page).locator("li").first().boundingBox();
  return { x: box.x + box.width * share, y: box.y + names.height * (lane + 0.5) };
}

/** Steps of an agent, ten seconds each, from a time on. */
function steps(agent, from, count) {
  return Array.from({ length: count }, (_, i) => {
    const begin = START + (from + i * 10) * 1000;
    return message(
      "assistant",
      [
        { type: "text", text: "On it.", time: { start: begin, end: begin + 1000 } },
        tool(
          "bash",
          { command: `ls ${agent} ${i}` },
          { time: { start: begin + 2000, end: begin + 8000 } },
        ),
        {
          type: "step-finish",
          reason: "stop",
          cost: 0.5,
          tokens: { input: 1000 * (i + 1), output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        },
      ],
      { agent, time: { created: begin, completed: begin + 10_000 } },
    );
  });
}

const asked = (seconds) =>
  message("user", [text("Go on")], { time: { created: START + seconds * 1000 } });

/** Two agents, one after the other, and a night later the first again. */
const teamSession = () => {
  const night = 9 * 3600;
  const messages = [asked(0), ...steps("build", 0, 5), ...steps("plan", 50, 5)];
  return session("Team", [...messages, asked(night), ...steps("build", night, 2)]);
};

/** Events of a session that gives a task to another, which works from the third second to the eighth. */
function timedTask() {
  const time = (start, end) => ({ time: { start: START + start * 1000, end: START + end * 1000 } });
  const done = (agent, start, end) => ({
    ...{ agent, time: { created: START + start * 1000, completed: START + end * 1000 } },
  });
  const task = tool("task", { prompt: "Count", subagent_type: "general" });
  const worked = tool("bash", { command: "ls boats" }, time(3, 8));
  Object.assign(task.state, { metadata: { sessionId: "ses_task" }, ...time(2, 9) });
  const said = [
    [
      "ses_root",
      "Count the boats",
      undefined,
      [
        asked(0),
        message("assistant", [{ ...text("I ask."), ...time(1, 2) }, task], done("build", 1, 10)),
      ],
    ],
    [
      "ses_task",
      "Look",
      "ses_root",
      [
        message("user", [text("Count")], { agent: "general", time: { created: START + 2500 } }),
        message("assistant", [worked], done("general", 3, 8)),
      ],
    ],
  ];
  const events = said.flatMap(([id, title, parentID, messages]) => {
    const info = { id, title, parentID, version: "1", time: { created: START, updated: START } };
    const created = { type: "session.created", properties: { info } };
    const told = messages.flatMap(({ info: head, parts }) => [
      { type: "message.updated", properties: { info: { ...head, sessionID: id } } },
      ...parts.map((part) => ({
        type: "message.part.updated",
        properties: { part: { ...part, sessionID: id } },
      })),
    ]);
    return [created, ...told];
  });
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

describe("the timeline", () => {
  test("of a sample names its agents, and says in words what it shows", () =>
    visit({ address: `${viewer.url}?src=samples/long-compaction.json` }, async (page) => {
      assert.deepEqual(await laneNames(page), ["build", "compaction"]);
      assert.equal(await summary(page), "2 agents, 8.7 s, nothing failed, 2 compactions.");
      assert.match(await words(strip(page)), /Context\s+12k tokens\s+Cost\s+\$0\.323/);
      const { height } = await strip(page).boundingBox();
      assert.ok(height <= 190, `${height} px`);
      assert.ok((await coloured(page, "--good")).length > 10);
      assert.ok((await coloured(page, "--turn")).length >= 2);
    }));

  test("of a sample with a failing call shows it red, where it was", () =>
    visit({}, async (page) => {
      assert.equal(await summary(page), "1 agent, 8.1 s, 1 failed.");
      const red = await coloured(page, "--bad");
      assert.ok(red.length > 0 && red.every((x) => x > 0.6 && x < 0.7), red.join());
    }));

  test("of a session with a task has a lane for the agent that did it", () =>
    viewer.share({}, async (page) => {
      await drop(page, "task.sse", timedTask());
      await page.getByRole("heading", { name: "Count the boats", level: 1 }).waitFor();
      await strip(page).getByText("general", { exact: true }).waitFor();
      assert.deepEqual(await laneNames(page), ["build", "general"]);
      assert.match(await summary(page), /^2 agents, 10 s, nothing failed\./);
      // It worked while the call that asked it to was running, and a click leads to that call.
      const { x, y } = await at(page, 0.6, 1);
      await page.mouse.click(x, y);
      await page.waitForFunction(() => location.hash === "#m=1&p=1");
    }));

  test("cuts a night short and says so", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      assert.deepEqual(await laneNames(page), ["build", "plan"]);
      assert.match(
        await summary(page),
        /^2 agents, 9 h 0 min, nothing failed\. 1 long wait is shown shortened\.$/,
      );
      const good = await coloured(page, "--good");
      // Two of twelve steps are after the night, and have their share of the room.
      assert.ok(good.filter((x) => x > 0.84).length > 30, good.join());
    }));

  test("a click on a bar selects the part", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      // The second call of `plan`, in the middle of its sixty seconds on.
      const { x, y } = await at(page, 65 / 122, 1);
      await page.mouse.move(x, y);
      const tip = page.locator(".timeline-tip");
      await tip.getByText("bash, completed").waitFor();
      // Its object is fetched where the row is not in view.
      await tip.getByText("ls plan 1", { exact: true }).waitFor();
      assert.match(await words(tip), /message 7, part 1 · \d\d:\d\d:02\.000 · 6\.0 s/);
      await page.mouse.click(x, y);
      const chosen = page.locator(".row[data-selected]");
      await chosen.waitFor();
      assert.match(await chosen.getAttribute("aria-label"), /^Message 7, part 1:/);
      await page.waitForFunction(() => location.hash === "#m=7&p=1");
      assert.ok(
        (await coloured(page, "--accent", ".minimap canvas")).some(
          (at) => Math.abs(at - 0.51) < 0.03,
        ),
      );
    }));

  test("the lines are drawn, and say what they held where the pointer is", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      await page.locator(".timeline-plot canvas").nth(1).waitFor();
      for (const kind of ["context", "cost"]) {
        const line = kind === "context" ? "--accent" : "--text-quiet";
        const drawnAt = await coloured(page, line, `[data-line="${kind}"] canvas`);
        assert.ok(drawnAt.length > 100, `${kind}: ${drawnAt.length}`);
      }
      const values = strip(page).locator(".timeline-number");
      assert.deepEqual(await values.allInnerTexts(), ["2.0k tokens", "$6.000"]);
      const { x, y } = await at(page, 35 / 122);
      await page.mouse.move(x, y);
      await page.locator(".timeline-cursor").waitFor();
      assert.deepEqual(await values.allInnerTexts(), ["3.0k tokens", "$1.500"]);
      await page.mouse.move(x, 200);
      await page.locator(".timeline-cursor").waitFor({ state: "detached" });
    }));

  test("marks loops", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Loops", loopingSession());
      await troubleKnown(page);
      await page.waitForFunction(() =>
        document.querySelector(".pane-timeline p.hidden").textContent.includes("2 loops"),
      );
      // One to be interrupted, one to be warned of.
      assert.ok((await coloured(page, "--busy")).length > 10);
      const red = await coloured(page, "--bad", ".minimap canvas");
      const amber = await coloured(page, "--busy", ".minimap canvas");
      assert.ok(red.length + amber.length > 10);
    }));

  test("goes by rows where there are no times", () =>
    visit({}, async (page) => {
      const bare = ["user", "assistant", "user", "assistant"].map((role) =>
        message(role, [text("Look")], { time: undefined }),
      );
      await openText(page, "Bare", session("Bare", bare));
      await page.waitForFunction(() => document.querySelector('.timeline-lanes[data-axis="rows"]'));
      await settled(page);
      assert.equal(await summary(page), "1 agent, no times, 8 rows, nothing failed.");
      assert.equal(await brush(page).getAttribute("aria-valuetext"), "messages 0 to 3");
      const { x, y } = await at(page, 3.5 / 8);
      await page.mouse.click(x, y);
      await page.waitForFunction(() => location.hash === "#m=1&p=0");
    }));
});

describe("getting about in the timeline", () => {
  const range = (page) => brush(page).getAttribute("aria-valuetext");

  test("with the keyboard: arrows, plus and minus, Home and End, and 0 for all", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      const all = await range(page);
      assert.match(all, /^0 ms to 9 h 0 min of 9 h 0 min$/);
      await brush(page).focus();
      await page.keyboard.press("+");
      await page.keyboard.press("+");
      await page.keyboard.press("Home");
      assert.match(await range(page), /^0 ms to 30 s of/);
      await page.keyboard.press("ArrowRight");
      assert.match(await range(page), /^3\.\d s to 3\d s of/);
      await page.keyboard.press("ArrowLeft");
      assert.match(await range(page), /^0 ms to/);
      await page.keyboard.press("PageDown");
      assert.match(await range(page), /^30 s to 1 min/);
      await page.keyboard.press("End");
      assert.match(await range(page), /to 9 h 0 min of/);
      await page.keyboard.press("-");
      assert.notEqual(await range(page), all);
      // `0` fits from anywhere on the page.
      await page.locator("h1").click();
      await page.keyboard.press("0");
      assert.equal(await range(page), all);
    }));

  test("with the pointer: wheel, drag, brush and buttons", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      const all = await range(page);
      const { x, y } = await at(page, 0.5);
      await page.mouse.move(x, y);
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -400);
      await page.keyboard.up("Control");
      await page.waitForFunction(
        (before) => document.querySelector(".brush").ariaValueText !== before,
        all,
      );
      const zoomed = await range(page);
      await page.mouse.down();
      await page.mouse.move(x + 100, y, { steps: 4 });
      await page.mouse.up();
      assert.notEqual(await range(page), zoomed);
      assert.equal(await page.locator(".row[data-selected]").count(), 0, "a drag is no click");

      // The brush is moved by its middle, and zooms by its edge.
      const box = await brush(page).boundingBox();
      const moved = await range(page);
      await page.mouse.move(box.x + box.width / 2, box.y + 12);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 - 40, box.y + 12, { steps: 4 });
      await page.mouse.up();
      assert.notEqual(await range(page), moved);
      const after = await brush(page).boundingBox();
      assert.ok(Math.abs(after.width - box.width) < 1 && Math.abs(after.x - box.x + 40) < 2);
      await page.mouse.move(after.x + after.width - 1, after.y + 12);
      await page.mouse.down();
      await page.mouse.move(after.x + after.width + 59, after.y + 12, { steps: 4 });
      await page.mouse.up();
      const wider = await brush(page).boundingBox();
      assert.ok(Math.abs(wider.width - after.width - 60) < 3, `${after.width} to ${wider.width}`);

      await strip(page).getByRole("button", { name: "Zoom in" }).click();
      assert.ok((await brush(page).boundingBox()).width < wider.width);
      await strip(page).getByRole("button", { name: "Fit the timeline" }).click();
      assert.equal(await range(page), all);
    }));

  test("what is selected elsewhere comes into sight", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      await brush(page).focus();
      for (const key of ["+", "+", "+", "Home"]) await page.keyboard.press(key);
      const before = await range(page);
      await page.locator(".outline-entry").nth(10).click();
      await page.waitForFunction(
        (words) => document.querySelector(".brush").ariaValueText !== words,
        before,
      );
      assert.match(await range(page), /^1 min 2\d s to/);
    }));

  test("it folds to the minimap, and stays so", () =>
    visit({}, async (page) => {
      const title = strip(page).getByRole("button", { name: "Timeline", exact: true });
      const tall = (await strip(page).boundingBox()).height;
      await title.click();
      await page.locator(".timeline-lanes").waitFor({ state: "detached" });
      assert.ok((await strip(page).boundingBox()).height < tall / 2);
      await page.reload();
      await settled(page);
      assert.equal(await title.getAttribute("aria-expanded"), "false");
      assert.equal(await page.locator(".timeline-lanes").count(), 0);
      await title.click();
      await page.locator(".timeline-lanes").waitFor();
    }));

  test("a narrow screen has it as a pane", () =>
    viewer.share({ width: 390, height: 844 }, async (page) => {
      await openText(page, "Team", teamSession());
      assert.equal(await strip(page).count(), 0);
      await page.locator(".pane-tabs").getByRole("button", { name: "Timeline" }).click();
      await strip(page).waitFor();
      assert.deepEqual(await laneNames(page), ["build", "plan"]);
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
        false,
      );
      const { x, y } = await at(page, 65 / 122, 1);
      await page.mouse.click(x, y);
      assert.ok(await page.locator(".pane-transcript").isVisible());
      await page.waitForFunction(() => location.hash === "#m=7&p=1");
    }));
});

describe("the lanes by the keyboard", () => {
  const stop = (page) => page.locator(".timeline-stop");
  const label = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label"));

  test("are one stop of the Tab key; the arrows move along a lane and between lanes", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      await brush(page).focus();
      await page.keyboard.press("Tab");
      assert.equal(await page.locator(".timeline-stop:focus").count(), 1);
      assert.match(await label(page), /^User, message 0, \d\d:\d\d:00\.000, lane build$/);
      await page.keyboard.press("ArrowRight");
      assert.match(await label(page), /^text, On it\., message 1, part 0, .* lane build$/);
      await page.keyboard.press("ArrowRight");
      assert.match(await label(page), /^bash, completed, ls build 0, message 1, part 1, .*6\.0 s/);
      await page.locator(".timeline-tip").getByText("ls build 0").waitFor();
      const ring = await stop(page).evaluate((element) => getComputedStyle(element).outlineStyle);
      assert.equal(ring, "solid");
      await page.keyboard.press("ArrowDown");
      assert.match(await label(page), /message 6, part 0, .*lane plan$/);
      await page.keyboard.press("End");
      assert.match(await label(page), /^bash, completed.*message 10, part 1, .*lane plan$/);
      await page.keyboard.press("ArrowRight");
      assert.match(await label(page), /message 10, part 1/);
      await page.keyboard.press("ArrowUp");
      assert.match(await label(page), /lane build$/);
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowLeft");
      assert.match(await label(page), /^User, message 0/);
      for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash === "#m=2&p=1");
      // One goes on from there.
      assert.equal(await page.locator(".timeline-stop:focus").count(), 1);
      assert.equal(await stop(page).getAttribute("aria-selected"), "true");
    }));

  test("what has the focus comes into sight where it is not", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      await brush(page).focus();
      for (const key of ["+", "+", "+", "Home"]) await page.keyboard.press(key);
      const before = await brush(page).getAttribute("aria-valuetext");
      await page.keyboard.press("Tab");
      await page.keyboard.press("End");
      assert.notEqual(await brush(page).getAttribute("aria-valuetext"), before);
      const box = await stop(page).boundingBox();
      const lanes = await page.locator(".timeline-lanes").boundingBox();
      assert.ok(box.x >= lanes.x && box.x + box.width <= lanes.x + lanes.width + 1);
    }));
});

describe("a stretch that is dragged", () => {
  const sums = (page) => page.locator(".timeline-sums");
  /** Those of the whole stretch are there, and not of where the pointer was before. */
  const summed = (page) =>
    page.locator('.timeline-sums[aria-busy="false"]').getByText("busy").waitFor();
  const drag = async (page, from, to, lane = 0) => {
    const a = await at(page, from, lane);
    const b = await at(page, to, lane);
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move((a.x + b.x) / 2, b.y, { steps: 3 });
    await page.mouse.move(b.x, b.y, { steps: 3 });
    await page.mouse.up();
  };

  test("where all is in sight has its sums: busy time, calls, tokens, cost", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      await drag(page, 0.0005, 50 / 122);
      await summed(page);
      assert.match(
        await words(sums(page)),
        /^50 s busy \(model 20 s, tools 30 s\) · 5 calls · 1[05]k tokens · \$2\.\d+/,
      );
      assert.equal(await page.locator(".row[data-selected]").count(), 0, "a drag is no click");
      assert.equal(await page.locator(".timeline-chosen").count(), 1);
      await page.getByRole("button", { name: "Forget the chosen stretch" }).click();
      await sums(page).waitFor({ state: "detached" });
    }));

  test("over a night counts what was worked, not the night", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      await drag(page, 80 / 122, 0.999);
      await summed(page);
      assert.match(
        await words(sums(page)),
        /^4\d s busy \(model 1\d s, tools 2\d s\) · [45] calls/,
      );
    }));

  test("with Shift where it is zoomed in, and moves the lanes without", () =>
    viewer.share({}, async (page) => {
      await openText(page, "Team", teamSession());
      await brush(page).focus();
      for (const key of ["+", "Home"]) await page.keyboard.press(key);
      const before = await brush(page).getAttribute("aria-valuetext");
      await page.keyboard.down("Shift");
      await drag(page, 0.2, 0.6);
      await page.keyboard.up("Shift");
      await summed(page);
      assert.match(await words(sums(page)), /^2\d s busy \(.*\) · [23] calls/);
      assert.equal(await brush(page).getAttribute("aria-valuetext"), before);
      await drag(page, 0.6, 0.3);
      assert.notEqual(await brush(page).getAttribute("aria-valuetext"), before);
    }));
});

describe("large and checked", () => {
  test("a hundred thousand parts are laid out and drawn without holding the page up", () =>
    visit({}, async (page) => {
      const messages = Array.from({ length: 2000 }, (_, i) => {
        const begin = START + i * 60_000;
        const parts = Array.from({ length: 50 }, (_, n) =>
          tool("bash", {}, { time: { start: begin + n * 1000, end: begin + n * 1000 + 900 } }),
        );
        const agent = ["build", "plan", "explore"][i % 3];
        return message("assistant", parts, {
          agent,
          time: { created: begin, completed: begin + 50_000 },
        });
      });
      await openText(page, "Large", session("Large", messages));
      await page.waitForFunction(() =>
        document.querySelector(".pane-timeline p.hidden").textContent.startsWith("3 agents"),
      );
      // They are looked for meanwhile, and drawn when they are found.
      await troubleKnown(page);
      const tasksDone = await watchTasks(viewer.browser);
      const calls = await page.evaluate(async () => {
        // How many rectangles a picture takes, whatever the number of parts.
        let calls = 0;
        const { prototype } = CanvasRenderingContext2D;
        for (const name of ["fill", "fillRect", "stroke"]) {
          const original = prototype[name];
          prototype[name] = function (...args) {
            calls++;
            return original.apply(this, args);
          };
        }
        const element = document.querySelector(".brush");
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        element.focus();
        for (const key of ["+", "+", "ArrowRight", "ArrowRight", "-", "-"]) {
          element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          await frame();
          await frame();
        }
        return calls;
      });
      const tasks = await tasksDone();
      const { width } = await page.locator(".timeline-lanes").boundingBox();
      // Six pictures of three lanes and a minimap: at most one rectangle a pixel and lane in each.
      assert.ok(calls > 100 && calls < 7 * 4 * width, `${calls} rectangles`);
      // 50 ms is the aim; a machine that does something else beside it works more slowly, too.
      assert.ok(
        tasks.every(({ cpu }) => cpu < 250),
        longOnes(tasks),
      );
      assert.ok((await coloured(page, "--good")).length > width / 4);
    }));

  test("axe finds nothing serious in it, wide and narrow, light and dark", async () => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      for (const dark of [false, true]) {
        await visit({ width, height, dark }, async (page) => {
          if (width < 900) {
            await page.locator(".pane-tabs").getByRole("button", { name: "Timeline" }).click();
          }
          await strip(page).waitFor();
          await page.evaluate(readFileSync(AXE, "utf8"));
          const { violations } = await page.evaluate(() =>
            globalThis.axe.run(document.querySelector(".pane-timeline")),
          );
          const serious = violations.filter(({ impact }) => /serious|critical/.test(impact));
          assert.deepEqual(
            serious.map(({ id, nodes }) => [id, nodes[0]?.html]),
            [],
          );
        });
      }
    }
  });
});
