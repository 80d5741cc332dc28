// What is read of a transcript only when somebody looks at it: the lists of a plan, the messages of the view.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isApexPartsError, SessionCompaction, Transcript } from "apex-parts";

const model = { limit: { context: 10_000, output: 1_000 } };
const config = {
  prune: true,
  protect: 100,
  minimum: 10,
  protectTurns: 1,
  preserve_recent_tokens: 50,
};

function message(at, role, parts) {
  const id = `msg_${String(at).padStart(4, "0")}`;
  const of = (part, place) => ({ id: `${id}_${place}`, sessionID: "ses", messageID: id, ...part });
  const info = { id, sessionID: "ses", role, time: { created: at, completed: at + 1 } };
  return { info: { ...info, agent: "build" }, parts: parts.map(of) };
}

const call = (tool, output) => ({
  ...{ type: "tool", callID: "c", tool },
  state: {
    ...{ status: "completed", input: {}, title: "t", metadata: {}, output },
    time: { start: 1, end: 2 },
  },
});

/** A history in which every fourth message calls a tool that is protected. */
function history(length) {
  const messages = [];
  for (let at = 0; at < length; at++) {
    if (at % 3 === 0) messages.push(message(at, "user", [{ type: "text", text: "Go on." }]));
    else {
      const calls = [
        call("bash", "x".repeat(40 + at)),
        call(at % 4 ? "read" : "skill", "words ".repeat(20)),
      ];
      messages.push(message(at, "assistant", [{ type: "text", text: "Yes." }, ...calls]));
    }
  }
  return messages;
}

const encode = (messages) => new TextEncoder().encode(JSON.stringify(messages));
const isStale = ({ name, details }) =>
  name === "CompactionError" && details.reason === "stale_plan";

test("a summary is asked of the plan as the transcript makes it", () => {
  const messages = history(90);
  const transcript = Transcript.open(encode(messages));
  const input = { model, config };
  const [{ parts }] = transcript.summaryRequest(transcript.plan(input));
  assert.ok(parts[0].text.includes("words words"), parts[0].text.slice(0, 200));
  const other = SessionCompaction.summaryRequest(transcript, transcript.plan(input));
  assert.deepEqual(other[0].parts, parts);
  assert.deepEqual(
    SessionCompaction.summaryRequest(messages, transcript.plan(input))[0].parts,
    parts,
  );
  // A plan whose lists ask the transcript themselves, and settings that do.
  const plan = transcript.plan(input);
  const asking = {
    ...plan,
    get summarise() {
      return transcript.plan(input).summarise;
    },
  };
  const options = {
    get prompt() {
      return `of ${transcript.messageCount}`;
    },
  };
  assert.match(
    transcript.summaryRequest(asking, options)[0].parts[0].text,
    /words words[\s\S]*of 90$/,
  );
});

test("what throws when it is read is not absent", () => {
  const messages = history(90);
  const transcript = Transcript.open(encode(messages));
  const isThrown = (error) => isApexPartsError(error) && /not now/.test(error.message);
  const throwing = (name) =>
    Object.defineProperty({}, name, {
      enumerable: true,
      get() {
        throw new Error("not now");
      },
    });
  const plan = { ...SessionCompaction.plan(messages, { model, config }) };
  const meta = { id: () => "msg_x", now: 1 };
  for (const name of ["fingerprint", "keep", "summarise", "drop", "tailStartID", "pinned"]) {
    const broken = Object.defineProperties(
      { ...plan },
      Object.getOwnPropertyDescriptors(throwing(name)),
    );
    assert.throws(() => SessionCompaction.summaryRequest(messages, broken), isThrown, name);
    assert.throws(
      () => SessionCompaction.applySummary(messages, broken, "s", meta),
      isThrown,
      name,
    );
    assert.throws(() => transcript.summaryRequest(broken), isThrown, name);
  }
  const list = new Proxy(plan.summarise, {
    get(target, key) {
      if (key === "0") throw new Error("not now");
      return Reflect.get(target, key);
    },
  });
  assert.throws(
    () => SessionCompaction.summaryRequest(messages, { ...plan, summarise: list }),
    isThrown,
  );
  const pruning = Object.defineProperties(
    { ...SessionCompaction.prune(messages, config) },
    Object.getOwnPropertyDescriptors(throwing("partIDs")),
  );
  assert.throws(() => SessionCompaction.applyPrune(messages, pruning, 1), isThrown);
  const over = (name) =>
    Object.defineProperties({ model }, Object.getOwnPropertyDescriptors(throwing(name)));
  for (const name of ["config", "overflow", "system", "tools"]) {
    assert.throws(() => SessionCompaction.plan(messages, over(name)), isThrown, name);
    assert.throws(() => transcript.plan(over(name)), isThrown, name);
    assert.throws(() => transcript.check(over(name)), isThrown, name);
  }
  for (const name of ["config", "context", "prompt"]) {
    assert.throws(
      () => SessionCompaction.summaryRequest(messages, plan, throwing(name)),
      isThrown,
      name,
    );
  }
  assert.throws(() => SessionCompaction.estimate(messages, throwing("estimator")), isThrown);
  assert.throws(() => SessionCompaction.undo(messages, throwing("partIDs")), isThrown);
  const broken = Object.defineProperties(
    { ...meta },
    Object.getOwnPropertyDescriptors(throwing("auto")),
  );
  assert.throws(() => SessionCompaction.applySummary(messages, plan, "s", broken), isThrown);
});

