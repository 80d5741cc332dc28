// One call of a tool: drives its part from pending to completed or error, one event a state, and never
// rejects. Long because every step may be the last one: an abort, a time-out or a failure at any of them must
// find the same state.
import { log } from "apex-parts:bridge";
import {
  createFilePart,
  createToolPart,
  createToolStatePending,
  runningToCompleted,
  runningToError,
  ToolStateTransition,
} from "apex-parts:glue";
import { isObject } from "./boundary.ts";
import { deferred } from "./deferred.ts";
import { isPermissionError, messageOf, told } from "./errors.ts";
import { States } from "./states.ts";
import { Timer } from "./timer.ts";
import { ArgumentsError, checkArguments, readArguments } from "./arguments.mjs";
import { decide, unwatched } from "./gate.mjs";
import { LoopWatch } from "./loop-watch.mjs";
import { truncated } from "./output.mjs";
import { evaluate } from "./rules.mjs";
import { checkDefinition } from "./tool.mjs";

/** How long a tool that was aborted may take to end by itself, in milliseconds. */
const GRACE = 3000;

const isIterable = (value) => isObject(value) && typeof value[Symbol.asyncIterator] === "function";

/** Ends a call in an error state of this kind. */
class CallError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

export class Run {
  #host;
  #call;
  #found;
  #name;
  #states;
  #base;
  #ended = deferred();
  /** Resolves on abort and on time-out. */
  #interrupted = deferred();
  #abort = new AbortController();
  #reason;
  #isTimedOut = false;
  /** The number of requests that wait for a reply. */
  #asking = 0;
  /** The tool itself is at work, not its queue. */
  #isWorking = false;
  #watch;
  #timer;
  #timeout = 0;
  /** How the tool wants its texts cut. */
  #truncate;
  #health = "none";

  /** `found` is the tool that the call names: its id, and `info` if it may run. */
  constructor(host, call, options, found) {
    this.#host = host;
    this.#call = call;
    this.#found = found;
    this.#name = found?.id ?? call.tool;
    this.#watch = new LoopWatch({ ...options }, call.callID);
    this.#states = new States(options?.onState);
  }

  /** Starts the call; gives what the caller gets. */
  start() {
    this.#begin();
    const states = this.#states;
    const ended = this.#ended.promise;
    this.#drive();
    return {
      get part() {
        return states.last;
      },
      abort: (reason) => this.#stop(reason),
      // biome-ignore lint/suspicious/noThenProperty: a run is awaited
      then: (done, failed) => ended.then(done, failed),
      [Symbol.asyncIterator]: () => states[Symbol.asyncIterator](),
    };
  }

