// An agent loop that detects when it repeats itself, and keeps its history within the model's context:
// `node examples/agent-loop.mjs`.
//
// The model is scripted, so that the example runs without one. The detector is used as in a real loop: `check` before
// a call runs, `record` after it, `toErrorResponse` if the run must stop. So is the compaction: `check` before each
// request and after each result.
import {
  DoomLoopDetector,
  generateMessageId as newId,
  SessionCompaction,
  toModelMessage,
} from "apex-parts";

const sessionID = newId();
/** The time in milliseconds; later at each call, for this model takes none. */
const now = () => ++clock;
let clock = Date.now();

/** A message of the user. */
function userMessage(text) {
  const id = newId();
  const info = { id, sessionID, role: "user", agent: "build", time: { created: now() } };
  const model = { providerID: "script", modelID: "script" };
  return {
    info: { ...info, model },
    parts: [{ id: newId(), sessionID, messageID: id, type: "text", text }],
  };
}

/** A message of the model, with the tokens that it reports. */
function assistantMessage({ text, call, tokens }, parentID) {
  const id = newId();
  const info = {
    ...{ id, sessionID, role: "assistant", parentID, agent: "build", mode: "build", cost: 0 },
    ...{ providerID: "script", modelID: "script", path: { cwd: "/", root: "/" }, tokens },
    ...{ finish: call ? "tool-calls" : "stop", time: { created: now(), completed: now() } },
  };
  const parts = text ? [{ id: newId(), sessionID, messageID: id, type: "text", text }] : [];
  return { info, parts };
}

/** A call with its result. */
function toolPart({ callID, toolName: tool, parameters: input }, { result, isError }, messageID) {
  const time = { start: now(), end: now() };
  const state = isError
    ? { status: "error", input, error: result, time }
    : { status: "completed", input, output: result, title: tool, metadata: {}, time };
  return { id: newId(), sessionID, messageID, type: "tool", callID, tool, state };
}

/** Keeps a history within the model's context: clears old outputs, then has what is old summarised. */
function withinContext(history, { model, limits, config, detector }) {
  const isFull = () =>
    SessionCompaction.check({ messages: history, model: limits, config }).overflow;
  if (!isFull()) return history;
  const pruning = SessionCompaction.prune(history, config);
  if (pruning.partIDs.length > 0) {
    console.log(`  cleared: ${pruning.partIDs.length} old outputs, ${pruning.saved} tokens`);
    history = SessionCompaction.applyPrune(history, pruning, now());
    if (!isFull()) return history;
  }
  const plan = SessionCompaction.plan(history, { model: limits, config });
  // Without this, a history that cannot become smaller would be compacted for ever.
  if (plan.problems.some(({ rule }) => rule === "CP-2"))
    throw new Error("the context is too small");
  const request = SessionCompaction.summaryRequest(history, plan, { config });
  const summary = model.summarise(request);
  const { before, after } = plan.tokens;
  console.log(
    `  compacted: some ${before} tokens to ${after}; messages that stay: ${plan.keep.length}`,
  );
  // Three compactions with nothing between them are a loop.
  detector.event("compaction");
  return SessionCompaction.applySummary(history, plan, summary, { id: newId, now: now() });
}

/** Runs an agent: asks its model, executes its calls with these tools, until it answers without a call. */
function runAgent(model, tools, { loops, limits, config } = {}) {
  const detector = new DoomLoopDetector(loops);
  const context = { model, limits: limits ?? { limit: { context: 200_000 } }, config, detector };
  let history = [userMessage(model.task ?? "Go on")];
  try {
    for (;;) {
      history = withinContext(history, context);
      if (detector.detect().suggestedAction === "interrupt") return detector.toErrorResponse();
      // What is sent: without what a summary hides, and without what was cleared.
      const request = toModelMessage(SessionCompaction.filterCompacted(history));
      const answer = model.answer(request);
      const message = assistantMessage(answer, history.at(-1).info.id);
      history.push(message);
      if (!answer.call) {
        if (answer.text) console.log(`  the model: ${answer.text}`);
        return undefined;
      }
      const { callID, toolName, parameters } = answer.call;
      const before = detector.check({ callID, toolName, parameters });
      if (before.suggestedAction === "interrupt") return detector.toErrorResponse();
      const done = tools[toolName](parameters);
      message.parts.push(toolPart(answer.call, done, message.info.id));
      console.log(`  ${toolName}(${JSON.stringify(parameters)}) → ${done.result.slice(0, 40)}`);
      const after = detector.record({ callID, ...done });
      if (after.suggestedAction === "interrupt") return detector.toErrorResponse();
      // A warning is for the model: a real loop adds it to the next message to the model.
      for (const { suggestedAction, message } of [before, after]) {
        if (suggestedAction === "warning") console.log(`  to the model: ${message}`);
      }
      history = withinContext(history, context);
    }
  } finally {
    detector.free();
  }
}

