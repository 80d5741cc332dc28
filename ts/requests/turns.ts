// The turns of a history as one provider gets them: steps of the model, whose state it is, and thinking
// that is older than a change before it.
import type { FilePart, Part, ToolPart } from "apex-parts:glue";
import { CLEARED_TOOL_RESULT } from "../compaction/cleared.ts";
import { COMPACTION, INTERRUPTED, SUBTASK } from "../placeholders.ts";
import { type Fields, isObject } from "../tools/boundary.ts";
import { isApprovalRequest } from "./approval.ts";
import type { AskedRequest } from "./asked.ts";
import type { CallEntry, CallResult, Place, Step, Turn, UserTurn } from "./entries.ts";
import { stringOrEmpty } from "./fields.ts";
import { checksPrefix } from "./models.ts";
import { isPart, type PlacedMessage, warn, warnUnanswered } from "./placed.ts";
import {
  type Answerer,
  answererOf,
  hasState,
  isProviders,
  reasoningDetails,
  stateFor,
} from "./state.ts";
import { isBlank, isCleared, isUnsent } from "./unsent.ts";

/** What is known of reasoning when it is decided whether it goes back. */
export interface Reasoned {
  text: string;
  /** The state for the format that is asked, if it is that provider's. */
  state: Fields | undefined;
  /** OpenRouter's `reasoning_details`, under the same condition. */
  details: unknown[] | undefined;
  /** Whether it has state of any provider. */
  hasState: boolean;
  answerer: Answerer;
}

/** What a format says of state. */
export interface StateRules {
  /** Whether this reasoning can go back. */
  reads(reasoned: Reasoned, asked: AskedRequest): boolean;
  /** Whether a call that a provider ran can go back, and its result with it. */
  readsCall(state: Fields, isLast: boolean): boolean;
  /** Whether a file of the model goes back to its provider. */
  takesFiles?: boolean;
  /** The state of a text, a file or a call of another model of this provider. */
  ofOtherModel?(state: Fields): Fields;
}

const OTHER_SIGNATURE = "the signature of another model is left out";

const createdAt = ({ time }: Fields): number =>
  isObject(time) && typeof time.created === "number" ? time.created : 0;

/** The time of the newest change before each message; thinking that is older is refused. */
function changes(messages: PlacedMessage[]): number[] {
  let newest = -Infinity;
  return messages.map(({ info, parts }) => {
    const before = newest;
    for (const part of parts) {
      if (part?.type !== "tool" || !isCleared(part.state)) continue;
      // A cast: it is cleared, so that it has the time.
      const { compacted } = (part.state as { time: { compacted: number } }).time;
      newest = Math.max(newest, compacted);
    }
    if (info.summary === true) newest = Math.max(newest, createdAt(info));
    return before;
  });
}

function filesOf(attachments: unknown): FilePart[] {
  const files = Array.isArray(attachments) ? attachments : [];
  return files.filter((file): file is FilePart => isPart(file) && file.type === "file");
}

/** The result of a call; undefined if it has none. */
function resultOf(part: ToolPart): CallResult | undefined {
  // A cast: the state is looked at field by field.
  const state = part.state as unknown as Fields;
  const metadata = isObject(state.metadata) ? state.metadata : {};
  if (state.status === "completed") {
    if (isCleared(state)) return { text: CLEARED_TOOL_RESULT, isError: false, files: [], metadata };
    const files = filesOf(state.attachments);
    return { text: stringOrEmpty(state.output), isError: false, files, metadata };
  }
  if (state.status === "error")
    return { text: stringOrEmpty(state.error), isError: true, files: [], metadata };
  return undefined;
}

/** Makes the turns of one request. */
class TurnMaker {
  readonly #asked: AskedRequest;
  readonly #rules: StateRules;
  readonly #turns: Turn[] = [];

  constructor(asked: AskedRequest, rules: StateRules) {
    this.#asked = asked;
    this.#rules = rules;
  }

