//! What a chunk is before its content is read: an error, the first of a response, or neither.

use crate::json::record::Val;
use crate::wire::providers::response_id::StartLikelihood;
use std::borrow::Cow;

/// Does a chunk name the role, and does it look as the first one does, which mostly does no more?
pub(crate) fn start_clues(choice: Val<'_>) -> (bool, StartLikelihood) {
    let [delta, finish] = choice.fields(&["delta", "finish_reason"]);
    let role = delta.get("role").exists();
    let silent = |(name, value): (Cow<'_, str>, Val<'_>)| {
        name == "role" || !value.exists() || matches!(value.raw(), "\"\"" | "[]")
    };
    let looks = match (role, delta.entries().all(silent), finish.exists()) {
        (true, true, false) => StartLikelihood::Yes,
        (true, ..) => StartLikelihood::Perhaps,
        (false, false, false) => StartLikelihood::Hardly,
        (false, ..) => StartLikelihood::No,
    };
    (role, looks)
}

/// The error of a record, wherever its server puts it.
pub(crate) fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
    let [error, groq, object] = root.fields(&["error", "x_groq", "object"]);
    let groq = groq.get("error");
    if error.exists() {
        Some(error)
    } else if groq.exists() {
        Some(groq)
    } else {
        (object.text() == "error" || event == "error").then_some(root)
    }
}
