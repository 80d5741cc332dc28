/**
 * Pictures of the viewer's states, to be looked at by a person:
 *
 *   node tests/e2e/screenshots.mjs FOLDER [README_PICTURE.png]
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../scripts/serve.mjs";
import { drop, launch, newPage, settled } from "./browser.mjs";
import { faultySession, loopingSession } from "./transcripts.mjs";

const [folder, picture] = process.argv.slice(2);
if (!folder) {
  console.error("Name the folder that the pictures go to.");
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();

/** The states, each reached from the one before. */
const STATES = {
  sample: async () => {},
  "tool-selected": async (page) => {
    await page.goto(`${server.url}#m=2&p=2`);
    await page.reload();
    await page.locator(".row[data-selected]").waitFor();
    await show(page, "Transcript");
  },
  inspector: (page) => show(page, "Inspector"),
  raw: async (page) => {
    await page.getByRole("tab", { name: "Raw" }).click();
    await page.locator(".inspector-body .hljs-attr").first().waitFor();
  },
  outline: (page) => show(page, "Outline"),
  timeline: (page) => show(page, "Timeline"),
  open: (page) => page.getByRole("button", { name: "Open", exact: true }).click(),
  help: async (page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Help and keys" }).click();
  },
  compaction: async (page) => {
    await page.goto(`${server.url}?src=samples/long-compaction.json#m=7&p=0`);
    await settled(page);
  },
  errors: async (page) => {
    await page.goto(`${server.url}?src=samples/provider-errors.json`);
    await page.locator(".failure").first().waitFor();
  },
  problems: async (page) => {
    await drop(page, "faults.json", faultySession());
    await page.getByRole("heading", { name: "Faults", level: 1 }).waitFor();
    await show(page, "Problems");
    const button = page.locator(".problem-count");
    if (await button.isVisible()) await button.click();
    await page.locator(".pane-problems button.problem").nth(1).click();
    await page.locator(".row[data-selected]").waitFor();
  },
  loops: async (page) => {
    await drop(page, "loops.json", loopingSession());
    await page.getByRole("heading", { name: "Loops", level: 1 }).waitFor();
    await show(page, "Transcript");
    await page.locator(".row-loop").first().waitFor();
    await page.keyboard.press("n");
  },
  refused: async (page) => {
    await drop(page, "notes.txt", "These are notes, and no transcript.");
    await page.getByRole("alert").waitFor();
  },
};

for (const dark of [false, true]) {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    const { page, close } = await newPage(browser, { width, height, dark });
    await page.goto(server.url);
    for (const [name, reach] of Object.entries(STATES)) {
      await settled(page);
      await reach(page);
      await settled(page);
      await page.waitForTimeout(150);
      await page.screenshot({
        path: join(folder, `${width}-${dark ? "dark" : "light"}-${name}.png`),
      });
    }
    await close();
  }
}

if (picture) {
  const { page, close } = await newPage(browser);
  await page.goto(server.url);
  await settled(page);
  await page.locator(".row .path").first().click();
  await page.locator(".row[data-selected] .hljs-keyword").first().waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: picture });
  await close();
}

await browser.close();
await server.close();

/** Goes to a pane where only one is shown at a time. */
async function show(page, pane) {
  const tab = page.locator(".pane-tabs").getByRole("button", { name: new RegExp(`^${pane}`) });
  if (await tab.isVisible()) await tab.click();
}
