// The delta assembler against its peers: plain JavaScript, JSON.parse, @anthropic-ai/sdk, ai.
import { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream";
import { readUIMessageStream } from "ai";
import { DeltaAssembler } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { figure, inWords } from "./lib/figures.mjs";
import { duration, report, sideBySide } from "./lib/measure.mjs";
import { answers, anthropicEvents, deltas, frames, ndjson, sse, uiChunks } from "./lib/streams.mjs";

const encoder = new TextEncoder();

/** The bytes in chunks of a size, or of one line each. */
function chunks(bytes, size) {
  const list = [];
  if (size === "line") {
    for (let from = 0, to; from < bytes.length; from = to) {
      to = bytes.indexOf(10, from) + 1 || bytes.length;
      list.push(bytes.subarray(from, to));
    }
    return list;
  }
  for (let i = 0; i < bytes.length; i += size) list.push(bytes.subarray(i, i + size));
  return list;
}

function assemble(list, options) {
  const assembler = new DeltaAssembler(options);
  for (const chunk of list) assembler.pushBytes(chunk);
  assembler.end();
  const message = assembler.message();
  assembler.free();
  return message;
}

/** What a program writes by hand: decode, split, parse, append. */
function plain(list) {
  const decoder = new TextDecoder();
  let rest = "";
  const parts = [];
  for (const chunk of list) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) append(parts, JSON.parse(line));
  }
  return parts;
}

function append(parts, { kind, payload }) {
  if (kind === "text" || kind === "thinking") {
    const last = parts[parts.length - 1];
    if (last?.kind === kind) last.text += payload.textDelta;
    else parts.push({ kind, text: payload.textDelta });
  } else if (kind === "tool_call_start") {
    parts.push({ kind: "tool_call", id: payload.toolCallId, args: "" });
  } else if (kind === "tool_call_args") {
    parts.find((part) => part.id === payload.toolCallId).args += payload.argsTextDelta;
  }
}

const N = 200_000;
const objects = deltas(N);
const bytes = encoder.encode(ndjson(objects));
const mb = (bytes.length / 1e6).toFixed(1);

console.log(`\n# pushBytes, format delta: ${N} deltas, ${mb} MB`);
for (const size of [4096, "line"]) {
  const list = chunks(bytes, size);
  const lines = ndjson(objects).trimEnd().split("\n");
  const best = sideBySide(
    {
      ours: () => assemble(list),
      plain: () => plain(list),
      parse: () => {
        for (const line of lines) JSON.parse(line);
      },
    },
    { rounds: 5 },
  );
  const name = size === "line" ? "chunks of one line" : "chunks of 4 KB";
  const id = size === "line" ? "deltas.lines" : "deltas.chunks";
  figure({ id: `${id}.each`, "a delta": name, takes: inWords(best.ours / N) });
  report(`${name}, against plain JavaScript`, best.ours, best.plain, {
    ...{ target: 5, faster: true, id },
  });
  report(`${name}, against JSON.parse alone`, best.ours, best.parse, { target: 2, faster: true });
  console.log(
    `  ${(bytes.length / best.ours).toFixed(2)} GB/s, ${duration(best.ours / N)} a delta`,
  );
}

console.log("\n# push(object)");
{
  const best = sideBySide(
    {
      ours: () => {
        const assembler = new DeltaAssembler();
        for (const delta of objects) assembler.push(delta);
        assembler.message();
        assembler.free();
      },
      plain: () => {
        const parts = [];
        for (const delta of objects) append(parts, delta);
        return parts;
      },
    },
    { rounds: 5 },
  );
  report("push(object), against plain append", best.ours, best.plain, {
    ...{ target: 12, id: "deltas.object" },
  });
  const each = best.ours / N;
  console.log(`  ${duration(each)} a delta (at most 400 ns) ${met(each <= 400)}`);
  figure({ id: "deltas.object.each", "a delta": "as an object", takes: inWords(each) });
}

console.log("\n# Provider streams, 4,000 deltas");
async function timed(work, rounds = 5) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const start = process.hrtime.bigint();
    await work();
    best = Math.min(best, Number(process.hrtime.bigint() - start));
  }
  return best;
}
for (const kind of ["text", "tool input"]) {
  const events = anthropicEvents(4000, kind);
  const ours = chunks(encoder.encode(sse(events, true)), 4096);
  const lines = encoder.encode(ndjson(events));
  const sdk = await timed(async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of chunks(lines, 4096)) controller.enqueue(chunk);
        controller.close();
      },
    });
    await MessageStream.fromReadableStream(stream).finalMessage();
  });
  const best = sideBySide({ ours: () => assemble(ours, { format: "anthropic" }) }).ours;
  report(`anthropic ${kind}, against @anthropic-ai/sdk`, best, sdk, { target: 12, faster: true });
}
for (const kind of ["text", "tool input"]) {
  const list = uiChunks(4000, kind);
  const ours = chunks(encoder.encode(sse(list, false)), 4096);
  const ai = await timed(async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of list) controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const _ of readUIMessageStream({ stream }));
  }, 2);
  const best = sideBySide({ ours: () => assemble(ours, { format: "ai-sdk" }) }).ours;
  report(`ai-sdk ${kind}, against ai`, best, ai, { target: 60, faster: true });
}

/** Megabytes a second, and whether they are enough. */
const speed = (size, ns, least) => {
  const each = (size / ns) * 1000;
  return `${each.toFixed(0)} MB/s (at least ${least}) ${met(each >= least)}`;
};

console.log("\n# Formats, 40,000 pieces of text");
for (const [format, records] of Object.entries(answers(40_000))) {
  const bytes = encoder.encode(ndjson(records));
  const lines = ndjson(records).trimEnd().split("\n");
  const list = chunks(bytes, 4096);
  const best = sideBySide({
    ours: () => assemble(list, { format }),
    parse: () => {
      for (const line of lines) JSON.parse(line);
    },
  });
  report(`${format}, against JSON.parse alone`, best.ours, best.parse, { target: 1, faster: true });
  console.log(`  ${format}: ${speed(bytes.length, best.ours, 150)}`);
}
{
  const bytes = frames(40_000);
  const list = chunks(bytes, 65_536);
  const best = sideBySide({ ours: () => assemble(list, { format: "bedrock" }) });
  console.log(`bedrock in binary frames: ${speed(bytes.length, best.ours, 300)}`);
}

console.log("\n# Linear: 4 times the deltas (at most 4.4 times the time)");
for (const kind of ["text", "tool"]) {
  const [one, four] = [50_000, 200_000].map((n) =>
    chunks(encoder.encode(ndjson(deltas(n, kind))), 4096),
  );
  const best = sideBySide({ one: () => assemble(one), four: () => assemble(four) }, { rounds: 7 });
  report(`4 times the deltas, ${kind}`, best.four, best.one, { target: 4.4 });
}
