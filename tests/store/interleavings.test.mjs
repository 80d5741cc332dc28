// Two writers and three readers in 100,000 random orders keep to a model of the rules.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const RUNS = 100_000;

test(`${RUNS} random orders of two writers and three readers keep to the model`, async () => {
  const worker = new Worker(new URL("orders.mjs", import.meta.url), { workerData: RUNS });
  const [kept] = await once(worker, "message"); // an error of the worker rejects
  assert.equal(kept, RUNS);
});
