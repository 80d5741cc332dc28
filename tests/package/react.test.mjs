// The ReAct recorder in the packed package, as an engine uses it.
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { consumer, requireFrom } from "./helper.mjs";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
let parts;
let logs = [];
before(async () => {
  parts = requireFrom(await consumer("react"))("apex-parts");
  parts.setLogger((level, message, details) => logs.push({ level, message, details }));
});
beforeEach(() => {
  logs = [];
});

function recorder(t, doomLoop) {
  const made = new parts.ReActRecorder({ sessionID: ID, messageID: ID, doomLoop });
  t.after(() => made.free());
  return made;
}

const types = (list) => list.map(({ type }) => type);

test("a run becomes valid parts and events in order", (t) => {
  const run = recorder(t);
  const snapshot = "abc";
  assert.equal(run.startStep(snapshot).snapshot, snapshot);
  run.startReasoning();
  run.appendReasoning("I ");
  run.appendReasoning("look 😀");
  const thought = run.finishReasoning();
  assert.equal(thought.text, "I look 😀");
  assert.ok(thought.time.end >= thought.time.start);
  run.appendText("Here");
  const input = { path: "a", when: new Date(0), big: 1n };
  assert.equal(run.startTool("c1", "read", input, '{"path":"a"}').isDetected, false);
  const metadata = { lines: 3 };
  const tool = run.finishTool("c1", { output: "text", title: "a", metadata });
  assert.ok(tool.state.input === input && tool.state.metadata === metadata, "by reference");
  assert.equal(tool.state.status, "completed");
  const tokens = { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } };
  const finish = run.finishStep("stop", { cost: 0.5, tokens, snapshot: "def" });
  assert.deepEqual([finish.reason, finish.cost, finish.snapshot], ["stop", 0.5, "def"]);
  assert.ok(finish.tokens === tokens);
  const all = run.parts();
  assert.deepEqual(types(all), ["step-start", "reasoning", "text", "tool", "step-finish"]);
  for (const part of all) {
    assert.deepEqual(parts.PartValidator.validatePart(part).problems, [], part.type);
  }
  const events = run.takeEvents();
  assert.deepEqual(types(events), [
    ...["step-start", "reasoning-start", "reasoning-delta", "reasoning-delta", "reasoning-end"],
    ...["content", "tool_start", "tool_end", "step-finish"],
  ]);
  for (const event of events) {
    assert.equal(event.iteration, 1);
    assert.equal(event.stepNumber, 1);
    assert.equal(typeof event.timestamp, "number");
  }
  assert.deepEqual(
    events.filter(({ type }) => type === "reasoning-delta").map(({ data }) => data.text),
    ["I ", "look 😀"],
  );
  assert.deepEqual(run.takeEvents(), []);
  assert.equal(run.startStep().snapshot, undefined);
  assert.equal(run.takeEvents()[0].stepNumber, 2);
  assert.deepEqual(logs, []);
});

test("calls in the wrong order are logged and corrected, never thrown", (t) => {
  const run = recorder(t);
  assert.equal(run.finishReasoning(), undefined);
  run.appendReasoning("a");
  run.startReasoning();
  assert.equal(run.finishStep("stop").reason, "stop");
  run.startStep();
  run.startStep();
  assert.deepEqual(
    logs.map(({ details }) => details.name),
    [...Array(3).fill("ReasoningStateError"), ...Array(2).fill("StepStateError")],
  );
  assert.ok(logs.every(({ details }) => parts.isApexPartsError(details)));
  assert.deepEqual(
    run.parts().map(({ type, reason }) => reason ?? type),
    ["reasoning", "reasoning", "step-start", "stop", "step-start", "interrupted", "step-start"],
  );
});

test("loops are reported, with the error for the model", (t) => {
  const run = recorder(t);
  const verdicts = [1, 2, 3].map((n) => {
    const verdict = run.startTool(`c${n}`, "read", { path: "a" });
    run.finishTool(`c${n}`, { output: "same" });
    return verdict;
  });
  assert.deepEqual(
    verdicts.map(({ suggestedAction }) => suggestedAction),
    ["continue", "continue", "interrupt"],
  );
  assert.equal(run.detectDoomLoop().kind, "exact_repeat");
  assert.deepEqual(run.detectDoomLoop().callIDs, ["c1", "c2", "c3"]);
  const off = recorder(t, { threshold: 0 });
  for (let n = 0; n < 9; n++) assert.equal(off.startTool(`c${n}`, "read", {}).isDetected, false);
  assert.deepEqual(off.stepContext.toolCallHistory, []);
  assert.equal(off.toErrorResponse(), undefined);
  const { error } = run.toErrorResponse();
  assert.deepEqual([error.name, error.details.attemptCount], ["DoomLoopDetected", 3]);
});

