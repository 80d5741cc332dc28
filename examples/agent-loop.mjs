// An agent loop that detects when it repeats itself: `node examples/agent-loop.mjs`.
//
// The model is scripted, so that the example runs without one. The detector is used as in a real loop:
// `check` before a call runs, `record` after it, `toErrorResponse` if the run must stop.
import { DoomLoopDetector } from "apex-parts";

/** Runs an agent: executes the calls of its model one after another with these tools. */
function runAgent(calls, tools, config) {
  const detector = new DoomLoopDetector(config);
  try {
    for (const { callID, toolName, parameters } of calls) {
      const before = detector.check({ callID, toolName, parameters });
      if (before.suggestedAction === "interrupt") return detector.toErrorResponse();
      const { result, isError = false } = tools[toolName](parameters);
      console.log(`  ${toolName}(${JSON.stringify(parameters)}) → ${result}`);
      const after = detector.record({ callID, result, isError });
      if (after.suggestedAction === "interrupt") return detector.toErrorResponse();
      // A warning is for the model: a real loop adds it to the next message to the model.
      for (const { suggestedAction, message } of [before, after]) {
        if (suggestedAction === "warning") console.log(`  to the model: ${message}`);
      }
    }
    return undefined;
  } finally {
    detector.free();
  }
}

/** A scripted model that repeats one call. */
const again = (times, toolName, parameters) =>
  Array.from({ length: times }, (_, i) => ({ callID: `call_${i + 1}`, toolName, parameters }));

function show(title, stopped) {
  console.log(stopped ? `${title}: stopped` : `${title}: ran to its end`);
  if (stopped) console.log(JSON.stringify(stopped, null, 2));
  console.log();
}

// 1. The file does not exist, and the model keeps asking for it: it is stopped before the third call.
const read = ({ path }) => ({ result: `${path}: no such file`, isError: true });
show("a model that loops", runAgent(again(10, "read", { path: "notes.txt" }), { read }));

// 2. A job is polled for its progress. Each answer is different, so the repeated call is not a loop.
let percent = 0;
const progress = () => {
  percent += 20;
  return { result: `${percent} % done` };
};
show("a model that polls", runAgent(again(5, "job", { id: 7 }), { job: progress }));

// 3. A job that answers only "running" for a while: its tool is declared as polled, which allows four
//    times as many repeats.
let asked = 0;
const state = () => {
  asked += 1;
  return { result: asked < 6 ? "running" : "done" };
};
const patient = { pollTools: ["job"] };
show("a model that waits", runAgent(again(6, "job", { id: 8 }), { job: state }, patient));
