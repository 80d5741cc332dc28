//! A chunk as a whole, before its content is read: its fields, whether it is an error, and whether
//! it may be the first of a response.

use crate::providers::reasoning::{REASONING, reasoning_of};
use crate::providers::response_id::StartLikelihood;
use apex_parts_json::record::Val;
use std::borrow::Cow;

/// The fields of a chunk that are read elsewhere or carry no information.
pub(crate) const KNOWN: &[&str] = &[
    "id",
    "object",
    "created",
    "model",
    "choices",
    "usage",
    "error",
    "errors",
    "x_groq",
    "type",
    "obfuscation",
    "system_fingerprint",
    "service_tier",
];

/// The fields of a choice that are read.
pub(crate) const OF_CHOICE: &[&str] =
    &["index", "delta", "message", "text", "finish_reason", "logprobs", "usage", "error"];

/// The fields of a delta, or of a message, that are read or carry no information; beside them are those with reasoning.
pub(crate) const OF_DELTA: &[&str] = &[
    "role",
    "content",
    "reasoning_details",
    "refusal",
    "tool_calls",
    "function_call",
    "annotations",
    "audio",
    "images",
];

/// The fields that the fast path may skip.
pub(crate) const SKIPPED: &[&str] = &["created", "obfuscation"];

/// Is the choice that of an answer that was not streamed?
pub(crate) fn is_whole(choice: Val<'_>) -> bool {
    let [delta, message] = choice.fields(&["delta", "message"]);
    message.is_object() && !delta.exists()
}

/// Has the choice a piece of text or of reasoning?
pub(crate) fn has_text(choice: Val<'_>) -> bool {
    let [delta, text] = choice.fields(&["delta", "text"]);
    let content = delta.get("content");
    text.piece().is_some()
        || content.piece().is_some()
        || content.items().next().is_some()
        || reasoning_of(delta, &REASONING).is_some()
}

/// Whether a choice names the role, and how likely its chunk is the first of a response: mostly
/// that has a role and no content.
pub(crate) fn start_clues(choice: Val<'_>) -> (bool, StartLikelihood) {
    let [delta, finish] = choice.fields(&["delta", "finish_reason"]);
    let role = delta.get("role").exists();
    let is_empty = |(name, value): (Cow<'_, str>, Val<'_>)| {
        name == "role" || !value.exists() || matches!(value.raw(), "\"\"" | "[]")
    };
    let likelihood = match (role, delta.entries().all(is_empty), finish.exists()) {
        (true, true, false) => StartLikelihood::Yes,
        (true, ..) => StartLikelihood::Perhaps,
        (false, false, false) => StartLikelihood::Hardly,
        (false, ..) => StartLikelihood::No,
    };
    (role, likelihood)
}
