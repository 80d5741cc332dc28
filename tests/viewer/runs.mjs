/** Runs of the store that are served beside the viewer, over connections which the test cuts. */
import assert from "node:assert/strict";
import { DeltaAssembler } from "apex-parts";
import { memoryRunLog, runHandler } from "apex-parts/store";
import { done, ndjson, start, text } from "../store/deltas.mjs";
import { newPage } from "./browser.mjs";
import { besideViewer } from "./streaming.mjs";

export { done, start, text };

/**
 * A run that a test writes, batch by batch: `append(...deltas)`, `snapshot()` of all that was appended, and
 * `takeOver()`, after which another writer goes on.
 */
export async function writing(log, runId = "r") {
  let claim = await log.claim(runId, { owner: "a" });
  let deltas = [];
  let position = 0;
  return {
    /** The deltas so far. */
    get deltas() {
      return deltas;
    },
    async append(...more) {
      const { seq: to, kind } = more.at(-1);
      const end = kind === "done" || kind === "error" ? { end: kind } : {};
      const { token } = claim;
      await log.append(runId, { from: position, to, bytes: ndjson(...more), token, ...end });
      position = to;
      deltas = [...deltas, ...more];
    },
    async snapshot() {
      const assembler = new DeltaAssembler();
      for (const one of deltas) assembler.push(one);
      const { token } = claim;
      await log.snapshot(runId, { token, at: position, bytes: assembler.snapshot() });
      assembler.free();
    },
    async takeOver() {
      claim = await log.claim(runId, { owner: "b", force: true });
      ({ position } = claim);
    },
    place: () => `${position}.${claim.epoch}`,
  };
}

/** The message's text, put together of deltas. */
export const textOf = (deltas) =>
  deltas.map(({ kind, payload }) => (kind === "text" ? payload.textDelta : "")).join("");

/**
 * A server of runs under `/runs/ID/events`: `asked` has what each request said, `open` the responses that are
 * not over. `answer` may answer a request before the store does; it then returns true.
 */
export async function servingRuns({ log = memoryRunLog(), answer = () => false, ...options } = {}) {
  const handler = runHandler(log, {
    ...options,
    runId: ({ url }) => decodeURIComponent(/^\/runs\/([^/]+)/.exec(url)[1]),
  });
  const asked = [];
  const open = new Set();
  const server = await besideViewer(/^(\/runs\/[^/]+\/events)/, (_path, request, response) => {
    asked.push({ id: request.headers["last-event-id"] });
    open.add(response);
    response.on("close", () => open.delete(response));
    if (answer(request, response, asked.length)) return;
    // The store says a second or two, which is long for a test.
    const write = response.write.bind(response);
    response.write = (frame, ...rest) =>
      write(typeof frame === "string" ? frame.replace(/^retry: \d+/, "retry: 40") : frame, ...rest);
    handler(request, response);
  });
  return {
    ...server,
    log,
    asked,
    open,
    /** Cuts all connections, each with these bytes as the last. */
    cut(last) {
      for (const response of open) {
        if (last) response.write(last, () => response.destroy());
        else response.destroy();
      }
    },
  };
}

/** Opens the viewer on a run, and checks at the end that nothing complained. */
export async function visitRun(browser, server, run, { id = "r", ...options } = {}) {
  const { page, seen, close } = await newPage(browser, options);
  try {
    await page.goto(`${server.url}?live=runs/${encodeURIComponent(id)}/events`);
    await run(page);
    // A browser itself notes what could not be fetched.
    const complaints = seen.complaints.filter((words) => !/net::ERR|Failed to load/.test(words));
    assert.deepEqual(complaints, []);
    for (const url of seen.requests) assert.ok(url.startsWith(server.url), url);
  } finally {
    await close();
    await server.close();
  }
}
