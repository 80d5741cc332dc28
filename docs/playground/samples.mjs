// The samples of the page: files beside it, that are fetched when they are chosen.

export const STREAMS = [
  { id: "deltas", file: "deltas.ndjson", title: "Deltas" },
  { id: "anthropic", file: "anthropic.sse", title: "Anthropic" },
  { id: "openai-chat", file: "openai-chat.sse", title: "OpenAI Chat" },
  { id: "openai-responses", file: "openai-responses.sse", title: "OpenAI Responses" },
  { id: "gemini", file: "gemini.sse", title: "Gemini" },
  { id: "ai-sdk", file: "ai-sdk.sse", title: "AI SDK" },
  { id: "apex-bridge", file: "apex-bridge.sse", title: "apex-bridge" },
  { id: "damaged", file: "damaged.ndjson", title: "Damaged" },
];

export const SESSIONS = [
  { id: "fix-greeting", file: "fix-greeting.json", title: "A small fix" },
  { id: "provider-errors", file: "provider-errors.json", title: "Provider errors" },
  { id: "long-compaction", file: "long-compaction.json", title: "A long run, compacted" },
];

/** The bytes of a sample. */
export async function bytesOf({ file }) {
  const response = await fetch(new URL(`samples/${file}`, import.meta.url));
  if (!response.ok) throw new Error(`The sample ${file} came with status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