  turns(messages: PlacedMessage[]): Turn[] {
    const isChecked = this.#asked.format === "anthropic" && checksPrefix(this.#asked.model);
    const changed = isChecked ? changes(messages) : [];
    for (const [at, placed] of messages.entries()) {
      if (placed.info.role === "user") this.#user(placed);
      else
        this.#assistant(placed, {
          isLast: at === messages.length - 1,
          isStale: createdAt(placed.info) < (changed[at] ?? -Infinity),
        });
    }
    return this.#turns;
  }

  #warn(rule: string, message: string, { index, at }: Place) {
    warn(this.#asked.report, rule, message, index, at);
  }

  #user({ parts, index }: PlacedMessage) {
    const entries: UserTurn["entries"] = [];
    for (const [at, part] of parts.entries()) {
      if (!isPart(part)) continue;
      const text = (said: string) =>
        entries.push({ kind: "text", text: said, state: undefined, index, at });
      if (part.type === "text") {
        if (part.ignored !== true && !isBlank(part.text)) text(part.text);
      } else if (part.type === "file") entries.push({ kind: "file", file: part, index, at });
      else if (part.type === "compaction") text(COMPACTION);
      else if (part.type === "subtask") text(SUBTASK);
      else {
        const state = isUnsent(part.type) ? undefined : stateFor(this.#asked.format, part);
        if (state) entries.push({ kind: "custom", state, index, at });
      }
    }
    if (entries.length > 0) this.#turns.push({ role: "user", entries, index });
  }

  #assistant(
    { info, parts, message, index }: PlacedMessage,
    { isLast, isStale }: { isLast: boolean; isStale: boolean },
  ) {
    const hasFailed = info.error !== undefined && info.error !== null;
    const isAnswered = parts.some(
      (part) => isPart(part) && (part.type === "text" || part.type === "tool"),
    );
    if (hasFailed && !isAnswered) return;
    const { provider, model } = this.#asked;
    const answerer = answererOf(info, provider, model);
    let step: Step | undefined;
    for (const [at, part] of parts.entries()) {
      const place = { index, at };
      if (!isPart(part)) {
        // What was left out keeps its place among the blocks.
        const given: unknown = message.parts[at];
        if (step && isPart(given) && !isUnsent(given.type))
          step.entries.push({ kind: "lost", ...place });
        continue;
      }
      if (part.type === "step-start") step = undefined;
      else if (!isUnsent(part.type)) {
        if (step === undefined) {
          step = { role: "assistant", entries: [], isLast: false, index };
          this.#turns.push(step);
        }
        step.entries.push(this.#entry(part, { place, answerer, isLast, isStale }));
      }
    }
    if (step && isLast) step.isLast = true;
  }

  #entry(
    part: Part,
    said: { place: Place; answerer: Answerer; isLast: boolean; isStale: boolean },
  ): Step["entries"][number] {
    const { place, answerer } = said;
    const { format } = this.#asked;
    const lost = { kind: "lost" as const, ...place };
    const own = answerer.isOwn ? stateFor(format, part) : undefined;
    const state = own && answerer.isOtherModel ? (this.#rules.ofOtherModel?.(own) ?? own) : own;
    switch (part.type) {
      case "text": {
        if (isIgnored(part)) return lost;
        if (state !== own) this.#warn("RQ-2", OTHER_SIGNATURE, place);
        return { kind: "text", text: part.text, state, ...place };
      }
      case "reasoning":
        return this.#reasoning(part.text, part, own, said);
      case "tool":
        return this.#call(part, state, said);
      case "file":
        if (answerer.isOwn && this.#rules.takesFiles === true) {
          if (state !== own) this.#warn("RQ-2", OTHER_SIGNATURE, place);
          return { kind: "file", file: part, state: state ?? {}, ...place };
        }
        this.#warn("RQ-6", "a file of the model is left out", place);
        return lost;
      default:
        if (state !== undefined) return { kind: "custom", state, ...place };
        if (hasState(part) || /^(?:anthropic|openai|google)-/.test(part.type))
          this.#warn("RQ-3", `${part.type.slice(0, 60)} of another provider is left out`, place);
        return lost;
    }
  }

  #reasoning(
    text: string,
    part: Part,
    state: Fields | undefined,
    { place, answerer, isStale }: { place: Place; answerer: Answerer; isStale: boolean },
  ): Step["entries"][number] {
    const lost = { kind: "lost" as const, ...place };
    if (isStale) {
      this.#warn("RQ-2", "reasoning is left out: what stands before it has changed", place);
      return lost;
    }
    const details = answerer.isOwn ? reasoningDetails(part) : undefined;
    const reasoned = { text, state, details, hasState: hasState(part), answerer };
    if (this.#rules.reads(reasoned, this.#asked))
      return { kind: "reasoning", text, state, details, ...place };
    const isText = this.#asked.foreignReasoning === "text" && !isBlank(text);
    const what = isText ? "sent as text" : "left out";
    this.#warn("RQ-2", `reasoning that this provider cannot read is ${what}`, place);
    return isText ? { kind: "text", text, state: undefined, ...place } : lost;
  }

  #call(
    part: ToolPart,
    state: Fields | undefined,
    { place, isLast }: { place: Place; isLast: boolean },
  ): Step["entries"][number] {
    const { format } = this.#asked;
    const ran = isProviders(part);
    if (ran && (state === undefined || !this.#rules.readsCall(state, isLast))) {
      this.#warn("RQ-3", "a call that another provider ran is left out, with its result", place);
      return { kind: "lost", ...place };
    }
    // A cast: the state is looked at field by field.
    const { input, metadata } = {
      metadata: part.metadata,
      input: (part.state as { input?: unknown }).input,
    };
    const entry: CallEntry = {
      ...{ kind: "call", id: part.callID, name: part.tool, input, state, metadata },
      ...{ isProviders: ran, isLast, result: resultOf(part), ...place },
    };
    if (entry.result !== undefined || ran || !this.#asked.repair) return entry;
    // An answer that is still to come is no result.
    if (format === "openai-responses" && isApprovalRequest(state)) return entry;
    warnUnanswered(this.#asked.report, place.index, place.at);
    entry.result = { text: INTERRUPTED, isError: true, files: [], metadata: {} };
    return entry;
  }
}

const isIgnored = (part: Part) => part.type === "text" && part.ignored === true;

/** The turns of a history, for one provider. */
export const turnsOf = (
  messages: PlacedMessage[],
  asked: AskedRequest,
  rules: StateRules,
): Turn[] => new TurnMaker(asked, rules).turns(messages);

/** Puts what came at a place among the blocks of a step there: the blocks in their order, with the results. */
export function inPlaces<Block>(
  blocks: { block: Block | undefined; index: unknown }[],
  results: { block: Block; index: unknown; after: number }[],
): Block[] {
  const isPlace = (index: unknown): index is number => Number.isInteger(index);
  const taken = new Set(results.flatMap(({ index }) => (isPlace(index) ? index : [])));
  let next = 0;
  const places = blocks.map(({ index }) => {
    let place = isPlace(index) ? Math.max(index, next) : next;
    if (!isPlace(index)) while (taken.has(place)) place += 1;
    next = place + 1;
    return place;
  });
  const all = blocks.map(({ block }, at) => ({ block, place: places[at] ?? at }));
  for (const { block, index, after } of results) {
    // Never before its call.
    const call = places[after] ?? 0;
    all.push({ block, place: isPlace(index) ? Math.max(index, call + 0.5) : call + 0.5 });
  }
  all.sort((one, other) => one.place - other.place);
  return all.flatMap(({ block }) => (block === undefined ? [] : [block]));
}
