// The body for OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses.
import { type Fields, isObject } from "../../tools/boundary.ts";
import { answerOf, approvalOf, isApprovalRequest } from "../approval.ts";
import type { AskedRequest } from "../asked.ts";
import type { CallEntry, CallResult, ReasoningEntry, Step, TextEntry, Turn } from "../entries.ts";
import { stringOf } from "../fields.ts";
import { dataURL, type FileRules, fileBlock, sentFile } from "../files.ts";
import type { Format } from "../format.ts";
import { warn } from "../placed.ts";
import { inPlaces } from "../turns.ts";
import { isBlank } from "../unsent.ts";
import { argumentText } from "./argument-text.ts";

/** The most characters of the id of an item. */
const LONGEST_ID = 64;

/** An item of the input. */
type Item = Fields;

const FILES: FileRules<Item> = {
  format: "openai-responses",
  text: (text) => ({ type: "input_text", text }),
  file(file) {
    const { kind, url, name, data, state } = file;
    if (kind === "image")
      return { type: "input_image", image_url: url ?? dataURL(file), detail: "auto", ...state };
    if (kind !== "pdf") return undefined;
    return data === undefined
      ? { type: "input_file", file_url: url }
      : { type: "input_file", filename: name ?? "file.pdf", file_data: dataURL(file) };
  },
};

/** The id of an item, if it may go back. */
const itemID = (state: Fields | undefined): string | undefined => {
  const id = stringOf(state?.itemId);
  return id !== undefined && id.length <= LONGEST_ID ? id : undefined;
};

const withID = (id: string | undefined): Item => (id === undefined ? {} : { id });

/** Whether the entries are of one item of the stream. */
const isSameItem = (one: Fields | undefined, other: Fields | undefined) =>
  one?.itemId !== undefined && one.itemId === other?.itemId;

/** Writes the items of one step. */
class StepWriter {
  readonly #asked: AskedRequest;
  readonly #items: { block: Item | undefined; index: unknown }[] = [];
  readonly #results: { block: Item; index: unknown; after: number }[] = [];
  readonly #outputs: Item[] = [];
  /** Whether reasoning was left out, so that what follows loses its id. */
  #isWithout = false;

  constructor(asked: AskedRequest) {
    this.#asked = asked;
  }

