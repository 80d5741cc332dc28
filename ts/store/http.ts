// A run as Server-Sent Events, for browsers that come back with the id of the last event they had.
import { type UiPart, UiParts } from "./ai-sdk.ts";
import { patiently } from "./delivery.ts";
import { Screen } from "./screen.ts";
import { checkRunId, codeOf, isEnded, isSound } from "./shared.ts";
import { type BatchStep, type Place, present, type ResetStep, type Step, steps } from "./steps.ts";
import type {
  RunLog,
  RunRequest,
  RunResponseOptions,
  RunState,
  RunStoreErrorCode,
  WebRequest,
  WebResponse,
} from "./types.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
const PATIENCE_MS = 10_000;
const LONGEST = 2 ** 31 - 1;
const STATUS: { [code in RunStoreErrorCode]?: number } = {
  unknown_run: 404,
  expired: 410,
  unavailable: 503,
};
const MODES = ["deltas", "changes", "ai-sdk"];

const decoder = new TextDecoder();

function readOptions({
  as = "deltas",
  heartbeatMs = 15_000,
  maxMs = 600_000,
  headers,
}: RunResponseOptions = {}) {
  if (!MODES.includes(as)) throw new TypeError(`\`as\` is one of ${MODES.join(", ")}`);
  return { as, heartbeatMs, maxMs, headers };
}

type Options = ReturnType<typeof readOptions>;

/** The place that an id says; undefined without one, null if it is none. */
function placeOf(id: string | null | undefined): Place | undefined | null {
  if (id === undefined || id === null || id === "") return undefined;
  const [, position, epoch] = /^(\d+)\.(\d+)$/.exec(id) ?? [];
  const place = { position: Number(position), epoch: Number(epoch) };
  return Object.values(place).every(Number.isSafeInteger) ? place : null;
}

