// The two estimators of tokens beside o200k, over seventeen kinds of text: how far off they are, and how fast.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { SessionCompaction } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { KINDS } from "./lib/kinds-of-text.mjs";
import { duration, sideBySide } from "./lib/measure.mjs";

/** The highest mean error of "classes". */
const BAR = 0.1;

function estimate(text, estimator) {
  const ids = { sessionID: "ses_1", messageID: "msg_1" };
  const time = { created: 1 };
  const model = { providerID: "p", modelID: "m" };
  const info = { id: "msg_1", sessionID: "ses_1", role: "user", time, agent: "build", model };
  const messages = [{ info, parts: [{ id: "prt_1", ...ids, type: "text", text }] }];
  return SessionCompaction.estimate(messages, { estimator }).tokens;
}

// What "classes" adds for a message and its part is not the text's: the text "x" is one token.
const around = estimate("x", "classes") - 1;
const estimators = {
  classes: (text) => estimate(text, "classes") - around,
  "chars/4": (text) => estimate(text, "chars"),
};
const names = Object.keys(estimators);
const errors = Object.fromEntries(names.map((name) => [name, 0]));
const percent = (part) => `${part < 0 ? "" : "+"}${(part * 100).toFixed(1)} %`;
const row = (first, cells) =>
  console.log(first.padEnd(22) + cells.map((c) => c.padStart(10)).join(""));

console.log("\n# Estimators beside o200k");
row("", ["o200k", ...names.flatMap((name) => [name, "error"])]);
for (const [kind, text] of KINDS) {
  const tokens = encode(text).length;
  const cells = names.flatMap((name) => {
    const estimated = estimators[name](text);
    const error = estimated / tokens - 1;
    errors[name] += Math.abs(error) / KINDS.length;
    return [estimated.toFixed(0), percent(error)];
  });
  row(kind, [`${tokens}`, ...cells]);
}
row("mean error", ["", ...names.flatMap((name) => ["", `${(errors[name] * 100).toFixed(1)} %`])]);
const isMet = errors.classes < BAR;
const mean = (errors.classes * 100).toFixed(1);
console.log(`classes: mean error ${mean} % (bar: ${BAR * 100} %) ${met(isMet)}`);

console.log("\n# Time for all of these texts, and their megabytes a second");
const whole = KINDS.map(([, text]) => text).join("\n");
const size = Buffer.byteLength(whole) / 1e6;
const times = sideBySide({
  o200k: () => encode(whole),
  ...Object.fromEntries(names.map((name) => [name, () => estimators[name](whole)])),
});
for (const [name, time] of Object.entries(times)) {
  console.log(`${name}: ${duration(time)}, ${((size / time) * 1e9).toFixed(0)} MB/s`);
}
