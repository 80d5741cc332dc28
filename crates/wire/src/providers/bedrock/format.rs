//! Amazon Bedrock's ConverseStream, decoded: records of one field, which names the event, and Converse's whole answers.
//!
//! Its binary framing is read elsewhere; what it brings are these records.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::bedrock::block::{ConverseBlock, ConverseLists};
use crate::providers::call_list::{CallList, RunBy};
use crate::providers::checks::{holds, may_array, must_object, text_piece};
use crate::providers::failure::exception_of;
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::output::{
    append_meta, emit, emit_args, merge_meta, place_meta, set_meta, set_meta_except,
    unknown_object, wrong,
};
use crate::providers::phase::StreamPhase;
use crate::providers::text_blocks::TextBlocks;
use crate::providers::usage::{Stated, TokenCounting, Totals, count};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{object_with, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, MergePolicy, Payload, ReaderOutput};
use serde_json::{Map, Value};

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct Bedrock {
    phase: StreamPhase,
    calls: CallList,
    blocks: Slots<ConverseBlock>,
    listed: ConverseLists,
    totals: Totals,
    /// The stop reason, once `messageStop` has come.
    stop: Option<String>,
    /// `messageStop` has come.
    stopped: bool,
    /// `metadata` has come.
    described: bool,
    /// Bytes of results that are held.
    kept: u64,
    texts: TextBlocks,
}

state!(Bedrock { phase, calls, blocks, listed, totals, stop, stopped, described, kept, texts });

/// The events.
const EVENTS: &[&str] = &[
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
];

/// The name and the content of an event: the only field of its record beside `p`, which is padding.
fn event_of(root: Val<'_>) -> Option<(&'static str, Val<'_>)> {
    let mut event = None;
    for (name, value) in root.entries().filter(|(name, _)| name != "p") {
        let name = EVENTS.iter().find(|known| **known == name)?;
        if event.is_some_and(|(other, _)| other != *name) {
            return None;
        }
        event = Some((*name, value));
    }
    event
}

/// Has the content of an event the fields that it always has?
fn is_content_of(name: &str, content: Val<'_>) -> bool {
    match name {
        "messageStart" => content.get("role").is_string(),
        "messageStop" => content.get("stopReason").is_string(),
        "metadata" => content.get("usage").get("inputTokens").is_number(),
        _ => content.get("contentBlockIndex").is_number(),
    }
}

/// Is the record a whole answer that was not streamed?
fn is_whole(root: Val<'_>) -> bool {
    root.get("output").get("message").is_object() && root.get("stopReason").is_string()
}

/// The fields of a whole answer that are read.
const OWN: &[&str] = &["output", "stopReason", "usage", "p"];

impl Bedrock {
    fn open(&mut self, out: &mut Sink<'_>) {
        self.flush(out);
        let texts = TextBlocks::new();
        *self = Bedrock { phase: StreamPhase::Open, texts, ..Bedrock::default() };
        emit(out, Payload::Start { model_id: "".into(), request_id: "".into() });
    }

    fn block_start(&mut self, at: u64, start: Val<'_>, out: &mut Sink<'_>) {
        let [call, result, image] = start.fields(&["toolUse", "toolResult", "image"]);
        let mut block = ConverseBlock::default();
        if call.is_object() {
            block.call = self.call(call, out);
        } else if result.is_object() {
            let [id, status] = result.fields(&["toolUseId", "status"]);
            block.result = id.text().into_owned();
            block.is_error = status.text() == "error";
        }
        file(image, out);
        self.unknown(at, start, &["toolUse", "toolResult", "image"], out);
        self.blocks.insert(at, block);
    }

    /// Begins a call and returns its id. One with a `type` runs on the server.
    fn call(&mut self, call: Val<'_>, out: &mut Sink<'_>) -> String {
        let [id, name, kind] = call.fields(&["toolUseId", "name", "type"]);
        let by = if kind.piece().is_some() { RunBy::Server } else { RunBy::Client };
        let id = self.calls.start(&id.text(), &name.text(), by, out);
        self.texts.other();
        self.calls.keep(&id, unknown_object(call, &["toolUseId", "name", "input"]), out);
        id
    }

