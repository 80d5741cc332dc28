// A request to OpenAI's Chat Completions API, and to the many servers that have the same.
import type { Message, MessagePart } from "apex-parts:glue";
import type { AskedRequest, Payload } from "./asked.ts";

const textOf = (content: unknown) =>
  typeof content === "string" ? content : JSON.stringify(content);

function image({ mimeType, data, url = `data:${mimeType};base64,${data}` }: Payload<"image">) {
  return { type: "image_url", image_url: { url } };
}

/** The messages of a message of a run: one, or one for each result. */
function written({ role, parts }: Message): { role: string; [field: string]: unknown }[] {
  const of = <Kind extends MessagePart["kind"]>(wanted: Kind) =>
    // A cast: the payload is that of its kind.
    parts.flatMap(({ kind, payload }) => (kind === wanted ? [payload as Payload<Kind>] : []));
  const results = of("tool_result");
  if (results.length > 0)
    return results.map(({ toolCallId, content }) => ({
      ...{ role: "tool", tool_call_id: toolCallId, content: textOf(content) },
    }));
  const texts = of("text").map(({ text }) => text);
  const images = role === "user" ? of("image").map(image) : [];
  const calls = of("tool_call").map(({ toolCallId: id, toolName: name, arguments: input }) => ({
    ...{ id, type: "function", function: { name, arguments: JSON.stringify(input) } },
  }));
  if (texts.length + images.length + calls.length === 0) return [];
  const text = texts.join("\n");
  const content = images.length > 0 ? [{ type: "text", text }, ...images] : text;
  return [calls.length > 0 ? { role, content, tool_calls: calls } : { role, content }];
}

export function openAiChat(asked: AskedRequest): Record<string, unknown> {
  const { model, messages, tools, system, maxTokens } = asked;
  const request: Record<string, unknown> = {
    ...{ model, stream: true, stream_options: { include_usage: true } },
  };
  if (maxTokens !== undefined) request.max_completion_tokens = maxTokens;
  const first = system === undefined ? [] : [{ role: "system", content: system }];
  request.messages = [...first, ...messages.flatMap(written)];
  if (tools.length > 0)
    request.tools = tools.map(({ name, description, inputSchema }) => ({
      ...{ type: "function", function: { name, description, parameters: inputSchema } },
    }));
  return request;
}
