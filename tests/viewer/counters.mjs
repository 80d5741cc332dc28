/** The counts of a transcript: what the core says, what the page has to say, and what it says. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { changed, count, dollars, duration, plural } from "../../pkg/cli/units.mjs";
import { outcome, Transcript } from "../../pkg/node.mjs";
import { drop, quiet, troubleKnown } from "./browser.mjs";

/** What the core says of a file; undefined where its format is not read. */
export function truthOf(path) {
  const bytes = readFileSync(path);
  const transcript = Transcript.open(bytes);
  if (transcript.format === undefined) return undefined;
  const summary = transcript.summary();
  const shown = transcript.messages().flatMap(({ parts }) => parts);
  return {
    name: basename(path),
    bytes,
    summary,
    messages: transcript.messageCount,
    // The length of a run that has ended does not make it a loop.
    loops: transcript.loops({ maxIterations: Number.MAX_SAFE_INTEGER }).length,
    // Of the session that is shown; the summary is of all that are in the file.
    failedHere: shown.filter((part) => ["failed", "error"].includes(outcome(part))).length,
    isOneSession: transcript.sessions.length <= 1,
  };
}

export const timed = ({ time }) => (time?.total > 0 ? time : undefined);
export const known = (value, words) => (value === undefined ? "—" : words(value));

/** What the page has to say of a file. */
export function expected({ summary, loops }) {
  const { failed, mended, messageErrors, totals, cost } = summary;
  const cure = mended > 0 ? `, ${count(mended)} fixed later` : "";
  const errors = messageErrors > 0 ? ` · ${plural(messageErrors, "model error")}` : "";
  return {
    header: {
      failed: failed > 0 ? `${count(failed)} failed` : undefined,
      errors: messageErrors > 0 ? plural(messageErrors, "model error") : undefined,
      loops: loops > 0 ? plural(loops, "loop") : undefined,
    },
    card: summary.asked && {
      Failed: failed + messageErrors > 0 ? `${plural(failed, "call")}${cure}${errors}` : "no call",
      Changed: known(totals.files, (files) =>
        files > 0 ? `${plural(files, "file")} ${changed(totals)}`.trimEnd() : "no file",
      ),
      Time: known(
        timed(summary),
        ({ busy, total }) => `${duration(busy)} busy of ${duration(total)}`,
      ),
      Cost: known(cost, dollars),
      Loops: loops,
      table: failed,
    },
    lanes: failed,
  };
}

/** What the page says: of the counts that are left out where they are 0, `undefined`. */
export function said(page) {
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
export async function unfold(page) {
  const more = page.locator(".summary-more");
  while ((await more.count()) > 0) await more.first().click();
}

export async function opened(page, { name, bytes }) {
  await drop(page, name, bytes);
  await page.locator(".header-title bdi", { hasText: name }).waitFor();
  await troubleKnown(page);
  await quiet(page);
  await unfold(page);
}

/** How many places a search for failed calls finds. */
export async function searched(page) {
  await page.keyboard.press("/");
  await page.getByRole("search").getByRole("textbox").fill("status:failed");
  const found = page.locator('.search-count[data-busy="false"]', { hasText: /match/ });
  await found.waitFor();
  const text = await found.textContent();
  await page.keyboard.press("Escape");
  return text === "no matches" ? 0 : Number(/^[\d,]+/.exec(text)[0].replaceAll(",", ""));
}

/** What a comparison says of both files. */
export async function compared(page, { name, bytes }) {
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

export const measures = ({ summary, loops }) => ({
  Failed: count(summary.failed),
  Loops: count(loops),
  "Files changed": known(summary.totals.files, count),
  "Busy time": known(timed(summary)?.busy, duration),
  Cost: known(summary.cost, dollars),
});
