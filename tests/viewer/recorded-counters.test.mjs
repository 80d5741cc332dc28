/**
 * One truth: of each recorded file the header, the card, the lanes, the table, the list, a search, a comparison and
 * `inspect` say what the core's summary says.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { changed, count, dollars, duration, plural } from "../../js/cli/units.mjs";
import { Transcript } from "../../pkg/node.mjs";
import { recordedFiles } from "../recorded.mjs";
import { carried, drop, quiet, troubleKnown } from "./browser.mjs";
import { served } from "./served.mjs";

const viewer = served();

const CLI = fileURLToPath(new URL("../../pkg/cli.mjs", import.meta.url));

const KINDS = {
  opencode: /\.(?:json|sse)$/,
  compaction: /\.export\.json$/,
  agents: /\.(?:jsonl?|traj)$/,
  providers: /\.sse$/,
};

/** What the core says of a file; undefined where its format is not read. */
function truthOf(path) {
  const bytes = readFileSync(path);
  const transcript = Transcript.open(bytes);
  if (transcript.format === undefined) return undefined;
  const summary = transcript.summary();
  const tools = Object.values(transcript.stats().tools);
  return {
    name: basename(path),
    bytes,
    summary,
    messages: transcript.messageCount,
    // A long run is no loop where it is looked at afterwards.
    loops: transcript.loops({ maxIterations: Number.MAX_SAFE_INTEGER }).length,
    // Of the session that is shown; the summary is of all that are in the file.
    failedHere: tools.reduce((sum, { failed, errors }) => sum + failed + errors, 0),
    isOneSession: transcript.sessions.length <= 1,
  };
}

const timed = ({ time }) => (time?.total > 0 ? time : undefined);
const known = (value, words) => (value === undefined ? "—" : words(value));

/** What the page has to say of a file. */
function expected({ summary, loops, failedHere }) {
  const { failed, mended, messageErrors, totals, cost } = summary;
  const cure = mended > 0 ? `, ${count(mended)} mended later` : "";
  const errors = messageErrors > 0 ? ` · ${plural(messageErrors, "model error")}` : "";
  return {
    header: {
      failed: failed > 0 ? `${count(failed)} failed` : undefined,
      errors: messageErrors > 0 ? plural(messageErrors, "model error") : undefined,
      loops: loops > 0 ? plural(loops, "loop") : undefined,
    },
    card: summary.asked && {
      Failed: failed + messageErrors > 0 ? `${plural(failed, "call")}${cure}${errors}` : "no call",
      Changed: totals.files > 0 ? `${plural(totals.files, "file")} ${changed(totals)}` : "no file",
      Time: known(
        timed(summary),
        ({ busy, total }) => `${duration(busy)} busy of ${duration(total)}`,
      ),
      Cost: known(cost, dollars),
      Loops: loops,
      table: failedHere,
    },
    lanes: failed,
  };
}

/** What the page says: of the counts that are left out where they are 0, `undefined`. */
function said(page) {
  return page.evaluate(() => {
    const words = (element) => element?.textContent.trim();
    const number = (text) => Number(text.replaceAll(",", ""));
    const sum = (all) => all.reduce((a, b) => a + b, 0);
    const header = (name) => words(document.querySelector(`.header .trouble-${name}`));
    const facts = new Map(
      [...document.querySelectorAll(".summary-fact")].map((fact) => [
        words(fact.querySelector("dt")),
        fact.querySelector("dd"),
      ]),
    );
    const fact = (name) => words(facts.get(name).querySelector("p") ?? facts.get(name));
    const lines = [...document.querySelectorAll(".breakdown tbody tr")];
    const cells = lines.flatMap((line) => [...line.querySelectorAll("td")].slice(1, 2));
    const lanes = [...document.querySelectorAll(".timeline-counts .tone-bad")];
    return {
      header: { failed: header("failed"), errors: header("errors"), loops: header("loops") },
      card:
        facts.size === 0
          ? undefined
          : {
              Failed: fact("Failed"),
              Changed: fact("Changed"),
              Time: fact("Time"),
              Cost: fact("Cost"),
              Loops: facts.get("Loops")?.querySelectorAll("li").length ?? 0,
              table: sum(cells.map((cell) => number(words(cell)))),
            },
      lanes: sum(lanes.map((lane) => number(words(lane).replace(" failed", "")))),
    };
  });
}

/** Opens all that is folded away in the lists of the card. */
async function unfold(page) {
  const more = page.locator(".summary-more");
  while ((await more.count()) > 0) await more.first().click();
}

async function opened(page, { name, bytes }) {
  await drop(page, name, bytes);
  await page.locator(".header-title bdi", { hasText: name }).waitFor();
  await troubleKnown(page);
  await quiet(page);
  await unfold(page);
}

/** How many places a search for failed calls finds. */
async function searched(page) {
  await page.keyboard.press("/");
  await page.getByRole("search").getByRole("textbox").fill("status:failed");
  const found = page.locator('.search-count[data-busy="false"]', { hasText: /match/ });
  await found.waitFor();
  const text = await found.textContent();
  await page.keyboard.press("Escape");
  return text === "no matches" ? 0 : Number(/^[\d,]+/.exec(text)[0].replaceAll(",", ""));
}

