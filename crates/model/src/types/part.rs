//! The twelve part types of a message, and custom parts.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).
//!
//! Nothing is lost: every type keeps the fields that it does not name, and numbers keep their
//! kind, so that JSON in is JSON out.
//!
//! ```
//! use apex_parts_model::Part;
//! let json = r#"{"id":"p","sessionID":"s","messageID":"m","type":"text","text":"hi","mood":1}"#;
//! let part: Part = serde_json::from_str(json)?;
//! let Part::Text(text) = &part else { panic!("a text part") };
//! assert_eq!(text.text, "hi");
//! assert_eq!(serde_json::to_value(&part)?["mood"], 1);
//! # Ok::<(), serde_json::Error>(())
//! ```

use super::base::{
    Created, ModelRef, PartBase, Tag, TimeSpan, TokenStats, UnknownFields, present, tag,
};
use super::error::MessageError;
use super::file::{FilePart, SourceText};
use super::tool_state::ToolState;
use crate::names::Word;
use serde::de::{DeserializeOwned, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

tag!(TextTag, Word::Text);
tag!(ReasoningTag, Word::Reasoning);
tag!(ToolTag, Word::Tool);
tag!(StepStartTag, Word::StepStart);
tag!(StepFinishTag, Word::StepFinish);
tag!(SubtaskTag, Word::Subtask);
tag!(AgentTag, Word::Agent);
tag!(CompactionTag, Word::Compaction);
tag!(RetryTag, Word::Retry);
tag!(SnapshotTag, Word::Snapshot);
tag!(PatchTag, Word::Patch);

/// Text, of a person or a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TextPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"text"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"text\""))]
    pub kind: Tag<TextTag>,
    /// The text.
    pub text: String,
    /// Made by the program, not by a person or a model.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub synthetic: Option<bool>,
    /// Not for the model.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ignored: Option<bool>,
    /// When it was written, in milliseconds since the Unix epoch.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ start: number; end?: number }"))]
    pub time: Option<TimeSpan>,
    /// Additional data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub metadata: Option<Map<String, Value>>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// Reasoning of a model before it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReasoningPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"reasoning"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"reasoning\""))]
    pub kind: Tag<ReasoningTag>,
    /// The reasoning.
    pub text: String,
    /// Additional data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub metadata: Option<Map<String, Value>>,
    /// When it was written, in milliseconds since the Unix epoch.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ start: number; end?: number }"))]
    pub time: TimeSpan,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A tool call and its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"tool"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"tool\""))]
    pub kind: Tag<ToolTag>,
    /// The id under which model and program know the call.
    #[serde(rename = "callID")]
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The state of the call.
    pub state: ToolState,
    /// Additional data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub metadata: Option<Map<String, Value>>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// The start of a step: one call of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StepStartPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"step-start"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"step-start\""))]
    pub kind: Tag<StepStartTag>,
    /// The state of the work tree, as an id.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// The end of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StepFinishPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"step-finish"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"step-finish\""))]
    pub kind: Tag<StepFinishTag>,
    /// Why it ended.
    pub reason: String,
    /// The state of the work tree, as an id.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// What it cost, in US dollars.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub cost: Number,
    /// What it used.
    pub tokens: TokenStats,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A task handed to another agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SubtaskPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"subtask"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"subtask\""))]
    pub kind: Tag<SubtaskTag>,
    /// What it is asked.
    pub prompt: String,
    /// In a few words.
    pub description: String,
    /// The agent.
    pub agent: String,
    /// The model, if it is not the session's.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ providerID: string; modelID: string }"))]
    pub model: Option<ModelRef>,
    /// The command that started it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// An agent that was named in a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AgentPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"agent"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"agent\""))]
    pub kind: Tag<AgentTag>,
    /// Its name.
    pub name: String,
    /// Where it was named (UTF-16 offsets).
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "{ value: string; start: number; end: number }")
    )]
    pub source: Option<SourceText>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A place at which the history was compacted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CompactionPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"compaction"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"compaction\""))]
    pub kind: Tag<CompactionTag>,
    /// By the program, not by the user.
    pub auto: bool,
    /// The provider had refused the request as too large.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub overflow: Option<bool>,
    /// The id of the message with which the part of the history begins that stayed verbatim.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tail_start_id: Option<String>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A request that failed and was sent again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RetryPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"retry"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"retry\""))]
    pub kind: Tag<RetryTag>,
    /// Which attempt.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub attempt: Number,
    /// Why.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "APIError"))]
    pub error: MessageError,
    /// When, in milliseconds since the Unix epoch.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ created: number }"))]
    pub time: Created,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// The state of the work tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SnapshotPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"snapshot"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"snapshot\""))]
    pub kind: Tag<SnapshotTag>,
    /// Its id.
    pub snapshot: String,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// Changes to files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PatchPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Always `"patch"`.
    #[serde(rename = "type")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"patch\""))]
    pub kind: Tag<PatchTag>,
    /// The id of the change.
    pub hash: String,
    /// The files changed.
    pub files: Vec<String>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A part of any other type: kept whole, in place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CustomPart {
    /// Which part of which message of which session.
    #[serde(flatten)]
    pub base: PartBase,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Everything else.
    #[serde(flatten)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ [field: string]: unknown }"))]
    pub fields: Map<String, Value>,
}

/// `Part` and its two ways through serde, from one list of its variants.
macro_rules! part_enum {
    ($union:literal $($(#[$meta:meta])* $variant:ident($part:ident),)+) => {
        /// A part of a message; `type` says which.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(target_arch = "wasm32", tsify(type = $union))]
        pub enum Part {
            $($(#[$meta])* $variant($part),)+
            /// A part of any other type.
            Custom(CustomPart),
        }

        impl Serialize for Part {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Part::$variant(part) => part.serialize(serializer),)+
                    Part::Custom(part) => part.serialize(serializer),
                }
            }
        }

        impl<'de> Deserialize<'de> for Part {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                fn read<T: DeserializeOwned, E: serde::de::Error>(value: Value) -> Result<T, E> {
                    serde_json::from_value(value).map_err(E::custom)
                }
                let value = Value::deserialize(deserializer)?;
                match value.get("type").and_then(Value::as_str).and_then(Word::parse) {
                    $(Some(Word::$variant) => read(value).map(Part::$variant),)+
                    _ => read(value).map(Part::Custom),
                }
            }
        }
    };
}

part_enum! {
    "TextPart | ReasoningPart | ToolPart | StepStartPart | StepFinishPart | FilePart | SubtaskPart | AgentPart | CompactionPart | RetryPart | SnapshotPart | PatchPart"
    /// Text.
    Text(TextPart),
    /// Reasoning of a model.
    Reasoning(ReasoningPart),
    /// A tool call.
    Tool(ToolPart),
    /// The start of a step.
    StepStart(StepStartPart),
    /// The end of a step.
    StepFinish(StepFinishPart),
    /// A file.
    File(FilePart),
    /// A task for another agent.
    Subtask(SubtaskPart),
    /// An agent that was named.
    Agent(AgentPart),
    /// A place at which the history was compacted.
    Compaction(CompactionPart),
    /// A request sent again.
    Retry(RetryPart),
    /// A state of the work tree.
    Snapshot(SnapshotPart),
    /// Changes to files.
    Patch(PatchPart),
}