    /// The most frequent deltas: text, and pieces of a call. `None` leaves a record to `apply`.
    fn fast_delta(&mut self, json: &str, out: &mut Sink<'_>) -> Option<()> {
        let [content] = record::only_fields(json, ["contentBlockDelta"], &["p"])?;
        let names = ["contentBlockIndex", "delta"];
        let [at, delta] = record::only_fields(content.raw(), names, &["p"])?;
        let [text, call] = record::only_fields(delta.raw(), ["text", "toolUse"], &[])?;
        let input = match call.exists() {
            true => record::only_fields(call.raw(), ["input"], &[])?[0].piece(),
            false => None,
        };
        if !text.is_string_or_none() {
            return None;
        }
        let at = at.index().unwrap_or_default();
        let block = self.blocks.get(at);
        let id = block.map(|block| block.call.as_str()).filter(|id| !id.is_empty());
        if input.is_some() && id.is_none() {
            return None;
        }
        if let Some(piece) = text.piece() {
            self.texts.text(at, BlockKind::Text, piece, out);
        }
        if let (Some(id), Some(text)) = (id, input) {
            emit(out, Payload::ToolCallArgs { id: id.into(), text });
        }
        Some(())
    }

    fn block_delta(&mut self, at: u64, delta: Val<'_>, out: &mut Sink<'_>) {
        let names = &["text", "reasoningContent", "toolUse", "toolResult", "citation", "image"];
        let [text, reasoning, call, result, citation, image] = delta.fields(names);
        if delta.exists() {
            holds(must_object(delta, "delta"), out);
        }
        if let Some(piece) = text_piece(text, "text", out) {
            self.texts.text(at, BlockKind::Text, piece, out);
        }
        if reasoning.is_object() {
            self.reasoning(at, reasoning, out);
        }
        if let Some(piece) = call.get("input").piece() {
            match self.blocks.get(at).filter(|block| !block.call.is_empty()) {
                Some(block) => {
                    emit(
                        out,
                        Payload::ToolCallArgs { id: block.call.as_str().into(), text: piece },
                    );
                }
                None => wrong(
                    out,
                    format!("arguments of the content block {at}, which is not an open call"),
                ),
            }
        }
        if let Some(block) = self.blocks.get_mut(at).filter(|block| !block.result.is_empty()) {
            self.kept += result.raw().len() as u64;
            block.pieces.extend(result.items().map(Val::value));
        }
        if citation.is_object() {
            append_meta(out, "citations", citation.value());
        }
        file(image, out);
        self.unknown(at, delta, names, out);
    }

    fn reasoning(&mut self, at: u64, reasoning: Val<'_>, out: &mut Sink<'_>) {
        let names = &["text", "signature", "redactedContent", "data"];
        let [text, signature, redacted, data] = reasoning.fields(names);
        if let Some(piece) = text.piece() {
            self.texts.text(at, BlockKind::Thinking, piece, out);
        }
        let Bedrock { blocks, listed, .. } = self;
        let Some(block) = blocks.or_default(at) else { return };
        let element = |name: &'static str, value: Val<'_>| (name, Value::from(&*value.text()));
        if signature.piece().is_some() {
            let (place, count) = (&mut block.signature, &mut listed.signatures);
            piece_of(at, "signatures", place, count, element("signature", signature), out);
        }
        for data in [redacted, data].into_iter().filter(|data| data.piece().is_some()) {
            let (place, count) = (&mut block.redacted, &mut listed.redacted);
            piece_of(at, "redactedThinking", place, count, element("data", data), out);
        }
        self.unknown(at, reasoning, names, out);
    }

    /// Keeps fields of a block that are not known.
    fn unknown(&self, at: u64, of: Val<'_>, own: &[&str], out: &mut Sink<'_>) {
        let mut more = unknown_object(of, own);
        if !more.is_empty() {
            more.insert("index".to_owned(), at.into());
            place_meta(out, "deltas", more);
        }
    }

