// The loop detector against its peers, the rules of apex-bridge and of OpenCode: speed, and how many of the
// labelled cases each gets right.
import { DoomLoopDetector, setLogger } from "../pkg/node.mjs";
import { judged, readVectors, stepsOf, verdicts } from "../tests/package/fixtures/vectors.mjs";
import { met } from "./lib/bars.mjs";
import { duration, report, sideBySide } from "./lib/measure.mjs";

setLogger(undefined);

/** apex-bridge's rule: the last three calls are the same by JSON.stringify. */
class Bridge {
  calls = [];
  check({ toolName, parameters }) {
    this.calls.push({ toolName, parameters });
    if (this.calls.length > 3) this.calls.shift();
    if (this.calls.length < 3) return false;
    const [first, ...rest] = this.calls.map((call) => JSON.stringify(call));
    return rest.every((one) => one === first);
  }
  messageEnds() {}
}

/** OpenCode's rule: the last three tool parts of one message have the same tool and input. */
class OneMessage {
  parts = [];
  check({ toolName, parameters }) {
    this.parts.push({ tool: toolName, input: parameters });
    const last = this.parts.slice(-3);
    if (last.length < 3) return false;
    const input = JSON.stringify(parameters);
    return last.every((part) => part.tool === toolName && JSON.stringify(part.input) === input);
  }
  messageEnds() {
    this.parts = [];
  }
}

/** Whether a peer gets a case right: it interrupts at the same call, or never if there is no loop. */
function peerMeets(Peer, { expected }, steps) {
  const peer = new Peer();
  let found;
  for (const { method, args, call } of steps) {
    if (method === "check" && peer.check(args[0])) found ??= call;
    // In its favour: all calls up to the end of an answer, or a message of the user, are one message.
    if (method === "event" && ["assistant", "user"].includes(args[0])) peer.messageEnds();
  }
  return expected.detected ? found !== undefined && found === expected.atCall : found === undefined;
}

console.log("\n# The labelled cases (a peer need not tell the kind)");
{
  const cases = readVectors().map((one) => [one, stepsOf(one)]);
  const restored = (detector) => DoomLoopDetector.restore(detector.snapshot());
  const ours = cases.filter(([one, steps]) => {
    const found = verdicts(new DoomLoopDetector(one.config), steps, restored);
    return judged(one, steps, found) === undefined;
  });
  const isMet = ours.length === cases.length;
  console.log(`ours: ${ours.length} of ${cases.length} ${met(isMet)}`);
  for (const [name, Peer] of Object.entries({
    "apex-bridge's rule": Bridge,
    OpenCode: OneMessage,
  })) {
    const right = cases.filter(([one, steps]) => peerMeets(Peer, one, steps)).length;
    console.log(`${name}: ${right} of ${cases.length}`);
  }
}

const config = { threshold: 3, maxIterations: 1e9 };
const small = (i) => ({ path: `src/file${i % 1000}.ts`, offset: i, limit: 200 });
const result = "export const answer = 42;\n";

console.log("\n# check and record, small arguments");
{
  const detector = new DoomLoopDetector(config);
  const times = [];
  for (let i = 0; i < 120_000; i++) {
    const call = { toolName: "read", parameters: small(i) };
    const start = process.hrtime.bigint();
    detector.check(call);
    detector.record({ result });
    if (i >= 20_000) times.push(Number(process.hrtime.bigint() - start));
  }
  detector.free();
  times.sort((a, b) => a - b);
  const [median, tail] = [times[50_000], times[99_000]];
  console.log(`median ${duration(median)} (at most 10 µs) ${met(median <= 10_000)}`);
  console.log(`99 of 100 within ${duration(tail)}`);
}

/** A detector and its peers, each with new calls. */
function contenders(parameters) {
  const made = {
    ours: new DoomLoopDetector(config),
    bridge: new Bridge(),
    openCode: new OneMessage(),
  };
  return Object.fromEntries(
    Object.entries(made).map(([name, one]) => {
      let i = 0;
      return [
        name,
        () => {
          // A peer keeps all parts of a message; that is not counted against it here.
          if (i % 64 === 0) one.messageEnds?.();
          one.check({ toolName: "read", parameters: parameters(i++) });
          one.record?.({ result });
        },
      ];
    }),
  );
}

const object = (i) => ({
  list: Array.from({ length: 20_000 }, (_, n) => ({ i, n, name: "abcdefghij", of: n % 7 })),
});
const lists = [0, 1, 2, 3].map(object);
const strings = [0, 1, 2, 3].map((i) => ({ text: `${i}${"lorem ipsum ".repeat(84_000)}` }));
const size = (value) => `${(JSON.stringify(value).length / 1e6).toFixed(1)} MB`;
for (const [title, parameters, most] of [
  ["small arguments", small, 10e3],
  [`one string of ${size(strings[0])}`, (i) => strings[i % 4], 10e6],
  [`20,000 small objects, ${size(lists[0])}`, (i) => lists[i % 4], 10e6],
]) {
  console.log(`\n# check and record, ${title}`);
  const best = sideBySide(contenders(parameters), { rounds: 5 });
  report("against apex-bridge's rule", best.ours, best.bridge);
  report("against OpenCode's", best.ours, best.openCode);
  console.log(`  ${duration(best.ours)} (at most ${duration(most)}) ${met(best.ours <= most)}`);
}

console.log("\n# text: 10 MB of random words");
{
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  const letters = () => String.fromCharCode(97 + ((random() >>> 16) % 26));
  const words = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 2 + ((random() >>> 16) % 8) }, letters).join(""),
  );
  let text = "";
  while (text.length < 10e6) text += `${words[(random() >>> 12) % words.length]} `;
  for (const length of [20, 200]) {
    const chunks = [];
    for (let i = 0; i < text.length; i += length) chunks.push(text.slice(i, i + length));
    let best = Number.POSITIVE_INFINITY;
    let alarms = 0;
    for (let round = 0; round < 4; round++) {
      const detector = new DoomLoopDetector(config);
      const start = process.hrtime.bigint();
      for (const chunk of chunks) if (detector.text(chunk).isDetected) alarms++;
      best = Math.min(best, Number(process.hrtime.bigint() - start));
      detector.free();
    }
    const speed = (text.length / best) * 1e3;
    console.log(
      `chunks of ${length} characters: ${speed.toFixed(0)} MB/s (at least 100) ${met(speed >= 100)}, ${duration(best / chunks.length)} a chunk, ${alarms} alarms ${met(alarms === 0)}`,
    );
  }
}

console.log("\n# A million calls: the detector stays as large as it is");
{
  const detector = new DoomLoopDetector(config);
  const sizes = [];
  const start = process.hrtime.bigint();
  for (let i = 1; i <= 1_000_000; i++) {
    detector.check({ toolName: `tool${i % 300}`, parameters: small(i), callID: `c${i}` });
    detector.record({ callID: `c${i}`, result: `${i}` });
    if (i === 10_000 || i === 1_000_000) {
      globalThis.gc?.();
      sizes.push([detector.snapshot().length, process.memoryUsage().rss]);
    }
  }
  const each = Number(process.hrtime.bigint() - start) / 1e6;
  detector.free();
  const [[before, rssBefore], [after, rssAfter]] = sizes;
  const grown = (rssAfter - rssBefore) / 1e6;
  console.log(
    `snapshot ${before} bytes after 10,000, ${after} after 1,000,000 (at most 1.2 times) ${met(after <= before * 1.2)}`,
  );
  console.log(
    `the process grew by ${grown.toFixed(1)} MB (at most 20) ${met(grown <= 20)}; ${duration(each)} a call`,
  );
}