  get #state() {
    return this.#states.last.state;
  }

  get #hasEnded() {
    const { status } = this.#state;
    return status === "completed" || status === "error";
  }

  #show(state) {
    const isLast = state.status === "completed" || state.status === "error";
    const part = { ...this.#base, state };
    if (isLast) this.#host.report(this.#name, this.#health, state.error);
    this.#states.add(part, isLast);
    if (isLast) {
      this.#timer?.stop();
      this.#ended.resolve(part);
    }
  }

  #begin() {
    const { sessionID, messageID, callID, input, raw, part } = this.#call;
    const text = typeof raw === "string" ? raw : typeof input === "string" ? input : rawOf(input);
    const given = part?.state;
    const state =
      given?.status === "pending" ? given : createToolStatePending({ input: {}, raw: text });
    this.#base = part ?? createToolPart({ sessionID, messageID, callID, tool: this.#name, state });
    this.#show(state);
  }

  async #drive() {
    const { abort } = this.#call;
    const onAbort = () => this.#stop(abort.reason);
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
    let given;
    let unreadable;
    try {
      given = readArguments(name, this.#call);
    } catch (error) {
      unreadable = error;
    }
    const pending = { ...this.#state, input: given ?? {} };
    this.#show(ToolStateTransition.pendingToRunning(pending));
    this.#checkLoop(given ?? {});
    if (!this.#found?.info) throw new CallError("unknown", this.#host.unknown(this.#call.tool));
    if (unreadable) throw unreadable;
    const context = this.#host.initContext(this.#call);
    let definition;
    try {
      definition = checkDefinition(name, await this.#found.info.init(context));
    } catch (error) {
      this.#health = "fault";
      throw new CallError("fault", messageOf(error) || `The ${name} tool could not be prepared.`);
    }
    this.#truncate = definition.truncate;
    const checking = checkArguments(name, definition, given);
    const { value, repairs } = typeof checking.then === "function" ? await checking : checking;
    if (this.#hasEnded) return;
    if (repairs.length > 0) this.#update({ metadata: { repaired: repairs } });
    await this.#runIn(definition, value);
  }

  /** Takes the lock and a place, runs the tool, and leaves both. */
  async #runIn(definition, value) {
    const { promise } = this.#interrupted;
    const key = definition.lock?.(value);
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

  async #execute(definition, value) {
    this.#isWorking = true;
    this.#timeout = definition.timeoutMs;
    this.#timer = new Timer(definition.timeoutMs, () => this.#expire());
    const work = this.#work(definition, value).then(
      (result) => ({ result }),
      (error) => ({ error }),
    );
    let outcome = await Promise.race([work, this.#interrupted.promise]);
    if (outcome === undefined && !this.#hasEnded) {
      let grace;
      const given = new Promise((resolve) => {
        grace = setTimeout(resolve, GRACE);
      });
      outcome = await Promise.race([work, given]);
      clearTimeout(grace);
    }
    if (outcome === undefined || this.#hasEnded) {
      this.#finishInterrupted();
      work.then(({ result }) => {
        if (result === undefined) return;
        log(
          "warn",
          `the ${this.#name} tool ended after its call had ended; what it gave is dropped`,
          result,
        );
      });
    } else if ("error" in outcome) {
      await this.#fail(outcome.error, true);
    } else {
      await this.#complete(definition, outcome.result);
    }
  }

  /** What the tool gives; of an iterable, the last result. */
  async #work(definition, value) {
    const given = await definition.execute(value, this.#context());
    if (!isIterable(given)) return given;
    const iterator = given[Symbol.asyncIterator]();
    this.#interrupted.promise.then(() => {
      Promise.resolve(iterator.return?.()).catch(() => {});
    });
    let result;
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

  #context() {
    const { sessionID, messageID, callID, agent, extra, messages } = this.#call;
    const context = {
      sessionID,
      messageID,
      callID,
      agent: agent ?? "",
      abort: this.#abort.signal,
      metadata: (update) => this.#update(update),
      ask: (request) => this.#ask(request),
      messages: () => messages ?? [],
      rules: () => this.#rules.flat(),
      evaluate: (permission, pattern) => evaluate(permission, pattern, ...this.#rules),
      // For tools that cut their own output.
      store: this.#host.store,
    };
    if (extra !== undefined) context.extra = extra;
    return context;
  }

  /** A new running state with a title, and metadata merged. */
  #update(update) {
    if (this.#hasEnded) {
      log("warn", `the ${this.#name} tool gave metadata after its call had ended`, update);
      return;
    }
    if (!isObject(update)) return;
    const { title, metadata } = update;
    const state = { ...this.#state };
    if (typeof title === "string") state.title = title;
    if (isObject(metadata)) state.metadata = { ...state.metadata, ...metadata };
    this.#show(state);
  }

  /** A new running state without a field of the metadata. */
  #forget(name) {
    if (this.#hasEnded) return;
    const { metadata, ...state } = this.#state;
    const { [name]: _, ...others } = metadata ?? {};
    if (Object.keys(others).length > 0) state.metadata = others;
    this.#show(state);
  }

  async #ask(request) {
    const { sessionID, messageID, callID, agent } = this.#call;
    if (this.#hasEnded || this.#reason !== undefined) throw new CallError("aborted", "Aborted");
    const input = { ...request, sessionID, tool: { messageID, callID } };
    if (agent !== undefined) input.agent = agent;
    input.rules = this.#rules;
    const { gate } = this.#host;
    if (!gate) {
      const patterns = Array.isArray(request?.patterns) ? request.patterns : [];
      const { permission, whole } = { ...request };
      const decided = decide(permission, patterns, input.rules, [], whole);
      if (decided.error) throw decided.error;
      if (decided.asked.length > 0) throw unwatched(input);
      return;
    }
    const asked = gate.request(input);
    if (!asked.request) return asked.allowed;
    const { id, permission, patterns } = asked.request;
    this.#timer.pause();
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
      if (!this.#hasEnded) this.#timer.resume();
    }
  }

  // ── Interruptions ─────────────────────────────────────────────────────────────────────────────

  #stop(reason) {
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
    this.#abort.abort(new Error("the tool took too long"));
    this.#interrupted.resolve();
  }

  /** `error` is what the tool threw because of it, `said` its message. */
  #finishInterrupted(error, said = "") {
    if (this.#hasEnded) return;
    // Nobody waits for the request any more.
    if (this.#asking > 0) this.#forget("permission");
    if (this.#isTimedOut && this.#reason === undefined) {
      const { start } = this.#state.time;
      const now = Math.max(Date.now(), start + this.#timeout + 1);
      this.#show(
        this.#told(ToolStateTransition.expire(this.#state, now, this.#timeout), "timeout"),
      );
      return;
    }
    const own = told(error)?.metadata.aborted === true ? said : "";
    const message = own.trim() === "" ? `Aborted: ${this.#reason}` : own;
    const ended = ToolStateTransition.abort(this.#state, message, Date.now());
    this.#show(this.#told(ended, "aborted"));
  }

  // ── Ends ──────────────────────────────────────────────────────────────────────────────────────

  /** An error state whose metadata says of which kind it is. */
  #told(state, kind) {
    return { ...state, metadata: { ...state.metadata, kind } };
  }

  /** Cuts a text as the tool wants it, and puts the whole of it into the store; undefined if it is not too long. */
  #cut(text, options) {
    const { sessionID, callID } = this.#call;
    return truncated(text, options, this.#host.store, { sessionID, callID, tool: this.#name });
  }

  /** What an error says, and the metadata of its cut: a model reads it as it reads an output. */
  async #said(error) {
    const said = messageOf(error);
    const { metadata, kind } = told(error) ?? {};
    // A tool that cuts its texts itself says of its errors of which kind they are.
    const isCut = this.#truncate === false && kind !== undefined;
    if (isCut || metadata?.truncated !== undefined) return { said };
    const cut = await this.#cut(said, this.#truncate || undefined);
    return cut ? { said: cut.output, metadata: cut.metadata } : { said };
  }

  /** Ends in an error state. `isFault`: the tool threw it. */
  async #fail(error, isFault = false) {
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
    const { status } = this.#state;
    const running =
      status === "pending" ? ToolStateTransition.pendingToRunning(this.#state) : this.#state;
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

  async #complete(definition, given) {
    const name = this.#name;
    const running = this.#state;
    const result = typeof given === "string" ? { output: given } : given;
    if (!isObject(result) || typeof result.output !== "string") {
      return this.#fail(new CallError("fault", `The ${name} tool returned no output.`), true);
    }
    let { output } = result;
    const title = typeof result.title === "string" ? result.title : (running.title ?? name);
    let metadata = merged(
      running.metadata,
      isObject(result.metadata) ? result.metadata : undefined,
    );
    if (definition.truncate !== false && metadata?.truncated === undefined) {
      const cut = await this.#cut(output, definition.truncate);
      if (cut) {
        ({ output } = cut);
        metadata = { ...metadata, ...cut.metadata };
      }
      if (this.#hasEnded) return;
    }
    const state = { ...running, metadata: metadata ?? {} };
    const attachments = this.#attachments(result.attachments);
    this.#health = "completed";
    this.#show(
      runningToCompleted(state, output === "" ? "(no output)" : output, title, attachments),
    );
    this.#watch.after(this.#state, output, false);
  }

  #attachments(list) {
    if (!Array.isArray(list)) return undefined;
    const { sessionID, messageID } = this.#call;
    return list.map((file) =>
      typeof file?.id === "string" ? file : createFilePart({ ...file, sessionID, messageID }),
    );
  }

  // ── The detector of loops ─────────────────────────────────────────────────────────────────────

  #checkLoop(input) {
    const verdict = this.#watch.before(this.#name, input, this.#state.raw);
    if (verdict === undefined) return;
    const message = verdict.message ?? verdict.pattern;
    if (verdict.suggestedAction === "interrupt") {
      throw new CallError("loop", message ?? `The ${this.#name} tool is called in a loop.`);
    }
    this.#update({ metadata: { loop: verdict } });
  }
}

const isResult = (value) => isObject(value) && "output" in value;

function isExpected(error) {
  try {
    return error?.expected === true;
  } catch {
    return false;
  }
}

/** The second over the first; the caller's own object where there is nothing to merge. */
function merged(first, second) {
  if (first === undefined) return second;
  return second === undefined ? first : { ...first, ...second };
}

/** The arguments as JSON text, for the pending state. */
function rawOf(input) {
  if (input === undefined) return "";
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return String(input);
  }
}
