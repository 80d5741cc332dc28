//! Anthropic's Messages API: `message_start`, content blocks with their deltas, `message_delta`,
//! `message_stop`.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::anthropic::block::{
    Block, BlockLists, block_start, check_block, citation_entry, signature_piece, tool_result,
};
use crate::providers::anthropic::envelope::{CliEnvelope, CliLine, is_envelope};
use crate::providers::anthropic::fast_path::{DeltaKind, fast_delta};
use crate::providers::anthropic::usage::Counts;
use crate::providers::checks::{holds, may_array, must, must_object, must_string, type_of};
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::output::{
    append_meta, emit, emit_args, merge_meta, place_meta, set_meta, set_meta_except, unknown_object,
};
use crate::providers::phase::StreamPhase;
use crate::providers::usage::Totals;
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, ReaderOutput};
use serde_json::Value;

/// The types of records that only this format has.
const TYPES: &[&str] = &[
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
];

/// The state of the reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anthropic {
    phase: StreamPhase,
    id: String,
    blocks: Slots<Block>,
    counts: Counts,
    totals: Totals,
    stop: Option<String>,
    /// Bytes held for open compactions.
    kept: u64,
    /// There is a call that the client has to answer.
    calls: bool,
    /// The ids of the calls.
    ids: Numbering,
    listed: BlockLists,
    envelope: CliEnvelope,
}

state!(Anthropic { phase, id, blocks, counts, totals, stop, kept, calls, ids, listed, envelope });

impl Anthropic {
    /// Begins a response. An open one was cut off.
    fn open(&mut self, model: &str, id: &str, out: &mut Sink<'_>) {
        self.end(out);
        let envelope = std::mem::take(&mut self.envelope);
        *self = Anthropic {
            phase: StreamPhase::Open,
            id: id.to_owned(),
            envelope,
            ..Anthropic::default()
        };
        emit(out, Payload::Start { model_id: model.into(), request_id: id.into() });
    }

    /// A recording that lacks its first records has no `message_start`; the rest is still read.
    fn ensure_open(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Before {
            self.open("", "", out);
        }
    }

    fn message_start(&mut self, message: Val<'_>, out: &mut Sink<'_>) {
        let [id, model, content, usage, stop] =
            message.fields(&["id", "model", "content", "usage", "stop_reason"]);
        // Only another id means another message.
        let again =
            self.phase == StreamPhase::Open && (self.id == id.text() || id.text().is_empty());
        if !again {
            self.open(&model.text(), &id.text(), out);
        }
        self.usage(usage, out);
        set_meta_except(out, message, OWN);
        if again {
            return;
        }
        // A message that a code execution resumes has complete blocks here.
        holds(may_array(content, "content"), out);
        for (at, block) in content.items().enumerate() {
            if holds(check_block(block, "content[]"), out) {
                self.block_start(at as u64, block, out);
                self.block_stop(at as u64, out);
            }
        }
        self.stop_reason(stop, out);
    }

    fn block_start(&mut self, at: u64, block: Val<'_>, out: &mut Sink<'_>) {
        self.calls |= block.get("type").text() == "tool_use";
        let open = block_start(at, block, &mut self.listed, out);
        if let Block::Call { id, .. } = &open {
            self.ids.insert(id.clone(), 0);
        }
        self.blocks.insert(at, open);
    }

    fn block_delta(&mut self, at: u64, delta: Val<'_>, out: &mut Sink<'_>) {
        let kind = delta.get("type").text();
        match &*kind {
            "text_delta" => {
                if let Some(piece) = delta.get("text").piece() {
                    emit(out, Payload::Text(piece));
                }
            }
            "thinking_delta" => {
                if let Some(piece) = delta.get("thinking").piece() {
                    emit(out, Payload::Thinking(piece));
                }
            }
            "input_json_delta" => self.input(at, delta.get("partial_json"), out),
            "signature_delta" => {
                if let Some(open) = self.blocks.or_default(at) {
                    signature_piece(at, delta.get("signature"), open, &mut self.listed, out);
                }
            }
            "citations_delta" => {
                append_meta(out, "citations", citation_entry(at, delta.get("citation")))
            }
            "compaction_delta" => self.compaction(at, delta),
            _ => {
                let mut delta = unknown_object(delta, &[]);
                delta.insert("index".to_owned(), at.into());
                place_meta(out, "deltas", delta);
            }
        }
    }

