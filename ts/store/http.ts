// A run as Server-Sent Events, for browsers that come back with the id of the last event they had.
import { UiParts } from "./ai-sdk.ts";
import { patiently } from "./delivery.ts";
import { Screen } from "./screen.ts";
import { checkRunId, codeOf, isEnded, isSound } from "./shared.ts";
import { present, steps } from "./steps.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
const PATIENCE_MS = 10_000;
const LONGEST = 2 ** 31 - 1;
const STATUS = { unknown_run: 404, expired: 410, unavailable: 503 };
const MODES = ["deltas", "changes", "ai-sdk"];

const decoder = new TextDecoder();

function readOptions({ as = "deltas", heartbeatMs = 15_000, maxMs = 600_000, headers } = {}) {
  if (!MODES.includes(as)) throw new TypeError(`\`as\` is one of ${MODES.join(", ")}`);
  return { as, heartbeatMs, maxMs, headers };
}

/** The place that an id says; undefined without one, null if it is none. */
function placeOf(id) {
  if (id === undefined || id === null || id === "") return undefined;
  const [, position, epoch] = /^(\d+)\.(\d+)$/.exec(id) ?? [];
  const place = { position: Number(position), epoch: Number(epoch) };
  return Object.values(place).every(Number.isSafeInteger) ? place : null;
}

