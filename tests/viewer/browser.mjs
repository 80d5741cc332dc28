/** A Chromium page under watch: what it asked for, what it complained of, what it tried to run. */
import assert from "node:assert/strict";

export { launch } from "../chromium.mjs";

/** Pages that tests have done with, by browser: a new one costs more than most tests. */
const idle = new WeakMap();

/**
 * An empty page of this size and colour scheme: `close()` gives it back for the next test, with nothing
 * of this one left.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {{ width?: number, height?: number, dark?: boolean }} [options]
 */
export async function newPage(browser, { width = 1440, height = 900, dark = false } = {}) {
  if (!idle.has(browser)) idle.set(browser, []);
  const pages = idle.get(browser);
  const page = pages.pop() ?? (await made(browser));
  await page.setViewportSize({ width, height });
  // What pulses while a test waits would have the browser paint all the time.
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  const context = page.context();
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
  const close = async () => {
    try {
      await emptied(page);
      pages.push(page);
    } catch {
      // It is closed, or too busy: nobody waits for it.
      await context.close();
    }
  };
  return { page, seen, close };
}

async function made(browser) {
  const context = await browser.newContext({ timezoneId: "UTC", locale: "en-US" });
  const page = await context.newPage();
  // What never comes is told late, and what comes late on a busy machine has come.
  page.setDefaultTimeout(60_000);
  await page.addInitScript(watchPage);
  paintedAfter(page.keyboard, ["press", "type"], page);
  const locators = Object.getPrototypeOf(page.locator("body"));
  if (!patched.has(locators)) paintedAfter(locators, ACTIONS);
  patched.add(locators);
  return page;
}

const ACTIONS = ["check", "click", "dblclick", "fill", "focus", "hover", "press", "selectOption"];
const patched = new WeakSet();

/**
 * What a test does to a page has been done when the page has painted what follows from it: the page
 * itself draws later than it hears of a key, and much later on a busy machine.
 */
function paintedAfter(actor, names, page) {
  for (const name of names) {
    const act = actor[name];
    actor[name] = async function (...args) {
      const result = await act.apply(this, args);
      await painted(page ?? this.page());
      return result;
    };
  }
}

/** Presses a key, and does not wait for what it does. */
export async function send(page, key) {
  await page.keyboard.down(key);
  await page.keyboard.up(key);
}

async function painted(page) {
  try {
    await page.evaluate(() => window.painted?.());
  } catch (error) {
    // It went to another address, or was closed: that is what was done.
    if (!/navigat|closed|destroyed|detached/i.test(error.message)) throw error;
  }
}

/** Runs in every page before its own code: says what the page has under way. */
function watchPage() {
  addEventListener("securitypolicyviolation", (event) => {
    console.error(`blocked: ${event.violatedDirective} ${event.blockedURI}`);
  });
  // A timer of more than this only takes something away again, such as a message to the reader.
  const SOON = 1000;
  const { Worker: BrowserWorker, setTimeout: later, clearTimeout: forget } = window;
  const timers = new Set();
  const calls = new Set();
  // How often a worker was asked for something, and the searches that ended because a newer one took
  // their place.
  window.asked = 0;
  window.overtaken = 0;
  window.setTimeout = (run, delay = 0, ...args) => {
    const timer = later(() => {
      timers.delete(timer);
      run(...args);
    }, delay);
    if (delay <= SOON) timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => {
    timers.delete(timer);
    forget(timer);
  };
  let workers = 0;
  window.Worker = class extends BrowserWorker {
    own = `worker ${workers++}, call `;
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        calls.delete(this.own + data?.id);
        if (data?.value?.overtaken) window.overtaken++;
      });
    }
    postMessage(message, ...rest) {
      if (message?.call) {
        calls.add(this.own + message.id);
        window.asked++;
      }
      super.postMessage(message, ...rest);
    }
    terminate() {
      for (const call of calls) if (call.startsWith(this.own)) calls.delete(call);
      super.terminate();
    }
  };
  const frame = () => new Promise((done) => requestAnimationFrame(() => later(done)));
  window.painted = () => frame().then(frame);
  const places = () =>
    Array.from(document.querySelectorAll(".scroller, .row"), (element) => {
      const { top, height } = element.getBoundingClientRect();
      return `${top} ${height} ${element.scrollTop} ${element.scrollHeight}`;
    }).join();
  let asked;
  let before = "";
  let same = 0;
  const isBusy = () =>
    calls.size > 0 ||
    timers.size > 0 ||
    document.querySelector('.row[aria-busy="true"], .reading') !== null;
  /** True where for four frames nothing was under way, and nothing moved. */
  window.isQuiet = (question) => {
    const now = places();
    if (question !== asked || isBusy() || now !== before) same = 0;
    else same++;
    asked = question;
    before = now;
    return same >= 4;
  };
}

