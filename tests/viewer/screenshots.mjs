/**
 * Pictures of the viewer's states, to be looked at by a person:
 *
 *   node tests/viewer/screenshots.mjs FOLDER [README_PICTURE.png]
 *
 * `ONLY=compare,tools` makes those states only, `SIZES=1440-light,390-dark` only of those sizes and colours.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { carried, drop, launch, newPage, settled } from "./browser.mjs";
import { serve } from "./server.mjs";
import {
  compactedSession,
  faultySession,
  loopingSession,
  mendingRun,
  message,
  notedCalls,
  secondAttempt,
  session,
  text,
  tool,
  toolSession,
} from "./transcripts.mjs";

const [folder, picture] = process.argv.slice(2);
if (!folder) {
  console.error("Name the folder that the pictures go to.");
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const server = await serve();
const SAMPLE = `${server.url}?src=samples/fix-greeting.json`;
const browser = await launch();

const RECORDED = new URL("../fixtures/formats/opencode-events.txt", import.meta.url);

/**
 * The states, each reached from the page as it opens. `before` runs ahead of the page; `bare` is a
 * state without rows; `tall` needs a higher window to be seen whole.
 */
const STATES = {
  empty: {
    bare: true,
    before: (page) => page.route("**/samples/*", (route) => route.abort()),
    reach: (page) => page.getByRole("heading", { name: "Open a transcript" }).waitFor(),
  },
  loading: {
    bare: true,
    before: (page) => page.route("**/samples/*", () => {}),
    reach: (page) => page.getByText(/^Reading /).waitFor(),
  },
  "no-messages": {
    bare: true,
    reach: async (page) => {
      await drop(page, "none.json", session("Nothing yet", []));
      await page.getByRole("heading", { name: "Nothing yet", level: 1 }).waitFor();
    },
  },
  "start-page": {
    reach: async (page) => {
      await page.goto(server.url);
      await page.getByRole("heading", { name: "See what an agent did" }).waitFor();
    },
  },
  transcript: {},
  "part-selected": {
    reach: async (page) => {
      await page.goto(`${SAMPLE}#m=2&p=2`);
      await page.reload();
      await page.locator(".row[data-selected]").waitFor();
    },
  },
  inspector: {
    reach: async (page) => {
      await page.goto(`${SAMPLE}#m=2&p=2`);
      await page.reload();
      await page.locator(".row[data-selected]").waitFor();
      await page.keyboard.press("i");
      await page.locator(".inspector-body").waitFor();
    },
  },
  raw: {
    reach: async (page) => {
      await select(page, 6);
      await page.keyboard.press("r");
      await page.locator(".inspector-body .hljs-attr").first().waitFor();
    },
  },
  compact: { reach: (page) => page.keyboard.press("d") },
  "compact-tools": {
    tall: true,
    reach: async (page) => {
      await opened(page, "Every kind of tool", toolSession());
      await page.keyboard.press("d");
    },
  },
  details: {
    reach: async (page) => {
      const button = page.getByRole("button", { name: /^Details/ });
      if (await button.isVisible()) await button.click();
    },
  },
  runs: {
    bare: true,
    reach: async (page) => {
      const files = Array.from({ length: 40 }, (_, i) => [
        `run-${i}.json`,
        session(`Run ${i}`, [message("user", [text(`Task ${i}`)])]),
      ]);
      const loops = ["loops.json", loopingSession()];
      const dataTransfer = await carried(page, [...files, loops, ["notes.txt", "no transcript"]]);
      await page.dispatchEvent("body", "drop", { dataTransfer, clientY: 700 });
      await page.getByText(/^42 runs$/).waitFor();
    },
  },
  outline: { reach: (page) => show(page, "Outline") },
  timeline: { reach: (page) => show(page, "Timeline") },
  tools: { tall: true, reach: (page) => opened(page, "Every kind of tool", toolSession()) },
  "tool-metadata": {
    tall: true,
    reach: (page) =>
      opened(
        page,
        "Metadata of calls",
        session("Metadata of calls", [message("assistant", notedCalls())]),
      ),
  },
  compaction: {
    reach: async (page) => {
      await page.goto(`${server.url}?src=samples/long-compaction.json#m=7&p=0`);
      await settled(page);
    },
  },
  compacted: {
    tall: true,
    reach: async (page) => {
      await opened(page, "Compacted", compactedSession());
      await page.locator(".hidden-bar button").nth(1).click();
    },
  },
  error: {
    reach: async (page) => {
      await page.goto(`${server.url}?src=samples/provider-errors.json`);
      await page.locator(".failure").first().waitFor();
    },
  },
  "no-address": {
    bare: true,
    reach: async (page) => {
      await page.goto(`${server.url}?src=runs/nowhere.json`);
      await page.locator(".formats li").first().waitFor();
    },
  },
  refused: {
    bare: true,
    reach: async (page) => {
      await drop(page, "notes.txt", "These are notes, and no transcript.");
      await page.getByRole("alert").waitFor();
    },
  },
  problems: {
    reach: async (page) => {
      await opened(page, "Faults", faultySession());
      const button = page.locator(".problem-count");
      if (await button.isVisible()) await button.click();
      else {
        await page.getByRole("button", { name: /^Details/ }).click();
        await page.getByRole("tab", { name: /^File problems/ }).click();
      }
      await page.locator(".pane-problems button.problem").nth(1).waitFor();
    },
  },
  "problem-selected": {
    reach: async (page) => {
      await opened(page, "Faults", faultySession());
      await page.keyboard.press("n");
      await page.locator(".row[data-selected]").waitFor();
    },
  },
  loop: {
    reach: async (page) => {
      await opened(page, "Loops", loopingSession());
      await page.locator(".row-loop").first().waitFor();
      await page.keyboard.press("n");
    },
  },
  "loop-folded": {
    reach: async (page) => {
      await opened(page, "Loops", loopingSession());
      await page.locator(".loop-call").first().waitFor();
      await page.locator(".row:has(.loop-call)").scrollIntoViewIfNeeded();
    },
  },
  failed: {
    reach: async (page) => {
      const output =
        "   Compiling app v0.1.0\nerror[E0308]: mismatched types\n --> src/main.rs:4:5\n";
      const check = tool(
        "bash",
        { command: "cargo check" },
        {
          output,
          metadata: { exit: 101 },
          time: { start: 1_795_293_000_001, end: 1_795_293_042_000 },
        },
      );
      const again = session("Failed", [
        message("user", [text("Fix the build")]),
        message("assistant", [text("I look."), check]),
      ]);
      await opened(page, "Failed", again);
      await page.keyboard.press("n");
    },
  },
  "range-sums": {
    reach: async (page) => {
      await show(page, "Timeline");
      const box = await page.locator(".timeline-lanes").boundingBox();
      await page.mouse.move(box.x + box.width * 0.2, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.7, box.y + 10, { steps: 5 });
      await page.mouse.up();
      await page.getByText("busy").last().waitFor();
    },
  },
  "lanes-focus": {
    reach: async (page) => {
      await show(page, "Timeline");
      await page.locator(".timeline-stop").focus();
      for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
    },
  },
  compare: { reach: (page) => beside(page) },
  "compare-difference": {
    reach: async (page) => {
      await beside(page);
      for (let i = 0; i < 2; i++) await page.keyboard.press("n");
    },
  },
  "compare-judged": {
    reach: async (page) => {
      await opened(page, "Good", mendingRun(true));
      await drop(page, "Bad.json", mendingRun(false), { beside: true });
      await page.locator(".pair-fold").waitFor();
      await page.waitForFunction(() => !document.querySelector('.cell[aria-busy="true"]'));
    },
  },
  "compare-only": {
    reach: async (page) => {
      await beside(page);
      for (let i = 0; i < 4; i++) await page.keyboard.press("n");
    },
  },
  "open-dialog": { reach: (page) => click(page, "Open") },
  "compare-dialog": { reach: (page) => click(page, "Compare…") },
  "share-dialog": { reach: (page) => click(page, "Share…") },
  help: { reach: (page) => click(page, "Help and keys") },
  search: {
    reach: async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("greet", { delay: 20 });
      await page.getByRole("search").waitFor();
      await page.waitForTimeout(500);
      await page.keyboard.press("Enter");
    },
  },
  "search-completions": {
    reach: async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("foo:bar status:");
      await page.locator(".completions").waitFor();
      await page.keyboard.press("ArrowDown");
    },
  },
  replay: {
    reach: async (page) => {
      await drop(page, "recorded.sse", readFileSync(RECORDED, "utf8"));
      await page.locator(".header-title p", { hasText: "recorded.sse" }).waitFor();
      await settled(page);
      await page.getByRole("button", { name: "Replay" }).click();
      await page.getByRole("slider", { name: "Event" }).fill("30");
      await page.locator('.replay[data-shown="30"]').waitFor();
    },
  },
  "replay-events": {
    reach: async (page) => {
      await drop(page, "recorded.sse", readFileSync(RECORDED, "utf8"));
      await page.locator(".header-title p", { hasText: "recorded.sse" }).waitFor();
      await settled(page);
      await page.getByRole("button", { name: "Replay" }).click();
      await page.getByRole("slider", { name: "Event" }).fill("30");
      await page.locator('.replay[data-shown="30"]').waitFor();
      await show(page, "Events");
      await page.getByRole("button", { name: "Stops" }).click();
      await page.locator(".stop input").nth(1).check();
    },
  },
};

