import type { Failure, FileView, JsonNode, LongText, Span, Tokens } from "../../ui/values";
import type { ToolView } from "../tools/model";

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

export type PartView =
  | {
      type: "text" | "reasoning";
      text: LongText;
      first: string;
      html: string;
      synthetic: boolean;
      ignored: boolean;
      time: Span;
    }
  | ToolView
  | { type: "step-start"; step: number }
  | { type: "step-finish"; step: number; reason: string; cost: number; tokens: Tokens }
  | { type: "file"; file: FileView; source?: string }
  | {
      type: "subtask";
      agent: string;
      description: string;
      text: LongText;
      first: string;
      html: string;
      command?: string;
    }
  | { type: "agent"; name: string }
  | { type: "compaction"; auto: boolean }
  | { type: "retry"; attempt: number; error: Failure; created?: number }
  | { type: "snapshot"; snapshot: string }
  | { type: "patch"; hash: string; files: string[]; total: number }
  | { type: "custom"; name: string; value: JsonNode };
