// The types of requests to providers.
import type { JSONSchema, Message } from "apex-parts:glue";

/** The formats in which `toRequest` writes. */
export type RequestFormat = "anthropic" | "openai-chat";
/** What a model is asked. */
export interface RequestOptions {
  model: string;
  /** The messages, as `toMessages` gives them. */
  messages: Message[];
  /** The tools, as `ToolRegistry.definitions` gives them. */
  tools?: { name: string; description: string; inputSchema: JSONSchema }[];
  /** Instructions before the messages. */
  system?: string;
  /** The most tokens of the answer; by default 8,192 for Anthropic, which wants a number, else what the provider says. */
  maxTokens?: number;
}
