//! Declarations of transcripts.

use crate::transcript::Format;
use crate::wasm::declarations::Declarations;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPTS: &str = r#"
/** How a transcript is opened. */
export interface TranscriptOptions {
  /** Default: told from the content. */
  format?: TranscriptFormat;
  /** Default: what the format uses. */
  ids?: "apex" | "opencode";
  /**
   * Gives the bytes of the file from `start` to before `end`. Where it is given the file is not held:
   * what is pushed is scanned and forgotten, and what is asked for later is read by this function. It
   * must not call the transcript.
   */
  read?: (start: number, end: number) => Uint8Array;
}
/** What a list of rows needs to know of every message and part. */
export interface TranscriptLayout {
  /** The index of the first part of each message among all parts, and the number of parts at the end. */
  firstPart: Uint32Array;
  /** Each part's type: 0 text, 1 reasoning, 2 tool, 3 step-start, 4 step-finish, 5 file, 6 subtask, 7 agent, 8 compaction, 9 retry, 10 snapshot, 11 patch, 255 any other. */
  types: Uint8Array;
  /** Each part's tool state: 0 none, 1 pending, 2 running, 3 completed, 4 error. */
  statuses: Uint8Array;
  /** Each message's role: 0 unknown, 1 user, 2 assistant. */
  roles: Uint8Array;
  /** Each message: bit 0 it has an error, bit 1 it is a summary, bit 2 it has calls of tools. */
  flags: Uint8Array;
  /** Each part's JSON in bytes. */
  sizes: Uint32Array;
  /** When each part began, in milliseconds since the Unix epoch; `NaN` where it does not say. */
  starts: Float64Array;
  /** When each part ended; `NaN` where it does not say, or goes on. */
  ends: Float64Array;
  /** What each step cost, in US dollars, at its step-finish part; 0 for other parts. */
  costs: Float32Array;
  /** All tokens of each step, those of the cache too, at its step-finish part; 0 for other parts. */
  tokens: Uint32Array;
  /** Each part's tool: its index in `toolNames`, and 1; 0 for other parts, and for a tool without a name or beyond the first 65,534 names. */
  tools: Uint16Array;
  /** When each message was made, in milliseconds since the Unix epoch; `NaN` where it does not say. */
  created: Float64Array;
  /** When each message was complete; `NaN` where it does not say, or is not. */
  completed: Float64Array;
  /** Each message's agent: its index in `agentNames`, and 1; 0 where it names none, or one beyond the first 65,534. */
  agents: Uint16Array;
  /** Each message's session: its index in the transcript's `sessions`; 4294967295 where it names none. */
  sessions: Uint32Array;
  /** The tools, in the order in which they are called first. Of a name the first 200 bytes. */
  toolNames: string[];
  /** The agents, in the order in which they come first. Of a name the first 200 bytes. */
  agentNames: string[];
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMAT: &str = {
    const TEXT: &Declarations = &Declarations::union(
        "/** The kinds of file that are read. */\nexport type TranscriptFormat = ",
        &Format::NAMES,
    );
    TEXT.as_str()
};

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMATS: &str = r"
/** The names of all formats of transcripts, as `format` of a Transcript takes them. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[];
";
