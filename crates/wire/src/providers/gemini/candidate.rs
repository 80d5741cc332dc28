//! The check of a part of a candidate, made before it is read.

use crate::providers::checks::{may_string, must, must_object};
use apex_parts_json::record::Val;
use apex_parts_model::Violation;

/// Checks the fields of a part that are read.
pub(crate) fn check_part(part: Val<'_>) -> Result<(), Violation> {
    must_object(part, "content.parts[]")?;
    let [text, call] = part.fields(&["text", "functionCall"]);
    may_string(text, "parts[].text")?;
    must(call.is_object() || !call.exists(), "parts[].functionCall", "an object", call)?;
    may_string(call.get("name"), "functionCall.name")?;
    may_string(call.get("id"), "functionCall.id")
}
