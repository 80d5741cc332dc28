// Messages of OpenAI's Chat Completions API, read as messages with parts: the way in, as openai-chat.ts is the way out.
// What a part has no field for is kept in `metadata.openaiCompatible`, under the name that the AI SDK gives to fields of
// this API; what is kept nowhere is a problem.
import type {
  AssistantMessage,
  FilePart,
  Part,
  Problem,
  TextPart,
  ToolPart,
  UserMessage,
  WithParts,
} from "apex-parts:glue";
import { pointerStep, problem } from "../problem.ts";
import { type Fields, guarded, invalid, isObject, kindOf } from "../tools/boundary.ts";
import type { FromMessagesOptions, ReadMessages } from "./types.ts";

const FORMAT = "openai-chat";
/** The key of state in `metadata`. */
const KEY = "openaiCompatible";
/** The most messages that are read: no history has more. */
const MAX_MESSAGES = 1 << 24;
/** The fields in which servers send reasoning. */
const REASONING = ["reasoning_content", "reasoning", "reasoning_text"];
const MESSAGE = ["role", "content"];
const ANSWER = [...MESSAGE, ...REASONING, "refusal", "tool_calls"];
const RESULT = [...MESSAGE, "tool_call_id", "name"];

/** MIME types by the ending of an address. */
const MIME: { [ending: string]: string } = {
  ...{ png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif" },
  ...{ webp: "image/webp", svg: "image/svg+xml" },
};

function mimeOf(url: string): string {
  const data = /^data:([^;,]+)/i.exec(url.slice(0, 200))?.[1];
  if (data !== undefined) return data.toLowerCase();
  const ending = /\.([a-z]+)(?:[?#]|$)/i.exec(url.slice(0, 4096))?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(MIME, ending) ? (MIME[ending] ?? "image/*") : "image/*";
}

/** The fields of an object that are neither known nor null. */
const others = (value: Fields, known: string[]): Fields =>
  Object.fromEntries(
    Object.entries(value).filter(([name, field]) => !known.includes(name) && field != null),
  );

const isEmpty = (value: Fields) => Object.keys(value).length === 0;

/** `metadata` with these fields of the format; nothing if there are none. */
const kept = (fields: Fields): { metadata?: Fields } =>
  isEmpty(fields) ? {} : { metadata: { [KEY]: fields } };

/** A call, and whether its result came. */
interface Call {
  part: ToolPart;
  message: number;
  isAnswered: boolean;
}

const NO_TOKENS = () => ({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } });

/** A part without the ids that it gets in its message. */
type WithoutIDs<P> = P extends Part ? Omit<P, "id" | "sessionID" | "messageID"> : never;
/** The same for a part of any type. */
type NewPart = WithoutIDs<Part> | { type: `${typeof FORMAT}-${string}`; metadata: Fields };

/** Reads one array. */
class ChatReader {
  readonly messages: WithParts[] = [];
  readonly system: string[] = [];
  readonly problems: Problem[] = [];
  readonly #sessionID: string;
  readonly #now: number;
  readonly #model: { providerID: string; modelID: string };
  /** The calls by the id in the array, oldest first. */
  readonly #calls = new Map<string, Call[]>();
  /** The ids of calls that are taken. */
  readonly #callIDs = new Set<string>();
  #parentID = "";

  constructor({ sessionID, now, model }: Required<FromMessagesOptions>) {
    this.#sessionID = sessionID;
    this.#now = now;
    this.#model = model;
  }

  /** Reads a message; what throws when it is read is left out. */
  read(value: unknown, index: number): void {
    const path = pointerStep(index);
    try {
      this.#message(value, index, path);
    } catch {
      this.#error(path, "it throws when it is read; the message is left out");
    }
  }

  #error(path: string, message: string) {
    this.problems.push(problem("error", "schema", message, path));
  }

  #warn(rule: string, path: string, message: string) {
    this.problems.push(problem("warning", rule, message, path));
  }

  /** Names the fields that are kept nowhere. */
  #leaveOut(fields: Fields, path: string) {
    for (const name of Object.keys(fields))
      this.#warn(
        "schema",
        path + pointerStep(name),
        "the model has no place for it: it is left out",
      );
  }

  #message(value: unknown, index: number, path: string) {
    if (!isObject(value)) {
      this.#error(
        path,
        `expected a message, which is an object, got ${kindOf(value)}; it is left out`,
      );
      return;
    }
    const { role } = value;
    if (role === "system" || role === "developer") this.#instructions(value, path);
    else if (role === "user") this.#request(value, index, path);
    else if (role === "assistant") this.#answer(value, index, path);
    else if (role === "tool") this.#result(value, path);
    else {
      const got = typeof role === "string" ? JSON.stringify(role.slice(0, 60)) : kindOf(role);
      const message = `a role must be system, developer, user, assistant or tool, not ${got}`;
      this.#error(`${path}/role`, `${message}; the message is left out`);
    }
  }

  #instructions(value: Fields, path: string) {
    const text = this.#texts(value.content, `${path}/content`);
    this.#leaveOut(others(value, MESSAGE), path);
    if (text !== "") this.system.push(text);
  }

  /** The texts of a content that holds nothing else. */
  #texts(content: unknown, path: string): string {
    const texts: string[] = [];
    this.#content(content, path, (part, at) => {
      if (part.type === "text") texts.push((part as TextPart).text);
      else this.#warn("schema", at, "only text can stand here: it is left out");
    });
    return texts.join("\n");
  }

  #request(value: Fields, index: number, path: string) {
    const parts: NewPart[] = [];
    this.#content(value.content, `${path}/content`, (part) => parts.push(part));
    this.#keepFields(others(value, MESSAGE), parts, path);
    const id = `${this.#sessionID}:${index}`;
    const info: UserMessage = {
      ...{ id, sessionID: this.#sessionID, role: "user", time: { created: this.#now } },
      ...{ agent: FORMAT, model: { ...this.#model } },
    };
    this.messages.push({ info, parts: this.#withIDs(id, parts) });
    this.#parentID = id;
  }

  #answer(value: Fields, index: number, path: string) {
    const parts: NewPart[] = [];
    const time = { start: this.#now, end: this.#now };
    const wrong: Fields = {};
    for (const field of REASONING) {
      const text = value[field];
      if (typeof text === "string") {
        // The same text under two names is one.
        const isNew = text !== "" && !parts.some((part) => (part as TextPart).text === text);
        if (isNew) parts.push({ type: "reasoning", text, time, ...kept({ field }) });
      } else if (text != null) wrong[field] = text;
    }
    this.#content(value.content, `${path}/content`, (part) => parts.push(part));
    const { refusal, tool_calls } = value;
    if (typeof refusal === "string" && refusal !== "")
      parts.push({ type: "text", text: refusal, ...kept({ refusal: true }) });
    else if (refusal != null && refusal !== "") wrong.refusal = refusal;
    const id = `${this.#sessionID}:${index}`;
    const calls: { original: string; call: WithoutIDs<ToolPart> }[] = [];
    if (Array.isArray(tool_calls)) {
      for (const [at, call] of tool_calls.entries()) {
        const made = this.#call(call, `${id}:call-${at}`, `${path}/tool_calls/${at}`, calls);
        if (made) parts.push(made);
      }
    } else if (tool_calls != null) {
      this.#error(
        `${path}/tool_calls`,
        `expected an array of calls, got ${kindOf(tool_calls)}; left out`,
      );
    }
    this.#keepFields({ ...others(value, ANSWER), ...wrong }, parts, path);
    const reason = calls.length > 0 ? "tool-calls" : "stop";
    const { providerID, modelID } = this.#model;
    const info: AssistantMessage = {
      ...{ id, sessionID: this.#sessionID, role: "assistant", parentID: this.#parentID },
      ...{ providerID, modelID, agent: FORMAT, path: { cwd: "", root: "" }, cost: 0 },
      ...{ tokens: NO_TOKENS(), finish: reason },
      time: { created: this.#now, completed: this.#now },
    };
    const all = this.#withIDs(id, [
      { type: "step-start" },
      ...parts,
      { type: "step-finish", reason, cost: 0, tokens: NO_TOKENS() },
    ]);
    this.messages.push({ info, parts: all });
    const made = all.filter((part) => part.type === "tool");
    for (const [at, { original }] of calls.entries()) {
      // A cast: the calls are the tool parts, in their order.
      const part = made[at] as ToolPart;
      this.#callIDs.add(part.callID);
      const same = this.#calls.get(original);
      const call = { part, message: index, isAnswered: false };
      if (same) same.push(call);
      else this.#calls.set(original, [call]);
    }
  }

  /** A call; `others` are those before it in its message, to which it is added. */
  #call(
    value: unknown,
    ownID: string,
    path: string,
    before: { original: string; call: WithoutIDs<ToolPart> }[],
  ): WithoutIDs<ToolPart> | undefined {
    const type = isObject(value) ? (value.type ?? "function") : undefined;
    const told = isObject(value) ? value[String(type)] : undefined;
    if (!isObject(value) || (type !== "function" && type !== "custom") || !isObject(told)) {
      const expected = "expected a call, {id, type, function: {name, arguments}}";
      this.#error(
        path,
        `${expected}, got ${isObject(value) ? "another object" : kindOf(value)}; left out`,
      );
      return undefined;
    }
    const { name } = told;
    if (typeof name !== "string" || name === "") {
      this.#error(
        `${path}/${type}/name`,
        `expected the name of a tool, got ${kindOf(name)}; the call is left out`,
      );
      return undefined;
    }
    const state: Fields = others(value, ["id", "type", "index", type]);
    const rest = others(told, ["name", type === "function" ? "arguments" : "input"]);
    if (!isEmpty(rest)) state[type] = rest;
    const isText = type === "custom";
    if (isText) state.type = type;
    const input = isText
      ? { input: told.input }
      : this.#input(told.arguments, `${path}/function/arguments`, state);
    const original = typeof value.id === "string" ? value.id : "";
    let callID = original;
    const isTaken = (id: string) =>
      this.#callIDs.has(id) || before.some(({ call }) => call.callID === id);
    if (callID === "") {
      callID = ownID;
      this.#warn("RP-3", `${path}/id`, `the call has no id: it gets ${JSON.stringify(ownID)}`);
    }
    if (isTaken(callID)) {
      let count = 2;
      while (isTaken(`${callID}_${count}`)) count++;
      const message = `another call before it has this id: it becomes ${JSON.stringify(`${callID}_${count}`.slice(0, 80))}`;
      this.#warn("RP-3", `${path}/id`, message);
      callID = `${callID}_${count}`;
    }
    const call: WithoutIDs<ToolPart> = {
      ...{ type: "tool", callID, tool: name, ...kept(state) },
      state: { status: "running", input, time: { start: this.#now } },
    };
    before.push({ original: original === "" ? callID : original, call });
    return call;
  }

  /** The input of a call; what it was written as is kept in `state` unless `JSON.stringify` writes it so. */
  #input(given: unknown, path: string, state: Fields): Fields {
    if (given === undefined || given === null || given === "") return {};
    if (isObject(given)) return given;
    if (typeof given !== "string") {
      this.#warn(
        "RP-8",
        path,
        `arguments must be a string, not ${kindOf(given)}: they become {"value": …}`,
      );
      return { value: given };
    }
    let input: unknown;
    try {
      input = JSON.parse(given);
    } catch {
      this.#warn(
        "RP-1",
        path,
        "these arguments are not JSON: the input is {}, the text is in the metadata",
      );
      state.arguments = given;
      return {};
    }
    if (JSON.stringify(input) !== given) state.arguments = given;
    if (isObject(input)) return input;
    this.#warn(
      "RP-8",
      path,
      `arguments must be an object, not ${kindOf(input)}: they become {"value": …}`,
    );
    return { value: input };
  }

  #result(value: Fields, path: string) {
    const id = value.tool_call_id;
    const same = typeof id === "string" ? this.#calls.get(id) : undefined;
    if (same === undefined) {
      const of = typeof id === "string" ? `the call ${JSON.stringify(id.slice(0, 60))}` : "no call";
      this.#warn(
        "RP-2",
        `${path}/tool_call_id`,
        `a result of ${of}, which does not come before it: it is left out`,
      );
      return;
    }
    // Of calls with one id, the newest message's; within it they are answered in their order.
    const newest = same.findLast((call) => !call.isAnswered)?.message;
    const call = same.find((one) => one.message === newest && !one.isAnswered);
    if (call === undefined) {
      this.#warn(
        "RP-2",
        `${path}/tool_call_id`,
        "a second result of this call: the first counts, it is left out",
      );
      return;
    }
    const texts: string[] = [];
    const files: WithoutIDs<FilePart>[] = [];
    const { content } = value;
    if (isObject(content) || typeof content === "number" || typeof content === "boolean") {
      texts.push(JSON.stringify(content));
      this.#warn(
        "schema",
        `${path}/content`,
        `expected a string or an array, got ${kindOf(content)}: its JSON is the output`,
      );
    } else
      this.#content(content, `${path}/content`, (part, at) => {
        if (part.type === "text") texts.push((part as TextPart).text);
        else if (part.type === "file") files.push(part as WithoutIDs<FilePart>);
        else this.#warn("schema", at, "an output has no place for it: it is left out");
      });
    this.#leaveOut(others(value, RESULT), path);
    const { part } = call;
    call.isAnswered = true;
    part.state = {
      ...{ status: "completed", input: part.state.input, output: texts.join("\n"), title: "" },
      ...{ metadata: {}, time: { start: this.#now, end: this.#now } },
      // A cast: they are files.
      ...(files.length > 0 && {
        attachments: this.#withIDs(part.messageID, files, part.id) as FilePart[],
      }),
    };
  }

  /** Takes each part of a content, with where it stands. */
  #content(content: unknown, path: string, take: (part: NewPart, path: string) => void) {
    if (content === undefined || content === null || content === "") return;
    if (typeof content === "string") {
      take({ type: "text", text: content }, path);
      return;
    }
    if (!Array.isArray(content)) {
      this.#error(
        path,
        `expected a string or an array of parts, got ${kindOf(content)}; it is left out`,
      );
      return;
    }
    for (const [at, block] of content.entries()) {
      const part = this.#block(block, path + pointerStep(at));
      if (part) take(part, path + pointerStep(at));
    }
  }

  #block(block: unknown, path: string): NewPart | undefined {
    if (typeof block === "string") return { type: "text", text: block };
    if (!isObject(block) || typeof block.type !== "string" || block.type === "") {
      this.#error(path, `expected a part with a \`type\`, got ${kindOf(block)}; it is left out`);
      return undefined;
    }
    const { type } = block;
    const own = block[type];
    const more = others(block, ["type", type]);
    switch (type) {
      case "text":
      case "refusal":
        if (typeof own !== "string") break;
        return {
          type: "text",
          text: own,
          ...kept(type === "text" ? more : { ...more, refusal: true }),
        };
      case "image_url": {
        const image = typeof own === "string" ? { url: own } : own;
        if (!isObject(image) || typeof image.url !== "string") break;
        const { url } = image;
        return {
          type: "file",
          mime: mimeOf(url),
          url,
          ...kept({ ...more, ...others(image, ["url"]) }),
        };
      }
      case "input_audio": {
        if (!isObject(own) || typeof own.data !== "string" || typeof own.format !== "string") break;
        const mime = `audio/${own.format}`;
        const url = `data:${mime};base64,${own.data}`;
        return {
          type: "file",
          mime,
          url,
          ...kept({ ...more, ...others(own, ["data", "format"]) }),
        };
      }
      case "file": {
        const { filename, file_data: url } = isObject(own) ? own : {};
        if (!isObject(own) || typeof url !== "string") break;
        const name = typeof filename === "string" ? { filename } : {};
        const rest = kept({ ...more, ...others(own, ["file_data", ...Object.keys(name)]) });
        return { type: "file", mime: mimeOf(url), url, ...name, ...rest };
      }
    }
    return { type: `${FORMAT}-${type}`, metadata: { [KEY]: { part: block } } };
  }

  /** Keeps fields of a message on its first part that can hold them. */
  #keepFields(fields: Fields, parts: NewPart[], path: string) {
    if (isEmpty(fields)) return;
    const first = parts.findIndex(({ type }) => ["text", "reasoning", "tool"].includes(type));
    const part = parts[first];
    if (part === undefined) {
      this.#leaveOut(fields, path);
      return;
    }
    // A cast: these parts have metadata.
    const { metadata } = part as { metadata?: Fields };
    // A cast: it is made by `kept`.
    const state = metadata?.[KEY] as Fields | undefined;
    const withFields = { ...metadata, [KEY]: { ...state, message: fields } };
    // A cast: as above.
    parts[first] = { ...part, metadata: withFields } as NewPart;
  }

  #withIDs(messageID: string, parts: NewPart[], prefix = messageID): Part[] {
    const sessionID = this.#sessionID;
    const whole = parts.map((part, at) => ({
      id: `${prefix}:${at}`,
      sessionID,
      messageID,
      ...part,
    }));
    // A cast: the list of a message has custom parts too, which its type does not name.
    return whole as Part[];
  }
}

