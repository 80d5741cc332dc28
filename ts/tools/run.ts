// One call of a tool: drives its part from pending to completed or error, one event a state, and never
// rejects. Long because every step may be the last one: an abort, a time-out or a failure at any of them must
// find the same state.

import {
  createFilePart,
  createToolPart,
  createToolStatePending,
  type ExecuteOptions,
  type FilePart,
  type OutputStore,
  type Permission,
  runningToCompleted,
  runningToError,
  type Tool,
  type ToolCall,
  type ToolPart,
  type ToolRun,
  type ToolState,
  type ToolStateError,
  type ToolStatePending,
  type ToolStateRunning,
  ToolStateTransition,
  type TruncateOptions,
} from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { ArgumentsError, checkArguments, readArguments } from "./arguments.ts";
import { type Fields, isObject, kindOf } from "./boundary.ts";
import type { PermissionAsk, RunContext } from "./context.ts";
import { deferred } from "./deferred.ts";
import { isExpected, isPermissionError, messageOf, told } from "./errors.ts";
import { decide, type Gate, type GateRequest, unwatched } from "./gate.ts";
import { LoopWatch } from "./loop-watch.ts";
import { truncated } from "./output.ts";
import type { PlacesByKey } from "./places.ts";
import { evaluate } from "./rules.ts";
import { States } from "./states.ts";
import { Timer } from "./timer.ts";
import { checkDefinition } from "./tool.ts";

/** How long a tool that was aborted may take to end by itself, in milliseconds. */
const GRACE = 3000;

/** What a call says of its tool: nothing, that it works, or that it failed by itself. */
export type Health = "none" | "completed" | "fault";

/** What a registry does for its calls. */
export interface RunHost {
  rules: Permission.Ruleset[];
  gate: Gate | undefined;
  store: OutputStore | undefined;
  /** The time that a tool may take, of one that does not say; undefined: any. */
  timeoutMs: number | undefined;
  /** Calls with the same key run one after another. */
  locks: PlacesByKey;
  /** The calls of a session that run at once. */
  places: PlacesByKey;
  /** What a model reads that has named a tool which cannot run. */
  unknown: (name: string) => string;
  initContext: (call: ToolCall) => Tool.InitContext | undefined;
  report: (id: string, health: Health, error: string | undefined) => void;
}

/** What an iterable of a tool gives: a result or an update; nothing is checked yet. */
type Items = AsyncIterable<unknown>;

const isIterable = (value: unknown): value is Items =>
  isObject(value) &&
  Symbol.asyncIterator in value &&
  typeof value[Symbol.asyncIterator] === "function";

/** Ends a call in an error state of this kind. */
class CallError extends Error {
  kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

export class Run {
  #host: RunHost;
  #call: ToolCall;
  #info: Tool.Info | undefined;
  #name: string;
  #states: States<ToolPart>;
  #base: ToolPart;
  #ended = deferred<ToolPart>();
  /** Resolves on abort and on time-out. */
  #interrupted = deferred<void>();
  #abort = new AbortController();
  #reason: string | undefined;
  #isTimedOut = false;
  /** The number of requests that wait for a reply. */
  #asking = 0;
  /** The tool itself is at work, not its queue. */
  #isWorking = false;
  #watch: LoopWatch;
  #timer: Timer | undefined;
  /** The time that this call may take, whatever its tool and the registry say. */
  #ownTimeout: number | undefined;
  #timeout = 0;
  /** How the tool wants its texts cut. */
  #truncate: false | TruncateOptions | undefined;
  #health: Health = "none";

  /** `named` is the tool that the call names: its id, and `info` if it may run. */
  constructor(
    host: RunHost,
    call: ToolCall,
    options: ExecuteOptions | undefined,
    named: { id: string; info: Tool.Info | undefined } | undefined,
  ) {
    this.#host = host;
    this.#call = call;
    this.#info = named?.info;
    this.#name = named?.id ?? call.tool;
    this.#watch = new LoopWatch({ ...options }, call.callID);
    this.#ownTimeout = options?.timeoutMs ?? undefined;
    this.#states = new States(options?.onState);
    const { sessionID, messageID, callID, input, raw, part } = call;
    const text = typeof raw === "string" ? raw : typeof input === "string" ? input : rawOf(input);
    const first = part?.state;
    const state =
      first?.status === "pending" ? first : createToolStatePending({ input: {}, raw: text });
    this.#base = part ?? createToolPart({ sessionID, messageID, callID, tool: this.#name, state });
    this.#show(state);
  }

