//! The contents of messages and results: texts, files and what has no place.

use crate::fields::{get, is_true, of_kind, pick, raw, string, token};
use crate::log::log_part::LogPart;
use crate::prepared_search::PreparedSearch;
use apex_parts_json::tape::{Node, unescape};
use apex_parts_json::writer::escape;
use apex_parts_model::{Kind, View};

/// The items of a content: a string, a part, or an array of them.
fn items(content: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let listed = of_kind(content, Kind::Array);
    let single = content.filter(|content| listed.is_none() && !content.kind().is_nullish());
    listed.into_iter().flat_map(Node::children).chain(single)
}

/// Has the content nothing but responses to function calls?
pub(super) fn is_responses(content: Option<Node<'_>>) -> bool {
    let is_response = |item: Node<'_>| get(Some(item), "functionResponse").is_some();
    items(content).next().is_some() && items(content).all(is_response)
}

/// The parts of a message's content.
pub(super) fn parts(content: Option<Node<'_>>, json: &str, at: f64) -> Vec<LogPart> {
    let part = |item: Node<'_>| {
        let [text, thought] = pick(item, ["text", "thought"]);
        if let Some(text) = text_of(item, text) {
            return match token(text, json) {
                "" => None,
                raw if is_true(thought) => Some(LogPart::reasoning(raw, at, &Vec::new())),
                raw => Some(LogPart::text(raw, at)),
            };
        }
        Some(file(item, json).unwrap_or_else(|| custom(item, json)))
    };
    items(content).filter_map(part).collect()
}

/// The text of an item: itself, or that of a part.
fn text_of<'a>(item: Node<'a>, text: Option<Node<'a>>) -> Option<Node<'a>> {
    Some(item).into_iter().chain(text).find(|node| node.kind().is_string())
}

/// The texts of a content, joined by line breaks; raw.
pub(super) fn text(content: Option<Node<'_>>, json: &str) -> String {
    let texts = items(content).filter_map(|item| text_of(item, get(Some(item), "text")));
    let texts: Vec<&str> = texts.map(|text| token(text, json)).collect();
    texts.join("\\n")
}

/// The file of a part, if it is one.
fn file(item: Node<'_>, json: &str) -> Option<LogPart> {
    let [inline, linked] = pick(item, ["inlineData", "fileData"]);
    let [mime, data, url, name] =
        pick(inline.or(linked)?, ["mimeType", "data", "fileUri", "displayName"]);
    let mime = string(mime);
    let name = string(name).and(name).map(|name| token(name, json));
    if inline.is_some() {
        let data = of_kind(data, Kind::String)?;
        let mime = mime.as_deref().unwrap_or("image/*");
        return Some(LogPart::file_of(token(data, json), mime, name));
    }
    let url = Some(token(url?, json)).filter(|url| !url.is_empty())?;
    Some(LogPart::file_at(url, mime.as_deref(), "image/*", name))
}

/// The part that keeps an item for which the model has none: its type is the name of the item's first field.
fn custom(item: Node<'_>, json: &str) -> LogPart {
    let first = item.fields().next().and_then(|(name, _)| name.str());
    let kind = first.as_deref().filter(|name| !name.is_empty()).unwrap_or("content");
    LogPart::custom(format!("gemini-cli-{kind}"), "item", raw(item, json))
}

/// The output of a call.
#[derive(Default)]
pub(super) struct GeminiOutput {
    /// Raw.
    pub(super) text: String,
    pub(super) attachments: Vec<LogPart>,
}

/// What the result of a call says.
pub(super) fn output(result: Option<Node<'_>>, json: &str) -> GeminiOutput {
    let mut texts = Vec::new();
    let mut attachments = Vec::new();
    for item in items(result) {
        let [text, response] = pick(item, ["text", "functionResponse"]);
        if let Some(text) = text_of(item, text) {
            texts.push(token(text, json).to_owned());
        } else if let Some(response) = of_kind(response, Kind::Object) {
            let [said, files] = pick(response, ["response", "parts"]);
            texts.extend(said.and_then(|said| response_text(said, json)));
            attachments.extend(items(files).filter_map(|item| file(item, json)));
        } else if let Some(file) = file(item, json) {
            attachments.push(file);
        } else {
            texts.push(escaped_json(item));
        }
    }
    GeminiOutput { text: texts.join("\\n"), attachments }
}

/// Of a response its `output`, else its `error`, else its JSON; raw.
fn response_text(response: Node<'_>, json: &str) -> Option<String> {
    let said = pick(response, ["output", "error"]);
    let said = said.into_iter().flatten().find(|value| !value.kind().is_nullish());
    let said = said.unwrap_or(response);
    match said.kind() {
        kind if kind.is_nullish() => None,
        kind if kind.is_string() => Some(token(said, json).to_owned()),
        _ => Some(escaped_json(said)),
    }
}

/// The value's JSON, as the content of a JSON string.
fn escaped_json(value: Node<'_>) -> String {
    let mut out = String::new();
    escape(&mut out, &value.json_text().unwrap_or_default());
    out
}

/// The exit code that an output (raw) has in a line of its own, `Exit Code: N`: the last one, because the output of
/// the command stands before it. Some files have escaped their line breaks twice.
pub(super) fn exit_code(output: &str) -> Option<i64> {
    const BEFORE: &str = "Exit Code: ";
    static SEARCH: PreparedSearch = PreparedSearch::new(BEFORE);
    if !SEARCH.is_in(output) {
        return None;
    }
    let text = unescape(output.as_bytes());
    let line_break = if text.contains('\n') { "\n" } else { "\\n" };
    let codes = text.split(line_break).filter_map(|line| {
        line.strip_prefix(BEFORE).and_then(|code| code.trim_ascii_end().parse().ok())
    });
    codes.last()
}
