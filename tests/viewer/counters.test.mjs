/** Totals are of everything, also where a list is cut: a session with more failed calls and files than the page gets. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { count } from "../../pkg/cli/units.mjs";
import { generate } from "../../scripts/generate.mjs";
import { quiet, troubleKnown, words } from "./browser.mjs";
import { expected, said, searched, truthOf, unfold } from "./counters.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";

const viewer = served();

let folder;
let path;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "viewer-counters-"));
  path = join(folder, "long.json");
  // More than is kept in memory, too.
  writeFileSync(
    path,
    Buffer.concat([...generate({ format: "opencode-export", bytes: 70_000_000 })]),
  );
});
after(() => folder && rmSync(folder, { recursive: true }));

test("header, card, lanes, table and search of a long session", async () => {
  const truth = truthOf(path);
  const { failed, totals } = truth.summary;
  assert.ok(Math.min(failed, totals.files) > 1000, "more than the page gets");
  const own = await serve({ file: path });
  try {
    await viewer.visit({ address: own.url }, async (page) => {
      await troubleKnown(page);
      await quiet(page);
      await unfold(page);
      const found = await said(page);
      // The list of loops is cut as well.
      assert.deepEqual({ ...found, card: { ...found.card, Loops: truth.loops } }, expected(truth));
      const cut = await page.locator(".summary-fact li.quiet").allInnerTexts();
      const of = (all) => `showing 1,000 of ${count(all)}`;
      assert.deepEqual(cut, [of(failed), of(totals.files)]);
      assert.equal(await searched(page), failed);
      assert.match(await words(page.locator(".timeline-counts").first()), /failed/);
    });
  } finally {
    await own.close();
  }
});