const only = process.env.ONLY?.split(",");
const sizes = process.env.SIZES?.split(",");
for (const dark of [false, true]) {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ]) {
    const look = `${width}-${dark ? "dark" : "light"}`;
    if (sizes && !sizes.includes(look)) continue;
    for (const [name, state] of Object.entries(STATES)) {
      if (only && !only.includes(name)) continue;
      const size = { width, height: state.tall ? 2600 : height };
      const { page, close } = await newPage(browser, { ...size, dark });
      await state.before?.(page);
      await page.goto(SAMPLE);
      if (!state.before) await settled(page);
      const path = join(folder, `${look}-${name}.png`);
      await state.reach?.(page);
      if (!state.bare && (await page.locator(".pair").count()) === 0) await settled(page);
      await page.waitForTimeout(150);
      await page.screenshot({ path });
      await close();
    }
  }
}
if (picture) {
  const { page, close } = await newPage(browser);
  await page.goto(SAMPLE);
  await settled(page);
  await page.locator(".row .path").first().click();
  await page.locator(".row[data-selected] .hljs-keyword").first().waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: picture });
  await close();
}

await browser.close();
await server.close();

async function opened(page, title, content) {
  await drop(page, `${title}.json`, content);
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await settled(page);
}

async function beside(page) {
  await page.goto(`${server.url}?src=samples/fix-greeting.json`);
  await settled(page);
  await drop(page, "second.json", secondAttempt(), { beside: true });
  await page.locator(".pair-first").waitFor();
  await page.waitForFunction(() => !document.querySelector('.cell[aria-busy="true"]'));
}

async function click(page, name) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

async function select(page, parts) {
  for (let i = 0; i < parts; i++) await page.keyboard.press("j");
}

/** Goes to a pane where only one is shown at a time. */
async function show(page, pane) {
  const tab = page.locator(".pane-tabs").getByRole("button", { name: new RegExp(`^${pane}`) });
  if (await tab.isVisible()) await tab.click();
}
