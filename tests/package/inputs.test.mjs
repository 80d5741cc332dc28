// A test fails without its input: what finds the files of a test throws where there are none.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { inputs } from "../inputs.mjs";

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "inputs-"));
  mkdirSync(join(folder, "opencode"));
  writeFileSync(join(folder, "opencode", "b.json"), "{}");
  writeFileSync(join(folder, "opencode", "a.json"), "{}");
});
after(() => folder && rmSync(folder, { recursive: true }));

test("the names of a folder come sorted", () => {
  assert.deepEqual(inputs(join(folder, "opencode"), /\.json$/), ["a.json", "b.json"]);
});

test("a folder without a wanted file is an error, as is one that is not there", () => {
  assert.throws(() => inputs(join(folder, "opencode"), /\.sse$/), /Nothing in .* is named/);
  assert.throws(() => inputs(join(folder, "nowhere")), /ENOENT/);
});

test("so are recordings that are not there", async () => {
  const of = new URL("../recorded.mjs", import.meta.url).href;
  const asked = (call) => {
    const code = `import { recorded, recordedFiles } from ${JSON.stringify(of)}; ${call}`;
    const env = { ...process.env, APEX_PARTS_RECORDED: folder };
    return promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { env });
  };
  await assert.rejects(asked(`recorded("agents")`), /There is no recording .*agents/);
  await assert.rejects(asked(`recordedFiles("opencode", /\\.sse$/)`), /Nothing in .*opencode/);
  await asked(`recordedFiles("opencode", /\\.json$/)`);
});