  /** The items of the step, and the outputs that follow them. */
  write({ entries, index }: Step): Item[] {
    for (let at = 0; at < entries.length; ) {
      const entry = entries[at];
      if (entry === undefined) break;
      let end = at + 1;
      if (entry.kind === "text" || entry.kind === "reasoning")
        while (end < entries.length && isOfItem(entries[end], entry)) end += 1;
      // A cast: all of the run are of its kind.
      if (entry.kind === "text") this.#text(entries.slice(at, end) as TextEntry[]);
      else if (entry.kind === "reasoning")
        this.#reasoning(entries.slice(at, end) as ReasoningEntry[]);
      else if (entry.kind === "call") this.#call(entry);
      else if (entry.kind === "custom") this.#add(this.#ofItem(entry.state.item));
      else this.#lost();
      at = end;
    }
    const items = inPlaces(this.#items, this.#results);
    while (this.#asked.repair && items.at(-1)?.type === "reasoning") {
      items.pop();
      warn(this.#asked.report, "RP-10", "reasoning that nothing follows is left out", index);
    }
    return [...items, ...this.#outputs];
  }

  #add(block: Item | undefined) {
    this.#items.push({ block, index: undefined });
  }

  #lost() {
    this.#isWithout = true;
    this.#add(undefined);
  }

  #text(entries: TextEntry[]) {
    const [first] = entries;
    const { state } = first ?? {};
    const phase = stringOf(state?.phase);
    const spoken = { ...(phase !== undefined && { phase }) };
    const id = this.#isWithout ? undefined : itemID(state);
    if (id === undefined) {
      for (const { text, state: own, ...place } of entries) {
        if (isBlank(text)) continue;
        const { annotations } = own ?? {};
        if (Array.isArray(annotations) && annotations.length > 0)
          warn(this.#asked.report, "RQ-6", "annotations are left out", place.index, place.at);
        this.#items.push({
          block: { role: "assistant", content: text, ...spoken },
          index: undefined,
        });
      }
      return;
    }
    const content = entries.map(({ text, state: own }) =>
      own?.refusal === true
        ? { type: "refusal", refusal: text }
        : {
            ...{ type: "output_text", text },
            annotations: Array.isArray(own?.annotations) ? own.annotations : [],
          },
    );
    this.#add({
      ...(isObject(state?.item) ? state.item : {}),
      ...{ id, type: "message", role: "assistant", status: "completed", content },
      ...spoken,
    });
  }

  #reasoning(entries: ReasoningEntry[]) {
    const { state } = entries[0] ?? {};
    const encrypted = stringOf(state?.reasoningEncryptedContent);
    const id = itemID(state);
    if (id === undefined || (!this.#asked.store && encrypted === undefined)) {
      this.#lost();
      return;
    }
    const said = (isContent: boolean, type: string) =>
      entries.flatMap(({ text, state: own }) =>
        (own?.content === true) === isContent && text !== "" ? [{ type, text }] : [],
      );
    const content = said(true, "reasoning_text");
    this.#isWithout = false;
    this.#add({
      ...(isObject(state?.item) ? state.item : {}),
      ...{ id, type: "reasoning", summary: said(false, "summary_text") },
      ...(content.length > 0 && { content }),
      ...(encrypted !== undefined && { encrypted_content: encrypted }),
    });
  }

  /** An item as it came, without what may not go back. */
  #ofItem(item: unknown): Item | undefined {
    if (!isObject(item)) return undefined;
    const { parsed, parsed_arguments, ...whole } = item;
    const isIDGood = typeof whole.id !== "string" || whole.id.length <= LONGEST_ID;
    if (this.#isWithout || !isIDGood) delete whole.id;
    return whole;
  }

  #call(entry: CallEntry) {
    const { state = {}, result } = entry;
    if (isApprovalRequest(state)) return this.#approval(entry);
    const item = this.#ofItem(state.item);
    if (item !== undefined) {
      if (item.call_id !== undefined && !entry.isProviders) item.call_id = entry.id;
      const at = this.#items.length;
      this.#add(item);
      if (entry.isProviders) {
        const own = this.#ofItem(state.result);
        if (own) this.#results.push({ block: own, index: state.resultIndex, after: at });
      } else if (result)
        this.#outputs.push(itemOutput(entry, item, result, this.#output(entry, result)));
      return;
    }
    const isCustom = typeof state.custom === "string";
    const id = this.#isWithout ? undefined : itemID(state);
    const head = {
      ...withID(id),
      type: isCustom ? "custom_tool_call" : "function_call",
      ...{ call_id: entry.id, name: this.#asked.nameOf(entry.name) },
    };
    this.#add(
      isCustom
        ? { ...head, input: state.custom }
        : { ...head, arguments: argumentText(state.arguments, entry.input) },
    );
    if (result === undefined) return;
    const type = isCustom ? "custom_tool_call_output" : "function_call_output";
    this.#outputs.push({ type, call_id: entry.id, output: this.#output(entry, result) });
  }

  /** A request for an approval, and the answer to it. Without one it goes only if nothing follows it. */
  #approval(entry: CallEntry) {
    const { state, result, index, at } = entry;
    const answer = answerOf(approvalOf(entry.metadata), result);
    if (answer === undefined && !entry.isLast) {
      warn(
        this.#asked.report,
        "RQ-3",
        "a request for an approval that nobody answered is left out",
        index,
        at,
      );
      this.#lost();
      return;
    }
    this.#add(this.#ofItem(state?.item));
    if (answer === undefined) return;
    // The id names the request, although the item may have lost its own.
    const request = isObject(state?.item) ? state.item.id : undefined;
    this.#outputs.push({ type: "mcp_approval_response", approval_request_id: request, ...answer });
  }

  /** The output of a call: a string, or blocks if there are files. */
  #output(entry: CallEntry, { text, files }: CallResult): string | Item[] {
    if (files.length === 0) return text;
    const blocks = files.map((file) => fileBlock(file, FILES, entry, this.#asked.report));
    return text === "" ? blocks : [FILES.text(text), ...blocks];
  }
}

