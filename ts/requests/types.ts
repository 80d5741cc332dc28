// The types of requests to providers.
import type { JSONSchema, Message, Problem, Transcript, WithParts } from "apex-parts:glue";

/** The formats in which `toRequest` writes. */
export type RequestFormat = "anthropic" | "openai-chat" | "openai-responses" | "gemini";
/** A tool that a model may call. */
export interface RequestTool {
  name: string;
  description?: string;
  /** The schema of its input; left out, it takes an object without fields. */
  inputSchema?: JSONSchema;
  /** Whether the input must be what the schema says: for OpenAI's formats. */
  strict?: boolean;
}
/** What a model is asked. */
export interface RequestOptions {
  /** The provider's name of the model. */
  model: string;
  /** The history: messages of a run, as `message()` and `toMessages` give them, messages with parts, or a transcript. */
  messages: Message[] | WithParts[] | Transcript;
  /** Who answers: OpenCode's `providerID`, such as "anthropic", "deepseek" or "mistral". By default not known. */
  provider?: string;
  /** The tools, as `ToolRegistry.definitions` gives them. */
  tools?: RequestTool[];
  /** Instructions before the messages. */
  system?: string | string[];
  /** The most tokens of the answer; by default 8,192 for Anthropic, which wants a number, else what the provider says. */
  maxTokens?: number;
  /** Whether the answer comes as a stream; by default true. */
  stream?: boolean;
  /** Whether to mark what Anthropic keeps in its cache; by default false. */
  cache?: boolean;
  /** What becomes of reasoning that this provider cannot read: left out, which is the default, or sent as text. */
  foreignReasoning?: "drop" | "text";
  /** Whether OpenAI keeps the answer (Responses); by default false, so that the reasoning is sent encrypted. */
  store?: boolean;
  /** Whether the history is repaired, so that the provider takes it; by default true. */
  repair?: boolean;
  /** Gets what was lost, changed or repaired: rules RQ-… and RP-…. `path` is the message and the part in `messages`. */
  onProblem?: (problem: Problem) => void;
}
/** Who will get the messages that `repair` gives. */
export interface RepairOptions {
  /** The format of the request; left out, only what every provider refuses is repaired. */
  format?: RequestFormat;
  /** Who answers, as in `RequestOptions`. */
  provider?: string;
}
/** What `repair` gives. */
export interface RepairedMessages {
  /** The messages: those that were good are the same objects. */
  messages: WithParts[];
  /** What was repaired; `path` is the message and the part in the messages given. */
  problems: Problem[];
}
