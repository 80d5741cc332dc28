// Builds messages with parts, whatever they are read from: ids, steps, calls with their results, and problems.
import type {
  AssistantMessage,
  FilePart,
  Part,
  Problem,
  ToolPart,
  UserMessage,
  WithParts,
} from "apex-parts:glue";
import { pointerStep, problem } from "../../problem.ts";
import { type Fields, kindOf } from "../../tools/boundary.ts";
import { approvalOf, refusal } from "../approval.ts";
import { MAX_ELEMENTS } from "../fields.ts";
import type { RequestTool } from "../types.ts";
import type { FromMessagesOptions } from "./types.ts";

/** The most problems that are listed. */
const MAX_PROBLEMS = 10_000;

/** A part without the ids that it gets in its message. */
type WithoutIDs<P> = P extends Part ? Omit<P, "id" | "sessionID" | "messageID"> : never;
/** A file without its ids. */
export type NewFile = WithoutIDs<FilePart>;
/** A part without its ids; what has no type in the model is a custom part. */
export type NewPart = WithoutIDs<Part> | { type: `${string}-${string}`; metadata: Fields };

/** A call that is read: it gets an id that no other call has. */
export interface NewCall {
  type: "call";
  /** Its id, or "" if it has none. */
  id: string;
  /** Whether results name it by its tool, if they have no id. */
  isNamed?: boolean;
  tool: string;
  input: Fields;
  metadata: Fields;
  /** Where the id stands. */
  path: string;
  /** What came of it; a call without an outcome is running until its result comes. */
  outcome?: CallOutcome;
  /** Its arguments as far as they came: the call is pending. */
  raw?: string;
  title?: string;
}

/** What came of a call. */
export interface CallOutcome {
  /** What it returned, or why it failed. */
  text: string;
  isError?: boolean;
  files?: NewFile[];
  /** Fields of `state.metadata`. */
  details?: Fields;
  /** Fields of the part's `metadata`. */
  metadata?: Fields;
}

/** A call in a message, and whether its result came. */
interface OpenCall {
  part: ToolPart;
  isAnswered: boolean;
}

/** The calls with one name in one message; those before `next` are answered. */
interface CallGroup {
  message: WithParts;
  calls: OpenCall[];
  next: number;
}

const noTokens = () => ({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } });

/** Merges the fields of objects that both have; other fields of `more` replace those of `fields`. */
function merged(fields: Fields, more: Fields): Fields {
  const result = { ...fields };
  for (const [name, value] of Object.entries(more)) {
    const own = result[name];
    const isMerged = typeof own === "object" && own !== null && typeof value === "object";
    result[name] = isMerged ? { ...own, ...value } : value;
  }
  return result;
}

/** Builds the messages of one history. */
export class MessageBuilder {
  readonly messages: WithParts[] = [];
  readonly system: string[] = [];
  readonly tools: RequestTool[] = [];
  readonly #format: string;
  readonly #sessionID: string;
  readonly #now: number;
  readonly #model: { providerID: string; modelID: string };
  readonly #problems: Problem[] = [];
  /** Problems that are not listed, because there are too many. */
  #unlisted = 0;
  readonly #messageIDs = new Set<string>();
  readonly #callIDs = new Set<string>();
  /** The next number behind an id that is taken. */
  readonly #suffixes = new Map<string, number>();
  /** The calls by what their results name, those of the newest message last. */
  readonly #calls = new Map<string, CallGroup[]>();
  #parentID = "";

  constructor(format: string, { sessionID, now, model }: Required<FromMessagesOptions>) {
    this.#format = format;
    this.#sessionID = sessionID;
    this.#now = now;
    this.#model = model;
  }

