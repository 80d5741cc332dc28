/** The formats that are streams of events, which can be replayed one by one. */
export const REPLAYED: ReadonlySet<string> = new Set([
  "deltas",
  "anthropic",
  "openai-chat",
  "openai-responses",
  "gemini",
  "ai-sdk",
  "apex-bridge",
  "opencode-events",
  "opencode-run",
  "claude-code",
]);
