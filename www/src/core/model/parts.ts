import type { Failure, FileView, JsonNode, LongText, Span, Tokens } from "../../ui/values";
import type { ToolView } from "./tools";

/** The types of parts; their places in this list are the codes of `layout().types`. */
export const PART_TYPES = [
  "text",
  "reasoning",
  "tool",
  "step-start",
  "step-finish",
  "file",
  "subtask",
  "agent",
  "compaction",
  "retry",
  "snapshot",
  "patch",
] as const;

/** The code of each type in `layout().types`. */
export const PART_CODE = Object.fromEntries(PART_TYPES.map((name, code) => [name, code])) as Record<
  (typeof PART_TYPES)[number],
  number
>;

/** A type of a part: one that the viewer knows, or `custom` for all others. */
export type PartType = (typeof PART_TYPES)[number] | "custom";

/** A long text as markdown: its beginning rendered, and its first words. */
export interface Prose {
  /** Without a head: `html` has it. */
  text: LongText;
  first: string;
  html: string;
}

interface ProsePart extends Prose {
  /** It is a text that a person or the model wrote. */
  said: boolean;
  synthetic: boolean;
  ignored: boolean;
  time: Span;
}

/** What a row shows of a part, by the part's type. */
export type PartView =
  | ({ type: "text" } & ProsePart)
  | ({ type: "reasoning" } & ProsePart)
  | ToolView
  | { type: "step-start"; step: number }
  | { type: "step-finish"; step: number; reason: string; cost: number; tokens: Tokens }
  | { type: "file"; file: FileView; source?: string }
  | ({ type: "subtask"; agent: string; description: string; command?: string } & Prose)
  | { type: "agent"; name: string }
  | { type: "compaction"; auto: boolean; overflow: boolean }
  | { type: "retry"; attempt: number; error: Failure; created?: number }
  | { type: "snapshot"; snapshot: string }
  | { type: "patch"; hash: string; files: string[]; total: number }
  | { type: "custom"; name: string; value: JsonNode };

/** What a row shows of a part of one type. */
export type ViewOf<T extends PartType> = Extract<PartView, { type: T }>;
