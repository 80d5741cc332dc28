// A request to Anthropic's Messages API.
import type { MessagePart } from "apex-parts:glue";
import type { AskedRequest, Payload } from "./asked.ts";

/** The API wants a number; models that can say more are asked for more. */
const MAX_TOKENS = 8192;

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

/** A block of a message. */
type Block = { type: string; [field: string]: unknown };

function image({ mimeType, data, url = "" }: Payload<"image">): Block {
  const [, type = mimeType, bytes = data] = DATA_URL.exec(url) ?? [];
  const source =
    bytes === undefined ? { type: "url", url } : { type: "base64", media_type: type, data: bytes };
  return { type: "image", source };
}

/** The blocks of a part; none for what the API has no place for, and for text that it refuses. */
function blocks({ kind, payload }: MessagePart): Block[] {
  switch (kind) {
    case "text":
      return payload.text.trim() === "" ? [] : [{ type: "text", text: payload.text }];
    case "tool_call": {
      const { toolCallId: id, toolName: name, arguments: input } = payload;
      return [{ type: "tool_use", id, name, input }];
    }
    case "tool_result": {
      const { toolCallId: tool_use_id, content, isError } = payload;
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return [{ type: "tool_result", tool_use_id, content: text, is_error: isError }];
    }
    case "image":
      return [image(payload)];
    default:
      return [];
  }
}

export function anthropic(asked: AskedRequest): Record<string, unknown> {
  const { model, messages, tools, system, maxTokens = MAX_TOKENS } = asked;
  const turns: { role: string; content: Block[] }[] = [];
  const request: Record<string, unknown> = {
    ...{ model, max_tokens: maxTokens, stream: true, messages: turns },
  };
  const systems: unknown[] = system === undefined ? [] : [system];
  for (const { role, parts } of messages) {
    const content = parts.flatMap(blocks);
    if (content.length === 0) continue;
    if (role === "system") systems.push(...content.map(({ text }) => text));
    else {
      // Results are said by the user, all those of one answer in one message.
      const speaker = role === "assistant" ? role : "user";
      const last = turns.at(-1);
      if (last?.role === speaker) last.content.push(...content);
      else turns.push({ role: speaker, content });
    }
  }
  if (systems.length > 0) request.system = systems.join("\n\n");
  if (tools.length > 0)
    request.tools = tools.map(({ name, description, inputSchema }) => ({
      ...{ name, description, input_schema: inputSchema },
    }));
  return request;
}
