//! Anthropic's Messages API: `message_start`, content blocks with their deltas, `message_delta`,
//! `message_stop`.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::anthropic::block::{Block, BlockLists, KEY, check_block, tool_result};
use crate::providers::anthropic::envelope::{CliEnvelope, CliLine, is_envelope, is_message};
use crate::providers::anthropic::fast_path::{DeltaKind, fast_delta};
use crate::providers::anthropic::usage::stated;
use crate::providers::checks::{holds, may_array, must, must_object, must_string, type_of};
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::output::{
    append_meta, emit, merge_meta, place_meta, set_meta, set_meta_except, unknown_object,
};
use crate::providers::part_state::{emit_block, emit_custom, emit_text};
use crate::providers::phase::StreamPhase;
use crate::providers::usage::{TokenCounting, Totals};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, object_of, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, Payload, ReaderOutput};
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
#[derive(Debug, Default)]
pub(crate) struct Anthropic {
    phase: StreamPhase,
    id: String,
    blocks: Slots<Block>,
    totals: Totals,
    stop: Option<String>,
    /// Bytes held for what comes with the end of a block.
    kept: u64,
    /// There is a call that the client has to answer.
    calls: bool,
    /// The ids of the calls.
    ids: Numbering,
    listed: BlockLists,
    /// The index, counted from 1, of the block whose text is the last part; 0 if there is none.
    last: u64,
    /// That part is reasoning.
    is_thinking: bool,
    envelope: CliEnvelope,
    /// The message comes in lines of Claude Code, as whole blocks.
    is_lines: bool,
    /// Results of its calls have come.
    is_answered: bool,
}

state!(Anthropic {
    phase,
    id,
    blocks,
    totals,
    stop,
    kept,
    calls,
    ids,
    listed,
    last,
    is_thinking,
    envelope,
    is_lines,
    is_answered
});