  /** Starts the call; gives what the caller gets. */
  start(): ToolRun {
    const states = this.#states;
    const ended = this.#ended.promise;
    this.#drive();
    return {
      get part() {
        return states.last as ToolPart; // The pending state is there from the start.
      },
      abort: (reason) => this.#stop(reason),
      // biome-ignore lint/suspicious/noThenProperty: a run is awaited
      then: (done, failed) => ended.then(done, failed),
      [Symbol.asyncIterator]: () => states[Symbol.asyncIterator](),
    };
  }

  get #state(): ToolState {
    return (this.#states.last ?? this.#base).state;
  }

  get #hasEnded() {
    const { status } = this.#state;
    return status === "completed" || status === "error";
  }

  #show(state: ToolState) {
    const isLast = state.status === "completed" || state.status === "error";
    const part: ToolPart = { ...this.#base, state };
    const error = state.status === "error" ? state.error : undefined;
    if (isLast) this.#host.report(this.#name, this.#health, error);
    this.#states.add(part, isLast);
    if (isLast) {
      this.#timer?.stop();
      this.#ended.resolve(part);
    }
  }

  async #drive() {
    const { abort } = this.#call;
    const onAbort = () => this.#stop(abort?.reason);
    // The caller first gets the run in its pending state.
    await undefined;
    try {
      if (abort?.aborted) this.#stop(abort.reason);
      else abort?.addEventListener?.("abort", onAbort);
      if (!this.#hasEnded) await this.#perform();
    } catch (error) {
      await this.#fail(error);
    } finally {
      abort?.removeEventListener?.("abort", onAbort);
    }
  }

