// Labelled cases: those that hold are counted, of one that fails it is said what was expected and what came.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { hasLabelledCases, runLabelledCases } from "../../scripts/labelled-cases.mjs";
import { at } from "./command.mjs";

const CHAT = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello" },
];
const FILES = { "f.jsonl": CHAT.map((line) => `${JSON.stringify(line)}\n`).join("") };
const one = (id, expect) => ({
  id,
  rule: "RF-0",
  kind: "test",
  what: "a chat",
  files: FILES,
  expect,
});
const HOLDS = one("holds", {
  asked: "Hi",
  ended: "finished",
  says: ["^ {2}time +—"],
  saysNot: ["^from "],
  list: { runs: 1, clock: false },
  run: [{ args: ["search", "@FILE@", "Hello", "--json"], rc: 0, hits: 1 }],
  oneOf: [{ refused: "." }, { answered: "Hello" }],
});

describe("labelled cases", () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "apex-parts-labelled-"));
    const cases = [
      HOLDS,
      one("differs", { asked: "Hey" }),
      one("unknown", { colour: "red" }),
      one("command", { run: [{ args: ["inspect", "@DIR@/gone"], rc: 0 }] }),
    ];
    writeFileSync(join(folder, "cases.json"), JSON.stringify(cases));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("say what was expected and what came", async () => {
    assert.ok(hasLabelledCases(folder));
    const said = [];
    const ran = await runLabelledCases(folder, at("pkg"), { say: (text) => said.push(text) });
    assert.deepEqual(ran, { run: 4, failed: 3 });
    const text = said.join("\n");
    assert.match(text, /✗ differs \(RF-0\): a chat\n {4}asked: expected "Hey", got "Hi"/);
    assert.match(text, /unknown.*\n {4}colour: no case has had this field before/);
    assert.match(text, /command.*\n {4}inspect @DIR@\/gone: expected exit code 0, got 2/);
    assert.match(text, /1 of 4 cases pass$/);
  });

  test("are run by their ids", async () => {
    const say = () => {};
    const ran = await runLabelledCases(folder, at("pkg"), { ids: /^holds$/u, say });
    assert.deepEqual(ran, { run: 1, failed: 0 });
    await assert.rejects(runLabelledCases(folder, at("pkg"), { ids: /^none$/u, say }), /no case/);
  });

  test("are not what a folder of recordings has", () => {
    assert.equal(hasLabelledCases(at("tests/fixtures/recorded")), false);
  });
});
