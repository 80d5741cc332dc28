// Deltas, batches and errors for the tests of the store.
import assert from "node:assert/strict";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const timestamp = "2025-02-17T08:30:00Z";

export const delta = (seq, kind, payload, runId = "r") => ({
  runId,
  seq,
  timestamp,
  kind,
  payload,
});
export const start = (runId) => delta(1, "start", { modelId: "m", requestId: "q" }, runId);
export const text = (seq, textDelta, runId) => delta(seq, "text", { textDelta }, runId);
export const done = (seq, runId) => delta(seq, "done", { finishReason: "stop" }, runId);

export const bytesOf = (value) => encoder.encode(value);
export const textOf = (bytes) => decoder.decode(bytes);
export const ndjson = (...deltas) =>
  bytesOf(deltas.map((one) => `${JSON.stringify(one)}\n`).join(""));

/** A batch of any bytes. */
export const batch = (from, to, token, more = {}) => ({
  from,
  to,
  token,
  bytes: bytesOf(`${from}-${to}\n`),
  ...more,
});

/** That a call fails with this code; returns the error. */
export async function failsWith(code, promise) {
  try {
    await promise;
  } catch (error) {
    assert.equal(error.name, "RunStoreError", String(error.stack));
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`it did not fail with ${code}`);
}

/** All that an iterable gives. */
export async function all(iterable) {
  const found = [];
  for await (const one of iterable) found.push(one);
  return found;
}

/** Everything that is stored of a run, from a position on. */
export async function stored(log, runId, from = 0) {
  const found = [];
  for (let at = from; ; ) {
    const { batches } = await log.read(runId, at);
    if (batches.length === 0) return found;
    found.push(...batches);
    at = batches.at(-1).to;
  }
}

/** A stream of so many deltas, the same whenever it is asked for. */
export function streamOf(count) {
  const all = [start()];
  for (let seq = 2; seq < count; seq++) all.push(text(seq, `${seq}ä😀 `));
  return [...all, done(count)];
}
