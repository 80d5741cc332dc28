//! The two messages and their parts.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{ModelRef, Tag, TokenStats, UnknownFields, present, tag};
use super::error::MessageError;
use super::part::Part;
use crate::names::Word;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

tag!(UserTag, Word::User);
tag!(AssistantTag, Word::Assistant);

/// A message with its parts, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WithParts {
    /// The message.
    pub info: MessageInfo,
    /// Its parts. Their order is the order of the conversation and is never changed.
    pub parts: Vec<Part>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A message; `role` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "UserMessage | AssistantMessage"))]
#[serde(untagged)]
pub enum MessageInfo {
    /// From a person.
    User(Box<UserMessage>),
    /// From a model.
    Assistant(Box<AssistantMessage>),
}

/// What a person said, and how it is to be answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct UserMessage {
    /// Its id.
    pub id: String,
    /// The session's id (BR-04).
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// Always `"user"`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"user\""))]
    pub role: Tag<UserTag>,
    /// When it was created, in milliseconds since the Unix epoch.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ created: number }"))]
    pub time: MessageTime,
    /// A summary, written when the context is compacted (BR-11).
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "{ title?: string; body?: string; diffs?: unknown[] }")
    )]
    pub summary: Option<Summary>,
    /// The agent that answers it.
    pub agent: String,
    /// The model that answers it.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ providerID: string; modelID: string }"))]
    pub model: ModelRef,
    /// System instructions of its own.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Tools turned on and off.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, boolean>"))]
    pub tools: Option<Map<String, Value>>,
    /// The variant of the model.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AssistantMessage {
    /// Its id.
    pub id: String,
    /// The session's id (BR-04).
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// Always `"assistant"`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"assistant\""))]
    pub role: Tag<AssistantTag>,
    /// When it was created and completed (BR-14), in milliseconds since the Unix epoch.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ created: number; completed?: number }"))]
    pub time: MessageTime,
    /// The user message that it answers.
    #[serde(rename = "parentID")]
    pub parent_id: String,
    /// The model.
    #[serde(rename = "modelID")]
    pub model_id: String,
    /// Its provider.
    #[serde(rename = "providerID")]
    pub provider_id: String,
    /// The agent.
    pub agent: String,
    /// Where it worked.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ cwd: string; root: string }"))]
    pub path: WorkPath,
    /// It is a summary of the messages before it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub summary: Option<bool>,
    /// What it cost, in US dollars (BR-12).
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub cost: Number,
    /// What it used (BR-13).
    pub tokens: TokenStats,
    /// Why it ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Why it failed. OpenCode's `{name, data}` is kept as it came.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "APIError"))]
    pub error: Option<MessageError>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// The times of a message, in milliseconds since the Unix epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageTime {
    /// When it was created.
    pub created: Number,
    /// When it was completed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub completed: Option<Number>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A summary of a user message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// In a few words.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// At more length.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// What changed in files.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<Value>>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// Where an agent worked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkPath {
    /// The working directory.
    pub cwd: String,
    /// The root of the project.
    pub root: String,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}
