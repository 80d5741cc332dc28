/**
 * The worker owns the module and the transcript. The page asks for rows by range and never holds
 * more than it shows. What it can be asked is in the features.
 */

import init, { setLogger } from "apex-parts";
import type { Reply, Request, Start } from "../core/rpc";
import { workerAt } from "../features/worker";
import { warmUp } from "./warm";

const { started, start } = beginning();
const ready = started
  .then(({ wasm }) => init(wasm))
  // The page shows errors as a sentence; the console need not have them too.
  .then(() => setLogger(undefined));
// Not at once: a file that is opened first should have the whole processor.
ready
  .then(() => started)
  .then(({ warm }) => {
    if (warm) setTimeout(() => warmUp(() => desk.readings === 0), 500);
  })
  .catch(() => {});

const { desk, calls } = workerAt(ready, reply);

self.onmessage = async (event: MessageEvent<Start | Request>) => {
  if ("start" in event.data) return start(event.data);
  const { id, call, args } = event.data;
  try {
    const run = calls[call] as (...args: unknown[]) => unknown;
    reply({ id, value: await run(...args) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    reply({ id, error: { name, message } });
  }
};

/** Resolves with the first message. */
function beginning() {
  let start: (given: Start) => void = () => {};
  const started = new Promise<Start>((resolve) => {
    start = resolve;
  });
  return { started, start };
}

function reply(message: Reply): void {
  self.postMessage(message);
}