    fn block_stop(&mut self, at: u64, out: &mut Sink<'_>) {
        self.texts.end(at);
        let Some(block) = self.blocks.remove(at) else { return };
        if !block.call.is_empty() {
            emit(out, Payload::ToolCallEnd { id: block.call.as_str().into(), provider: None });
        }
        give_result(block, out);
    }

    /// Emits the results that are held. It ends no calls, because the stream did not end them.
    fn flush(&mut self, out: &mut Sink<'_>) {
        while let Some(block) = self.blocks.pop() {
            give_result(block, out);
        }
        self.kept = 0;
    }

    fn message_stop(&mut self, content: Val<'_>, out: &mut Sink<'_>) {
        if let Some(reason) = finish_of(content.get("stopReason")) {
            set_meta(out, "rawFinishReason", Value::from(&*reason));
            self.stop = Some(reason.into_owned());
        }
        self.stopped = true;
    }

    fn usage(&mut self, usage: Val<'_>, out: &mut Sink<'_>) {
        if !usage.is_object() {
            return;
        }
        let first = |names: [&str; 2]| names.into_iter().find_map(|name| count(usage.get(name)));
        let cache_read = first(["cacheReadInputTokens", "cacheReadInputTokenCount"]);
        let cache_write = first(["cacheWriteInputTokens", "cacheWriteInputTokenCount"]);
        let [input, output, total] =
            usage.fields(&["inputTokens", "outputTokens", "totalTokens"]).map(count);
        let stated = Stated { input, output, total, cache_read, cache_write, ..Stated::default() };
        self.totals.state(stated, TokenCounting::CacheApart, out);
        merge_meta(out, "usage", usage.value());
    }

    fn finish(&mut self, out: &mut Sink<'_>) {
        self.flush(out);
        self.phase = StreamPhase::Ended;
        let word = finish_word(self.stop.as_deref(), self.calls.is_asked());
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    fn whole(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.open(out);
        let message = root.get("output").get("message");
        let content = message.get("content");
        holds(may_array(content, "content"), out);
        for (at, block) in content.items().enumerate() {
            if holds(must_object(block, "content[]"), out) {
                self.whole_block(at as u64, block, out);
            }
        }
        set_meta_except(out, message, &["role", "content"]);
        set_meta_except(out, root, OWN);
        self.message_stop(root, out);
        self.usage(root.get("usage"), out);
        self.finish(out);
    }

    fn whole_block(&mut self, at: u64, block: Val<'_>, out: &mut Sink<'_>) {
        let names =
            &["text", "toolUse", "reasoningContent", "citationsContent", "toolResult", "image"];
        let [text, call, reasoning, cited, result, image] = block.fields(names);
        if let Some(piece) = text_piece(text, "text", out) {
            self.texts.text(at, BlockKind::Text, piece, out);
        }
        if call.exists() && holds(must_object(call, "toolUse"), out) {
            let id = self.call(call, out);
            let input = call.get("input");
            if input.is_string() {
                emit_args(out, &id, &input.text());
            } else if input.exists() {
                emit_args(out, &id, input.raw());
            }
            emit(out, Payload::ToolCallEnd { id: id.into(), provider: None });
        }
        if reasoning.is_object() {
            let text = reasoning.get("reasoningText");
            self.reasoning(at, if text.is_object() { text } else { reasoning }, out);
            self.blocks.remove(at);
        }
        for piece in cited.get("content").items().filter_map(|one| one.get("text").piece()) {
            self.texts.text(at, BlockKind::Text, piece, out);
        }
        for citation in cited.get("citations").items() {
            append_meta(out, "citations", citation.value());
        }
        if result.is_object() {
            let [id, status, content] = result.fields(&["toolUseId", "status", "content"]);
            let pieces = content.items().map(Val::value).collect();
            let result = id.text().into_owned();
            let is_error = status.text() == "error";
            give_result(
                ConverseBlock { result, is_error, pieces, ..ConverseBlock::default() },
                out,
            );
        }
        file(image, out);
        self.unknown(at, block, names, out);
    }
}

/// Adds a piece to an element of a list in `meta.provider`: the pieces of a block are one element.
fn piece_of(
    at: u64,
    name: &'static str,
    place: &mut u64,
    count: &mut u64,
    (field, value): (&'static str, Value),
    out: &mut Sink<'_>,
) {
    if let Some(number) = place.checked_sub(1) {
        let value = Value::Object(object_with(vec![(field, value)]));
        let keep = MergePolicy::Joined(usize::try_from(number).unwrap_or(usize::MAX));
        return out(ReaderOutput::Provider { name: name.into(), value, keep });
    }
    *count += 1;
    *place = *count;
    place_meta(out, name, object_with(vec![("index", at.into()), (field, value)]));
}

/// Emits the result that a block is.
fn give_result(block: ConverseBlock, out: &mut Sink<'_>) {
    let ConverseBlock { result, is_error, pieces, .. } = block;
    if !result.is_empty() {
        let content = Value::Array(pieces).to_string().into();
        out(ReaderOutput::ToolResult { id: result.into(), is_error, content, provider: None });
    }
}

/// Keeps a file that the model made.
fn file(image: Val<'_>, out: &mut Sink<'_>) {
    let image: Map<String, Value> = unknown_object(image, &[]);
    if !image.is_empty() {
        place_meta(out, "files", object_with(vec![("image", Value::Object(image))]));
    }
}

impl ProviderFormat for Bedrock {
    const NAME: &'static str = "bedrock";
    const TITLE: &'static str = "Amazon Bedrock";
    const PADDING: &'static str = r#""p":""#;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let is_own = is_whole(clues.root)
            || exception_of(clues.root).is_some()
            || event_of(clues.root).is_some_and(|(name, content)| is_content_of(name, content));
        is_own.then_some(Evidence::Shape)
    }

    fn owns(_event: &str, root: Val<'_>) -> bool {
        event_of(root).is_some()
    }

    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || event == "error" {
            return false;
        }
        self.fast_delta(json, out).is_some()
    }

