//! Errors of records as those of messages.

use crate::lists::push_all;
use apex_parts_agents::fields::{any_string, get, number, of_kind, pick, raw, token};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{ObjectWriter, object};
use apex_parts_model::Kind;

/// The name of an error that a provider sent.
const API_ERROR: &str = "APIError";

/// The name of an error of this type.
fn name_of(kind: &str) -> &'static str {
    match kind {
        "provider.auth" => "ProviderAuthError",
        "provider.content-filter" => "ContentFilterError",
        "aborted" => "MessageAbortedError",
        kind if kind.starts_with("provider.") => API_ERROR,
        _ => "UnknownError",
    }
}

/// The error `{name, data}` of a record's `{type, message, …}`; `provider` is the id of the provider, escaped.
#[must_use]
pub fn error_json(error: Node<'_>, provider: &str, json: &str) -> String {
    let [kind, message] = pick(error, ["type", "message"]);
    let name = name_of(&kind.and_then(Node::str).unwrap_or_default());
    let mut out = String::new();
    object(&mut out, |out| {
        out.string("name", name).object("data", |data| {
            if name == "ProviderAuthError" {
                push_all(data.key("providerID"), &["\"", provider, "\""]);
            }
            if name == API_ERROR {
                let [status, retry] = pick(error, ["status", "retryAfterMs"]);
                let is_busy = number(status).is_some_and(|code| code == 429.0 || code >= 500.0);
                return answer_fields(data, error, is_busy || retry.is_some(), json);
            }
            let message = message.map_or("", |message| token(message, json));
            push_all(data.key("message"), &["\"", message, "\""]);
        });
    });
    out
}

/// Writes why a request was sent again.
pub(crate) fn retry_fields(out: &mut ObjectWriter<'_>, error: Node<'_>, json: &str) {
    answer_fields(out, error, true, json);
}

/// Writes what a provider answered.
fn answer_fields(out: &mut ObjectWriter<'_>, error: Node<'_>, is_retryable: bool, json: &str) {
    let [message, status, response] = pick(error, ["message", "status", "response"]);
    let message = message.map_or("", |message| token(message, json));
    push_all(out.key("message"), &["\"", message, "\""]);
    if let Some(status) = status.filter(|_| number(status).is_some()) {
        out.key("statusCode").push_str(raw(status, json));
    }
    out.bool("isRetryable", is_retryable);
    if let Some(body) = any_string(get(of_kind(response, Kind::Object), "body")) {
        out.key("responseBody").push_str(raw(body, json));
    }
}

/// Is it written back without a loss from what a message says of it?
pub(crate) fn is_plain(error: Node<'_>) -> bool {
    let [kind, message, status] = pick(error, ["type", "message", "status"]);
    let count = error.fields().count();
    let has_text = any_string(message).is_some();
    match &*kind.and_then(Node::str).unwrap_or_default() {
        "provider.auth" | "provider.content-filter" | "aborted" | "unknown" => {
            has_text && count == 2
        }
        "provider.error" => {
            let has_status = number(status).is_some();
            has_text && count == if has_status { 3 } else { 2 }
        }
        _ => false,
    }
}