test("stepContext has steps, times, and a history of fixed length", (t) => {
  const run = recorder(t);
  const before = Date.now();
  assert.deepEqual(run.stepContext.toolCallHistory, []);
  assert.equal(run.stepContext.stepCount, 0);
  assert.ok(run.stepContext.startTime <= before);
  run.startReasoning();
  assert.ok(run.stepContext.reasoningStartTime >= run.stepContext.startTime);
  run.finishReasoning();
  assert.equal("reasoningStartTime" in run.stepContext, false);
  const inputs = Array.from({ length: 20 }, (_, n) => ({ n }));
  for (const input of inputs) run.startTool(`c${input.n}`, "read", input);
  const { toolCallHistory } = run.stepContext;
  assert.equal(toolCallHistory.length, 6);
  assert.ok(toolCallHistory.at(-1).parameters === inputs.at(-1));
});

test("a character cut between two deltas is joined, and the events have the deltas as given", (t) => {
  const run = recorder(t);
  run.startReasoning();
  for (const delta of ["a\ud83d", "", "\ude00b", "\ud83d"]) run.appendReasoning(delta);
  assert.equal(run.finishReasoning().text, "a😀b\ufffd");
  for (const delta of ["\ude00", "漢\ud83d", "\ude00"]) run.appendText(delta);
  assert.equal(run.parts()[1].text, "\ufffd漢😀");
  const events = run.takeEvents();
  const said = events.filter(({ type }) => type === "reasoning-delta").map(({ data }) => data.text);
  assert.deepEqual(said, ["a\ud83d", "", "\ude00b", "\ud83d"]);
  assert.ok(events.every(({ stepNumber, iteration }) => stepNumber === 0 && iteration === 0));
});

test("an id used again after its call has ended is another call", (t) => {
  const run = recorder(t);
  const outputs = ["A", "B"].map((output, n) => {
    run.startTool("call_0", "read", { n });
    return run.finishTool("call_0", { output, attachments: null, metadata: null }).state.output;
  });
  assert.deepEqual(outputs, ["A", "B"]);
  assert.deepEqual(
    run.parts().map(({ callID, state }) => [callID, state.input.n, "attachments" in state]),
    [
      ["call_0", 0, false],
      ["call_0", 1, false],
    ],
  );
});

describe("after an error", () => {
  test("nothing has changed", (t) => {
    const run = recorder(t);
    const refused = (call, name) => assert.throws(call, (error) => error.name === name);
    refused(() => run.finishTool("nope", { output: "x" }), "InvalidStateTransition");
    refused(() => run.startTool("c", "read", undefined), "MissingRequiredField");
    run.startTool("c", "read", {});
    const before = run.parts();
    refused(() => run.finishTool("c", { output: "" }), "PartValidationError");
    refused(() => run.finishTool("c", { error: " " }), "PartValidationError");
    refused(() => run.finishTool("c", null), "PartValidationError");
    assert.deepEqual(run.parts(), before);
    assert.equal(run.finishTool("c", { error: "no" }).state.status, "error");
    refused(() => run.finishTool("c", { output: "late" }), "InvalidStateTransition");
  });

  test("a recorder without ids, or with invalid settings, is refused", () => {
    for (const options of [
      undefined,
      {},
      { sessionID: ID },
      { sessionID: ID, messageID: 5 },
      { sessionID: ID, messageID: ID, doomLoop: { maxIterations: -1 } },
    ]) {
      assert.throws(
        () => new parts.ReActRecorder(options),
        (error) => error.name === "PartValidationError" && error.details.problems.length > 0,
      );
    }
  });

  test("a freed recorder throws an error that says so", () => {
    const run = new parts.ReActRecorder({ sessionID: ID, messageID: ID });
    run.free();
    assert.throws(() => run.parts(), /freed/);
  });
});

test("reasoning of 200,000 pieces takes linear time", (t) => {
  const run = recorder(t);
  run.startReasoning();
  for (let n = 0; n < 200_000; n++) {
    run.appendReasoning("piece ");
    if (n % 1000 === 0) run.takeEvents();
  }
  assert.equal(run.finishReasoning().text.length, 1_200_000);
});
