//! The answer of a record, where it is a text or a part of a list.

use apex_parts_agents::TokenCounts;
use apex_parts_agents::fields::{items, raw};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{escape, object};
use apex_parts_providers::RecordedAnswer;

/// The name of the format that is told by the messages, and of the one of plain texts.
pub(super) const AUTO: &str = "auto";
pub(super) const PLAIN: &str = "openai-chat";

/// The answer that is a text; `token` is its JSON.
pub(super) fn text_answer(token: &str, path: &'static str) -> RecordedAnswer {
    let messages = format!("{{\"role\":\"assistant\",\"content\":{token}}}");
    RecordedAnswer { format: PLAIN, messages, path, ..RecordedAnswer::default() }
}

/// The messages of a list without as many at its beginning, as they stand in an array.
pub(super) fn messages_behind(list: Node<'_>, skipped: usize, json: &str) -> String {
    let messages: Vec<_> = items(Some(list)).skip(skipped).map(|one| raw(one, json)).collect();
    messages.join(",")
}

/// Tokens as the JSON of a message has them.
pub(super) fn tokens_json(tokens: TokenCounts) -> String {
    let mut json = String::new();
    object(&mut json, |out| tokens.write(out));
    json
}

/// A string as it stands in JSON, with its quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    escape(&mut out, text);
    out.push('"');
    out
}