    fn input(&mut self, at: u64, text: Val<'_>, out: &mut Sink<'_>) {
        let Some(piece) = text.piece() else { return };
        if let Some(Block::Call { id, input }) = self.blocks.get_mut(at) {
            input.clear();
            emit(out, Payload::ToolCallArgs { id: id.as_str().into(), text: piece });
        }
    }

    fn compaction(&mut self, at: u64, delta: Val<'_>) {
        let Some(Block::Compaction(block)) = self.blocks.get_mut(at) else { return };
        self.kept += delta.raw().len() as u64;
        for (name, value) in delta.entries().filter(|(name, _)| name != "type") {
            match (block.get_mut(&*name), value.str()) {
                (Some(Value::String(text)), Some(more)) => text.push_str(&more),
                _ => drop(block.insert(name.into_owned(), value.value())),
            }
        }
    }

    fn block_stop(&mut self, at: u64, out: &mut Sink<'_>) {
        match self.blocks.remove(at) {
            Some(Block::Call { id, input }) => {
                emit_args(out, &id, &input);
                emit(out, Payload::ToolCallEnd { id: id.as_str().into(), provider: None });
            }
            Some(Block::Compaction(block)) => {
                self.kept = 0;
                out(ReaderOutput::Compaction(Value::Object(block)));
            }
            Some(Block::Plain | Block::Signed(_)) | None => {}
        }
    }

    /// Emits what open blocks hold. It ends no calls, because the stream did not end them.
    fn flush(&mut self, out: &mut Sink<'_>) {
        while let Some(block) = self.blocks.pop() {
            match block {
                Block::Call { id, input } => emit_args(out, &id, &input),
                Block::Compaction(block) => out(ReaderOutput::Compaction(Value::Object(block))),
                Block::Plain | Block::Signed(_) => {}
            }
        }
    }

    fn stop_reason(&mut self, stop: Val<'_>, out: &mut Sink<'_>) {
        if let Some(stop) = finish_of(stop) {
            set_meta(out, "rawFinishReason", Value::String(stop.clone().into_owned()));
            self.stop = Some(stop.into_owned());
        }
    }

    fn usage(&mut self, usage: Val<'_>, out: &mut Sink<'_>) {
        if usage.is_object() {
            let now = self.counts.take(usage);
            self.totals.advance(now, out);
            // A record has only the fields that changed.
            merge_meta(out, "usage", usage.value());
        }
    }

    fn message_stop(&mut self, out: &mut Sink<'_>) {
        self.flush(out);
        self.envelope.tell(out);
        let finish = finish_word(self.stop.as_deref(), self.calls && self.stop.is_some());
        self.phase = StreamPhase::Ended;
        emit(out, Payload::Done { finish_reason: finish.into() });
    }
}