function optionsOf(given: FromMessagesOptions | undefined): Required<FromMessagesOptions> {
  const { sessionID = FORMAT, now = 0, model = { providerID: "", modelID: "" } } = given ?? {};
  if (typeof sessionID !== "string" || sessionID === "")
    throw invalid("sessionID must be a string that is not empty");
  if (typeof now !== "number" || !Number.isFinite(now) || now < 0)
    throw invalid("now must be the time in milliseconds since the Unix epoch");
  const { providerID, modelID } = model ?? {};
  if (typeof providerID !== "string" || typeof modelID !== "string")
    throw invalid("model must be {providerID, modelID}, both strings");
  return { sessionID, now, model: { providerID, modelID } };
}

function messagesOf(messages: unknown, options?: FromMessagesOptions): ReadMessages {
  if (!Array.isArray(messages))
    throw invalid(
      `messages must be an array of messages of Chat Completions, got ${kindOf(messages)}`,
    );
  const reader = new ChatReader(optionsOf(options));
  const length = Math.min(messages.length, MAX_MESSAGES);
  for (let index = 0; index < length; index++) {
    let value: unknown;
    try {
      value = messages[index];
    } catch {
      // An element that throws is read as nothing, which is a problem.
    }
    reader.read(value, index);
  }
  const { system, problems } = reader;
  const read: ReadMessages = { messages: reader.messages, format: FORMAT, problems };
  if (system.length > 0) read.system = system.join("\n\n");
  return read;
}

/**
 * Reads messages as OpenAI's Chat Completions API has them (`{ role, content, tool_calls, tool_call_id }`) as messages
 * with parts. Results are joined with their calls; a call without one is `running`, which `toModelMessage` sends as an
 * interrupted call. Texts of `system` and `developer` come apart. Ids and times are made of the options alone: reading
 * twice gives the same. Never throws for what is in the array: what is not kept is in `problems`. Throws
 * `PartValidationError` if it is no array, or an option is not what it has to be.
 * @param messages - The array, as a request to the API has it.
 * @param options - The session, the time and the model of the messages.
 * @returns The messages, the instructions, and what is wrong with the array.
 * @example
 * ```ts
 * fromChatMessages([{ role: "user", content: "Hi" }]).messages[0].parts[0].type; // "text"
 * ```
 */
export function fromChatMessages(messages: unknown[], options?: FromMessagesOptions): ReadMessages {
  return guarded(messagesOf)(messages, options);
}