  async #perform() {
    const name = this.#name;
    let input: Fields | undefined;
    let unreadable: unknown;
    try {
      input = readArguments(name, this.#call);
    } catch (error) {
      unreadable = error;
    }
    // A cast: until it has run, a call is pending.
    const pending = { ...this.#state, input: input ?? {} } as ToolStatePending;
    this.#show(ToolStateTransition.pendingToRunning(pending));
    this.#checkLoop(input ?? {}, pending.raw);
    if (!this.#info) throw new CallError("unknown", this.#host.unknown(this.#call.tool));
    if (unreadable) throw unreadable;
    const context = this.#host.initContext(this.#call);
    let definition: Tool.Definition;
    try {
      definition = checkDefinition(name, await this.#info.init(context));
    } catch (error) {
      this.#health = "fault";
      throw new CallError("fault", messageOf(error) || `The ${name} tool could not be prepared.`);
    }
    this.#truncate = definition.truncate;
    const checking = checkArguments(name, definition, input);
    const checked = checking instanceof Promise ? await checking : checking;
    const { value, repairs, unchecked } = checked;
    if (this.#hasEnded) return;
    if (repairs.length > 0) this.#update({ metadata: { repaired: repairs } });
    if (unchecked.length > 0) this.#update({ metadata: { unchecked } });
    await this.#runIn(definition, value);
  }

  /** Takes the lock and a place, runs the tool, and leaves both. */
  async #runIn(definition: Tool.Definition, value: unknown) {
    const { promise } = this.#interrupted;
    // A cast: the value fits the parameters.
    const key = definition.lock?.(value as Record<string, unknown>);
    const unlock =
      key === undefined ? () => {} : await this.#host.locks.enter(String(key), promise);
    if (unlock === undefined) return;
    try {
      const leave = await this.#host.places.enter(this.#call.sessionID, promise);
      if (leave === undefined) return;
      try {
        if (!this.#hasEnded) await this.#execute(definition, value);
      } finally {
        leave();
      }
    } finally {
      unlock();
    }
  }

  async #execute(definition: Tool.Definition, value: unknown) {
    this.#isWorking = true;
    this.#timeout = this.#ownTimeout ?? definition.timeoutMs ?? this.#host.timeoutMs ?? 0;
    this.#timer = new Timer(this.#timeout, () => this.#expire());
    const work: Promise<{ result: unknown } | { error: unknown }> = this.#work(
      definition,
      value,
    ).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    let outcome = await Promise.race([work, this.#interrupted.promise.then(() => undefined)]);
    if (outcome === undefined && !this.#hasEnded) {
      let grace: ReturnType<typeof setTimeout> | undefined;
      const timer = new Promise<undefined>((resolve) => {
        grace = setTimeout(() => resolve(undefined), GRACE);
      });
      outcome = await Promise.race([work, timer]);
      clearTimeout(grace);
    }
    if (outcome === undefined || this.#hasEnded) {
      this.#finishInterrupted();
      work.then((late) => {
        if (!("result" in late) || late.result === undefined) return;
        const what = "ended after its call had ended; its result is dropped";
        log("warn", `the ${this.#name} tool ${what}`, late.result);
      });
    } else if ("error" in outcome) {
      await this.#fail(outcome.error, true);
    } else {
      await this.#complete(definition, outcome.result);
    }
  }

  /** What the tool gives; of an iterable, the last result. */
  async #work(definition: Tool.Definition, value: unknown): Promise<unknown> {
    // A cast: the value fits the parameters.
    const args = value as Record<string, unknown>;
    const output: unknown = await definition.execute(args, this.#context());
    if (!isIterable(output)) return output;
    const iterator = output[Symbol.asyncIterator]();
    this.#interrupted.promise.then(() => {
      Promise.resolve(iterator.return?.()).catch(() => {});
    });
    let result: unknown;
    for (;;) {
      const { done, value: item } = await iterator.next();
      if (done) return isResult(item) ? item : result;
      if (isResult(item)) result = item;
      else if (isObject(item)) this.#update(item);
    }
  }

  /** The rulesets of the registry and of the call. */
  get #rules() {
    return [...this.#host.rules, ...(this.#call.rules ?? [])];
  }

  #context(): RunContext {
    const { sessionID, messageID, callID, agent, extra, messages } = this.#call;
    const context: RunContext = {
      sessionID,
      messageID,
      callID,
      agent: agent ?? "",
      abort: this.#abort.signal,
      metadata: (update) => this.#update(update),
      ask: (request) => this.#ask(request),
      refuseDenied: (requests) => this.#refuseDenied(requests),
      messages: () => messages ?? [],
      rules: () => this.#rules.flat(),
      evaluate: (permission, pattern) => evaluate(permission, pattern, ...this.#rules),
      store: this.#host.store,
    };
    if (extra !== undefined) context.extra = extra;
    return context;
  }

  /** A new running state with a title, and metadata merged. */
  #update(update: unknown) {
    if (this.#hasEnded) {
      log("warn", `the ${this.#name} tool set metadata after its call had ended`, update);
      return;
    }
    if (!isObject(update)) return;
    const { title, metadata } = update;
    // A cast: only a state that runs is updated.
    const state = { ...this.#state } as ToolStateRunning;
    if (typeof title === "string") state.title = title;
    if (isObject(metadata)) state.metadata = { ...state.metadata, ...metadata };
    this.#show(state);
  }

  /** A new running state without a field of the metadata. */
  #forget(name: string) {
    if (this.#hasEnded) return;
    // A cast: only a state that runs is updated.
    const { metadata, ...rest } = this.#state as ToolStateRunning;
    const state: ToolStateRunning = rest;
    const { [name]: _, ...others } = metadata ?? {};
    if (Object.keys(others).length > 0) state.metadata = others;
    this.#show(state);
  }

  #refuseDenied(requests: PermissionAsk[]) {
    for (const { permission, patterns, whole } of requests) {
      const { error } = decide(permission, patterns, this.#rules, [], whole);
      if (error) throw error;
    }
  }

  async #ask(request: PermissionAsk) {
    const { sessionID, messageID, callID, agent } = this.#call;
    if (this.#hasEnded || this.#reason !== undefined) throw new CallError("aborted", "Aborted");
    const input: GateRequest = { ...request, sessionID, tool: { messageID, callID }, rules: [] };
    if (agent !== undefined) input.agent = agent;
    input.rules = this.#rules;
    const { gate } = this.#host;
    if (!gate) {
      const patterns = Array.isArray(request?.patterns) ? request.patterns : [];
      const decided = decide(input.permission, patterns, input.rules, [], input.whole);
      if (decided.error) throw decided.error;
      if (decided.asked.length > 0) throw unwatched(input);
      return;
    }
    const asked = gate.request(input);
    if (!asked.request) return asked.allowed;
    const { id, permission, patterns } = asked.request;
    this.#timer?.pause();
    this.#asking++;
    this.#update({ metadata: { permission: { id, permission, patterns } } });
    this.#interrupted.promise.then(() => {
      asked.cancel(new CallError("aborted", "Aborted"));
    });
    try {
      await asked.allowed;
    } finally {
      this.#asking--;
      this.#forget("permission");
      if (!this.#hasEnded) this.#timer?.resume();
    }
  }

  // ── Interruptions ─────────────────────────────────────────────────────────────────────────────

  #stop(reason: unknown) {
    if (this.#hasEnded || this.#reason !== undefined) return;
    const text = reason === undefined ? "" : messageOf(reason);
    this.#reason = text === "" ? "the call was stopped" : text;
    // What waits ends at once; what runs has its grace.
    const isWaiting = this.#asking > 0 || !this.#isWorking;
    this.#abort.abort(reason);
    if (isWaiting) this.#finishInterrupted();
    this.#interrupted.resolve();
  }

  #expire() {
    this.#isTimedOut = true;
    this.#abort.abort(new Error(`the tool took longer than ${this.#timeout} ms`));
    this.#interrupted.resolve();
  }

