//! The answers that a field of a record holds.

use super::message_likeness::{MessageLikeness, list_likeness, message_likeness};
use super::whole_answer::{AUTO, is_whole_answer, text_answer, whole_answers};
use apex_parts_agents::fields::{get, raw, string};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};
use apex_parts_providers::RecordedAnswer;

/// The answers that a field holds: several where the model was asked for more than one.
pub(super) fn read_answers(value: Node<'_>, json: &str, path: &'static str) -> Vec<RecordedAnswer> {
    let list = |messages: &str| RecordedAnswer {
        format: AUTO,
        messages: messages.to_owned(),
        path,
        ..RecordedAnswer::default()
    };
    match value.kind() {
        Kind::Object if is_whole_answer(value) => whole_answers(value, json, path),
        Kind::Object if message_likeness(value) == MessageLikeness::Message => {
            vec![list(raw(value, json))]
        }
        Kind::Object => {
            // A message that does not say whose it is.
            let content = get(Some(value), "content").filter(|content| content.kind().is_string());
            content.map(|content| text_answer(raw(content, json), path)).into_iter().collect()
        }
        Kind::Array if list_likeness(value) == MessageLikeness::Message => {
            let inner = raw(value, json);
            let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default().trim();
            (!inner.is_empty()).then(|| list(inner)).into_iter().collect()
        }
        kind if kind.is_string() && string(Some(value)).is_some() => {
            vec![text_answer(raw(value, json), path)]
        }
        _ => Vec::new(),
    }
}