/** One event. */
function event({ position, epoch }: Place, name: string | false | undefined, lines: string[]) {
  const type = name ? `event: ${name}\n` : "";
  return `id: ${position}.${epoch}\n${type}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}

const linesOf = (pieces: { bytes: Uint8Array }[]) => {
  const lines = pieces.flatMap(({ bytes }) => decoder.decode(bytes).split("\n").filter(Boolean));
  // Without a line of data, a browser does not see the event.
  return lines.length === 0 ? [""] : lines;
};

/** What is told of a step that is not the end. */
type Told = ResetStep | BatchStep;

function* deltaEvents(step: Told) {
  if (step.reset) yield event(step, "reset", linesOf(step.reset));
  else yield event(step, "", linesOf([step.batch]));
}

function* changeEvents(step: Told, screen: Screen) {
  for (const place of screen.take(step)) {
    const changes = JSON.stringify(screen.assembler.takeChanges());
    yield event(place, place.isReset && "reset", [changes]);
  }
}

/** Each part is an event of its own, as AI SDK clients read them; the last has the place, the others that before. */
function* uiEvents(step: Told, screen: Screen, kept: UiKept) {
  for (const place of screen.take(step)) {
    const parts: UiPart[] = [];
    if (place.isReset) {
      kept.parts = new UiParts(screen.assembler);
      kept.before = { position: 0, epoch: place.epoch };
      parts.push(...kept.parts.begin(kept.runId));
    }
    parts.push(...(kept.parts?.of(screen.assembler.takeChanges()) ?? []));
    for (const [index, part] of parts.entries()) {
      const at = index === parts.length - 1 ? place : (kept.before ?? place);
      yield event(at, place.isReset && index === 0 && "reset", [JSON.stringify(part)]);
    }
    kept.before = place;
  }
}

/** What is kept between the steps of a stream for the AI SDK; a first step begins it. */
interface UiKept {
  runId: string;
  parts?: UiParts;
  before?: Place;
}

/** What is sent, piece by piece; each only when it is asked for, so that nothing waits for a slow browser. */
async function* frames(
  log: RunLog,
  runId: string,
  { as, heartbeatMs, maxMs }: Options,
  from: Place | undefined,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  yield `retry: ${1000 + Math.floor(Math.random() * 1000)}\n\n`;
  const abort = new AbortController();
  const stop = () => abort.abort();
  signal.addEventListener("abort", stop);
  // Changes are those of a message, so it is read from its beginning; parts of the AI SDK are sent again.
  const start = as === "deltas" ? from : undefined;
  const source = steps(log, runId, { from: start, isLive: true, signal: abort.signal });
  const screen = as === "deltas" ? undefined : new Screen(as === "changes" ? from : undefined);
  const kept: UiKept = { runId };
  const close = Date.now() + maxMs;
  let beat = Date.now() + heartbeatMs;
  let next: Promise<IteratorResult<Step, void>> | undefined;
  try {
    while (!signal.aborted) {
      next ??= source.next();
      const timer = timeout(Math.min(beat, close) - Date.now());
      const answer = await Promise.race([next, timer.over]).finally(timer.clear);
      if (!answer) {
        if (Date.now() >= close) return;
        if (Date.now() < beat) continue;
        beat = Date.now() + heartbeatMs;
        yield ":\n\n";
        continue;
      }
      next = undefined;
      if (answer.done) return;
      const { value: step } = answer;
      if (step.end) {
        yield event(step, "end", [
          as === "ai-sdk" ? "[DONE]" : JSON.stringify({ status: step.end }),
        ]);
        return;
      }
      if (!screen) yield* deltaEvents(step);
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

function timeout(ms: number) {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(LONGEST, Math.max(0, ms)));
  });
  return { over, clear: () => clearTimeout(timer) };
}

interface Answer {
  status: number;
  headers: Headers;
  /** null: there is no body. */
  text?: string | null;
  frames?: AsyncGenerator<string, void, undefined>;
}

/** The answer to a request: its status, headers, and either a text or frames. */
async function answer(
  id: string | null | undefined,
  log: RunLog,
  runId: string,
  options: Options,
  signal: AbortSignal,
): Promise<Answer> {
  const { as, headers: given } = options;
  // A cast: the option names the shape of `Headers`, which is a class of any library.
  const headers = new Headers(given as Headers | undefined);
  const plain = (status: number, text: string | null): Answer => {
    if (text && !headers.has("content-type"))
      headers.set("content-type", "text/plain; charset=utf-8");
    return { status, headers, text };
  };
  const from = placeOf(id);
  if (from === null) return plain(400, "Last-Event-ID is not <position>.<epoch>");
  let state: RunState;
  try {
    ({ state } = await patiently(() => log.latest(runId), PATIENCE_MS, runId));
    present(runId, state);
  } catch (error) {
    const status = STATUS[codeOf(error)];
    if (!status) throw error;
    // A cast: what has one of these codes is an error of a log.
    return plain(status, (error as Error).message);
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

/**
 * Answers a request with the events of a run. Who may read it, is to be checked before.
 * @param request - The request; `Last-Event-ID` says where to go on.
 * @param log - The log.
 * @param runId - The id of the run.
 * @param options - What events hold, and times in milliseconds.
 * @returns The response, with the status 200, or 204 and more for a run that is not to be read.
 * @example
 * ```ts
 * import { memoryRunLog, runResponse, RunWriter } from "apex-parts/store";
 *
 * const log = memoryRunLog();
 * const writer = await RunWriter.open(log, "r1");
 * await writer.fail({ errorCode: "stopped", message: "the user stopped it" });
 * const response = await runResponse(new Request("http://localhost/runs/r1"), log, "r1");
 * response.status; // 200
 * (await response.text()).includes("the user stopped it"); // true
 * ```
 */
export async function runResponse(
  request: WebRequest,
  log: RunLog,
  runId: string,
  options?: RunResponseOptions,
): Promise<WebResponse> {
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
      async cancel() {
        abort.abort();
        await frames.return();
      },
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}

/** What a handler uses of a request. */
interface ServerRequest {
  url?: string;
  headers: { "last-event-id"?: string };
}

/** What a handler uses of a response. */
interface ServerResponse {
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  on(event: "close" | "error" | "drain", listener: () => void): unknown;
  writeHead(status: number, headers?: { [name: string]: string }): ServerResponse;
  write(text: string): boolean;
  end(text?: string): unknown;
}

/**
 * The same as a handler for Express 4 and 5 and `node:http`; a request without a runId goes to `next`.
 * @param log - The log.
 * @param options - What events hold, and how a request names its run.
 * @returns The handler.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { memoryRunLog, runHandler } from "apex-parts/store";
 *
 * const handler = runHandler(memoryRunLog(), { runId: ({ url }) => url.split("/").pop() });
 * const server = createServer((request, response) => handler(request, response));
 * server.listening; // false
 * ```
 */
export function runHandler<Request = RunRequest>(
  log: RunLog,
  options: RunResponseOptions & { runId: (request: Request) => string | undefined },
): (request: object, response: object, next?: (error?: unknown) => void) => void {
  const { runId: idOf, ...rest } = options;
  if (typeof idOf !== "function") throw new TypeError("runId must be a function");
  const read = readOptions(rest);
  const handler = async (
    request: ServerRequest,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ) => {
    try {
      // A cast: the program says what its server's requests are.
      const runId = idOf(request as Request & ServerRequest);
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
  // A cast: the server gives what its requests and responses are.
  return handler as (request: object, response: object, next?: (error?: unknown) => void) => void;
}

async function send(
  request: ServerRequest,
  response: ServerResponse,
  log: RunLog,
  runId: string,
  options: Options,
) {
  const abort = new AbortController();
  let goOn: (() => void) | undefined;
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
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
    if (abort.signal.aborted) break;
  }
  response.end(text ?? undefined);
}