test("over thousands of messages a transcript gives the plans of the array", () => {
  const messages = history(9_000);
  const transcript = Transcript.open(encode(messages));
  for (const protectedTools of [undefined, [], ["bash"], ["bash", "read", "skill"]]) {
    const settings = { ...config, protectedTools };
    const pruning = transcript.prune(settings);
    assert.deepEqual(pruning, SessionCompaction.prune(messages, settings));
    assert.equal(pruning.partIDs.length > 3_000, protectedTools?.length !== 3);
  }
  const input = { model, config };
  assert.deepEqual(transcript.plan(input), SessionCompaction.plan(messages, input));
  transcript.free();
});

test("plans outlive their transcript", () => {
  const messages = history(30);
  const transcript = Transcript.open(encode(messages));
  const pruning = transcript.prune(config);
  const plan = transcript.plan({ model, config });
  transcript.free();
  assert.deepEqual(pruning, SessionCompaction.prune(messages, config));
  assert.deepEqual(plan, SessionCompaction.plan(messages, { model, config }));
  assert.equal(SessionCompaction.applyPrune(messages, pruning, 1_000).length, 30);
});

test("the lists of a plan are those of the moment in which it was made", () => {
  const messages = history(60);
  const bytes = encode(messages);
  const first = messages.slice(0, 30);
  const cut = JSON.stringify(first).length; // before the comma of the next message
  const transcript = new Transcript();
  transcript.push(bytes.subarray(0, cut));
  const before = transcript.prune(config);
  assert.equal(transcript.messageCount, 30);
  transcript.push(bytes.subarray(cut));
  transcript.end();
  const after = transcript.prune(config);
  assert.deepEqual(before, SessionCompaction.prune(first, config));
  assert.deepEqual(after, SessionCompaction.prune(messages, config));
  transcript.free();
});

test("of many plans that nobody has read the oldest are stale once the transcript is freed", () => {
  const messages = history(30);
  const transcript = Transcript.open(encode(messages));
  const plans = Array.from({ length: 9 }, () => transcript.prune(config));
  assert.equal(plans[1].partIDs.length, plans[2].items.length);
  transcript.free();
  assert.throws(() => plans[0].partIDs, isStale);
  assert.throws(() => plans[0].items, isStale);
  const expected = SessionCompaction.prune(messages, config);
  for (const plan of plans.slice(1)) assert.deepEqual(plan, expected);
  assert.equal(plans[0].saved, expected.saved);
});

test("ids come back as they stand in the file, escapes and long ones too", () => {
  const messages = history(24);
  const odd = ['a"b\\c\n', "é漢🦀", "x".repeat(70_000), ""];
  for (const [at, id] of odd.entries()) {
    messages[at + 1].info.id = id;
    for (const part of messages[at + 1].parts) part.id = `${id}!`;
  }
  const transcript = Transcript.open(encode(messages));
  const pruning = transcript.prune(config);
  assert.ok(pruning.partIDs.length > 8);
  assert.deepEqual(pruning, SessionCompaction.prune(messages, config));
  assert.deepEqual(
    transcript.plan({ model, config }),
    SessionCompaction.plan(messages, { model, config }),
  );
  transcript.free();
});

test("through a host that reads the file again", () => {
  const messages = history(600);
  const bytes = encode(messages);
  let reads = 0;
  const read = (start, end) => {
    reads++;
    return bytes.subarray(start, end);
  };
  const transcript = new Transcript({ read });
  transcript.push(bytes);
  transcript.end();
  const pruning = transcript.prune(config);
  assert.deepEqual(pruning, SessionCompaction.prune(messages, config));
  // Ids that are near to each other are read at once.
  assert.ok(reads < 20, `${reads} reads`);
  transcript.free();
});

test("the system prompt and the tools count as long as no answer reports them", () => {
  const messages = history(1);
  const [system, tools] = ["You are careful.".repeat(100), [{ name: "bash" }]];
  const input = { messages, model, config };
  const extra = Math.round(system.length / 4) + Math.round(JSON.stringify(tools).length / 4);
  const used = ({ used: { tokens } }) => tokens;
  const plain = used(SessionCompaction.check(input));
  assert.equal(used(SessionCompaction.check({ ...input, system, tools })), plain + extra);
  const plan = SessionCompaction.plan(messages, { model, config, system, tools });
  assert.equal(plan.tokens.before, plain + extra);
  const tokens = { input: 700, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
  const told = message(1, "assistant", [{ type: "text", text: "Yes." }]);
  Object.assign(told.info, { finish: "stop", tokens });
  const reported = { ...input, messages: [...messages, told], system, tools };
  assert.equal(used(SessionCompaction.check(reported)), 710);
});
