//! The states of a tool call.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{Tag, UnknownFields, present, tag};
use super::file::FilePart;
use crate::names::Word;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

tag!(PendingTag, Word::Pending);
tag!(RunningTag, Word::Running);
tag!(CompletedTag, Word::Completed);
tag!(ErrorTag, Word::Error);

/// A call that was requested and has not started: its arguments may still be arriving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolStatePending {
    /// Always `"pending"`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"pending\""))]
    pub status: Tag<PendingTag>,
    /// The arguments, as far as they are known.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub input: Map<String, Value>,
    /// The arguments as they arrived (BR-06).
    pub raw: String,
    /// Fields that the model does not name.
    #[serde(flatten)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{}"))]
    pub unknown: Map<String, Value>,
}

/// A call under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolStateRunning {
    /// Always `"running"`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"running\""))]
    pub status: Tag<RunningTag>,
    /// The arguments.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub input: Map<String, Value>,
    /// A title for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Additional data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub metadata: Option<Map<String, Value>>,
    /// When it started (BR-07), in milliseconds since the Unix epoch.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ start: number }"))]
    pub time: ToolTime,
    /// Fields that the model does not name.
    #[serde(flatten)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{}"))]
    pub unknown: Map<String, Value>,
}

/// A call that ended well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolStateCompleted {
    /// Always `"completed"`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"completed\""))]
    pub status: Tag<CompletedTag>,
    /// The arguments.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub input: Map<String, Value>,
    /// Its output; not empty (BR-09).
    pub output: String,
    /// A title for people.
    pub title: String,
    /// Additional data.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub metadata: Map<String, Value>,
    /// When it started and ended (BR-08), and when its output was cleared.
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "{ start: number; end: number; compacted?: number }")
    )]
    pub time: ToolTime,
    /// Files that it returned.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<FilePart>>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{}"))]
    pub unknown: Map<String, Value>,
}

/// A call that failed, timed out or was aborted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolStateError {
    /// Always `"error"`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"error\""))]
    pub status: Tag<ErrorTag>,
    /// The arguments.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub input: Map<String, Value>,
    /// What went wrong; not blank (BR-10).
    pub error: String,
    /// Additional data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub metadata: Option<Map<String, Value>>,
    /// When it started and ended (BR-08).
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ start: number; end: number }"))]
    pub time: ToolTime,
    /// Fields that the model does not name.
    #[serde(flatten)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{}"))]
    pub unknown: Map<String, Value>,
}

/// The times of a tool state, in milliseconds since the Unix epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolTime {
    /// When it started.
    pub start: Number,
    /// When it ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub end: Option<Number>,
    /// When its output was cleared.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub compacted: Option<Number>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// The state of a tool call; `status` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
#[cfg_attr(
    target_arch = "wasm32",
    tsify(type = "ToolStatePending | ToolStateRunning | ToolStateCompleted | ToolStateError")
)]
pub enum ToolState {
    /// Asked for.
    Pending(ToolStatePending),
    /// Under way.
    Running(ToolStateRunning),
    /// Ended well.
    Completed(ToolStateCompleted),
    /// Failed.
    Error(ToolStateError),
}