impl Anthropic {
    /// Begins a response. An open one was cut off.
    fn open(&mut self, model: &str, id: &str, out: &mut Sink<'_>) {
        if self.is_lines {
            self.lines_end(out);
        }
        self.end(out);
        let envelope = std::mem::take(&mut self.envelope);
        *self = Anthropic {
            phase: StreamPhase::Open,
            id: id.to_owned(),
            envelope,
            ..Anthropic::default()
        };
        emit(out, Payload::Start { model_id: model.into(), request_id: id.into() });
        out(ReaderOutput::StateKey(super::block::KEY));
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

    /// A line of Claude Code with blocks of a message, which are whole.
    fn line(&mut self, message: Val<'_>, out: &mut Sink<'_>) {
        let [id, model, content, usage, stop] =
            message.fields(&["id", "model", "content", "usage", "stop_reason"]);
        let is_same =
            if self.envelope.is_qwen() { !self.is_answered } else { self.id == id.text() };
        if self.phase != StreamPhase::Open || !self.is_lines || !is_same {
            self.open(&model.text(), &id.text(), out);
            self.is_lines = true;
        }
        self.usage(usage, out);
        set_meta_except(out, message, OWN);
        for block in content.items() {
            if holds(check_block(block, "content[]"), out) {
                let at = self.listed.next();
                self.block_start(at, block, out);
                self.block_stop(at, out);
            }
        }
        self.stop_reason(stop, out);
    }

    /// The message that comes in lines has ended: another follows, or the run has ended.
    fn lines_end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            self.stop.get_or_insert_with(|| "end_turn".to_owned());
            self.message_stop(out);
        }
    }

    /// The run has ended.
    fn run_end(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.is_lines && self.phase == StreamPhase::Open {
            let [subtype, is_error, result] = root.fields(&["subtype", "is_error", "result"]);
            if is_error.is_true() {
                let fields = [("subtype", subtype), ("is_error", is_error), ("result", result)];
                let fields = fields.into_iter().filter(|(_, value)| value.exists());
                let fields = fields.map(|(name, value)| (name.to_owned(), value.value()));
                set_meta(out, "result", Value::Object(object_of(fields)));
            }
            self.lines_end(out);
        }
    }

    fn block_start(&mut self, at: u64, block: Val<'_>, out: &mut Sink<'_>) {
        let [kind, text, thinking, of] = block.fields(&["type", "text", "thinking", "tool_use_id"]);
        self.calls |= kind.text() == "tool_use";
        if let Some(replaced) = self.blocks.remove(at) {
            self.close(replaced, true, out);
        }
        let open = Block::start(at, block, &mut self.listed, out);
        if kind.text().ends_with("tool_result") && !self.ids.contains_key(&*of.text()) {
            // The call stands in an earlier message: no part of this one has the result.
            emit_custom(out, KEY, &kind.text(), "block", &block.json());
        }
        if let Some(id) = open.call() {
            self.ids.insert(id.to_owned(), 0);
        }
        self.kept += open.held();
        self.blocks.insert(at, open);
        self.last = 0;
        match &*kind.text() {
            "text" => self.text(at, text, BlockKind::Text, out),
            "thinking" => {
                self.text(at, thinking, BlockKind::Thinking, out);
                let signature = block.get("signature");
                self.change(at, |block, listed| block.signature_piece(at, signature, listed, out));
            }
            _ => {}
        }
    }

    /// Emits text of a block. Only what does not continue the last part has to name its block.
    fn text(&mut self, at: u64, text: Val<'_>, kind: BlockKind, out: &mut Sink<'_>) {
        let Some(piece) = text.piece() else { return };
        if self.last == at.wrapping_add(1) && self.is_thinking == (kind == BlockKind::Thinking) {
            return emit_text(out, kind, piece);
        }
        self.last = 0;
        match self.blocks.get_mut(at) {
            Some(block) if block.index().is_some() => {
                if block.opens(kind) {
                    self.last = at.wrapping_add(1);
                    self.is_thinking = kind == BlockKind::Thinking;
                }
                emit_block(out, kind, piece, block.index(), None);
            }
            _ => emit_text(out, kind, piece),
        }
    }

    fn block_delta(&mut self, at: u64, delta: Val<'_>, out: &mut Sink<'_>) {
        let kind = delta.get("type").text();
        match &*kind {
            "text_delta" => self.text(at, delta.get("text"), BlockKind::Text, out),
            "thinking_delta" => self.text(at, delta.get("thinking"), BlockKind::Thinking, out),
            "input_json_delta" => self.input(at, delta.get("partial_json"), out),
            "signature_delta" => {
                let signature = delta.get("signature");
                self.change(at, |block, listed| block.signature_piece(at, signature, listed, out));
            }
            "citations_delta" => {
                self.change(at, |block, _| block.citation(at, delta.get("citation"), out));
            }
            "compaction_delta" => self.change(at, |block, _| block.add(delta)),
            _ => {
                self.change(at, |block, _| block.add(delta));
                let mut delta = unknown_object(delta, &[]);
                delta.insert("index".to_owned(), at.into());
                place_meta(out, "deltas", delta);
            }
        }
    }

    /// Changes an open block, which may hold more then.
    fn change(&mut self, at: u64, change: impl FnOnce(&mut Block, &mut BlockLists)) {
        if let Some(block) = self.blocks.or_default(at) {
            let before = block.held();
            change(block, &mut self.listed);
            self.kept += block.held().saturating_sub(before);
        }
    }

    fn input(&mut self, at: u64, text: Val<'_>, out: &mut Sink<'_>) {
        let Some(piece) = text.piece() else { return };
        if let Some(block) = self.blocks.get_mut(at).filter(|block| block.call().is_some()) {
            emit(out, Payload::ToolCallArgs { id: block.streamed_input().into(), text: piece });
        }
    }

    fn block_stop(&mut self, at: u64, out: &mut Sink<'_>) {
        if let Some(block) = self.blocks.remove(at) {
            self.close(block, false, out);
        }
    }

    /// Emits what a block holds.
    fn close(&mut self, block: Block, is_cut: bool, out: &mut Sink<'_>) {
        self.last = 0;
        self.kept = self.kept.saturating_sub(block.held());
        block.end(is_cut, out);
    }

    /// Emits what open blocks hold. It ends no calls, because the stream did not end them.
    fn flush(&mut self, out: &mut Sink<'_>) {
        while let Some(block) = self.blocks.pop() {
            self.close(block, true, out);
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
            // Qwen Code counts as OpenAI does.
            let has_total = self.is_lines && usage.get("total_tokens").exists();
            let counting =
                if has_total { TokenCounting::Included } else { TokenCounting::CacheApart };
            self.totals.state(stated(usage), counting, out);
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
    const ARGS_ALIKE: bool = true;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let kind = clues.kind?;
        let is_own = TYPES.contains(&kind)
            || kind == "message" && is_whole(clues.root)
            || is_envelope(kind, clues.root)
            || is_message(kind, clues.root);
        is_own.then_some(Evidence::Type)
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open {
            return false;
        }
        let Some((at, kind, text)) = fast_delta(json) else { return false };
        match kind {
            DeltaKind::Text => self.text(at, text, BlockKind::Text, out),
            DeltaKind::Thinking => self.text(at, text, BlockKind::Thinking, out),
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
        match &*kind {
            "message" if is_whole(root) => {
                self.message_start(root, out);
                if self.stop.is_some() {
                    self.message_stop(out);
                }
                return;
            }
            "assistant" if is_message(&kind, root) => return self.line(root.get("message"), out),
            "result" if root.get("subtype").exists() => return self.run_end(root, out),
            _ => {}
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
                    let id = event.get("message").get("id");
                    if id.piece().is_some() {
                        self.envelope.note_streamed(&id.text());
                    }
                }
                return Some(event);
            }
            CliLine::Message => return Some(root),
            CliLine::End if self.is_lines => return Some(root),
            // Most come when the message has ended, which has its end already.
            CliLine::Results(blocks) if self.phase == StreamPhase::Open => {
                self.is_answered = true;
                let is_of_this = |block: &Val<'a>| {
                    block.get("type").text() == "tool_result"
                        && self.ids.contains_key(&*block.get("tool_use_id").text())
                };
                let results = blocks.items().filter(is_of_this);
                results.for_each(|block| tool_result(block, None, out));
            }
            CliLine::Results(_) | CliLine::End | CliLine::Frame => {}
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
        let begins = |kind: &str| matches!(kind, "message_start" | "message");
        type_of(event, root).is_ok_and(|kind| match &*kind {
            "stream_event" => begins(&root.get("event").get("type").text()),
            kind => begins(kind) || is_message(kind, root),
        })
    }

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
        self.blocks.each_mut().for_each(Block::drop_held);
    }
}

impl Anthropic {
    fn is_call(&self, at: u64) -> bool {
        self.blocks.get(at).is_some_and(|block| block.call().is_some())
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
