//! The content of messages: a text, or items of several types.

use super::attachments::Attachments;
use crate::fields::{is_true, items, join, pick, raw, string};
use crate::log::log_part::LogPart;
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// A sample's JSON, and what it refers to.
#[derive(Clone, Copy)]
pub(super) struct SampleText<'s, 'a> {
    pub(super) json: &'a str,
    pub(super) attachments: &'s Attachments<'a>,
}

/// An item of a content.
pub(super) enum ContentItem<'a> {
    /// Raw.
    Text(&'a str),
    Part(LogPart),
    File(LogPart),
}

impl<'a> SampleText<'_, 'a> {
    /// The raw text of a string.
    pub(super) fn text(self, node: Option<Node<'a>>) -> &'a str {
        node.map_or("", |node| self.attachments.text(node, self.json))
    }

    /// The JSON of a value, with its attachments.
    pub(super) fn value(self, node: Node<'a>) -> String {
        self.attachments.within(raw(node, self.json)).into_owned()
    }

    /// The items of a content; texts that are empty are left out.
    pub(super) fn items(self, content: Option<Node<'a>>, at: f64) -> Vec<ContentItem<'a>> {
        let Some(content) = content else { return Vec::new() };
        let all: Vec<_> = match content.kind() {
            Kind::Array => items(Some(content)).filter_map(|item| self.item(item, at)).collect(),
            _ => self.item(content, at).into_iter().collect(),
        };
        all.into_iter().filter(|item| !matches!(item, ContentItem::Text(""))).collect()
    }

    /// The texts of a content, joined.
    pub(super) fn texts(self, content: Option<Node<'a>>, separator: &str) -> String {
        let mut all = String::new();
        for item in self.items(content, 0.0) {
            if let ContentItem::Text(text) = item {
                join(&mut all, separator, text);
            }
        }
        all
    }

    fn item(self, item: Node<'a>, at: f64) -> Option<ContentItem<'a>> {
        if item.kind().is_string() {
            return Some(ContentItem::Text(self.text(Some(item))));
        }
        if item.kind() != Kind::Object {
            return None;
        }
        let [kind] = pick(item, ["type"]);
        let kind = string(kind).unwrap_or_default();
        Some(match &*kind {
            "text" => {
                let [text] = pick(item, ["text"]);
                ContentItem::Text(self.text(text))
            }
            "reasoning" => ContentItem::Part(self.reasoning(item, at)),
            "image" | "audio" | "video" | "document" => self.file(item, &kind)?,
            kind => ContentItem::Part(self.custom(item, kind)),
        })
    }

    fn reasoning(self, item: Node<'a>, at: f64) -> LogPart {
        const NAMES: [&str; 4] = ["reasoning", "summary", "signature", "redacted"];
        let [reasoning, summary, signature, redacted] = pick(item, NAMES);
        // What was redacted is encrypted: nobody can read it.
        let shown = if is_true(redacted) { summary } else { reasoning };
        let mut metadata = Vec::new();
        if let Some(signature) = signature.filter(|signature| !signature.kind().is_nullish()) {
            metadata.push(("signature".into(), raw(signature, self.json).into()));
        }
        LogPart::reasoning(self.text(shown), at, &metadata)
    }

    fn file(self, item: Node<'a>, kind: &str) -> Option<ContentItem<'a>> {
        let [url, mime, name] = pick(item, [kind, "mime_type", "filename"]);
        let url = self.text(url);
        if url.is_empty() {
            return Some(ContentItem::Part(self.custom(item, kind)));
        }
        let name = Some(self.text(name)).filter(|name| !name.is_empty());
        let (mime, otherwise) = (string(mime), format!("{kind}/*"));
        Some(ContentItem::File(LogPart::file_at(url, mime.as_deref(), &otherwise, name)))
    }

    fn custom(self, item: Node<'a>, kind: &str) -> LogPart {
        let kind = if kind.is_empty() { "item" } else { kind };
        LogPart::custom(format!("inspect-{kind}"), "item", &self.value(item))
    }
}
