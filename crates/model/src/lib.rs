#![doc = include_str!("../README.md")]

pub mod agent;
pub mod ansi;
pub mod base64;
pub mod bounds;
pub mod bytes;
pub mod crc32;
pub mod delta;
pub mod error;
pub mod error_line;
pub mod factory;
pub mod fingerprint;
pub mod id;
pub mod invisible;
pub mod letter_case;
mod name_table;
pub mod names;
pub mod order;
pub mod outcome;
pub mod problem;
pub mod problem_list;
pub mod sorted_map;
pub mod sorted_set;
pub mod spec;
pub mod status;
mod text;
pub mod text_map;
pub mod time;
pub mod tool_state;
pub mod types;
pub mod utf16;
pub mod value;
pub mod view;
mod violation;

pub use agent::Agent;
pub use error::{Error, ErrorKind};
pub use error_line::{ErrorLine, error_line};
pub use id::{IdSource, RANDOM_BYTES, is_uuid};
pub use names::{Key, Word};
pub use outcome::{CallEnd, Outcome, exit_code, outcome};
pub use problem::{Path, Problem, Report, Severity, ValidationResult, shorten};
pub use status::{Status, Transition};
pub use text::{end_of, first_chars, start_of};
pub use types::base::{PartBase, TokenStats, UnknownFields};
pub use types::error::{APIError, MessageError};
pub use types::file::{FilePart, FilePartSource, FileSource, ResourceSource, SymbolSource};
pub use types::message::{AssistantMessage, MessageInfo, UserMessage, WithParts};
pub use types::part::{
    AgentPart, CompactionPart, CustomPart, Part, PatchPart, ReasoningPart, RetryPart, SnapshotPart,
    StepFinishPart, StepStartPart, SubtaskPart, TextPart, ToolPart,
};
pub use types::tool_state::{
    ToolState, ToolStateCompleted, ToolStateError, ToolStatePending, ToolStateRunning,
};
pub use value::{Json, Owned};
pub use view::{Build, Kind, View};
pub use violation::Violation;
