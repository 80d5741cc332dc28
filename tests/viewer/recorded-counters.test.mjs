/**
 * One truth: of each recorded file the header, the card, the lanes, the table, the list, a search, a comparison and
 * `inspect` say what the core's summary says.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { count, dollars, duration } from "../../pkg/cli/units.mjs";
import { recordedFiles } from "../recorded.mjs";
import { carried, quiet } from "./browser.mjs";
import {
  compared,
  expected,
  known,
  measures,
  opened,
  said,
  searched,
  timed,
  truthOf,
} from "./counters.mjs";
import { served } from "./served.mjs";

const viewer = served();

const KINDS = {
  opencode: /\.(?:json|sse)$/,
  compaction: /\.export\.json$/,
  agents: /\.(?:jsonl?|traj)$/,
  providers: /\.sse$/,
};

/** Runs the command once for each path, in one process: most of the time of a command is that of its start. */
const INSPECT = `
  const [cli, ...paths] = process.argv.splice(1);
  // Each run of the command listens for errors of it.
  process.stdout.setMaxListeners(paths.length + 10);
  for (const [i, path] of paths.entries()) {
    process.argv = ["node", cli, "inspect", path, "--json"];
    await import(cli + "?" + i);
    process.stdout.write("\\0");
  }
  process.exitCode = 0;
`;

/** What `inspect` prints of each; nothing of a file that is none. */
async function inspected(...paths) {
  const cli = new URL("../../pkg/cli.mjs", import.meta.url).href;
  const args = ["--input-type=module", "-e", INSPECT, cli, ...paths];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 });
  return stdout.split("\0").slice(0, -1).map(JSON.parse);
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
      const all = await inspected(...paths, dirname(paths[0]));
      for (const [i, { name, summary, loops }] of truths.entries()) {
        const json = all[i];
        assert.deepEqual(withoutIds(json.summary), withoutIds(summary), name);
        assert.equal(json.loops.length, loops, name);
        assert.doesNotMatch(JSON.stringify(json.summary), /null/, name);
      }
      const { runs, others } = all.at(-1);
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
