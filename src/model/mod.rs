//! Plain data and its own rules: parts, messages, tool states, ids, problems, errors. No IO, no
//! clock, no randomness, no JavaScript.

pub(crate) mod bounds;
pub mod delta;
pub mod error;
pub mod factory;
pub mod id;
pub mod names;
pub mod problem;
#[cfg_attr(not(feature = "transcript"), allow(dead_code))]
pub(crate) mod problem_list;
pub(crate) mod time;
pub mod tool_state;
pub mod types;
pub mod view;

pub use error::{Error, ErrorKind};
pub use id::{IdSource, RANDOM_BYTES, is_uuid};
pub use names::{Key, Word};
pub(crate) use problem::shorten;
pub use problem::{Path, Problem, Report, Severity, ValidationResult};
pub use tool_state::{Status, Transition};
pub use types::message::{
    APIError, AssistantMessage, MessageError, MessageInfo, TokenStats, UserMessage, WithParts,
};
pub use types::part::{
    AgentPart, CompactionPart, CustomPart, FilePart, Part, PartBase, PatchPart, ReasoningPart,
    RetryPart, SnapshotPart, StepFinishPart, StepStartPart, SubtaskPart, TextPart, ToolPart,
    UnknownFields,
};
pub use types::source::{FilePartSource, FileSource, ResourceSource, SymbolSource};
pub use types::tool_state::{
    ToolState, ToolStateCompleted, ToolStateError, ToolStatePending, ToolStateRunning,
};
pub use view::{Build, Json, Kind, Owned, View};