  /** The problems; the last one counts those that are not listed. */
  get problems(): Problem[] {
    if (this.#unlisted === 0) return this.#problems;
    const more = `${this.#unlisted} more problems are not listed`;
    return [...this.#problems, problem("warning", "limit", more)];
  }

  #note(one: Problem) {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(one);
    else this.#unlisted++;
  }

  /** Says that something is left out because it is not what it has to be. */
  error(path: string, message: string): void {
    this.#note(problem("error", "schema", message, path));
  }

  /** Says that a rule of histories is broken, and what becomes of it. */
  warn(rule: string, path: string, message: string): void {
    this.#note(problem("warning", rule, message, path));
  }

  /** Names the fields that are kept nowhere. */
  leaveOut(fields: Fields, path: string): void {
    for (const name of Object.keys(fields))
      this.warn(
        "schema",
        path + pointerStep(name),
        "the model has no place for it: it is left out",
      );
  }

  /** Shows each element of an array; one that throws when it is read is left out. */
  each(
    list: unknown,
    path: string,
    read: (value: unknown, path: string, index: number) => void,
  ): void {
    if (!Array.isArray(list)) {
      this.error(path, `expected an array, got ${kindOf(list)}; it is left out`);
      return;
    }
    const { length } = list;
    if (!(length <= MAX_ELEMENTS)) {
      this.error(path, `the array has more than ${MAX_ELEMENTS} elements; it is left out`);
      return;
    }
    for (let index = 0; index < length; index++) {
      const at = path + pointerStep(index);
      this.attempt(at, () => read(list[index], at, index));
    }
  }

  /** Reads something that may throw; then it is left out. */
  attempt(path: string, read: () => void): void {
    try {
      read();
    } catch {
      this.error(path, "it throws when it is read; it is left out");
    }
  }

  /** A message of the user. */
  user(parts: (NewPart | NewCall)[], id?: string): void {
    const own = this.#messageID(id);
    const info: UserMessage = {
      ...{ id: own, sessionID: this.#sessionID, role: "user", time: { created: this.#now } },
      ...{ agent: this.#format, model: { ...this.#model } },
    };
    const message: WithParts = { info, parts: [] };
    this.messages.push(message);
    this.#parentID = own;
    this.add(message, parts);
  }

  /** A whole answer of the model; `state` is that of the message, not of one of its parts. */
  answer(parts: (NewPart | NewCall)[], id?: string, state?: Fields): void {
    const message = this.begin(id);
    this.add(message, parts);
    this.end(message, state);
  }

  /** Begins an answer of the model, which is a step. */
  begin(id?: string): WithParts {
    const own = this.#messageID(id);
    const { providerID, modelID } = this.#model;
    const info: AssistantMessage = {
      ...{ id: own, sessionID: this.#sessionID, role: "assistant", parentID: this.#parentID },
      ...{ providerID, modelID, agent: this.#format, path: { cwd: "", root: "" }, cost: 0 },
      tokens: noTokens(),
      time: { created: this.#now, completed: this.#now },
    };
    const message: WithParts = { info, parts: [] };
    this.messages.push(message);
    this.add(message, [{ type: "step-start" }]);
    return message;
  }

  /** Ends an answer. */
  end(message: WithParts, state?: Fields): void {
    const reason = message.parts.some(({ type }) => type === "tool") ? "tool-calls" : "stop";
    const finish: NewPart = { type: "step-finish", reason, cost: 0, tokens: noTokens() };
    this.add(message, [state === undefined ? finish : { ...finish, ...{ metadata: state } }]);
    // A cast: an answer is an assistant's.
    (message.info as AssistantMessage).finish = reason;
  }

  /** Adds parts to a message. */
  add(message: WithParts, parts: (NewPart | NewCall)[]): void {
    for (const part of parts) {
      if (part.type === "call") this.#call(message, part as NewCall);
      // A cast: a message has custom parts too, which its type does not name.
      else message.parts.push(this.#withID(message, part as NewPart) as Part);
    }
  }

  /** The time of texts and reasoning. */
  get time(): { start: number; end: number } {
    return { start: this.#now, end: this.#now };
  }

  /**
   * Completes a call. Of calls with one id the newest message's is meant; within a message they are answered in their
   * order. `of` is what the result names: an id or, if `isNamed`, a tool.
   */
  result(of: string, outcome: CallOutcome, path: string, isNamed = false): void {
    const groups = this.#calls.get(keyOf(of, isNamed));
    if (groups === undefined) {
      const call = JSON.stringify(of.slice(0, 60));
      const message = `a result of ${isNamed ? "a call of" : "the call"} ${call}, which does not come before it: it is left out`;
      this.warn("RP-2", path, message);
      return;
    }
    for (let group = groups.at(-1); group !== undefined; group = groups.at(-1)) {
      while (group.calls[group.next]?.isAnswered === true) group.next++;
      const call = group.calls[group.next];
      if (call !== undefined) {
        this.#answer(call, outcome, group.message, path);
        return;
      }
      groups.pop();
    }
    this.warn("RP-2", path, "a second result of this call: the first counts, it is left out");
  }

  /** Ends the calls that a person refused and that got no result: with the reason. */
  endRefused(): void {
    for (const message of this.messages)
      for (const part of message.parts) {
        if (part.type !== "tool" || part.state.status !== "running") continue;
        const approval = approvalOf(part.metadata);
        if (approval?.approved !== false) continue;
        this.#answer({ part, isAnswered: false }, refusal(approval), message, "");
      }
  }

  #answer(call: OpenCall, outcome: CallOutcome, message: WithParts, path: string) {
    const { part } = call;
    const { input } = part.state;
    const { text, isError, files = [], details = {}, metadata } = outcome;
    call.isAnswered = true;
    if (metadata !== undefined) part.metadata = merged(part.metadata ?? {}, metadata);
    const time = { start: this.#now, end: this.#now };
    if (isError) {
      const error = text.trim() === "" ? "error" : text;
      const more = Object.keys(details).length > 0 ? { metadata: details } : {};
      part.state = { status: "error", input, error, ...more, time };
      if (files.length > 0)
        this.warn("schema", path, "an error has no place for files: they are left out");
      return;
    }
    const title = (part.state as { title?: string }).title ?? ""; // A cast: a running call may have one.
    part.state = { status: "completed", input, output: text, title, metadata: details, time };
    if (files.length > 0)
      part.state.attachments = files.map((file, at) => ({
        ...{ id: `${part.id}:${at}`, sessionID: this.#sessionID, messageID: message.info.id },
        ...file,
      }));
  }

  #call(message: WithParts, given: NewCall) {
    const { id, tool, input, metadata, title, raw } = given;
    const callID = this.#callID(id, `${message.info.id}:${message.parts.length}`, given);
    const time = { start: this.#now };
    const state: ToolPart["state"] =
      raw === undefined
        ? { status: "running", input, ...(title !== undefined && { title }), time }
        : { status: "pending", input, raw };
    const made: NewPart = { type: "tool", callID, tool, state };
    if (Object.keys(metadata).length > 0) made.metadata = metadata;
    // A cast: it is a tool part.
    const part = this.#withID(message, made) as ToolPart;
    message.parts.push(part);
    const call = { part, isAnswered: false };
    this.#register(keyOf(id === "" ? callID : id, false), message, call);
    if (given.isNamed) this.#register(keyOf(tool, true), message, call);
    if (given.outcome) this.#answer(call, given.outcome, message, given.path);
  }

  #register(key: string, message: WithParts, call: OpenCall) {
    const groups = this.#calls.get(key);
    const last = groups?.at(-1);
    if (last?.message === message) last.calls.push(call);
    else {
      const group = { message, calls: [call], next: 0 };
      if (groups) groups.push(group);
      else this.#calls.set(key, [group]);
    }
  }

  #messageID(id: string | undefined): string {
    const wanted = id ?? `${this.#sessionID}:${this.messages.length}`;
    return this.#unused(wanted, this.#messageIDs);
  }

  #callID(id: string, own: string, { path, isNamed }: NewCall): string {
    if (id === "" && !isNamed)
      this.warn("RP-3", path, `the call has no id: it gets ${JSON.stringify(own)}`);
    const callID = this.#unused(id === "" ? own : id, this.#callIDs);
    if (id !== "" && callID !== id) {
      const shown = JSON.stringify(callID.slice(0, 80));
      this.warn("RP-3", path, `another call before it has this id: it becomes ${shown}`);
    }
    return callID;
  }

  /** The id, with a number behind it if it is taken. */
  #unused(id: string, ids: Set<string>): string {
    let own = id;
    for (let count = this.#suffixes.get(id) ?? 2; ids.has(own); count++) {
      own = `${id}_${count}`;
      this.#suffixes.set(id, count + 1);
    }
    ids.add(own);
    return own;
  }

  #withID(message: WithParts, part: NewPart) {
    const { id, sessionID } = message.info;
    return { id: `${id}:${message.parts.length}`, sessionID, messageID: id, ...part };
  }
}

/** What the result of a call names: tools and ids are apart. */
const keyOf = (name: string, isNamed: boolean) => (isNamed ? "tool " : "id ") + name;
