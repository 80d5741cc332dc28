import type { TranscriptFormat } from "apex-parts:glue";

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
/** A file of a run: its path, whose steps are separated by `/`, and its bytes. */
export interface RunFile {
  path: string;
  bytes: Uint8Array;
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
