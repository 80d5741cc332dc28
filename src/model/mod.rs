//! Plain data and its own rules: parts, messages, tool states, ids, problems, errors. No IO, no
//! clock, no randomness, no JavaScript.

pub(crate) mod bounds;
pub mod delta;
pub mod error;
pub mod factory;
pub mod id;
pub mod key;
pub mod message;
pub mod part;
pub mod problem;
pub mod source;
pub(crate) mod state;
pub mod tool_state;
pub mod tool_state_types;
pub mod value;

pub use error::{Error, ErrorKind};
pub use id::{IdSource, RANDOM_BYTES, is_uuid};
pub use key::{Key, Word};
pub use message::{
    APIError, AssistantMessage, MessageError, MessageInfo, TokenStats, UserMessage, WithParts,
};
pub use part::{
    AgentPart, CompactionPart, CustomPart, FilePart, Part, PartBase, PatchPart, ReasoningPart,
    RetryPart, SnapshotPart, StepFinishPart, StepStartPart, SubtaskPart, TextPart, ToolPart,
    UnknownFields,
};
pub(crate) use problem::shorten;
pub use problem::{Path, Problem, Report, Severity, ValidationResult};
pub use source::{FilePartSource, FileSource, ResourceSource, SymbolSource};
pub use tool_state::{Status, Step};
pub use tool_state_types::{
    ToolState, ToolStateCompleted, ToolStateError, ToolStatePending, ToolStateRunning,
};
pub use value::{Build, Json, Kind, Owned, View};
