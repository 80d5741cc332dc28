// The types of messages that are read from other programs.
import type { Problem, WithParts } from "apex-parts:glue";
import type { RequestFormat, RequestTool } from "../types.ts";

/** The formats of messages that `fromMessages` reads. */
export type MessagesFormat = RequestFormat | "ai-sdk" | "ai-sdk-model" | "sharegpt";

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
  /** The tools that the body names; absent if it names none. */
  tools?: RequestTool[];
  /** The format that was read. */
  format: MessagesFormat;
  /** What is wrong with the messages, and what of them was left out; `path` is a JSON Pointer into the body. */
  problems: Problem[];
}
