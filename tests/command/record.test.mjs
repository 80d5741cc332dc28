// The recorded sessions of agents are what the scripts make, byte for byte.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { at, folder } from "./command.mjs";

const RECORDED = at("tests/fixtures/recorded/agents");

function record(...args) {
  return spawnSync(process.execPath, [at("scripts/record.mjs"), ...args], { encoding: "utf8" });
}

test("the sessions of agents are made again, the same", () => {
  const { status, stderr } = record("agents", "--out", folder);
  assert.equal(stderr, "");
  assert.equal(status, 0);
  const names = readdirSync(RECORDED).sort();
  assert.deepEqual(readdirSync(join(folder, "agents")).sort(), names);
  assert.ok(names.length > 20);
  for (const name of names) {
    const [made, kept] = [join(folder, "agents"), RECORDED].map((of) =>
      readFileSync(join(of, name)),
    );
    // Another version of zlib may compress otherwise.
    if (name !== "inspect.guesses.eval") assert.ok(made.equals(kept), name);
  }
});

test("an unknown kind is named", () => {
  const { status, stderr } = record("agent");
  assert.equal(status, 1);
  assert.match(stderr, /no agent; there are opencode, compaction, tools, agents, runs, providers/);
});
