/**
 * The viewer in headless Chromium on generated files of 10 MB, 100 MB and 1 GB: waiting times and memory.
 * `npm run bench:viewer [-- SIZE…]`.
 *
 * Times are measured by the page, from the moment at which the file is chosen. Memory is that of the
 * renderer process, minus that of an empty page in the same browser (Linux only).
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { at, cache, files } from "../scripts/lib.mjs";
import { viewerModuleSize } from "../scripts/sizes.mjs";
import { launch, troubleKnown, words } from "../tests/viewer/browser.mjs";
import { serve } from "../tests/viewer/server.mjs";
import { met } from "./lib/bars.mjs";

const SIZES = ["10MB", "100MB", "1GB"];
/** The targets, in milliseconds and megabytes. */
const WANTED = {
  "first rows": [150, 200, 300],
  indexed: [200, 400, 3000],
  search: [30, 200, 2000],
  memory: [60, 100, 200],
};

const sizes = process.argv.slice(2).length > 0 ? process.argv.slice(2) : SIZES;

/** A session of this size; generated once. */
function generated(size) {
  const folder = join(cache, "bench");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `session-${size}.json`);
  if (!existsSync(file)) {
    // Under another name until it is whole: a run that is ended meanwhile must not leave the beginning of one.
    const part = `${file}.part`;
    const flags = ["--format", "opencode-export", "--size", size, "--seed", "1", "-o", part];
    const made = spawnSync(process.execPath, [at("scripts", "generate.mjs"), ...flags]);
    if (made.status !== 0) throw new Error(String(made.stderr));
    renameSync(part, file);
  }
  return file;
}

/** The memory of the renderer process, in bytes. */
async function memoryOf(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  return renderers.reduce((sum, { id }) => {
    try {
      const found = /^(?:RssAnon):\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"));
      return sum + Number(found?.[1] ?? 0) * 1024;
    } catch {
      return sum;
    }
  }, 0);
}

/** In the page: long tasks, and the time from one frame to the next. */
function watch() {
  const seen = { tasks: [], frames: [], last: 0, on: true };
  globalThis.seen = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.tasks.push(entry.duration);
  }).observe({ type: "longtask" });
  const frame = (now) => {
    if (seen.last > 0) seen.frames.push(now - seen.last);
    seen.last = now;
    if (seen.on) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** In the page: the time of its first paint, once there is one. */
const painted = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;

/** In the page: takes the times of a file with this name, from when the page receives it. */
function timed(wanted) {
  const marks = {};
  globalThis.marks = marks;
  const look = () => {
    const title = document.querySelector(".header-title")?.textContent ?? "";
    const here = title.includes(wanted);
    const rows = document.querySelectorAll('.row:not([aria-busy="true"])').length;
    const reading = document.querySelector(".reading") !== null;
    marks.error = document.querySelector('[role="alert"]')?.textContent;
    if (here && rows > 3) marks.rows ??= performance.now();
    if (here && rows > 3 && !reading) marks.indexed = performance.now();
    if (!marks.indexed && !marks.error) requestAnimationFrame(look);
  };
  const start = () => {
    marks.start = performance.now();
    requestAnimationFrame(look);
  };
  document.addEventListener("change", start, { capture: true, once: true });
}

/** The times of a file that was chosen. If it does not open, the error says what the page shows instead. */
async function opened(page) {
  const isOver = () => globalThis.marks.indexed || globalThis.marks.error;
  await page.waitForFunction(isOver).catch(() => {});
  const marks = await page.evaluate(() => globalThis.marks);
  const { start, indexed, error } = marks;
  if (indexed && !error) return marks;
  const shown = (await words(page.locator("body"))).slice(0, 1000);
  const late = start === undefined ? "the page did not receive it" : "it was not read in 120 s";
  throw new Error(`The file did not open: ${error ?? late}. The page:\n${shown}`);
}

const quantile = (list, share) => {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

async function measured(url, file) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    // 1 GB on a busy machine: what takes longer never ends.
    page.setDefaultTimeout(120_000);
    await page.goto("about:blank");
    await page.waitForTimeout(300);
    const empty = await memoryOf(browser);
    await page.goto(url);
    // The start page's own, which it shows once it knows that its address names nothing.
    const input = page.locator('.welcome-choices input[type="file"]');
    await input.waitFor({ state: "attached" });
    const paint = await (await page.waitForFunction(painted)).jsonValue();
    // As long as a person takes to choose a file: the worker warms its module up meanwhile.
    await page.waitForTimeout(1000);
    const name = basename(file);
    await page.evaluate(timed, name);
    await input.setInputFiles(file);
    const marks = await opened(page);
    // Loops are searched after the rows are shown; the measured search must not compete with that.
    await troubleKnown(page);
    await page.keyboard.press("/");
    const search = await searched(page, "quetzalcoatlus");
    const many = await searched(page, "the");
    await page.keyboard.press("Escape");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("HeapProfiler.collectGarbage");
    await page.waitForTimeout(500);
    const memory = (await memoryOf(browser)) - empty;
    await page.evaluate(watch);
    const box = await page.locator(".pane-transcript .scroller").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (let i = 0; i < 120; i++) {
      await page.mouse.wheel(0, i % 40 === 39 ? 40_000 : 120);
      await page.waitForTimeout(16);
    }
    const { tasks, frames } = await page.evaluate(() => {
      globalThis.seen.on = false;
      return globalThis.seen;
    });
    return {
      paint,
      "first rows": marks.rows - marks.start,
      indexed: marks.indexed - marks.start,
      search,
      many,
      memory: memory / 1e6,
      // As a browser counts them: to a tenth of a millisecond, with the noise of floating point.
      frame: Math.round(quantile(frames, 0.95) * 10) / 10,
      task: Math.max(0, ...tasks),
    };
  } finally {
    await browser.close();
  }
}

