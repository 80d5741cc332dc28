// The detector of loops in cases that go on after a verdict: `tests/fixtures/loops-corpus`, whose README says how they are read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "./helper.mjs";

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../fixtures/loops-corpus/${name}`, import.meta.url), "utf8"));

let parts;
before(async () => {
  parts = requireFrom(await consumer("loops-corpus"))("apex-parts");
});

/** The verdicts of a case, each with the number of its call, and the calls whose check is to interrupt. */
function ran({ config, calls }) {
  const detector = new parts.DoomLoopDetector(config);
  const verdicts = [];
  const interrupts = [];
  let number = 0;
  let waiting = [];
  for (const [place, item] of calls.entries()) {
    if (item.event !== undefined) verdicts.push([number, detector.event(item.event)]);
    else if (item.text !== undefined)
      verdicts.push([number, detector.text(item.text, item.channel)]);
    if (item.toolName === undefined) continue;
    const { result, resultKey, isError, ifStopped, ...call } = item;
    const verdict = detector.check(call);
    verdicts.push([++number, verdict]);
    const isStopped = verdict.suggestedAction === "interrupt";
    if (isStopped) interrupts.push(number);
    const outcome = isStopped && ifStopped !== undefined ? ifStopped : { result, isError };
    waiting.push([number, outcome]);
    // The outcomes of one round are recorded after its last call.
    const next = calls[place + 1];
    if (call.round !== undefined && next?.round === call.round) continue;
    for (const [at, outcome] of waiting) {
      if (outcome === null || (outcome.result === undefined && !outcome.blocked)) continue;
      verdicts.push([at, detector.record({ call: at - 1, ...outcome })]);
    }
    waiting = [];
  }
  detector.free();
  return { verdicts, interrupts };
}

const CHECKS = {
  none: ({ first }) => assert.equal(first, undefined),
  by: ({ first }, call) => assert.ok(first[0] <= call, `call ${first[0]}`),
  from: ({ first }, call) => assert.ok(first[0] >= call, `call ${first[0]}`),
  kinds: ({ first }, kinds) => assert.ok(kinds.includes(first[1].kind), first[1].kind),
  action: ({ first }, action) => assert.equal(first[1].suggestedAction, action),
  interrupt: ({ stopped }) => assert.ok(stopped),
  noInterrupt: ({ stopped }) => assert.equal(stopped, undefined),
  interruptBy: ({ stopped }, call) => assert.ok(stopped[0] <= call, `call ${stopped[0]}`),
  interrupts: ({ interrupts }, calls) => assert.deepEqual(interrupts, calls),
};

for (const [name, least] of Object.entries({ chanting: 8, rounds: 7, refusals: 4 }))
  describe(name, () => {
    const cases = read(`${name}.json`);
    test("the file has its cases", () => assert.ok(cases.length >= least));
    for (const one of cases)
      test(`${one.id}: ${one.what}`, () => {
        const { verdicts, interrupts } = ran(one);
        assert.ok(verdicts.length > 0);
        const first = verdicts.find(([, { isDetected }]) => isDetected);
        const stopped = verdicts.find(([, v]) => v.suggestedAction === "interrupt");
        for (const [check, wanted] of Object.entries(one.expect)) {
          assert.ok(CHECKS[check], `no expectation ${check}`);
          CHECKS[check]({ first, stopped, interrupts }, wanted);
        }
      });
  });
