// What `apex-parts compact` writes is a session of the real OpenCode: imported and prompted once, it sends to the
// model the view that filterCompacted gives.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SessionCompaction, toModelMessage } from "../../../pkg/node.mjs";
import { findOpenCode, openCode } from "../../../scripts/record/place.mjs";
import { fromRequest, fromView } from "./chat.mjs";
import { History } from "./sessions.mjs";

const cli = fileURLToPath(new URL("../../../pkg/cli.mjs", import.meta.url));
const { reason } = await findOpenCode();
const PROMPT = "And what now?";

/** A session that the command has compacted. */
function compacted(t, session, ...options) {
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [file, summary, out] = ["in.json", "summary.md", "out.json"].map((n) => join(folder, n));
  writeFileSync(file, JSON.stringify(session));
  writeFileSync(summary, "## Objective\n- read the files");
  const limits = ["--context", "24000", "--output", "8000"];
  const args = [cli, "compact", file, ...limits, "--summary", summary, "-o", out, ...options];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(readFileSync(out, "utf8"));
}

test("a session, compacted by the command, goes on in OpenCode", {
  skip: reason ?? false,
}, async (t) => {
  const file = new URL("../../fixtures/subtask.export.json", import.meta.url);
  const session = JSON.parse(readFileSync(file, "utf8"));
  const made = compacted(t, session, "--tail-turns", "0");
  const place = await openCode(t, { answers: [{ text: "Going on." }] });
  await place.import(made);
  await place.prompt(made.info.id, PROMPT);
  const said = fromRequest(place.model.requests[0].messages);
  const prompted = new History().user(PROMPT);
  const sent = SessionCompaction.filterCompacted([...made.messages, prompted]);
  assert.deepEqual(said, fromView(toModelMessage(sent)));
});