  /** `error` is what the tool threw because of it, `said` its message. */
  #finishInterrupted(error?: unknown, said = "") {
    if (this.#hasEnded) return;
    // Nobody waits for the request any more.
    if (this.#asking > 0) this.#forget("permission");
    if (this.#isTimedOut && this.#reason === undefined) {
      const state = this.#state;
      const start = "time" in state ? state.time.start : 0;
      const now = Math.max(Date.now(), start + this.#timeout + 1);
      this.#show(ofKind(ToolStateTransition.expire(state, now, this.#timeout), "timeout"));
      return;
    }
    const own = told(error)?.metadata.aborted === true ? said : "";
    const message = own.trim() === "" ? `Aborted: ${this.#reason}` : own;
    const ended = ToolStateTransition.abort(this.#state, message, Date.now());
    this.#show(ofKind(ended, "aborted"));
  }

  // ── Ends ──────────────────────────────────────────────────────────────────────────────────────

  /** Cuts a text as the tool wants it, and puts the whole of it into the store; undefined if it is not too long. */
  #cut(text: string, options: TruncateOptions | undefined) {
    const { sessionID, callID } = this.#call;
    return truncated(text, options, this.#host.store, { sessionID, callID, tool: this.#name });
  }

  /** What an error says, and the metadata of its cut: a model reads it as it reads an output. */
  async #said(error: unknown): Promise<{ said: string; metadata?: Fields }> {
    const message = messageOf(error);
    const { metadata, kind } = told(error) ?? {};
    // A tool that cuts its texts itself says of its errors of which kind they are.
    const isCut = this.#truncate === false && kind !== undefined;
    if (isCut || metadata?.truncated !== undefined) return { said: message };
    const cut = await this.#cut(message, this.#truncate || undefined);
    return cut ? { said: cut.output, metadata: cut.metadata } : { said: message };
  }

  /** Ends in an error state. `isFault`: the tool threw it. */
  async #fail(error: unknown, isFault = false): Promise<void> {
    if (this.#hasEnded) return;
    const { said, metadata } = await this.#said(error);
    if (this.#hasEnded) return;
    if (this.#reason !== undefined || this.#isTimedOut) {
      this.#finishInterrupted(error, said);
      return;
    }
    const own = isFault ? told(error) : undefined;
    let kind = "fault";
    if (error instanceof CallError) ({ kind } = error);
    else if (error instanceof ArgumentsError) kind = "arguments";
    else if (isPermissionError(error)) kind = "permission";
    else if (isExpected(error)) kind = "expected";
    if (kind === "fault" && isFault) this.#health = "fault";
    kind = own?.kind ?? kind;
    const message = said.trim() === "" ? `The ${this.#name} tool failed without saying why.` : said;
    const state = this.#state;
    // A cast: a call that has not ended runs, once it is not pending.
    const running = (
      state.status === "pending" ? ToolStateTransition.pendingToRunning(state) : state
    ) as ToolStateRunning;
    this.#show(
      runningToError(running, message, {
        ...running.metadata,
        ...own?.metadata,
        ...metadata,
        kind,
      }),
    );
    this.#watch.after(this.#state, message, true);
  }

  async #complete(definition: Tool.Definition, given: unknown) {
    const name = this.#name;
    // A cast: a call that has a result runs.
    const running = this.#state as ToolStateRunning;
    const result = typeof given === "string" ? { output: given } : given;
    if (!isObject(result) || typeof result.output !== "string") {
      return this.#fail(new CallError("fault", withoutOutput(name, result)), true);
    }
    let text = result.output;
    const title = typeof result.title === "string" ? result.title : (running.title ?? name);
    let metadata = merged(
      running.metadata,
      isObject(result.metadata) ? result.metadata : undefined,
    );
    if (definition.truncate !== false && metadata?.truncated === undefined) {
      const cut = await this.#cut(text, definition.truncate);
      if (cut) {
        text = cut.output;
        metadata = { ...metadata, ...cut.metadata };
      }
      if (this.#hasEnded) return;
    }
    const state = { ...running, metadata: metadata ?? {} };
    const attachments = this.#attachments(result.attachments);
    this.#health = "completed";
    this.#show(runningToCompleted(state, text === "" ? "(no output)" : text, title, attachments));
    this.#watch.after(this.#state, text, false);
  }

  #attachments(list: unknown): FilePart[] | undefined {
    if (!Array.isArray(list)) return undefined;
    const { sessionID, messageID } = this.#call;
    return list.map((file) =>
      typeof file?.id === "string" ? file : createFilePart({ ...file, sessionID, messageID }),
    );
  }

  // ── The detector of loops ─────────────────────────────────────────────────────────────────────

  #checkLoop(input: Fields, raw: string) {
    const verdict = this.#watch.before(this.#name, input, raw);
    if (verdict === undefined) return;
    const message = verdict.message ?? verdict.pattern;
    if (verdict.suggestedAction === "interrupt") {
      throw new CallError("loop", message ?? `The ${this.#name} tool is called in a loop.`);
    }
    this.#update({ metadata: { loop: verdict } });
  }
}

