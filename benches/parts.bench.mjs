// Parts, states, validator and UI messages against plain JavaScript and zod.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as apex from "../pkg/node.mjs";
import { everyModuleSize } from "../scripts/sizes.mjs";
import { met } from "./lib/bars.mjs";
import { duration, report, sideBySide } from "./lib/measure.mjs";
import { toModelMessage as plain } from "./lib/plain-ui-messages.mjs";
import { transcript } from "./lib/synthetic.mjs";
import { Transcript as ZodTranscript } from "./lib/zod-schema.mjs";

const { PartFactory, PartValidator, ToolStateTransition, Transcript } = apex;
apex.setLogger(undefined);
const kb = (n) => `${(n / 1000).toFixed(1)} KB`;
const big = "x".repeat(5_000_000);
const small = "x".repeat(100);
const ids = ["0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f", "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e70"];

console.log("\n# Cost does not depend on what a part carries (5 MB against 100 bytes)");
{
  const parts = [big, small].map((text) => PartFactory.createTextPart(...ids, text));
  const tools = [big, small].map((text) => ({
    status: "running",
    input: { text },
    time: { start: 1 },
  }));
  const rows = {
    "guard isTextPart": (i) => PartValidator.isTextPart(parts[i]),
    "factory createTextPart": (i) => PartFactory.createTextPart(...ids, parts[i].text),
    "transition runningToCompleted": (i) =>
      ToolStateTransition.runningToCompleted(tools[i], parts[i].text, 2),
    "transition runningToError": (i) =>
      ToolStateTransition.runningToError(tools[i], parts[i].text, 2),
    validatePart: (i) => PartValidator.validatePart(parts[i]),
  };
  for (const [name, work] of Object.entries(rows)) {
    const best = sideBySide({ big: () => work(0), small: () => work(1) });
    report(name, best.big, best.small, { target: 3 });
  }
}

const messages = transcript({ messages: 1000, bytes: 10_000_000 });
console.log("\n# toModelMessage, 1,000 messages with 10 MB of text, against plain JavaScript");
{
  const text = "lorem ipsum ".repeat(833);
  const lone = Array.from({ length: 1000 }, (_, i) => ({
    info: { id: `m${i}`, role: i % 2 ? "assistant" : "user" },
    parts: [{ id: `p${i}`, sessionID: "s", messageID: `m${i}`, type: "text", text }],
  }));
  // How the objects were created changes the speed of the plain version tenfold.
  for (const [name, input] of Object.entries({
    "a text each": lone,
    "made by a program": messages,
    "out of JSON.parse": JSON.parse(JSON.stringify(messages)),
  })) {
    const best = sideBySide({
      ours: () => apex.toModelMessage(input),
      plain: () => plain(input),
    });
    report(name, best.ours, best.plain, { target: 3 });
  }
}

console.log("\n# validateTranscript, the same messages");
{
  const best = sideBySide({
    ours: () => PartValidator.validateTranscript(messages),
    zod: () => ZodTranscript.safeParse(messages),
  });
  report("on objects, against zod 4", best.ours, best.zod, { target: 3 });
  const bytes = Buffer.from(JSON.stringify(messages));
  const onBytes = sideBySide(
    {
      ours: () => {
        const t = Transcript.open(bytes);
        t.problems();
        t.free();
      },
      peer: () => ZodTranscript.safeParse(JSON.parse(bytes.toString())),
    },
    { rounds: 5 },
  );
  report("on bytes, against JSON.parse + zod 4", onBytes.ours, onBytes.peer, {
    target: 1,
    faster: true,
  });
}

console.log("\n# Size and import");
{
  for (const { module, raw, brotli, most } of everyModuleSize()) {
    console.log(
      `${module} ${kb(raw)}, brotli ${kb(brotli)} (at most ${kb(most)}) ${met(brotli <= most)}`,
    );
  }
  const entry = (name) => new URL(`../pkg/${name}`, import.meta.url);
  const once = (args) => {
    const start = process.hrtime.bigint();
    execFileSync(process.execPath, args);
    return Number(process.hrtime.bigint() - start);
  };
  const programs = {
    "empty, CommonJS": ["-e", ""],
    require: ["-e", `require(${JSON.stringify(fileURLToPath(entry("node.cjs")))})`],
    "empty, ESM": ["--input-type=module", "-e", ""],
    import: ["--input-type=module", "-e", `import ${JSON.stringify(entry("node.mjs"))}`],
  };
  const seen = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < 15; round++) {
    for (const [name, args] of Object.entries(programs)) seen[name].push(once(args));
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  for (const [name, empty] of [
    ["require", "empty, CommonJS"],
    ["import", "empty, ESM"],
  ]) {
    const over = median(seen[name]) - median(seen[empty]);
    console.log(
      `${name}: ${duration(over)} over an empty program (at most 25 ms) ${met(over <= 25e6)}`,
    );
  }
}
