import type { Growth } from "../transcript/model/overview";

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

/** What can be replayed: events, each with the moment at which it is played, in ms from the first. */
export interface Recording {
  moments: Float64Array;
  /** The moments are those that the events carry, long pauses cut short. */
  real: boolean;
}

/** The state after an event, and what the event was. */
export interface Moment {
  growth: Growth;
  type: string;
  words: string;
}