/** One event. */
function event({ position, epoch }, name, lines) {
  const type = name ? `event: ${name}\n` : "";
  return `id: ${position}.${epoch}\n${type}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}

const linesOf = (pieces) => {
  const lines = pieces.flatMap(({ bytes }) => decoder.decode(bytes).split("\n").filter(Boolean));
  // Without a line of data, a browser does not see the event.
  return lines.length === 0 ? [""] : lines;
};

function* deltaEvents(step) {
  if (step.reset) yield event(step, "reset", linesOf(step.reset));
  else yield event(step, "", linesOf([step.batch]));
}

function* changeEvents(step, screen) {
  for (const place of screen.take(step)) {
    const changes = JSON.stringify(screen.assembler.takeChanges());
    yield event(place, place.isReset && "reset", [changes]);
  }
}

/** Each part is an event of its own, as AI SDK clients read them; the last has the place, the others that before. */
function* uiEvents(step, screen, kept) {
  for (const place of screen.take(step)) {
    const parts = [];
    if (place.isReset) {
      kept.parts = new UiParts(screen.assembler);
      kept.before = { position: 0, epoch: place.epoch };
      parts.push(...kept.parts.begin(kept.runId));
    }
    parts.push(...kept.parts.of(screen.assembler.takeChanges()));
    for (const [index, part] of parts.entries()) {
      const at = index === parts.length - 1 ? place : kept.before;
      yield event(at, place.isReset && index === 0 && "reset", [JSON.stringify(part)]);
    }
    kept.before = place;
  }
}

/** What is sent, piece by piece; each only when it is asked for, so that nothing waits for a slow browser. */
async function* frames(log, runId, { as, heartbeatMs, maxMs }, from, signal) {
  yield `retry: ${1000 + Math.floor(Math.random() * 1000)}\n\n`;
  const abort = new AbortController();
  const stop = () => abort.abort();
  signal.addEventListener("abort", stop);
  // Changes are those of a message, so it is read from its beginning; parts of the AI SDK are sent again.
  const start = as === "deltas" ? from : undefined;
  const source = steps(log, runId, { from: start, isLive: true, signal: abort.signal });
  const screen = as === "deltas" ? undefined : new Screen(as === "changes" ? from : undefined);
  const kept = { runId };
  const close = Date.now() + maxMs;
  let beat = Date.now() + heartbeatMs;
  let next;
  try {
    while (!signal.aborted) {
      next ??= source.next();
      const timer = timeout(Math.min(beat, close) - Date.now());
      const answer = await Promise.race([next, timer.over]).finally(timer.clear);
      if (answer === undefined) {
        if (Date.now() >= close) return;
        if (Date.now() < beat) continue;
        beat = Date.now() + heartbeatMs;
        yield ":\n\n";
        continue;
      }
      next = undefined;
      const { value: step, done } = answer;
      if (done) return;
      if (step.end) {
        yield event(step, "end", [
          as === "ai-sdk" ? "[DONE]" : JSON.stringify({ status: step.end }),
        ]);
        return;
      }
      if (as === "deltas") yield* deltaEvents(step);
      else if (as === "changes") yield* changeEvents(step, screen);
      else yield* uiEvents(step, screen, kept);
    }
  } catch {
    // The browser comes back, and hears what is wrong.
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
    next?.catch(() => {});
    source.return().catch(() => {});
    screen?.free();
  }
}

function timeout(ms) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(LONGEST, Math.max(0, ms)));
  });
  return { over, clear: () => clearTimeout(timer) };
}

/** The answer to a request: its status, headers, and either a text or frames. */
async function answer(id, log, runId, options, signal) {
  const { as, headers: given } = options;
  const headers = new Headers(given);
  const plain = (status, text) => {
    if (text && !headers.has("content-type"))
      headers.set("content-type", "text/plain; charset=utf-8");
    return { status, headers, text };
  };
  const from = placeOf(id);
  if (from === null) return plain(400, "Last-Event-ID is not <position>.<epoch>");
  let state;
  try {
    ({ state } = await patiently(() => log.latest(runId), PATIENCE_MS, runId));
    present(runId, state);
  } catch (error) {
    const status = STATUS[codeOf(error)];
    if (!status) throw error;
    return plain(status, error.message);
  }
  const hasAll =
    from && isSound(state, from.position, from.epoch) && from.position >= state.position;
  if (hasAll && isEnded(state)) return plain(204, null);
  const type = as === "ai-sdk" ? { "x-vercel-ai-ui-message-stream": "v1" } : {};
  for (const [name, value] of Object.entries({ ...HEADERS, ...type })) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return { status: 200, headers, frames: frames(log, runId, options, from, signal) };
}

/** Answers a request with the events of a run. */
export async function runResponse(request, log, runId, options) {
  checkRunId(runId);
  const read = readOptions(options);
  const abort = new AbortController();
  if (request.signal?.aborted) abort.abort();
  request.signal?.addEventListener("abort", () => abort.abort(), { once: true });
  const query = new URL(request.url, "http://localhost").searchParams;
  const id = request.headers.get("last-event-id") || query.get("lastEventId");
  const { status, headers, text, frames } = await answer(id, log, runId, read, abort.signal);
  if (!frames) return new Response(text, { status, headers });
  const encoder = new TextEncoder();
  const body = new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await frames.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel() {
        abort.abort();
        return frames.return();
      },
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}

/** A handler for Express and node:http that answers with the events of a run. */
export function runHandler(log, { runId: idOf, ...options }) {
  if (typeof idOf !== "function") throw new TypeError("runId is a function of the request");
  const read = readOptions(options);
  return async (request, response, next) => {
    try {
      const runId = idOf(request);
      if (runId === undefined) {
        if (next) return next();
        response.writeHead(404).end();
        return;
      }
      checkRunId(runId);
      await send(request, response, log, runId, read);
    } catch (error) {
      if (next) return next(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  };
}

async function send(request, response, log, runId, options) {
  const abort = new AbortController();
  let goOn;
  const gone = () => {
    abort.abort();
    goOn?.();
  };
  response.on("close", gone);
  response.on("error", gone);
  response.on("drain", () => goOn?.());
  const query = new URLSearchParams(String(request.url).split("?")[1]);
  const id = request.headers["last-event-id"] || query.get("lastEventId");
  const { status, headers, text, frames } = await answer(id, log, runId, options, abort.signal);
  if (response.destroyed) return;
  response.writeHead(status, Object.fromEntries(headers));
  for await (const frame of frames ?? []) {
    const isFull = !response.write(frame);
    // What the socket has not taken is not followed by more.
    if (isFull && !abort.signal.aborted) {
      await new Promise((resolve) => {
        goOn = resolve;
      });
    }
    if (abort.signal.aborted) break;
  }
  response.end(text ?? undefined);
}
