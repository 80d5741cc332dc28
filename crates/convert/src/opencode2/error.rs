//! Errors of messages as those of records.

use super::message::text;
use apex_parts_agents::fields::{get, number, raw};
use apex_parts_json::tape::Node;
use apex_parts_opencode2::{joined, push_all};

/// The type of an error with this name.
fn type_of(name: &str) -> &'static str {
    match name {
        "ProviderAuthError" => "provider.auth",
        "ContentFilterError" => "provider.content-filter",
        "ContextOverflowError" => "provider.invalid-request",
        "StructuredOutputError" | "MessageOutputLengthError" => "provider.invalid-output",
        "MessageAbortedError" => "aborted",
        "APIError" => "provider.error",
        _ => "unknown",
    }
}

/// The error of a record for a message's `{name, data}`.
pub(super) fn error_of(error: Node<'_>, json: &str) -> String {
    let name = get(Some(error), "name").and_then(Node::str).unwrap_or_default();
    let data = get(Some(error), "data");
    let message = text(data, "message", json).or_else(|| text(Some(error), "message", json));
    let message = message.unwrap_or(&name);
    let kind = type_of(&name);
    let mut out = joined(&["{\"type\":\"", kind, "\",\"message\":\"", message, "\""]);
    let status = get(data, "statusCode");
    if let Some(status) = status.filter(|_| kind == "provider.error" && number(status).is_some()) {
        push_all(&mut out, &[",\"status\":", raw(status, json)]);
    }
    out.push('}');
    out
}