/** What a comparison says of both files. */
async function compared(page, { name, bytes }) {
  await drop(page, name, bytes, { beside: true });
  await page.locator(".compare-heads", { hasText: name }).waitFor();
  await page.locator(".judgement").waitFor();
  await quiet(page);
  return page.locator(".measure").evaluateAll((all) =>
    Object.fromEntries(
      all.map((measure) => [
        measure.querySelector("dt").textContent,
        [...measure.querySelectorAll(".measure-value")].map((value) =>
          // Without what it is more or less than the first.
          value.firstChild?.textContent.trim(),
        ),
      ]),
    ),
  );
}

const measures = ({ summary, loops }) => ({
  Failed: count(summary.failed),
  Loops: count(loops),
  "Files changed": count(summary.totals.files),
  "Busy time": known(timed(summary)?.busy, duration),
  Cost: known(summary.cost, dollars),
});

/** What `inspect` prints. */
async function inspected(path, ...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, "inspect", path, ...args], {
    maxBuffer: 1 << 28,
  });
  return stdout;
}

/** The ids of a stream that has none are new each time it is read. */
const withoutIds = (summary) =>
  JSON.parse(JSON.stringify(summary, (key, value) => (key === "id" ? "" : value)));

for (const [kind, pattern] of Object.entries(KINDS)) {
  describe(`recorded files: ${kind}`, () => {
    const files = recordedFiles(kind, pattern).map((path) => [path, truthOf(path)]);
    const read = files.filter(([, truth]) => truth !== undefined);
    const paths = read.map(([path]) => path);
    const truths = read.map(([, truth]) => truth);

    test("are there", () => assert.ok(truths.length > 5));

    test("header, card, lanes, table, search and comparison of each", () =>
      viewer.visit({ address: viewer.url }, async (page) => {
        for (const [i, truth] of truths.entries()) {
          await opened(page, truth);
          const found = await said(page);
          // Of several sessions the lanes have those of tasks as far as there is room.
          if (!truth.isOneSession) found.lanes = truth.summary.failed;
          assert.deepEqual(found, expected(truth), truth.name);
          assert.equal(await searched(page), truth.failedHere, `${truth.name}: status:failed`);
          if (truth.isOneSession) assert.equal(truth.failedHere, truth.summary.failed, truth.name);
          if (i % 2 === 0) continue;
          const both = await compared(page, truths[i - 1]);
          const [first, second] = [measures(truth), measures(truths[i - 1])];
          for (const [name, value] of Object.entries(first)) {
            assert.deepEqual(both[name], [value, second[name]], `${truth.name}: ${name}`);
          }
        }
      }));

    test("the list of all", () =>
      // High enough for all of them.
      viewer.visit({ address: viewer.url, height: 200 + 100 * truths.length }, async (page) => {
        const dataTransfer = await carried(
          page,
          truths.map(({ name, bytes }) => [name, bytes]),
        );
        for (const type of ["dragenter", "dragover", "drop"]) {
          await page.dispatchEvent("body", type, { dataTransfer, clientY: 500 });
        }
        await page.getByText(new RegExp(`^${truths.length} runs$`)).waitFor();
        await quiet(page);
        const rows = await page.locator("tbody .run").evaluateAll((all) =>
          all.map((row) => ({
            words: row.textContent,
            cells: ["failed", "loops", "busy", "cost"].map(
              (name) => row.querySelector(`.run-${name}`).textContent,
            ),
          })),
        );
        assert.equal(rows.length, truths.length);
        for (const { name, summary, loops } of truths) {
          const row = rows.find(({ words }) => words.includes(name));
          assert.ok(row, `${name} in the list`);
          const { busy } = timed(summary) ?? {};
          assert.deepEqual(
            row.cells,
            [
              count(summary.failed),
              count(loops),
              known(busy, duration),
              known(summary.cost, dollars),
            ],
            name,
          );
        }
      }));

    test("what inspect says of each, and of their folder", async () => {
      for (const [i, path] of paths.entries()) {
        const { name, summary, loops } = truths[i];
        const json = JSON.parse(await inspected(path, "--json"));
        assert.deepEqual(withoutIds(json.summary), withoutIds(summary), name);
        assert.equal(json.loops.length, loops, name);
        assert.doesNotMatch(JSON.stringify(json.summary), /null/, name);
      }
      const { runs, others } = JSON.parse(await inspected(dirname(paths[0]), "--json"));
      for (const { name, summary, loops, messages } of truths) {
        const run = runs.find(({ file }) => file === name);
        if (!run) {
          // A file that holds no run says so.
          assert.equal(messages, 0, name);
          assert.match(others.find(({ file }) => file === name).reason, /has no/);
          continue;
        }
        const { failed, loops: found, busyMs, cost } = run;
        const said = { failed, loops: found, busy: busyMs, cost };
        const { busy } = timed(summary) ?? {};
        assert.deepEqual(said, { failed: summary.failed, loops, busy, cost: summary.cost }, name);
      }
    });
  });
}
