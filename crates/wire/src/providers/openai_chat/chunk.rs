//! A chunk as a whole, before its content is read: its fields, whether it is an error, and whether
//! it may be the first of a response.

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

/// The fields of a delta, or of a message, that are read or carry no information.
pub(crate) const OF_DELTA: &[&str] = &[
    "role",
    "content",
    "reasoning_content",
    "reasoning",
    "reasoning_text",
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
