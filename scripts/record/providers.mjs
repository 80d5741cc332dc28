// What the provider packages of the AI SDK make of streams: NAME.FORMAT.sse is the stream, NAME.FORMAT.expected.json what
// they read in it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withCleanUp } from "./demo.mjs";
import { installed } from "./installed.mjs";
import { STREAMS } from "./streams.mjs";
import { noTrace, write } from "./written.mjs";

const PACKAGES = {
  "@ai-sdk/anthropic": "4.0.105",
  "@ai-sdk/openai": "4.0.118",
  "@ai-sdk/openai-compatible": "3.0.92",
  "@ai-sdk/google": "4.0.121",
};

/** The model of each format: which package, and how it is asked for. */
const MODELS = {
  anthropic: [
    "@ai-sdk/anthropic",
    (of, options) => of.createAnthropic(options)("claude-sonnet-4-5"),
  ],
  "openai-chat": [
    "@ai-sdk/openai-compatible",
    (of, options) =>
      of.createOpenAICompatible({ name: "chat", baseURL: "http://127.0.0.1", ...options })(
        "chat-large",
      ),
  ],
  "openai-responses": [
    "@ai-sdk/openai",
    (of, options) => of.createOpenAI(options).responses("o-large"),
  ],
  gemini: ["@ai-sdk/google", (of, options) => of.createGoogleGenerativeAI(options)("gemini-large")],
};

/** The tools that the responses use, as the model is asked with them. */
const tool = (name) => ({ type: "function", name, inputSchema: { type: "object" } });
const TOOLS = ["note", "weather", "clock", "find_boat", "read", "list"].map(tool);

const messageOf = (error) => {
  if (typeof error === "string") return error;
  return error?.message ?? error?.error?.message ?? JSON.stringify(error);
};

/** The arguments of a call; what is no JSON stays a text. */
function inputOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What the package says of a stream. */
async function read(model, prompt) {
  const result = { text: "", reasoning: "", toolCalls: [], finishReason: null, usage: null };
  let [error, raw] = [null, undefined];
  try {
    const { stream } = await model.doStream({ prompt, tools: TOOLS, includeRawChunks: false });
    for await (const part of stream) {
      if (part.type === "text-delta") result.text += part.delta;
      else if (part.type === "reasoning-delta") result.reasoning += part.delta;
      else if (part.type === "error") error ??= messageOf(part.error);
      else if (part.type === "tool-call") {
        const { toolCallId: id, toolName: name, input, providerExecuted = false } = part;
        result.toolCalls.push({ id, name, input: inputOf(input), providerExecuted });
      } else if (part.type === "finish") {
        const { inputTokens, outputTokens } = part.usage;
        result.finishReason = part.finishReason.unified;
        raw = part.finishReason.raw;
        // Without a count of the provider there is none.
        result.usage = inputTokens.total !== undefined && {
          ...{ input: inputTokens.total, output: outputTokens.total ?? null },
          cacheRead: inputTokens.cacheRead ?? null,
          reasoning: outputTokens.reasoning ?? null,
        };
      }
    }
  } catch (thrown) {
    error ??= messageOf(thrown);
  }
  result.usage ||= null;
  // After an error the end that it tells of is not the provider's.
  if (error !== null) Object.assign(result, { finishReason: null, usage: null });
  return {
    ...result,
    error,
    ...(raw === undefined || error !== null ? {} : { rawFinishReason: raw }),
  };
}

/** Records the streams into a folder. */
export async function recordProviders(folder, only) {
  await withCleanUp(async (t) => {
    const { resolve } = await installed(t, PACKAGES);
    const prompt = [{ role: "user", content: [{ type: "text", text: "Go on." }] }];
    for (const [format, streams] of Object.entries(STREAMS)) {
      const [name, create] = MODELS[format];
      const library = await import(pathToFileURL(resolve(name)).href);
      for (const [title, stream] of Object.entries(streams)) {
        if (only && !only.test(title)) continue;
        const headers = { "content-type": "text/event-stream" };
        const fetch = async () => new Response(stream, { headers });
        const model = create(library, { apiKey: "none", fetch, generateId: numbered() });
        const source = `${name} ${PACKAGES[name]}`;
        const record = { name: title, format, source, ...(await read(model, prompt)) };
        write(join(folder, `${title}.${format}.sse`), stream);
        write(
          join(folder, `${title}.${format}.expected.json`),
          noTrace(`${JSON.stringify(record, null, 1)}\n`),
        );
      }
    }
  });
}

/** Ids for calls that have none. */
function numbered() {
  let count = 0;
  return () => `made-${++count}`;
}
