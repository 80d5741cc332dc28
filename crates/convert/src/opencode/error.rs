//! Errors and reasons to end, as OpenCode has them.

use super::fit::Fitter;
use super::import_shape::{API_DATA, ERROR};
use super::lost::LostFields;
use super::picked::{can_fit, field, json, object, text};
use apex_parts_json::tape::Node;
use apex_parts_json::writer;
use apex_parts_model::{Kind, Path, View};
use std::borrow::Cow;

/// Why a message ended, in OpenCode's word: others than `tool-calls` and `unknown` end a turn there.
pub(super) fn finish_of(reason: &str) -> &str {
    match reason {
        "tool_use" | "tool_calls" | "function_call" => "tool-calls",
        "end_turn" | "stop_sequence" | "STOP" => "stop",
        "max_tokens" | "max_output_tokens" | "MAX_TOKENS" => "length",
        "content_filter" | "SAFETY" => "content-filter",
        other => other,
    }
}

/// What an error says: its message, its name, or all of it.
fn message_of(error: Node<'_>) -> Cow<'_, str> {
    let data = object(field(Some(error), "data"));
    text(field(data, "message"))
        .or_else(|| text(field(Some(error), "message")))
        .or_else(|| text(field(Some(error), "name")))
        .or_else(|| error.str())
        .unwrap_or_else(|| json(error))
}

/// The JSON of an error of another name; `None` if OpenCode has one of that name. What its record has no place for is
/// noted.
pub(super) fn unknown_error_json(error: Node<'_>, lost: &mut LostFields) -> Option<String> {
    let data = object(field(Some(error), "data"));
    if can_fit(error, &ERROR) && data.is_some() {
        return None;
    }
    let root = Path::ROOT.name("assistant");
    let path = root.name("error");
    for (key, value) in error.fields() {
        let name = key.str().unwrap_or_default();
        if !matches!(&*name, "message" | "data") && value.kind() != Kind::Null {
            lost.note(&path.name(&name));
        }
    }
    let inner = path.name("data");
    for (key, _) in data.into_iter().flat_map(Node::fields) {
        let name = key.str().unwrap_or_default();
        if name != "message" {
            lost.note(&inner.name(&name));
        }
    }
    let mut out = String::new();
    writer::object(&mut out, |out| {
        out.string("name", "UnknownError").object("data", |data| {
            data.string("message", &message_of(error));
        });
    });
    Some(out)
}

/// The JSON of the error of a retry, which is an `APIError`; `None` if it is one. Of an error that is only what an
/// `APIError` holds all is kept.
pub(super) fn api_error_json(error: Option<Node<'_>>, fitter: &mut Fitter<'_>) -> Option<String> {
    let named = text(field(object(error), "name"));
    let data = object(field(object(error), "data"));
    if named.as_deref() == Some("APIError") && data.is_some() {
        return None;
    }
    let root = Path::ROOT.name("retry");
    let path = root.name("error");
    if data.is_some() && named.is_some() {
        fitter.lost.note(&path.name("name"));
    }
    let mut fields = Vec::new();
    let held = data.or(object(error));
    if text(field(held, "message")).is_none() {
        let mut message = String::new();
        writer::string(&mut message, &error.map_or("unknown".into(), message_of));
        fields.push(("message", message));
    }
    if field(held, "isRetryable").is_none_or(|value| !value.kind().is_bool()) {
        // What was tried again could be.
        fields.push(("isRetryable", "true".to_owned()));
    }
    let mut out = String::new();
    writer::object(&mut out, |out| {
        out.string("name", "APIError").object("data", |data| match held {
            Some(held) => fitter.object(held, API_DATA, &fields, &path, data),
            None => fields.iter().for_each(|(name, json)| data.key(name).push_str(json)),
        });
    });
    Some(out)
}
