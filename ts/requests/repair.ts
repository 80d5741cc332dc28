// Repairs a history, so that a provider takes it: RP-1 … RP-10. What a request has to look like beyond that (roles in
// turn, results behind their calls) is the concern of each format.
import type { FilePart, Part, ToolPart, WithParts } from "apex-parts:glue";
import { INTERRUPTED } from "../placeholders.ts";
import { type Fields, guarded, invalid, isObject, kindOf } from "../tools/boundary.ts";
import { approvalOf, isApprovalRequest, refusal } from "./approval.ts";
import { plainCopy, shaped } from "./history.ts";
import { callID, freeID, type IDRules } from "./ids.ts";
import { isMistral } from "./models.ts";
import { isPart, type PlacedMessage, type Report, warn, warnUnanswered } from "./placed.ts";
import { FORMATS, hasState, isProviders, stateFor } from "./state.ts";
import type { RepairedMessages, RepairOptions, RequestFormat } from "./types.ts";
import { isBlank, isCleared, isUnsent } from "./unsent.ts";
import { jsonValue, wellFormed } from "./well-formed.ts";

/** What the user says before a history that begins with the model. */
export const CONTINUED = "(continued)";
/** What a model sees of an empty output. */
const NO_OUTPUT = "(no output)";

/** What is repaired for whom. */
export interface RepairRules {
  format?: RequestFormat;
  ids?: IDRules;
}

export const rulesFor = (format: RequestFormat, provider: string, model: string): RepairRules => ({
  format,
  ids: format === "openai-chat" && isMistral(provider, model) ? "mistral" : format,
});

/** Repairs the messages of one history. */
class Repairer {
  readonly #rules: RepairRules;
  readonly #report: Report;
  readonly #taken = new Map<string, number>();

  constructor(rules: RepairRules, report: Report) {
    this.#rules = rules;
    this.#report = report;
  }

