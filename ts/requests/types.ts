// The types of requests to providers.
import type { JSONSchema, Message, Problem, WithParts } from "apex-parts:glue";

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
/** What messages get that were read from another program's. */
export interface FromMessagesOptions {
  /** Their session; by default the name of the format. The ids of messages and parts begin with it. */
  sessionID?: string;
  /** When they were written, in milliseconds since the Unix epoch; by default 0. */
  now?: number;
  /** The model that answered; by default unknown, which is "". */
  model?: { providerID: string; modelID: string };
}
/** Messages that were read from another program's. */
export interface ReadMessages {
  /** The messages of the user and the model, in their order. */
  messages: WithParts[];
  /** The texts of system and developer messages, joined by a blank line; absent if there are none. */
  system?: string;
  /** The format that was read. */
  format: "openai-chat";
  /** What is wrong with the messages, and what of them was left out; `path` is a JSON Pointer into them. */
  problems: Problem[];
}
