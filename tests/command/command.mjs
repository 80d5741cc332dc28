// Shared by the tests of the command: running it as a user does, and files to run it on.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inputs } from "../inputs.mjs";

export const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const cli = at("pkg/cli.mjs");
export const folder = mkdtempSync(join(tmpdir(), "apex-parts-"));

/** Runs the command until it ends. */
export function run(args, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** Starts the command, to write to it and read from it in pieces. */
export function start(args, ...flags) {
  return spawn(process.execPath, [...flags, cli, ...args], { stdio: "pipe" });
}

/** Writes a file with this content, for the command to read. */
export function file(name, content) {
  const path = join(folder, name);
  const isText = typeof content === "string" || ArrayBuffer.isView(content);
  writeFileSync(path, isText ? content : JSON.stringify(content));
  return path;
}

/** The streams in a folder: name, format, path, size, and the expected result. */
export function streams(path) {
  return inputs(path, /\.sse$/).map((name) => {
    const stem = name.slice(0, -".sse".length);
    return {
      name,
      format: stem.split(".").at(-1),
      path: join(path, name),
      size: statSync(join(path, name)).size,
      expected: JSON.parse(readFileSync(join(path, `${stem}.expected.json`), "utf8")),
    };
  });
}

/** A delta of run `r`. */
export const delta = (seq, kind, payload) => ({
  runId: "r",
  seq,
  kind,
  payload,
  timestamp: `2025-02-17T08:30:${String(seq % 60).padStart(2, "0")}.000Z`,
});

/** A stream of deltas with some of everything. */
export const DELTAS = [
  delta(1, "start", { modelId: "m", requestId: "q" }),
  delta(2, "thinking", { textDelta: "Hm." }),
  delta(3, "text", { textDelta: "Hello, w" }),
  delta(4, "text", { textDelta: "örld \ud83d" }),
  delta(5, "text", { textDelta: "\ude00" }),
  delta(6, "tool_call_start", { toolCallId: "c1", toolName: "read" }),
  delta(7, "tool_call_args", { toolCallId: "c1", argsTextDelta: '{"path":' }),
  delta(8, "tool_call_args", { toolCallId: "c1", argsTextDelta: '"/a"}' }),
  delta(9, "tool_call_end", { toolCallId: "c1" }),
  delta(10, "usage", { inputTokens: 3, outputTokens: 4, totalTokens: 7 }),
  delta(11, "done", { finishReason: "tool-calls" }),
];

export const ndjson = (deltas) => deltas.map((one) => `${JSON.stringify(one)}\n`).join("");
export const sse = (deltas) => deltas.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");

/** The text of the parts of a kind in a message. */
export const textOf = (message, kind) =>
  message.parts
    .filter((part) => part.kind === kind)
    .map((part) => part.payload.text)
    .join("");
