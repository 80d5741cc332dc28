// The AI SDK's model messages (npm `ai`, versions 6 and 7): what `convertToModelMessages` gives. Options of providers
// are `metadata`, under their names.
import { type Fields, isObject } from "../../tools/boundary.ts";
import { refusal } from "../approval.ts";
import { fieldsOf, given, jsonText, mimeOf, others, stringOf } from "../fields.ts";
import { AI_SDK, addressOf, customOf, fileAt, referenceOf, stateOf } from "./ai-sdk-file.ts";
import type { CallOutcome, MessageBuilder, NewCall, NewFile, NewPart } from "./builder.ts";
import {
  addSystem,
  type MessagesReader,
  messageFields,
  readInput,
  readOutput,
  readTexts,
  refuseRole,
  typedFields,
} from "./reader.ts";

/** The parts of a message, and what its results and approvals say of calls, once they are in a message. */
interface ReadContent {
  parts: (NewPart | NewCall)[];
  later: (() => void)[];
}

/** The MIME type that a part states; `image/*` for an image without one. */
const mimeOfPart = ({ mediaType, mimeType }: Fields, otherwise: string) =>
  stringOf(mediaType) ?? stringOf(mimeType) ?? otherwise;

/** A file or an image; a reference to a file that a provider holds is a custom part. */
function fileOf(part: Fields, data: unknown, otherwise: string): NewPart | undefined {
  const { filename, providerOptions } = part;
  const mime = mimeOfPart(part, "");
  const url = addressOf(data, mime === "" ? otherwise : mime);
  if (url !== undefined) {
    const type = mime === "" ? mimeOf(url, otherwise) : mime;
    return fileAt(url, type, filename, providerOptions);
  }
  const providerReference = referenceOf(data);
  if (providerReference === undefined) return undefined;
  const mediaType = mime === "" ? otherwise : mime;
  const known = { type: "file", mediaType, filename, url: "", providerReference };
  return customOf("file", given({ ...known, providerMetadata: providerOptions }));
}

/** A file in the content of an output; undefined if it has no address. */
function outputFile(item: Fields): NewFile | undefined {
  const { type, data, url, filename, providerOptions } = item;
  const mime = mimeOfPart(item, type === "image-data" ? "image/*" : "");
  const isUrl = type === "file-url" || type === "image-url";
  if (isUrl) {
    const address = url instanceof URL ? url.href : stringOf(url);
    const otherwise = type === "image-url" ? "image/*" : "application/octet-stream";
    const own = mime === "" ? mimeOf(address ?? "", otherwise) : mime;
    return address === undefined ? undefined : fileAt(address, own, filename, providerOptions);
  }
  if (type !== "media" && type !== "file" && type !== "file-data" && type !== "image-data")
    return undefined;
  const address = addressOf(data, mime === "" ? "application/octet-stream" : mime);
  return address === undefined ? undefined : fileAt(address, mime, filename, providerOptions);
}

/** What a tool's output says. */
function outcomeOf(part: Fields, path: string, builder: MessageBuilder): CallOutcome {
  // Before version 5 the output was `result`.
  const output = fieldsOf(part.output) ?? { type: "json", value: part.result };
  const isError = part.isError === true;
  const { type, value, reason } = output;
  switch (type) {
    case "text":
      return { text: jsonText(value), isError };
    case "error-text":
    case "error-json":
      return {
        ...{ text: jsonText(value), isError: true },
        ...(type === "error-json" && { details: { output: value } }),
      };
    case "execution-denied":
      return refusal({ reason });
    case "content": {
      return readOutput(value, `${path}/output/value`, builder, (fields) =>
        fields.type === "text" && typeof fields.text === "string"
          ? fields.text
          : outputFile(fields),
      );
    }
    case "json": {
      const isText = part.output === undefined && typeof value === "string";
      const text = isText ? value : value === undefined ? "" : JSON.stringify(value);
      return {
        text,
        isError,
        details: typeof value === "string" || value === undefined ? {} : { output: value },
      };
    }
    default: {
      const message = "the output has not a type that is known: its JSON is the output";
      builder.warn("schema", `${path}/output`, message);
      return { text: jsonText(part.output), isError, details: { output: part.output } };
    }
  }
}

function readResult(part: Fields, path: string, builder: MessageBuilder): () => void {
  const outcome = outcomeOf(part, path, builder);
  const known = ["type", "toolCallId", "toolName", "output", "result", "isError"];
  const { providerOptions, ...rest } = others(part, known);
  builder.leaveOut(rest, path);
  const at = `${path}/toolCallId`;
  return () => {
    // The SDK gives a result the options of its call: only others are kept.
    const resultProviderMetadata = isObject(providerOptions) ? providerOptions : undefined;
    const metadata = resultProviderMetadata && { [AI_SDK]: { resultProviderMetadata } };
    builder.result(
      stringOf(part.toolCallId) ?? "",
      { ...outcome, ...(metadata && { metadata }) },
      at,
    );
  };
}

/** The approvals of calls, by their id. */
class Approvals {
  readonly #calls = new Map<string, NewCall>();
  readonly #approvals = new Map<string, Fields>();

  call(call: NewCall) {
    this.#calls.set(call.id, call);
  }

