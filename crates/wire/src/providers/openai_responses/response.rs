//! The object that a response is in its own events: its fields, how it finished, its error.

use apex_parts_json::record::Val;
use std::borrow::Cow;

/// The fields of a response that are not put in `meta.provider`: those read elsewhere, and long
/// ones that repeat the request.
pub(crate) const OWN: &[&str] = &[
    "id",
    "object",
    "model",
    "output",
    "status",
    "usage",
    "error",
    "tools",
    "instructions",
    "input",
    "prompt",
];

/// The finish reason of a delta for the reason in `incomplete_details`, which is empty if the
/// response is complete.
pub(crate) fn finish_reason_of(reason: &str, has_calls: bool) -> &'static str {
    match reason {
        "max_output_tokens" | "max_tokens" => "length",
        "content_filter" => "content-filter",
        _ if has_calls => "tool-calls",
        "" => "stop",
        _ => "other",
    }
}

/// The code of an error, or else its type.
pub(crate) fn error_code(error: Val<'_>) -> Option<Cow<'_, str>> {
    let [code, kind] = error.fields(&["code", "type"]);
    let kind = kind.word();
    // An `error` event may have the fields itself: then `type` is the type of the event.
    let kind = if kind == "error" { Cow::Borrowed("") } else { kind };
    [code.word(), kind].into_iter().find(|word| !word.is_empty())
}
