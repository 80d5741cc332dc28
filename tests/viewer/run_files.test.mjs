/** Recorded runs of several files in a list of runs: joined by the library, listed and opened as one. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { after, before, describe, test } from "node:test";
import { runFiles, Transcript } from "../../pkg/node.mjs";
import { files } from "../../scripts/lib.mjs";
import { recorded } from "../recorded.mjs";
import { settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";

const viewer = served();
const RUNS = recorded("runs");
const all = files(RUNS).map((path) => ({
  path: relative(RUNS, path).split(sep).join("/"),
  bytes: readFileSync(path),
}));
const groups = runFiles(all);
const CHILDREN = ["claude-code", "codex", "gemini-cli"];
let list;

before(async () => {
  list = await serve({ paths: [RUNS] });
});
after(() => list?.close());

const visit = (run) => viewer.visit({ address: list.url }, run);
const read = (page) => page.getByText(new RegExp(`^${groups.length} runs$`)).waitFor();
const row = (page, path) =>
  page.locator("tbody .run").filter({ has: page.getByText(path, { exact: true }) });

/** The paths of the run of a program with a sub-agent, and the transcript of its files. */
function runOf(program) {
  const paths = groups.find(([path]) => path.startsWith(`${program}.sub-agent/`));
  const transcript = Transcript.openFiles(all.filter(({ path }) => paths.includes(path)));
  const [, { id, file }] = transcript.sessions;
  const told = { summary: transcript.summary(), own: transcript.summary({ session: id }), file };
  transcript.free();
  return { main: paths[0], ...told };
}

describe("recorded runs of several files in a list", () => {
  test("have the files of sub-agents under them, with the figures of the library", () =>
    visit(async (page) => {
      await read(page);
      const rows = page.locator("tbody .run");
      await page.getByRole("columnheader", { name: "Title" }).getByRole("button").click();
      for (const program of CHILDREN) {
        const { main, file, summary, own } = runOf(program);
        await page
          .getByRole("searchbox", { name: "Search the runs" })
          .fill(`${program}.sub-agent/`);
        await thereAre(rows, 2);
        const depths = rows.locator(".run-title");
        assert.deepEqual(
          await depths.evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-depth"))),
          ["0", "1"],
          program,
        );
        for (const [path, figures] of [
          [main, summary],
          [file, own],
        ]) {
          assert.equal(await words(row(page, path).locator(".run-failed")), `${figures.failed}`);
          assert.equal(await words(row(page, path).locator(".run-model")), figures.models[0]);
        }
      }
    }));

  test("are opened as one, a sub-agent's file at its session", () =>
    visit(async (page) => {
      await read(page);
      const { main, file, own } = runOf("codex");
      await page.getByRole("searchbox", { name: "Search the runs" }).fill("codex.sub-agent/");
      await row(page, file).getByRole("button", { name: file }).click();
      const choice = page.getByRole("combobox", { name: "Session" });
      await page.getByRole("button", { name: "Back", exact: true }).waitFor();
      await settled(page);
      assert.notEqual(await choice.inputValue(), "");
      await page.locator(".summary").getByText(own.asked.text.slice(0, 40)).first().waitFor();
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await row(page, main).getByRole("button", { name: main }).click();
      await choice.waitFor();
      assert.equal(await choice.inputValue(), "");
      // The call that started it leads there.
      await page.getByRole("button", { name: "Open sub-agent’s session" }).first().click();
      await page.getByRole("button", { name: "Back", exact: true }).waitFor();
    }));

  test("have a fork as a run of its own, which says so", () =>
    visit(async (page) => {
      await read(page);
      await page.getByRole("searchbox", { name: "Search the runs" }).fill("codex.forked/");
      await thereAre(page.locator("tbody .run"), 2);
      await thereAre(page.locator('tbody .run-title[data-depth="0"]'), 2);
      await thereAre(page.locator(".run-fork"), 1);
    }));
});
