//! The content of entries of a history: a string, or texts and images.

use crate::fields::{any_string, get, items, pick, raw, string, token};
use crate::log::log_part::LogPart;
use apex_parts_json::tape::Node;
use apex_parts_json::writer::escape;
use apex_parts_model::{Kind, View};

/// An item of a content. Texts are raw.
pub(crate) enum SweItem<'a> {
    Text(&'a str),
    File(LogPart),
    /// A custom part that keeps anything else.
    Other(LogPart),
}

/// An observation: its texts joined by line breaks (raw), its images, and what is neither.
#[derive(Default)]
pub(crate) struct SweObservation {
    pub(crate) text: String,
    pub(crate) files: Vec<LogPart>,
    pub(crate) others: Vec<LogPart>,
}

/// The items of a content.
pub(crate) fn content_items<'a>(content: Node<'a>, json: &'a str) -> Vec<SweItem<'a>> {
    match content.kind() {
        Kind::String | Kind::EmptyString => vec![SweItem::Text(token(content, json))],
        Kind::Array => items(Some(content)).map(|item| item_of(item, json)).collect(),
        kind if kind.is_nullish() => Vec::new(),
        _ => vec![SweItem::Other(custom(content, json))],
    }
}

fn item_of<'a>(item: Node<'a>, json: &'a str) -> SweItem<'a> {
    if item.kind().is_string() {
        return SweItem::Text(token(item, json));
    }
    let [kind, text, image] = pick(item, ["type", "text", "image_url"]);
    match &*string(kind).unwrap_or_default() {
        "text" => {
            if let Some(text) = any_string(text) {
                return SweItem::Text(token(text, json));
            }
        }
        "image_url" => {
            let url = any_string(image).or_else(|| get(image, "url"));
            if let Some(url) = any_string(url) {
                return SweItem::File(LogPart::file_at(token(url, json), None, "image/*", None));
            }
        }
        _ => {}
    }
    SweItem::Other(custom(item, json))
}

/// The custom part that keeps an item of a content.
pub(crate) fn custom(item: Node<'_>, json: &str) -> LogPart {
    let kind = string(get(Some(item), "type"));
    let kind = kind.as_deref().unwrap_or("item");
    LogPart::custom(format!("swe-agent-{kind}"), "item", raw(item, json))
}

impl SweObservation {
    /// An observation; `None` if there is none.
    pub(crate) fn read(observation: Option<Node<'_>>, json: &str) -> Option<SweObservation> {
        let observation = observation.filter(|observation| !observation.kind().is_nullish())?;
        let mut all = SweObservation::default();
        if !observation.kind().is_string() && observation.kind() != Kind::Array {
            escape(&mut all.text, raw(observation, json));
            return Some(all);
        }
        let mut is_first = true;
        for item in content_items(observation, json) {
            match item {
                SweItem::Text(text) => {
                    if !std::mem::take(&mut is_first) {
                        all.text.push_str("\\n");
                    }
                    all.text.push_str(text);
                }
                SweItem::File(file) => all.files.push(file),
                SweItem::Other(part) => all.others.push(part),
            }
        }
        Some(all)
    }

    /// Is there nothing in it?
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.files.is_empty() && self.others.is_empty()
    }
}