function isOfItem(entry: Step["entries"][number] | undefined, first: TextEntry | ReasoningEntry) {
  return entry?.kind === first.kind && isSameItem(entry.state, first.state);
}

/** The tools of an output of a search: a list, or an object with it. */
function toolsOf(text: string): unknown[] {
  try {
    const told: unknown = JSON.parse(text);
    const tools = isObject(told) ? told.tools : told;
    return Array.isArray(tools) ? tools : [];
  } catch {
    return [];
  }
}

/** The output of a call whose item is not that of a function. */
function itemOutput(
  entry: CallEntry,
  item: Item,
  result: CallResult,
  output: string | Item[],
): Item {
  const { id: call_id } = entry;
  const { text, isError, files, metadata } = result;
  switch (item.type) {
    case "local_shell_call":
      return { type: "local_shell_call_output", call_id, output: text };
    case "shell_call": {
      const exit_code = Number.isInteger(metadata.exit) ? metadata.exit : isError ? 1 : 0;
      const outcome = { type: "exit", exit_code };
      const ran = [{ stdout: text, stderr: "", outcome }];
      return { type: "shell_call_output", call_id, output: ran };
    }
    case "apply_patch_call": {
      const status = isError ? "failed" : "completed";
      return { type: "apply_patch_call_output", call_id, status, output: text };
    }
    case "computer_call": {
      const sent = files.map((file) => sentFile(file, "openai-responses"));
      const image = sent.find(({ kind }) => kind === "image");
      const url = image && (image.url ?? dataURL(image));
      const screenshot = { type: "computer_screenshot", ...(url && { image_url: url }) };
      return { type: "computer_call_output", call_id, output: screenshot };
    }
    case "tool_search_call":
      return { type: "tool_search_output", call_id, tools: toolsOf(text) };
    case "custom_tool_call":
      return { type: "custom_tool_call_output", call_id, output };
    default:
      return { type: "function_call_output", call_id, output };
  }
}

function inputOf(turns: Turn[], asked: AskedRequest): Item[] {
  return turns.flatMap((turn): Item[] => {
    if (turn.role === "assistant") return new StepWriter(asked).write(turn);
    const content = turn.entries.flatMap((entry): Item | Item[] => {
      if (entry.kind === "text") return FILES.text(entry.text);
      if (entry.kind === "file") return fileBlock(entry.file, FILES, entry, asked.report);
      return isObject(entry.state.item) ? entry.state.item : [];
    });
    return content.length > 0 ? [{ role: "user", content }] : [];
  });
}

export const openAiResponses: Format = {
  rules: {
    // Whether it is encrypted is looked at where what follows it is written.
    reads: ({ state, answerer }) => state !== undefined && !answerer.isOtherModel,
    readsCall: ({ item }) => isObject(item),
  },
  body(turns, asked) {
    const { model, store, stream, maxTokens, tools } = asked;
    return {
      ...{ model, stream, store },
      ...(!store && { include: ["reasoning.encrypted_content"] }),
      ...(asked.system.length > 0 && { instructions: asked.system.join("\n\n") }),
      input: inputOf(turns, asked),
      ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, schema: parameters, strict = false }) => ({
          ...{ type: "function", name, ...(description !== undefined && { description }) },
          ...{ parameters, strict },
        })),
      }),
    };
  },
};