/** A scripted model: makes these calls one after another, each with some words, then ends with others. */
function scripted(calls, { task, words, last, summarise, onRequest } = {}) {
  let next = 0;
  return {
    ...{ task, summarise },
    answer(request) {
      const call = calls[next++];
      const tokens = { output: 20, reasoning: 0, cache: { read: 0, write: 0 } };
      tokens.input = 500 + Math.round(JSON.stringify(request).length / 4);
      onRequest?.(request, tokens.input);
      if (!call) return { text: last?.(request), tokens };
      return { call: { callID: `call_${next}`, ...call }, text: words, tokens };
    },
  };
}

/** One call, made so many times. */
const again = (times, toolName, parameters) => Array(times).fill({ toolName, parameters });

function show(title, stopped) {
  console.log(stopped ? `${title}: stopped` : `${title}: ran to its end`);
  if (stopped) console.log(JSON.stringify(stopped, null, 2));
  console.log();
}

// 1. The file does not exist, and the model keeps asking for it: it is stopped before the third call.
const missing = ({ path }) => ({ result: `${path}: no such file`, isError: true });
const asking = scripted(again(10, "read", { path: "notes.txt" }));
show("a model that loops", runAgent(asking, { read: missing }));

// 2. A job is polled for its progress. Each answer is different, so the repeated call is not a loop.
let percent = 0;
const progress = () => {
  percent += 20;
  return { result: `${percent} % done` };
};
show("a model that polls", runAgent(scripted(again(5, "job", { id: 7 })), { job: progress }));

// 3. A job that answers only "running" for a while: its tool is declared as polled, which allows four
//    times as many repeats.
let asked = 0;
const state = () => {
  asked += 1;
  return { result: asked < 6 ? "running" : "done" };
};
const patient = { loops: { pollTools: ["job"] } };
show("a model that waits", runAgent(scripted(again(6, "job", { id: 8 })), { job: state }, patient));

// 4. A model that reads more than its context holds: old outputs are cleared, then what is old is summarised.
const chapters = Array.from({ length: 24 }, (_, i) => ({
  toolName: "read",
  parameters: { path: `chapter-${i + 1}.txt` },
}));
const chapter = ({ path }) => ({ result: `${path} says: ${`${path} `.repeat(100)}` });
const textOf = (request) => request.flatMap(({ parts }) => parts.map(({ text = "" }) => text));
const reader = scripted(chapters, {
  task: "Read all the chapters. The password is swordfish.",
  words: "I read the next chapter. ".repeat(10),
  last: (request) =>
    textOf(request)
      .join("\n")
      .match(/The password is \w+\./)?.[0],
  summarise(request) {
    const calls = textOf(request)[0].match(/\[Assistant tool call\]/g);
    return `## Objective\nRead all the chapters.\n\n## Done\n${calls.length} chapters are read.`;
  },
  onRequest(request, tokens) {
    const [first] = textOf(request);
    console.log(
      `  the model is sent ${tokens} tokens, messages: ${request.length}, first: ${first}`,
    );
  },
});
const small = {
  limits: { limit: { context: 6000, output: 1000 } },
  // Much smaller than the defaults, as the context is. All is one turn here, so no turn can be protected.
  config: {
    prune: true,
    protectTurns: 0,
    protect: 1500,
    minimum: 1600,
    preserve_recent_tokens: 600,
  },
};
show("a model that reads much", runAgent(reader, { read: chapter }, small));