/** The time from the query to the hits on the page, in milliseconds, as measured by the page. */
async function searched(page, query) {
  await page.evaluate(() => performance.clearMeasures("search"));
  const field = page.getByRole("search").getByRole("textbox");
  await field.fill(query);
  const took = () => performance.getEntriesByName("search").at(-1)?.duration;
  await page.waitForFunction(took);
  return page.evaluate(took);
}

const server = await serve();
console.log("# The viewer in headless Chromium");
const mb = (bytes) => `${(bytes / 1000).toFixed(0)} KB`;
const dist = files(at("www", "dist", "assets"));
const HIGHLIGHTER =
  /\/(?:core|bash|c|cpp|css|diff|go|ini|java|javascript|json|markdown|python|ruby|rust|sql|typescript|xml|yaml)-[\w-]+\.js$/;
const scripts = dist.filter((file) => file.endsWith(".js") && !HIGHLIGHTER.test(file));
const code = scripts
  .map((file) => gzipSync(readFileSync(file), { level: 9 }).length)
  .reduce((sum, bytes) => sum + bytes, 0);
const { gzip, brotli, most } = viewerModuleSize();
console.log(`code as gzip: ${mb(code)} (at most 250 KB) ${met(code <= 250e3)}`);
console.log(
  `module, brotli ${mb(brotli)} (at most ${mb(most)}) ${met(brotli <= most)}; gzip ${mb(gzip)}, with the code ${mb(gzip + code)}`,
);
console.log(`viewer.html: ${mb(statSync(at("www", "dist", "viewer.html")).size)}`);
for (const size of sizes) {
  const found = await measured(server.url, generated(size));
  const column = SIZES.indexOf(size);
  console.log(`\n## ${size}`);
  for (const [name, values] of Object.entries(WANTED)) {
    const wanted = values[column];
    const unit = name === "memory" ? "MB" : "ms";
    const verdict = wanted === undefined ? "" : met(found[name] <= wanted);
    const target = wanted === undefined ? "" : ` (at most ${wanted} ${unit})`;
    console.log(`  ${name}: ${found[name].toFixed(0)} ${unit}${target} ${verdict}`);
  }
  console.log(
    `  search for "the", which is everywhere (the first 100,000 hits): ${found.many.toFixed(0)} ms`,
  );
  console.log(
    `  first paint of the shell: ${found.paint?.toFixed(0)} ms (at most 300) ${met(found.paint <= 300)}`,
  );
  console.log(
    `  scrolling: 95 % of frames within ${found.frame.toFixed(1)} ms (at most 16.7) ${met(found.frame <= 16.7)}`,
  );
  console.log(
    `  scrolling: longest task ${found.task.toFixed(0)} ms (at most 50) ${met(found.task <= 50)}`,
  );
}
await server.close();