  /** Records a request: it is state of the call. */
  request(part: Fields, path: string, builder: MessageBuilder) {
    const { approvalId, toolCallId, reason, type: _, ...more } = part;
    const call = this.#calls.get(stringOf(toolCallId) ?? "");
    if (call === undefined) {
      const message = "an approval of a call that does not come before it: it is left out";
      builder.warn("RP-2", `${path}/toolCallId`, message);
      return;
    }
    const approval = given({ id: approvalId, ...more, requestReason: reason });
    call.metadata.approval = approval;
    if (typeof approvalId === "string") this.#approvals.set(approvalId, approval);
  }

  /** Notes an answer, at the request that it answers. */
  respond(part: Fields, path: string, builder: MessageBuilder) {
    const { approvalId, approved, reason } = part;
    const approval = this.#approvals.get(stringOf(approvalId) ?? "");
    if (approval === undefined) {
      const message = "an answer to a request that does not come before it: it is left out";
      builder.warn("RP-2", `${path}/approvalId`, message);
      return;
    }
    Object.assign(approval, given({ approved, reason }));
  }
}

/** Reads one part of a content. */
function readPart(
  value: unknown,
  path: string,
  read: ReadContent,
  approvals: Approvals,
  builder: MessageBuilder,
): void {
  const part = typeof value === "string" ? { type: "text", text: value } : value;
  const fields = typedFields(part, path, builder);
  if (fields === undefined) return;
  const { parts, later } = read;
  const { type, text, providerOptions } = fields;
  switch (type) {
    case "text":
    case "reasoning":
      if (typeof text !== "string") break;
      parts.push(
        type === "text"
          ? { type, text, ...stateOf(providerOptions) }
          : { type, text, time: builder.time, ...stateOf(providerOptions) },
      );
      return;
    case "image":
    case "file": {
      const isImage = type === "image";
      const otherwise = isImage ? "image/*" : "application/octet-stream";
      const file = fileOf(fields, isImage ? fields.image : fields.data, otherwise);
      if (file === undefined) break;
      parts.push(file);
      return;
    }
    case "reasoning-file": {
      const mediaType = mimeOfPart(fields, "application/octet-stream");
      const url = addressOf(fields.data, mediaType);
      if (url === undefined) break;
      const own = { type, mediaType, url, providerMetadata: providerOptions };
      parts.push(customOf(type, given(own)));
      return;
    }
    case "custom": {
      const own = { type, kind: fields.kind, providerMetadata: providerOptions };
      parts.push(customOf(type, given(own)));
      return;
    }
    case "tool-call": {
      const { toolCallId, toolName, input, args, providerExecuted } = fields;
      const isOwn = providerExecuted === true;
      const more = isOwn ? { providerExecuted, [AI_SDK]: { providerExecuted } } : {};
      const call: NewCall = {
        ...{ type: "call", id: stringOf(toolCallId) ?? "", path: `${path}/toolCallId` },
        tool: stringOf(toolName) ?? "unknown",
        input: readInput(input ?? args, `${path}/input`, builder),
        metadata: stateOf(providerOptions, more).metadata ?? {},
      };
      parts.push(call);
      approvals.call(call);
      return;
    }
    case "tool-result":
      later.push(readResult(fields, path, builder));
      return;
    case "tool-approval-request":
      approvals.request(fields, path, builder);
      return;
    case "tool-approval-response":
      approvals.respond(fields, path, builder);
      return;
  }
  parts.push(customOf(type, value));
}

/** Reads the AI SDK's model messages. */
export const readAiSdkModel: MessagesReader = ({ list, path, fields }, builder) => {
  const approvals = new Approvals();
  addSystem([readTexts(fields.system, "/system", builder).join("\n\n")], builder);
  builder.each(list, path, (value, at) => {
    const message = messageFields(value, at, builder);
    if (message === undefined) return;
    const { role, content } = message;
    const read: ReadContent = { parts: [], later: [] };
    const place = `${at}/content`;
    if (role === "system") addSystem(readTexts(content, place, builder), builder);
    else if (role !== "user" && role !== "assistant" && role !== "tool")
      return refuseRole(role, at, "system, user, assistant or tool", builder);
    else if (typeof content === "string") {
      if (content !== "") read.parts.push({ type: "text", text: content });
    } else if (content != null)
      builder.each(content, place, (part, where) =>
        readPart(part, where, read, approvals, builder),
      );
    const { parts, later } = read;
    if (role === "assistant") builder.answer(parts);
    else if (role === "user") builder.user(onlyParts(parts, place, builder));
    else if (role === "tool" && parts.length > 0)
      builder.error(place, "a message of a tool has only results: other parts are left out");
    for (const result of later) result();
    builder.leaveOut(others(message, ["role", "content", "id"]), at);
  });
  builder.endRefused();
};

/** The parts that a user can say; calls are left out. */
function onlyParts(parts: (NewPart | NewCall)[], path: string, builder: MessageBuilder): NewPart[] {
  const calls = parts.filter(({ type }) => type === "call");
  if (calls.length > 0) builder.error(path, "a call of the user has no place; it is left out");
  // A cast: the calls are taken out.
  return parts.filter(({ type }) => type !== "call") as NewPart[];
}
