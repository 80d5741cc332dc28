// State goes back to its provider by whatever way an answer was kept: tested over our own streams and recordings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CONTEXT } from "../fixtures/surface.mjs";
import { parts, taken } from "../stream-laws.mjs";
import { messagesOf, user } from "./histories.mjs";

const FORMATS = ["anthropic", "openai-chat", "openai-responses", "gemini"];

/** The tests; `streams` are as `streamAt` gives them. */
export function goingBack(streams) {
  const own = streams.filter(({ format }) => FORMATS.includes(format));

  /** What the provider gets of these answers: messages with parts, or messages of a run. */
  const sent = (format, model, messages) => {
    const body = parts.toRequest(format, { model, messages });
    return messagesOf(body).slice(1);
  };
  const withParts = (format, model, answers) =>
    sent(format, model, [
      user("Go"),
      ...answers.map(({ info, parts: list }) => ({
        info: { ...info, providerID: "", modelID: "" },
        parts: list,
      })),
    ]);

  const said = (text) => ({ kind: "text", payload: { text } });
  for (const { path, format, bytes } of own) {
    test(path.split("/").at(-1), (t) => {
      const all = parts.readDeltas(format, bytes, { runId: "r", onProblem: "collect" });
      const runs = [...new Set(all.map(({ runId }) => runId))];
      const model = all.find(({ kind }) => kind === "start").payload.modelId || "m";
      const logs = runs.map((run) => all.filter(({ runId }) => runId === run));
      const assemblers = logs.map((deltas) => taken(t, deltas));
      const answers = assemblers.map((one) => one.toWithParts(CONTEXT()));
      const want = withParts(format, model, answers);
      const is = (list, way) => assert.deepEqual(list, want, way);

      is(withParts(format, model, JSON.parse(JSON.stringify(answers))), "JSON");
      is(
        withParts(format, model, parts.Transcript.open(bytes).messages()),
        "a transcript of the stream",
      );
      const lines = all.map((delta) => `${JSON.stringify(delta)}\n`).join("");
      const ofDeltas = parts.Transcript.open(Buffer.from(lines));
      is(withParts(format, model, ofDeltas.messages()), "a transcript of its deltas");
      const logged = assemblers.map((one) => {
        const again = parts.DeltaAssembler.restore(one.snapshot());
        t.after(() => again.free());
        return again.toWithParts(CONTEXT());
      });
      is(withParts(format, model, logged), "a snapshot");
      const session = JSON.stringify(parts.toOpenCode([user("Go"), ...answers]));
      const back = parts.Transcript.open(Buffer.from(session)).messages().slice(1);
      is(withParts(format, model, back), "OpenCode and back");
      if (runs.length > 1) return;
      const [{ status }] = assemblers;
      if (status === "done") {
        const says = ({ type, text }) => type === "tool" || (type === "text" && text.trim() !== "");
        if (answers[0].parts.some(says)) assert.ok(want.length > 0);
        const whole = assemblers[0].message();
        // Parts say `{input: …}` of arguments that are not an object, and a run's messages what they are.
        const isPlain = whole.parts.every(
          ({ kind, payload }) =>
            kind !== "tool_call" || Object(payload.arguments) === payload.arguments,
        );
        const go = { runId: "r", role: "user", parts: [said("Go")], timestamp: "" };
        if (isPlain) is(sent(format, model, [go, whole]), "messages of a run");
      }
      for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
        const cut = Math.floor(bytes.length * share);
        const first = taken(t, [], { format, runId: "r", onProblem: "collect" });
        first.pushBytes(bytes.subarray(0, cut));
        const second = parts.DeltaAssembler.restore(first.snapshot());
        t.after(() => second.free());
        second.pushBytes(bytes.subarray(cut));
        second.end();
        is(withParts(format, model, [second.toWithParts(CONTEXT())]), `a snapshot at ${cut}`);
      }
    });
  }
}
