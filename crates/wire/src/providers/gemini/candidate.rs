//! The checks of a candidate, made before its parts are read.

use crate::providers::checks::{may_string, must, must_object};
use apex_parts_json::record::Val;
use apex_parts_model::Violation;

/// Checks the fields of a candidate, of its content and of each part.
pub(crate) fn check_candidate(candidate: Val<'_>) -> Result<(), Violation> {
    must_object(candidate, "candidates[]")?;
    let [content, finish] = candidate.fields(&["content", "finishReason"]);
    may_string(finish, "candidates[].finishReason")?;
    must(content.is_object() || !content.exists(), "candidates[].content", "an object", content)?;
    let parts = content.get("parts");
    must(parts.is_array() || !parts.exists(), "content.parts", "an array", parts)?;
    parts.items().try_for_each(|part| {
        must_object(part, "content.parts[]")?;
        let [text, call] = part.fields(&["text", "functionCall"]);
        may_string(text, "parts[].text")?;
        must(call.is_object() || !call.exists(), "parts[].functionCall", "an object", call)?;
        may_string(call.get("name"), "functionCall.name")?;
        may_string(call.get("id"), "functionCall.id")
    })
}
