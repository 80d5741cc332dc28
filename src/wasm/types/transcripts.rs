//! Declarations of transcripts.

use crate::wasm::declarations::Declarations;
use apex_parts_transcript::Format;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPTS: &str = r#"
/** The options of a transcript. */
export interface TranscriptOptions {
  /** Default: detected from the content. */
  format?: TranscriptFormat;
  /** Which ids are valid, as in `ValidateOptions`. Default: those of the format. */
  ids?: "apex" | "opencode";
  /**
   * Returns the bytes of the file from offset `start` up to, not including, `end`. If given, the transcript
   * does not keep the bytes that are pushed, only an index, and reads messages with this function. It must
   * not call the transcript.
   */
  read?: (start: number, end: number) => Uint8Array;
  /** The time of messages whose file has none, in milliseconds: as a file's own. Default: when it is opened. */
  now?: number;
}
/** Facts about every message and part, as columns. */
export interface TranscriptLayout {
  /** For each message, the index of its first part among all parts; then the number of parts. */
  firstPart: Uint32Array;
  /** The type of each part: 0 text, 1 reasoning, 2 tool, 3 step-start, 4 step-finish, 5 file, 6 subtask, 7 agent, 8 compaction, 9 retry, 10 snapshot, 11 patch, 255 other. */
  types: Uint8Array;
  /** How the tool call of each part stands: 0 none, 1 pending, 2 running, 3 completed, 4 error, 5 failed: completed, but failed as its tool says (`outcome`). */
  statuses: Uint8Array;
  /** The exit code of each tool call, as 32 bits; -2147483648 where there is none. */
  exits: Int32Array;
  /** The role of each message: 0 unknown, 1 user, 2 assistant. */
  roles: Uint8Array;
  /** For each message: bit 0 it has an error, bit 1 it is a summary, bit 2 it has tool calls. */
  flags: Uint8Array;
  /** The size of the JSON of each part, in bytes. */
  sizes: Uint32Array;
  /** The start of each part, in milliseconds since the Unix epoch; `NaN` if not given. */
  starts: Float64Array;
  /** The end of each part; `NaN` if not given or not reached. */
  ends: Float64Array;
  /** The cost of each step in US dollars, at its step-finish part; 0 for other parts. */
  costs: Float32Array;
  /** All tokens of each step, including cache, at its step-finish part; 0 for other parts. */
  tokens: Uint32Array;
  /** The tool of each part: its index in `toolNames` plus 1; 0 for other parts, and for a tool without a name or after the first 65,534 names. */
  tools: Uint16Array;
  /** The creation time of each message, in milliseconds since the Unix epoch; `NaN` if not given. */
  created: Float64Array;
  /** The completion time of each message; `NaN` if not given or not completed. */
  completed: Float64Array;
  /** The agent of each message: its index in `agentNames` plus 1; 0 if it has none, or one after the first 65,534. */
  agents: Uint16Array;
  /** The session of each message: its index in the transcript's `sessions`; 4294967295 if it has none. */
  sessions: Uint32Array;
  /** The names of the tools in the order of their first call, cut to 200 bytes each. */
  toolNames: string[];
  /** The names of the agents in the order of their first message, cut to 200 bytes each. */
  agentNames: string[];
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMAT: &str = {
    const TEXT: &Declarations = &Declarations::union(
        "/** The formats of transcripts. */\nexport type TranscriptFormat = ",
        &Format::NAMES,
    );
    TEXT.as_str()
};

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMATS: &str = r"
/** All formats of transcripts: the values of the option `format` of a `Transcript`. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[];
";

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMAT_INFO: &str = {
    const TEXT: &Declarations = &format_info();
    TEXT.as_str()
};

/// The type of a constant that says all there is to say of each format. The build writes its value from it.
#[allow(clippy::indexing_slicing, dead_code)] // as of `Declarations`
const fn format_info() -> Declarations {
    let mut text = Declarations::new();
    text.push("/** What people call each format, the agent that writes it, and how the names of its files end. */\n");
    text.push("export const TRANSCRIPT_FORMAT_INFO: {\n");
    let mut i = 0;
    while i < Format::NAMES.len() {
        let format = Format::at(i);
        text.push("  readonly ");
        text.string(Format::NAMES[i]);
        text.push(": {\n    readonly title: ");
        text.string(format.title());
        text.push(";\n");
        if let Some(agent) = format.agent() {
            text.push("    readonly agent: { readonly id: ");
            text.string(agent.id);
            text.push("; readonly title: ");
            text.string(agent.title);
            text.push(" };\n");
        }
        text.push("    readonly endings: readonly [");
        let endings = format.endings();
        let mut j = 0;
        while j < endings.len() {
            text.push(if j > 0 { ", " } else { "" });
            text.string(endings[j]);
            j += 1;
        }
        text.push("];\n  };\n");
        i += 1;
    }
    text.push("};\n");
    text
}

#[wasm_bindgen(typescript_custom_section)]
const SESSION_KIND: &str = r#"
/** What a session of a transcript is. */
export type SessionKind = "main" | "task" | "branch" | "other" | "replay";
/** Which session a question is about. */
export interface SessionScope {
  /** The id of a session of `sessions`. Default: the whole file. */
  session?: string;
}
"#;
