// What a request says, before it has a format.
import type { FilePart } from "apex-parts:glue";
import type { Fields } from "../tools/boundary.ts";

/** Where something stands in the messages that were given. */
export interface Place {
  /** The index of the message. */
  index: number;
  /** The index of the part in it. */
  at: number;
}
/** Text; `state` is its provider's, if it goes back. */
export interface TextEntry extends Place {
  kind: "text";
  text: string;
  state: Fields | undefined;
}
/** Reasoning that goes back to its provider. */
export interface ReasoningEntry extends Place {
  kind: "reasoning";
  text: string;
  state: Fields | undefined;
  /** OpenRouter's `reasoning_details`. */
  details: unknown[] | undefined;
}
/** The result of a call. */
export interface CallResult {
  text: string;
  isError: boolean;
  files: FilePart[];
  /** `state.metadata` of the part: what the tool said besides. */
  metadata: Fields;
}
/** A call, with its result unless nothing was repaired. */
export interface CallEntry extends Place {
  kind: "call";
  id: string;
  name: string;
  input: unknown;
  state: Fields | undefined;
  /** Whether the provider ran it. */
  isProviders: boolean;
  result: CallResult | undefined;
  metadata: Fields | undefined;
  /** Whether no message follows. */
  isLast: boolean;
}
/** What the model has no part type for. */
export interface CustomEntry extends Place {
  kind: "custom";
  state: Fields;
}
/** A place of what is left out: it counts where places do. */
export interface LostEntry extends Place {
  kind: "lost";
}
export type FileEntry = { kind: "file"; file: FilePart } & Place;
/** A file of the model that goes back to its provider. */
export type OwnFileEntry = FileEntry & { state: Fields };

/** What the model said in one step. */
export interface Step {
  role: "assistant";
  entries: (TextEntry | ReasoningEntry | CallEntry | OwnFileEntry | CustomEntry | LostEntry)[];
  /** Whether nothing comes after it. */
  isLast: boolean;
  index: number;
}
/** What the user said in one message. */
export interface UserTurn {
  role: "user";
  entries: (TextEntry | FileEntry | CustomEntry)[];
  index: number;
}
export type Turn = Step | UserTurn;
