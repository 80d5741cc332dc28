// The page's end of the worker: every call is answered, also where the worker breaks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../typescript.mjs";

const { WorkerClient } = await load("core/client.ts");

/** A worker that answers nothing by itself. */
function started() {
  const worker = { posted: [], postMessage: (message) => worker.posted.push(message) };
  const host = { startWorker: async () => worker, wasm: () => undefined, opensFiles: false };
  return { worker, client: new WorkerClient(host) };
}
const error = (message) => ({ message, preventDefault() {} });
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a worker that could not start answers no call with silence", async () => {
  const { worker, client } = started();
  await settled();
  const waiting = assert.rejects(client.call("formats"), /could not start/);
  worker.onerror(error(""));
  await waiting;
  await assert.rejects(client.call("formats"), /could not start/);
});

test("a worker in which something went wrong goes on", async () => {
  const { worker, client } = started();
  await settled();
  const waiting = assert.rejects(client.call("formats"), /went wrong/);
  worker.onerror(error("Something went wrong."));
  await waiting;
  const answer = client.call("formats");
  await settled();
  const { id } = worker.posted.at(-1);
  worker.onmessage({ data: { id, value: ["with-parts"] } });
  assert.deepEqual(await answer, ["with-parts"]);
});