  repaired(messages: PlacedMessage[]): PlacedMessage[] {
    const kept: PlacedMessage[] = [];
    const last = messages.length - 1;
    for (const [at, placed] of messages.entries()) {
      const parts = this.#parts(placed, at === last && !hasCalls(placed.parts));
      if (this.#isEmpty(placed, parts))
        warn(this.#report, "RP-4", "it says nothing: the message is left out", placed.index);
      else kept.push(parts === placed.parts ? placed : { ...placed, parts });
    }
    this.#trimLast(kept);
    return kept;
  }

  /** The parts as they are sent: the same array if nothing was repaired. */
  #parts(placed: PlacedMessage, isLast: boolean): (Part | undefined)[] {
    const { parts, index } = placed;
    const isUser = placed.info.role === "user";
    let made: (Part | undefined)[] | undefined;
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at];
      const repaired = this.#part(part, { isUser, isLast, index, at });
      if (repaired === part) continue;
      made ??= [...parts];
      made[at] = repaired;
    }
    return isUser ? (made ?? parts) : this.#withoutTrailing(made ?? parts, index);
  }

  #part(
    part: unknown,
    place: { isUser: boolean; isLast: boolean; index: number; at: number },
  ): Part | undefined {
    const { index, at } = place;
    if (part === undefined) return undefined;
    if (!isPart(part)) {
      warn(this.#report, "RP-8", "a part of no known shape is left out", index, at);
      return undefined;
    }
    switch (part.type) {
      case "text":
      case "reasoning": {
        const text = wellFormed(part.text);
        if (isBlank(text) && !hasState(part)) {
          warn(this.#report, "RP-4", `blank ${part.type} is left out`, index, at);
          return undefined;
        }
        if (text === part.text) return part;
        this.#warnText(index, at);
        return { ...part, text };
      }
      case "file":
        return this.#file(part, index, at);
      case "tool":
        return place.isUser ? part : this.#call(part, place);
      default:
        return part;
    }
  }

  #warnText(index: number, at: number) {
    const message = "lone surrogates become U+FFFD, and NUL is left out";
    warn(this.#report, "RP-8", message, index, at);
  }

  #file(part: FilePart, index: number, at: number): FilePart {
    const url = wellFormed(part.url);
    const mime = wellFormed(part.mime);
    const name = typeof part.filename === "string" ? wellFormed(part.filename) : part.filename;
    if (url === part.url && mime === part.mime && name === part.filename) return part;
    this.#warnText(index, at);
    return { ...part, url, mime, ...(name !== undefined && { filename: name }) };
  }

  #call(
    part: ToolPart,
    { isLast, index, at }: { isLast: boolean; index: number; at: number },
  ): ToolPart | undefined {
    // A cast: the shape of a state is looked at field by field.
    const given = part.state as unknown as Fields;
    const approval = approvalOf(part.metadata);
    const isRefused = approval?.approved === false;
    const isDone = given.status === "completed" || given.status === "error" || isRefused;
    // The provider takes the answer to such a request instead of a result.
    const isAsked =
      this.#rules.format === "openai-responses" &&
      isApprovalRequest(stateFor("openai-responses", part));
    if (!isDone && isProviders(part)) {
      // Anthropic goes on from it (pause_turn).
      if (isLast && (this.#rules.format ?? "anthropic") === "anthropic") {
        const input = this.#input(given.input, index, at);
        // A cast: the state has its shape still.
        const state = { ...given, input } as unknown as ToolPart["state"];
        return input === given.input ? part : { ...part, state };
      }
      const message = "a call of the provider without a result is left out";
      warn(this.#report, "RP-1", message, index, at);
      return undefined;
    }
    const id = this.#id(part, index, at);
    const tool = wellFormed(part.tool);
    const input = this.#input(given.input, index, at);
    const isOpen = isAsked && !isDone;
    const state = isOpen ? withInput(given, input) : this.#state(given, input, approval, index, at);
    if (id === part.callID && tool === part.tool && state === given) return part;
    // A cast: the state is whole now.
    return { ...part, callID: id, tool, state: state as unknown as ToolPart["state"] };
  }

  #id(part: ToolPart, index: number, at: number): string {
    // A cast: JavaScript may give none.
    const given = part.callID as unknown;
    let id = typeof given === "string" ? wellFormed(given) : "";
    if (id === "") {
      id = `call_${index}_${at}`;
      warn(this.#report, "RP-3", "a call without an id gets one of its place", index, at);
    }
    const free = freeID(id, this.#taken);
    if (free !== id)
      warn(this.#report, "RP-3", "another call has this id: it gets another", index, at);
    const { ids } = this.#rules;
    const mapped = ids === undefined ? free : callID(free, ids);
    if (mapped !== free) {
      warn(this.#report, "RP-6", "the provider refuses this id: it gets another", index, at);
      this.#taken.set(mapped, this.#taken.get(mapped) ?? 1);
    }
    return mapped;
  }

  #input(given: unknown, index: number, at: number): Fields {
    let input: unknown;
    try {
      input = jsonValue(given);
    } catch {
      warn(this.#report, "RP-8", "the input cannot be JSON: it becomes {}", index, at);
      return {};
    }
    if (isObject(input)) {
      if (input !== given) this.#warnText(index, at);
      return input;
    }
    if (input === undefined) return {};
    const message = `the input must be an object, not ${kindOf(given)}: it becomes {"value": …}`;
    warn(this.#report, "RP-8", message, index, at);
    return { value: input };
  }

  #state(
    given: Fields,
    input: Fields,
    approval: Fields | undefined,
    index: number,
    at: number,
  ): Fields {
    const { status } = given;
    const read = withInput(given, input);
    if (status === "completed") {
      if (isCleared(given)) return read;
      const output = this.#text(given.output);
      const files = Array.isArray(given.attachments) ? given.attachments : [];
      if (isBlank(output) && files.length === 0) {
        warn(this.#report, "RP-9", `an empty output is sent as ${NO_OUTPUT}`, index, at);
        return { ...read, output: NO_OUTPUT };
      }
      if (output === given.output) return read;
      this.#warnText(index, at);
      return { ...read, output };
    }
    if (status === "error") {
      const error = this.#text(given.error);
      if (isBlank(error)) {
        warn(this.#report, "RP-9", "a blank error is sent as error", index, at);
        return { ...read, error: "error" };
      }
      if (error === given.error) return read;
      this.#warnText(index, at);
      return { ...read, error };
    }
    const start = isObject(given.time) && Number(given.time.start);
    const time = { start: start || 0, end: start || 0 };
    const half = status === "pending" ? {} : input;
    if (approval?.approved === false)
      return { status: "error", input: half, error: refusal(approval).text, time };
    warnUnanswered(this.#report, index, at);
    // `aborted` says that the error is no result: the detector of loops does not compare it.
    const metadata = { aborted: true };
    return { status: "error", input: half, error: INTERRUPTED, metadata, time };
  }

  #text(given: unknown): string {
    if (typeof given === "string") return wellFormed(given);
    if (given === undefined || given === null) return "";
    try {
      return JSON.stringify(jsonValue(given)) ?? "";
    } catch {
      return "";
    }
  }

  /** Reasoning at the end of a step goes where it is refused: RP-5 of Anthropic, RP-10 of OpenAI. */
  #withoutTrailing(parts: (Part | undefined)[], index: number): (Part | undefined)[] {
    const { format } = this.#rules;
    if (format !== "anthropic" && format !== "openai-responses") return parts;
    const rule = format === "anthropic" ? "RP-5" : "RP-10";
    let made: (Part | undefined)[] | undefined;
    let isTrailing = true;
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at];
      if (part === undefined) continue;
      if (part.type === "step-start") isTrailing = true;
      else if (part.type === "reasoning" && isTrailing) {
        warn(this.#report, rule, "reasoning that nothing follows is left out", index, at);
        made ??= [...parts];
        made[at] = undefined;
      } else if (!isUnsent(part.type)) isTrailing = false;
    }
    return made ?? parts;
  }

  #isEmpty({ info }: PlacedMessage, parts: (Part | undefined)[]): boolean {
    const types = parts.flatMap((part) => (part === undefined ? [] : part.type));
    if (!types.some((type) => !isUnsent(type))) return true;
    if (info.role === "user" || info.error === undefined || info.error === null) return false;
    return !types.some((type) => type === "text" || type === "tool");
  }

  /** RP-5: the last message of Anthropic's ends without blanks if the model said it. */
  #trimLast(kept: PlacedMessage[]) {
    const last = kept.at(-1);
    if (this.#rules.format !== "anthropic" || last?.info.role !== "assistant") return;
    const at = last.parts.findLastIndex((part) => part !== undefined && !isUnsent(part.type));
    const part = last.parts[at];
    if (part?.type !== "text" || hasCalls(last.parts)) return;
    const text = part.text.trimEnd();
    if (text === part.text || text === "") return;
    warn(this.#report, "RP-5", "the blanks at the end are left out", last.index, at);
    const parts = [...last.parts];
    parts[at] = { ...part, text };
    kept[kept.length - 1] = { ...last, parts };
  }
}

/** The state with this input. */
const withInput = (state: Fields, input: Fields): Fields =>
  input === state.input ? state : { ...state, input };

/** Whether results follow the last step of an answer. */
function hasCalls(parts: unknown[]): boolean {
  const start = parts.findLastIndex((part) => isPart(part) && part.type === "step-start");
  const last = parts.slice(start + 1);
  return last.some((part) => isPart(part) && part.type === "tool" && !isProviders(part));
}

/** The messages repaired; those that were good are the same. */
export const repairedHistory = (
  messages: PlacedMessage[],
  rules: RepairRules,
  report: Report,
): PlacedMessage[] => new Repairer(rules, report).repaired(messages);

/** The message that the user says before a history that begins with the model (RP-5). */
function continued(first: WithParts): WithParts {
  // A cast: a message that was read has these fields, or they are not needed.
  const { id, sessionID, time, providerID, modelID, agent } = first.info as unknown as Fields;
  const messageID = `${String(id ?? "")}:continued`;
  const info = {
    ...{ id: messageID, sessionID, role: "user", time, agent: agent ?? "" },
    model: { providerID: providerID ?? "", modelID: modelID ?? "" },
  };
  const part = { id: `${messageID}:0`, sessionID, messageID, type: "text", text: CONTINUED };
  // A cast: as above.
  return { info, parts: [part] } as unknown as WithParts;
}

function messagesOf(placed: PlacedMessage[]): WithParts[] {
  return placed.map(({ message, parts }) =>
    parts === message.parts
      ? message
      : { ...message, parts: parts.filter((part) => part !== undefined) },
  );
}

/** The rules that options ask for. */
function rulesOf(given: RepairOptions | undefined): RepairRules {
  const { format, provider = "" } = given ?? {};
  if (format === undefined) return {};
  if (!FORMATS.includes(format)) throw invalid(`the format must be one of ${FORMATS.join(", ")}`);
  if (typeof provider !== "string") throw invalid("provider must be a string");
  return rulesFor(format, provider, "");
}

function repairOf(messages: WithParts[], options?: RepairOptions): RepairedMessages {
  if (!Array.isArray(messages)) throw invalid("messages must be an array of messages with parts");
  const rules = rulesOf(options);
  const run = (given: unknown[]): RepairedMessages => {
    const problems: RepairedMessages["problems"] = [];
    const report: Report = (problem) => problems.push(problem);
    const repaired = repairedHistory(shaped(given, report), rules, report);
    const whole = messagesOf(repaired);
    const [first] = whole;
    const isTurned = rules.format === "anthropic" || rules.format === "gemini";
    if (isTurned && first?.info.role === "assistant") {
      warn(report, "RP-5", `the user says ${CONTINUED} before it`, repaired[0]?.index ?? 0);
      whole.unshift(continued(first));
    }
    return { messages: whole, problems };
  };
  try {
    return run(messages);
  } catch {
    // Reading it throws: what can be read is repaired.
    return run(plainCopy(messages));
  }
}

/**
 * Repairs a history, so that providers take it again, whatever a crash has left: a call without a result gets an error
 * (RP-1), ids that are used again or refused are replaced (RP-3, RP-6), what says nothing is left out (RP-4), inputs
 * become objects and text becomes well-formed (RP-8), empty outputs say so (RP-9). With a format, also what only its
 * providers refuse (RP-5, RP-10). `toRequest` does this itself. Pure; repaired twice is repaired once. Throws
 * `PartValidationError` if the messages are not an array, or an option is not what it has to be.
 * @param messages - The messages with their parts.
 * @param options - Who will get them.
 * @returns The messages, those that were good as the same objects, and what was repaired.
 * @example
 * ```ts
 * repair([]).problems.length; // 0
 * ```
 */
export function repair(messages: WithParts[], options?: RepairOptions): RepairedMessages {
  return guarded(repairOf)(messages, options);
}
