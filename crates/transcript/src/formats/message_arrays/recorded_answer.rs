//! [`RecordedAnswer`]: the answer of a record.

use apex_parts_agents::TokenCounts;
use apex_parts_agents::fields::{items, raw};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{escape, object};

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

    /// What a reader of this module gets.
    pub(super) fn to_read(&self) -> apex_parts_providers::RecordedAnswer {
        let tokens = self.tokens.map(|tokens| {
            let mut json = String::new();
            object(&mut json, |out| tokens.write(out));
            json
        });
        apex_parts_providers::RecordedAnswer {
            format: self.format,
            messages: self.messages.clone(),
            path: self.path,
            model: self.model.clone(),
            tokens,
            cost: self.cost,
            start: self.start,
            end: self.end,
            finish: self.finish,
            error: self.error.clone(),
        }
    }
}

/// A string as it stands in JSON, with its quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    escape(&mut out, text);
    out.push('"');
    out
}
