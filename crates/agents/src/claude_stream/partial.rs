//! A message of which events have come, and perhaps never the record that has it whole.

use crate::fields::{get, number, pick, raw, string, token};
use crate::log::log_part::raw_string;
use crate::token_counts::TokenCounts;
use apex_parts_json::record;
use apex_parts_json::tape::{Node, unescape};
use apex_parts_json::writer::object;
use apex_parts_model::sorted_map::SortedMap;

/// The message, as its events tell it.
#[derive(Debug, Default)]
pub(super) struct PartialMessage {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) stop: String,
    pub(super) tokens: Option<TokenCounts>,
    blocks: SortedMap<u64, PartialBlock>,
}

/// A content block.
#[derive(Debug, Default)]
struct PartialBlock {
    kind: String,
    id: String,
    name: String,
    /// Raw, as are the two after it.
    text: String,
    signature: String,
    input: String,
    /// The whole input, where no piece of it came: JSON.
    whole: String,
}

impl PartialMessage {
    /// The message that an event begins.
    pub(super) fn begin(message: Node<'_>) -> PartialMessage {
        let [id, model] = pick(message, ["id", "model"])
            .map(|value| string(value).unwrap_or_default().into_owned());
        let mut begun = PartialMessage { id, model, ..PartialMessage::default() };
        begun.usage(get(Some(message), "usage"));
        begun
    }

    fn usage(&mut self, usage: Option<Node<'_>>) {
        let Some(usage) = usage.filter(|usage| usage.fields().next().is_some()) else { return };
        let now = super::usage::of_usage(usage);
        let before = self.tokens.unwrap_or_default();
        // Later events tell the output alone.
        let has_input = now.input + now.read + now.write > 0.0;
        self.tokens =
            Some(if has_input { now } else { TokenCounts { output: now.output, ..before } });
    }

    /// Takes another event of the message.
    pub(super) fn take(&mut self, kind: &str, event: Node<'_>, json: &str) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is not negative
        let at = number(get(Some(event), "index")).unwrap_or_default().max(0.0) as u64;
        match kind {
            "content_block_start" => {
                let Some(block) = get(Some(event), "content_block") else { return };
                let [kind, id, name, text, thinking, input] =
                    pick(block, ["type", "id", "name", "text", "thinking", "input"]);
                let raw_text = text.or(thinking).map_or("", |text| token(text, json));
                let [kind, id, name] =
                    [kind, id, name].map(|value| string(value).unwrap_or_default().into_owned());
                let whole = input.map_or("", |input| raw(input, json)).to_owned();
                let text = raw_text.to_owned();
                let begun = PartialBlock { kind, id, name, text, whole, ..PartialBlock::default() };
                self.blocks.insert(at, begun);
            }
            "content_block_delta" => {
                let Some(delta) = get(Some(event), "delta") else { return };
                let block = self.blocks.or_default(at);
                let [text, thinking, signature, input] =
                    pick(delta, ["text", "thinking", "signature", "partial_json"]);
                let piece = |value: Option<Node<'_>>| {
                    value.map_or("", |value| token(value, json)).to_owned()
                };
                block.text += &piece(text.or(thinking));
                block.signature += &piece(signature);
                block.input += &piece(input);
            }
            "message_delta" => {
                let [delta, usage] = pick(event, ["delta", "usage"]);
                if let Some(stop) = string(get(delta, "stop_reason")) {
                    self.stop = stop.into_owned();
                }
                self.usage(usage);
            }
            _ => {}
        }
    }

    /// Its blocks as a message has them whole: a JSON array.
    pub(super) fn content(&self) -> String {
        let mut json = String::from("[");
        for block in self.blocks.values() {
            if json.len() > 1 {
                json.push(',');
            }
            object(&mut json, |out| {
                out.string("type", &block.kind);
                match block.kind.as_str() {
                    "thinking" => {
                        raw_string(out.key("thinking"), &block.text);
                        if !block.signature.is_empty() {
                            raw_string(out.key("signature"), &block.signature);
                        }
                    }
                    "text" => raw_string(out.key("text"), &block.text),
                    _ => {}
                }
                if block.kind.ends_with("tool_use") {
                    out.string("id", &block.id).string("name", &block.name);
                    let written = unescape(block.input.as_bytes());
                    let is_json = record::read(&written, record::MAX_DEPTH).is_ok();
                    let input = out.key("input");
                    match written.is_empty() {
                        true if block.whole.is_empty() => input.push_str("{}"),
                        true => input.push_str(&block.whole),
                        // Cut off: its text is all there is.
                        false if !is_json => raw_string(input, &block.input),
                        false => input.push_str(&written),
                    }
                }
            });
        }
        json.push(']');
        json
    }
}