let questions = 0;

/** Waits until the page has nothing to do: no answer to wait for, no timer, nothing that moves. */
export async function quiet(page) {
  await page.waitForFunction((question) => window.isQuiet(question), ++questions);
}

/** Takes everything away that a test may have left. */
async function emptied(page) {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const name of ["console", "dialog", "download", "pageerror"]) page.removeAllListeners(name);
  context.removeAllListeners("request");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.clearCookies();
  await context.clearPermissions();
  // A page that itself goes to an empty one takes its policies there: the next needs no new process.
  const gone = page.waitForURL("about:blank", { timeout: 5000 });
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    window.name = "";
    location.replace("about:blank");
  });
  await gone;
}

/**
 * Waits until the rows in view have their content, and stand where they stay; or the start page or a list of runs is
 * there.
 */
export async function settled(page) {
  await page.waitForSelector(".row, .welcome-choices, .runs", { state: "attached" });
  await quiet(page);
}

/** Turns the wheel over a list, and waits until the browser has done what that does: it takes its time. */
export async function wheel(page, scroller, y) {
  const top = () => scroller.evaluate((element) => element.scrollTop);
  const before = await top();
  await scroller.hover();
  await page.mouse.wheel(0, y);
  await page.waitForFunction(
    ([element, from]) => element.scrollTop !== from,
    [await scroller.elementHandle(), before],
  );
  await quiet(page);
}

/** Waits until there are so many of them, and sees that there are no more. */
export async function thereAre(locator, count, message) {
  if (count > 0) await locator.nth(count - 1).waitFor({ state: "attached" });
  assert.equal(await locator.count(), count, message);
}

/**
 * Drops a file onto the page, as a person would: where it takes the place of what is open, or above,
 * where it opens `beside` it; and with a second file where one is given.
 */
export async function drop(page, name, content, { beside = false, second } = {}) {
  const dataTransfer = await carried(page, second ? [[name, content], second] : [[name, content]]);
  const clientY = beside ? 10 : page.viewportSize().height - 10;
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page.dispatchEvent("body", type, { dataTransfer, clientY });
  }
}

/** Files as they hang on a pointer: names and contents, text or bytes. */
export function carried(page, files) {
  const packed = files.map(([name, content]) =>
    typeof content === "string"
      ? { name, content }
      : { name, base64: Buffer.from(content).toString("base64") },
  );
  return page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, content, base64 } of all) {
      const bytes = base64 && Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
      transfer.items.add(new File([bytes ?? content], name, { type: "application/json" }));
    }
    return transfer;
  }, packed);
}

/** What a page has given to be kept, as text: the file itself may be where only the browser's process is. */
export async function saved(download) {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Pastes text on the page, not into a field of it. */
export function paste(page, content) {
  return page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", copied);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, content);
}

/** The words that a person would see there. */
export function words(locator) {
  // biome-ignore lint/performance/useDomNodeTextContent: the rendered text is what the tests are about
  return locator.innerText();
}

/**
 * Opens an address of the viewer, runs a test there, and then checks what holds for every page.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {{ address: string, width?: number, height?: number, dark?: boolean }} options
 * @param {(page: import("playwright-core").Page) => Promise<void>} run
 */
export async function visit(browser, options, run) {
  const { look, close } = await opened(browser, options);
  try {
    await look(run);
  } finally {
    await close();
  }
}

/**
 * A page with an address of the viewer. `look(run)` runs a test there, and then checks what holds for every page: no
 * request left the origin, nothing complained, nothing asked the person.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {{ address: string, width?: number, height?: number, dark?: boolean }} options
 */
export async function opened(browser, { address, ...options }) {
  const { page, seen, close } = await newPage(browser, options);
  const { origin } = new URL(address);
  try {
    await page.goto(address);
    await settled(page);
  } catch (error) {
    await close();
    throw error;
  }
  const look = async (run) => {
    await run(page);
    const foreign = seen.requests.filter(
      (url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url),
    );
    assert.deepEqual(foreign, [], "requests to other origins");
    assert.deepEqual(seen.complaints, [], "errors and warnings in the console");
    assert.deepEqual(seen.dialogs, [], "dialogs");
  };
  return { look, close };
}

/** The row of a part, and of a message's header. */
export function partRow(page, message, part) {
  return page.locator(`.row[aria-label^="Message ${message}, part ${part}:"]`);
}

export function headerRow(page, message) {
  return page.locator(`.row-message[aria-label^="Message ${message},"]`);
}

/** Waits until the header knows of all trouble, loops among it. */
export async function troubleKnown(page) {
  await page.locator('.trouble:not([aria-busy="true"])').first().waitFor({ state: "attached" });
}
