// Compaction over a transcript of 100,000 parts, beside the plain way over arrays of objects; and how well the next
// prompt of recorded sessions is foretold.
import { readFileSync } from "node:fs";
import { SessionCompaction, setLogger, Transcript, toModelMessage } from "../pkg/node.mjs";
import { recordedFiles } from "../tests/recorded.mjs";
import { met } from "./lib/bars.mjs";
import { figure, inWords } from "./lib/figures.mjs";
import { duration, report, sideBySide } from "./lib/measure.mjs";
import * as plain from "./lib/plain-compaction.mjs";

setLogger(undefined);
const model = { limit: { context: 200_000, output: 8_000 } };
const config = { prune: true };

/** A session with this number of parts: five a message, two calls among them. */
function session(parts) {
  const sessionID = "ses_1";
  const messages = [];
  const words = "the quick brown fox jumps over the lazy dog\n";
  let made = 0;
  for (let at = 0; made < parts; at++) {
    const id = `msg_${String(at).padStart(10, "0")}`;
    const part = (fields) => {
      made++;
      return { id: `prt_${String(made).padStart(12, "0")}`, sessionID, messageID: id, ...fields };
    };
    const time = { created: 1_700_000_000_000 + at * 1000 };
    if (at % 6 === 0) {
      const info = {
        id,
        sessionID,
        role: "user",
        time,
        agent: "build",
        model: { providerID: "p", modelID: "m" },
      };
      messages.push({ info, parts: [part({ type: "text", text: `Do the next thing: ${at}` })] });
      continue;
    }
    const call = (n) =>
      part({
        type: "tool",
        tool: n % 2 ? "bash" : "read",
        callID: `call_${made}`,
        state: {
          status: "completed",
          input: { command: `command ${made}`, description: "Runs" },
          output: words.repeat(8 + (made % 17)),
          title: "t",
          metadata: {},
          time: { start: time.created, end: time.created + 5 },
        },
      });
    const tokens = { input: 1000, output: 100, reasoning: 0, cache: { read: 0, write: 0 } };
    messages.push({
      info: {
        id,
        sessionID,
        role: "assistant",
        time: { ...time, completed: time.created + 500 },
        parentID: "msg_0",
        modelID: "m",
        providerID: "p",
        mode: "build",
        agent: "build",
        path: { cwd: "/", root: "/" },
        cost: 0,
        tokens,
        finish: at % 6 === 5 ? "stop" : "tool-calls",
      },
      parts: [
        part({ type: "step-start" }),
        part({ type: "text", text: words.repeat(3) }),
        call(0),
        call(1),
        part({ type: "step-finish", reason: "tool-calls", cost: 0, tokens }),
      ],
    });
  }
  return messages;
}

console.log("\n# Over a transcript of 100,000 parts, beside plain JavaScript over arrays");
const times = {};
for (const size of [25_000, 100_000]) {
  const messages = session(size);
  const json = new TextEncoder().encode(JSON.stringify(messages));
  const transcript = Transcript.open(json);
  const contenders = {
    prune: [() => transcript.prune(config).saved, () => plain.prune(messages)],
    filterCompacted: [
      () => transcript.filterCompacted().length,
      () => plain.filterCompacted(messages),
    ],
    plan: [() => transcript.plan({ model, config }).tokens.after, () => plain.plan(messages)],
    check: [() => transcript.check({ messages, model, config }).overflow, undefined],
  };
  const atMost = { prune: 5, filterCompacted: 20, plan: 20, check: 20 };
  for (const [name, [ours, theirs]] of Object.entries(contenders)) {
    const result = sideBySide(theirs ? { ours, theirs } : { ours }, { rounds: 5 });
    times[name] ??= [];
    times[name].push(result.ours);
    if (size < 100_000) continue;
    if (theirs) report(name, result.ours, result.theirs, { target: 10, faster: true });
    const ms = result.ours / 1e6;
    const [small, large] = times[name];
    console.log(
      `  ${name}: ${duration(result.ours)} (at most ${atMost[name]} ms) ${met(ms <= atMost[name])}; ` +
        `4 times the parts take ${(large / small).toFixed(2)} times as long (at most 4.4) ${met(large / small <= 4.4)}`,
    );
  }
  if (size === 100_000) {
    const start = performance.now();
    const { partIDs, items } = transcript.prune(config);
    const looked = partIDs.length + items.length;
    console.log(
      `  prune with all its ${looked} lines read: ${duration((performance.now() - start) * 1e6)}`,
    );
    const opened = performance.now();
    Transcript.open(json).free();
    const ms = performance.now() - opened;
    console.log(
      `  the transcript itself (${(json.length / 1e6).toFixed(0)} MB) opens in ${duration(ms * 1e6)}`,
    );
    const arrays = sideBySide(
      {
        prune: () => SessionCompaction.prune(messages, config).saved,
        filterCompacted: () => SessionCompaction.filterCompacted(messages),
        check: () => SessionCompaction.check({ messages, model, config }),
        plan: () => SessionCompaction.plan(messages, { model, config }).fits,
      },
      { rounds: 2 },
    );
    for (const [name, ns] of Object.entries(arrays)) {
      console.log(`  ${name} over the array: ${duration(ns)}`);
      figure({
        id: `compaction.${name}`,
        "100,000 parts": `\`${name}\``,
        "over a transcript": inWords(times[name].at(-1)),
        "over an array": inWords(ns),
      });
    }
  }
  transcript.free();
}

console.log("\n# The next prompt foretold");
const errors = { anchored: [], "JSON/4": [] };
// The other recordings report tokens that nobody counted.
for (const file of recordedFiles("opencode", /\.export\.json$/)) {
  const { messages } = JSON.parse(readFileSync(file, "utf8"));
  for (const [at, { info }] of messages.entries()) {
    if (info.role !== "assistant" || info.summary || info.error || !info.finish) continue;
    const prompt = info.tokens.input + info.tokens.cache.read + info.tokens.cache.write;
    const before = messages.slice(0, at);
    const { tokens, source } = SessionCompaction.estimate(before);
    if (prompt === 0 || source === "counted") continue;
    const plainly = JSON.stringify(toModelMessage(before)).length / 4;
    errors.anchored.push(Math.abs(tokens - prompt) / prompt);
    errors["JSON/4"].push(Math.abs(plainly - prompt) / prompt);
  }
}
for (const [name, list] of Object.entries(errors)) {
  const mean = (100 * list.reduce((sum, one) => sum + one, 0)) / list.length;
  const bar = name === "anchored" ? ` (under 4 %) ${met(mean < 4)}` : "";
  console.log(`  ${name}: mean error ${mean.toFixed(1)} % over ${list.length} steps${bar}`);
}