/** An error state whose metadata says of which kind it is. */
const ofKind = (state: ToolState, kind: string): ToolState =>
  // A cast: an error state has metadata.
  ({ ...state, metadata: { ...(state as ToolStateError).metadata, kind } }) as ToolStateError;

/** What is wrong with a result that has no text as its output, and what a tool is to return. */
function withoutOutput(name: string, result: unknown): string {
  const wanted = "Return a string, or an object whose `output` is a string";
  if (result === undefined || result === null) {
    return `The ${name} tool returned no output. ${wanted}.`;
  }
  if (!isObject(result)) {
    return `The ${name} tool returned ${kindOf(result)}, not its output. ${wanted}.`;
  }
  if (result.output === undefined || result.output === null) {
    return `The ${name} tool returned an object without an output. ${wanted}.`;
  }
  const kind = kindOf(result.output);
  return `The ${name} tool returned ${kind} as its output, not a string. ${wanted}: of a value, JSON.stringify(value).`;
}

const isResult = (value: unknown) => isObject(value) && "output" in value;

/** The second over the first; the caller's own object where there is nothing to merge. */
function merged(first: Fields | undefined, second: Fields | undefined) {
  if (first === undefined) return second;
  return second === undefined ? first : { ...first, ...second };
}

/** The arguments as JSON text, for the pending state. */
function rawOf(input: unknown) {
  if (input === undefined) return "";
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return String(input);
  }
}
