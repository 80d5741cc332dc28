//! The content and reasoning of a delta where they are lists.

use super::parts::{ChatParts, TextSource};
use crate::providers::output::{append_meta, place_meta, unknown_object};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_model::delta::BlockKind;
use serde_json::{Map, Value};

/// Emits an element of `content`, if that is a list.
pub(crate) fn content_item(item: Val<'_>, parts: &mut ChatParts, out: &mut Sink<'_>) {
    let [kind, text, thinking] = item.fields(&["type", "text", "thinking"]);
    match &*kind.text() {
        "text" => {
            if let Some(piece) = text.piece() {
                parts.text(BlockKind::Text, piece, TextSource::Content, out);
            }
        }
        "thinking" => {
            for part in thinking.items().chain([thinking]) {
                let text = if part.is_object() { part.get("text") } else { part };
                if let Some(piece) = text.piece() {
                    parts.text(BlockKind::Thinking, piece, TextSource::Typed, out);
                } else if part.is_object() && !text.is_string() {
                    append_meta(out, "references", part.value());
                }
            }
            let signature = unknown_object(item, &["type", "thinking", "text", "closed"]);
            let (own, more) = signature.into_iter().partition(|(name, _)| name == "signature");
            let own: Map<String, Value> = own;
            if !own.is_empty() {
                place_meta(out, "signatures", own);
            }
            let mut more: Map<String, Value> = more;
            if item.get("closed").exists() {
                more.insert("closed".to_owned(), item.get("closed").value());
            }
            if !more.is_empty() {
                place_meta(out, "deltas", more);
            }
        }
        "reference" => append_meta(out, "references", item.value()),
        _ => append_meta(out, "content", item.value()),
    }
}

/// Emits an element of OpenRouter's `reasoning_details`. Its text is left out if `has_reasoning`:
/// then the chunk has the same text in `reasoning`.
pub(crate) fn reasoning_detail(
    detail: Val<'_>,
    has_reasoning: bool,
    parts: &mut ChatParts,
    out: &mut Sink<'_>,
) {
    let [text, summary, data, signature] = detail.fields(&["text", "summary", "data", "signature"]);
    if !has_reasoning {
        for piece in [text, summary].into_iter().filter_map(Val::piece) {
            parts.text(BlockKind::Thinking, piece, TextSource::Content, out);
        }
    }
    parts.detail(detail, out);
    if data.exists() || signature.exists() {
        append_meta(out, "reasoningDetails", detail.value());
    }
}
