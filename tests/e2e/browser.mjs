/** A Chromium page under watch: what it asked for, what it complained of, what it tried to run. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launch() {
  const executablePath = PLACES.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("No Chromium found: set CHROMIUM_PATH.");
  return chromium.launch({ executablePath, args: ARGS });
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {{ width?: number, height?: number, dark?: boolean }} [options]
 */
export async function newPage(browser, { width = 1440, height = 900, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    timezoneId: "UTC",
    locale: "en-US",
  });
  const page = await context.newPage();
  const seen = { requests: [], complaints: [], dialogs: [] };
  context.on("request", (request) => seen.requests.push(request.url()));
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      seen.complaints.push(message.text());
    }
  });
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`blocked: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { page, seen, close: () => context.close() };
}

/** Waits until the rows in view have their content. */
export async function settled(page) {
  await page.waitForSelector(".row", { state: "attached" });
  await page.waitForFunction(() => !document.querySelector('.row[aria-busy="true"], .reading'));
}

/**
 * Drops a file onto the page, as a person would: `x` pixels from its left edge, and with a second file
 * where one is given.
 */
export async function drop(page, name, content, { x = 0, second } = {}) {
  const dataTransfer = await carried(page, second ? [[name, content], second] : [[name, content]]);
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page.dispatchEvent("body", type, { dataTransfer, clientX: x });
  }
}

/** Files as they hang on a pointer: names and contents. */
export function carried(page, files) {
  return page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, content] of all) {
      transfer.items.add(new File([content], name, { type: "application/json" }));
    }
    return transfer;
  }, files);
}

/** The words that a person would see there. */
export function words(locator) {
  // biome-ignore lint/performance/useDomNodeTextContent: the rendered text is what the tests are about
  return locator.innerText();
}

/**
 * Opens an address of the viewer, runs a test there, and then checks what holds for every page: no
 * request left the origin, nothing complained, nothing asked the person.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {{ address: string, width?: number, height?: number, dark?: boolean }} options
 * @param {(page: import("playwright-core").Page) => Promise<void>} run
 */
export async function visit(browser, { address, ...options }, run) {
  const { page, seen, close } = await newPage(browser, options);
  const { origin } = new URL(address);
  try {
    await page.goto(address);
    await settled(page);
    await run(page);
    const foreign = seen.requests.filter(
      (url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url),
    );
    assert.deepEqual(foreign, [], "requests to other origins");
    assert.deepEqual(seen.complaints, [], "errors and warnings in the console");
    assert.deepEqual(seen.dialogs, [], "dialogs");
  } finally {
    await close();
  }
}

/** The row of a part, and of a message's header. */
export function partRow(page, message, part) {
  return page.locator(`.row[aria-label^="Message ${message}, part ${part}:"]`);
}

export function headerRow(page, message) {
  return page.locator(`.row-message[aria-label^="Message ${message},"]`);
}
