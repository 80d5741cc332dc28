//! The notices of Claude Code's `system` lines.

use super::line::LineBody;
use super::tags::without_tags;
use crate::fields::{get, number, pick, string};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::escape;
use apex_parts_model::view::number_text;
use std::borrow::Cow;

/// How deep the message of an error may be within it.
const DEPTH: usize = 4;

/// The notice of a line of `system`, by its `subtype`; `None` if it is none.
pub(super) fn notice(root: Node<'_>, subtype: &str) -> Option<LineBody> {
    let [content, level] = pick(root, ["content", "level"]);
    let (level, said) = match subtype {
        "api_error" => ("error", api_error(root)),
        "informational" => {
            let level = match string(level).as_deref() {
                Some("error") => "error",
                Some("warning" | "warn") => "warning",
                _ => "info",
            };
            (level, string(content).unwrap_or_default().into_owned())
        }
        "local_command" => ("info", without_tags(&string(content).unwrap_or_default())),
        _ => return None,
    };
    if said.trim().is_empty() {
        return None;
    }
    let mut text = String::new();
    escape(&mut text, &said);
    Some(LineBody::Notice { level, text: text.into() })
}

/// What an error of the API says: its message, its status, and which attempt it was.
fn api_error(root: Node<'_>) -> String {
    let names = ["error", "cause", "retryAttempt", "maxRetries", "retryInMs"];
    let [error, cause, attempt, most, wait] = pick(root, names);
    let said = message(error).or_else(|| string(get(cause, "code"))).unwrap_or_default();
    let mut said =
        if said.is_empty() { "the request failed".to_owned() } else { said.into_owned() };
    let mut about = Vec::new();
    if let Some(status) = number(get(error, "status")) {
        about.push(format!("status {}", number_text(status)));
    }
    if let Some(attempt) = number(attempt) {
        let of = number(most).map(|most| format!(" of {}", number_text(most))).unwrap_or_default();
        about.push(format!("retry {}{of}", number_text(attempt)));
    }
    if let Some(wait) = number(wait) {
        about.push(format!("in {} ms", number_text(wait)));
    }
    if !about.is_empty() {
        said.push_str(&format!(" ({})", about.join(", ")));
    }
    said
}

/// The message of an error, which may be that of one within it.
fn message(error: Option<Node<'_>>) -> Option<Cow<'_, str>> {
    let mut at = error;
    for _ in 0..DEPTH {
        if let Some(said) = string(at).or_else(|| string(get(at, "message"))) {
            return Some(said);
        }
        at = get(at, "error").or_else(|| get(at, "cause"));
    }
    None
}