    fn check(&self, _event: &str, _root: Val<'_>) -> Result<(), Violation> {
        Ok(())
    }

    fn apply(&mut self, _event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        if is_whole(root) {
            return self.whole(root, out);
        }
        let event = event_of(root);
        let begins = match event {
            Some(("messageStart", _)) => true,
            Some((name, _)) if name.starts_with("contentBlock") => self.phase != StreamPhase::Open,
            _ => self.phase == StreamPhase::Before,
        };
        if begins {
            self.open(out);
        }
        let Some((name, content)) = event else { return set_meta_except(out, root, &["p"]) };
        let [at, start, delta] = content.fields(&["contentBlockIndex", "start", "delta"]);
        let at = at.index().unwrap_or_default();
        let own: &[&str] = match name {
            "contentBlockStart" => {
                self.block_start(at, start, out);
                &["contentBlockIndex", "start", "p"]
            }
            "contentBlockDelta" => {
                self.block_delta(at, delta, out);
                &["contentBlockIndex", "delta", "p"]
            }
            "contentBlockStop" => {
                self.block_stop(at, out);
                &["contentBlockIndex", "p"]
            }
            "messageStop" => {
                self.message_stop(content, out);
                &["stopReason", "p"]
            }
            "metadata" => {
                self.usage(content.get("usage"), out);
                self.described = true;
                &["usage", "p"]
            }
            _ => &["role", "p"],
        };
        set_meta_except(out, content, own);
        if self.phase == StreamPhase::Open && self.stopped && self.described {
            self.finish(out);
        }
    }

    fn fail(&mut self, _root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            self.open(out);
        }
        self.flush(out);
        self.phase = StreamPhase::Ended;
    }

    fn begins(_event: &str, root: Val<'_>, _failed: &str) -> bool {
        is_whole(root) || event_of(root).is_some_and(|(name, _)| name == "messageStart")
    }

    fn done(&mut self, out: &mut Sink<'_>) {
        self.end(out);
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            if self.stopped {
                self.finish(out);
            } else {
                self.flush(out);
            }
        }
    }

    fn held(&self) -> u64 {
        self.kept
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        for block in self.blocks.each_mut() {
            block.pieces = Vec::new();
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
