//! [`RecordedAnswer`]: the answer of a record, as the host reads it.

use super::envelope::{MessageLikeness, list_likeness, message_likeness};
use super::whole_answer::{is_whole_answer, whole_answers};
use apex_parts_agents::TokenCounts;
use apex_parts_agents::fields::{get, items, raw, string};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{escape, object};
use apex_parts_model::{Kind, View};

/// The name of the format that is told by the messages, and of the one of plain texts.
pub(super) const AUTO: &str = "auto";
pub(super) const PLAIN: &str = "openai-chat";

/// An answer: its messages, and what is said of it.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordedAnswer {
    pub(super) format: &'static str,
    /// JSON, between the brackets of an array; empty if there is only an error.
    pub(super) messages: String,
    /// The field of the record in which it stands.
    pub(super) path: &'static str,
    pub(super) model: Option<String>,
    pub(super) tokens: Option<TokenCounts>,
    pub(super) cost: Option<f64>,
    /// In milliseconds since the Unix epoch.
    pub(super) start: Option<f64>,
    pub(super) end: Option<f64>,
    pub(super) finish: Option<&'static str>,
    pub(super) error: Option<String>,
}

impl RecordedAnswer {
    /// The answer that is a text; `token` is its JSON.
    pub(super) fn text(token: &str, path: &'static str) -> RecordedAnswer {
        let messages = format!("{{\"role\":\"assistant\",\"content\":{token}}}");
        RecordedAnswer { format: PLAIN, messages, path, ..RecordedAnswer::default() }
    }

    /// The answer without as many messages of its list at the beginning, which another one has too.
    pub(super) fn without(self, list: Node<'_>, skipped: usize, json: &str) -> RecordedAnswer {
        let messages: Vec<_> = items(Some(list)).skip(skipped).map(|one| raw(one, json)).collect();
        RecordedAnswer { messages: messages.join(","), ..self }
    }

    /// What the host gets: see [`RawMessages`](apex_parts_agents::RawMessages).
    pub(super) fn json(&self) -> String {
        let mut out = String::new();
        object(&mut out, |out| {
            out.string("format", self.format);
            let messages = out.key("messages");
            messages.push('[');
            messages.push_str(&self.messages);
            messages.push(']');
            out.string("path", &format!("/{}", self.path));
            let texts = [
                ("model", self.model.as_deref()),
                ("finish", self.finish),
                ("error", self.error.as_deref()),
            ];
            for (name, text) in texts {
                if let Some(text) = text {
                    out.string(name, text);
                }
            }
            for (name, number) in [("cost", self.cost), ("start", self.start), ("end", self.end)] {
                if let Some(number) = number {
                    out.number(name, number);
                }
            }
            if let Some(tokens) = self.tokens {
                out.object("tokens", |out| tokens.write(out));
            }
        });
        out
    }
}

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
            content
                .map(|content| RecordedAnswer::text(raw(content, json), path))
                .into_iter()
                .collect()
        }
        Kind::Array if list_likeness(value) == MessageLikeness::Message => {
            let inner = raw(value, json);
            let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default().trim();
            (!inner.is_empty()).then(|| list(inner)).into_iter().collect()
        }
        kind if kind.is_string() && string(Some(value)).is_some() => {
            vec![RecordedAnswer::text(raw(value, json), path)]
        }
        _ => Vec::new(),
    }
}

/// A string as it stands in JSON, with its quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    escape(&mut out, text);
    out.push('"');
    out
}