impl ProviderFormat for Anthropic {
    const NAME: &'static str = "anthropic";
    const TITLE: &'static str = "Anthropic";

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let kind = clues.kind?;
        let is_own = TYPES.contains(&kind)
            || kind == "message" && is_whole(clues.root)
            || is_envelope(kind, clues.root);
        is_own.then_some(Evidence::Type)
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open {
            return false;
        }
        let Some((at, kind, text)) = fast_delta(json) else { return false };
        match kind {
            DeltaKind::Text => {
                if let Some(piece) = text.piece() {
                    emit(out, Payload::Text(piece));
                }
            }
            DeltaKind::Thinking => {
                if let Some(piece) = text.piece() {
                    emit(out, Payload::Thinking(piece));
                }
            }
            DeltaKind::Input => {
                if !self.is_call(at) {
                    return false;
                }
                self.input(at, text, out);
            }
        }
        true
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        let kind = type_of(event, root)?;
        match &*kind {
            "message_start" => must_object(root.get("message"), "message"),
            "content_block_start" => {
                check_index(root)?;
                check_block(root.get("content_block"), "content_block")
            }
            "content_block_delta" => {
                check_index(root)?;
                self.check_delta(root)
            }
            "content_block_stop" => check_index(root),
            "message_delta" => must_object(root.get("delta"), "delta"),
            _ => Ok(()),
        }
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let Ok(kind) = type_of(event, root) else { return };
        if matches!(&*kind, "message" if is_whole(root)) {
            self.message_start(root, out);
            if self.stop.is_some() {
                self.message_stop(out);
            }
            return;
        }
        if !matches!(&*kind, "message_start" | "ping") {
            self.ensure_open(out);
            if kind != "message_delta" && kind != "message_stop" && TYPES.contains(&&*kind) {
                set_meta_except(out, root, OWN_OF_RECORDS);
            }
        }
        let at = root.get("index").index().unwrap_or_default();
        match &*kind {
            "ping" => {}
            "message_start" => self.message_start(root.get("message"), out),
            "content_block_start" => self.block_start(at, root.get("content_block"), out),
            "content_block_delta" => self.block_delta(at, root.get("delta"), out),
            "content_block_stop" => self.block_stop(at, out),
            "message_delta" => {
                let delta = root.get("delta");
                self.usage(root.get("usage"), out);
                set_meta_except(out, delta, OWN);
                set_meta_except(out, root, OWN);
                self.stop_reason(delta.get("stop_reason"), out);
            }
            "message_stop" => {
                set_meta_except(out, root, OWN);
                self.message_stop(out);
            }
            _ => append_meta(out, "events", root.value()),
        }
    }

    fn inner<'a>(&mut self, root: Val<'a>, out: &mut Sink<'_>) -> Option<Val<'a>> {
        match self.envelope.open(root) {
            CliLine::Record(record) => return Some(record),
            CliLine::Event(event) => {
                if self.check("", event).is_ok() {
                    self.envelope.note(root);
                }
                return Some(event);
            }
            // Most come when the message has ended, which has its end already.
            CliLine::Results(blocks) if self.phase == StreamPhase::Open => {
                let is_of_this = |block: &Val<'a>| {
                    block.get("type").text() == "tool_result"
                        && self.ids.contains_key(&*block.get("tool_use_id").text())
                };
                blocks.items().filter(is_of_this).for_each(|block| tool_result(block, out));
            }
            CliLine::Results(_) | CliLine::Frame => {}
        }
        None
    }

    const IS_TYPED: bool = true;
    const ERROR_TYPE_FIRST: bool = true;

    fn fail(&mut self, _root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            self.open("", "", out);
        }
        self.flush(out);
        self.envelope.tell(out);
        self.phase = StreamPhase::Ended;
    }

    fn begins(event: &str, root: Val<'_>, _failed: &str) -> bool {
        type_of(event, root).is_ok_and(|kind| matches!(&*kind, "message_start" | "message"))
    }

    fn done(&mut self, _out: &mut Sink<'_>) {}

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            self.flush(out);
            self.envelope.tell(out);
        }
    }

    fn held(&self) -> u64 {
        self.kept
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        for block in self.blocks.each_mut() {
            if let Block::Compaction(text) = block {
                text.clear();
            }
        }
    }
}

impl Anthropic {
    fn is_call(&self, at: u64) -> bool {
        matches!(self.blocks.get(at), Some(Block::Call { .. }))
    }

    fn check_delta(&self, root: Val<'_>) -> Result<(), Violation> {
        let delta = root.get("delta");
        must_object(delta, "delta")?;
        let [kind, text, thinking, input, signature] =
            delta.fields(&["type", "text", "thinking", "partial_json", "signature"]);
        must_string(kind, "delta.type")?;
        match &*kind.text() {
            "text_delta" => must_string(text, "delta.text"),
            "thinking_delta" => must_string(thinking, "delta.thinking"),
            "signature_delta" => must_string(signature, "delta.signature"),
            "input_json_delta" => {
                must_string(input, "delta.partial_json")?;
                let at = root.get("index").index().unwrap_or_default();
                if self.is_call(at) || input.text().is_empty() {
                    return Ok(());
                }
                let what = format!("input for content block {at}, which is not an open tool call");
                Err(Violation::new("DC-6", what))
            }
            _ => Ok(()),
        }
    }
}

/// The fields of a message and of its deltas that are not put in `meta.provider`.
const OWN: &[&str] = &["type", "id", "role", "model", "content", "usage", "stop_reason", "delta"];

fn check_index(root: Val<'_>) -> Result<(), Violation> {
    let at = root.get("index");
    must(at.index().is_some() || !at.exists(), "index", "a whole number from 0", at)
}

/// The fields of the records about a block that are read.
const OWN_OF_RECORDS: &[&str] = &["type", "index", "content_block", "delta"];

/// Is the record a whole answer that was not streamed?
fn is_whole(root: Val<'_>) -> bool {
    let [content, role, model, stop] = root.fields(&["content", "role", "model", "stop_reason"]);
    content.is_array() && role.text() == "assistant" && (model.is_string() || stop.is_string())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
