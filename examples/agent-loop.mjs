// An agent loop that knows when it runs in circles: `node examples/agent-loop.mjs`.
//
// The model is a script here, so that the example runs without one. What is asked of the detector is
// what a real loop asks: `check` before a call runs, `record` after it, `toErrorResponse` where the
// run is to stop.
import { DoomLoopDetector } from "apex-parts";

/** Runs an agent: the calls that its model wants, one after another, with these tools. */
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
      // A warning is for the model: a real loop adds it to what the model reads next.
      for (const { suggestedAction, message } of [before, after]) {
        if (suggestedAction === "warning") console.log(`  to the model: ${message}`);
      }
    }
    return undefined;
  } finally {
    detector.free();
  }
}

/** A scripted model: the same call again and again. */
const again = (times, toolName, parameters) =>
  Array.from({ length: times }, (_, i) => ({ callID: `call_${i + 1}`, toolName, parameters }));

function show(title, stopped) {
  console.log(stopped ? `${title}: stopped` : `${title}: ran to its end`);
  if (stopped) console.log(JSON.stringify(stopped, null, 2));
  console.log();
}

// 1. The file is not there, and the model asks for it again and again: it is stopped before the
//    third call runs.
const read = ({ path }) => ({ result: `${path}: no such file`, isError: true });
show("a model that loops", runAgent(again(10, "read", { path: "notes.txt" }), { read }));

// 2. A job is asked how far it is. Each answer is another one, so that the repeated call is no loop.
let percent = 0;
const progress = () => {
  percent += 20;
  return { result: `${percent} % done` };
};
show("a model that polls", runAgent(again(5, "job", { id: 7 }), { job: progress }));

// 3. A job that says nothing but "running" for a while: its tool is declared as one that is polled,
//    and has four times the patience.
let asked = 0;
const state = () => {
  asked += 1;
  return { result: asked < 6 ? "running" : "done" };
};
const patient = { pollTools: ["job"] };
show("a model that waits", runAgent(again(6, "job", { id: 8 }), { job: state }, patient));
