//! The data model and its own rules: parts, messages, tool states, ids, problems, errors. No IO, no
//! clock, no randomness, no JavaScript.

#[allow(dead_code)] // each module has its own use of it
pub(crate) mod base64;
pub(crate) mod bounds;
pub mod delta;
pub mod error;
pub mod error_line;
pub mod factory;
#[cfg_attr(not(feature = "parts"), allow(dead_code))]
pub(crate) mod fingerprint;
pub mod id;
pub mod invisible;
pub(crate) mod letter_case;
mod name_table;
pub mod names;
pub(crate) mod order;
pub mod outcome;
pub mod problem;
#[cfg_attr(not(feature = "transcript"), allow(dead_code))]
pub(crate) mod problem_list;
pub mod spec;
pub mod status;
mod text;
pub(crate) mod time;
pub mod tool_state;
pub mod types;
pub(crate) mod utf16;
pub mod value;
pub mod view;
mod violation;

pub use error::{Error, ErrorKind};
#[allow(unused_imports)] // in modules without transcripts
pub(crate) use error_line::without_escapes;
pub use error_line::{ErrorLine, error_line};
pub use id::{IdSource, RANDOM_BYTES, is_uuid};
pub use names::{Key, Word};
pub use outcome::{CallEnd, Outcome, exit_code, outcome};
pub(crate) use problem::shorten;
pub use problem::{Path, Problem, Report, Severity, ValidationResult};
pub use status::{Status, Transition};
#[allow(unused_imports)] // in modules without transcripts, tools and MCP
pub(crate) use text::{end_of, start_of};
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
