//! The content blocks of a message: what their start emits, and their state until their end.

use crate::providers::checks::{must_object, must_string};
use crate::providers::output::{
    append_meta, emit, emit_args, merge_call, place_meta, unknown_object,
};
use crate::providers::part_state::{
    StateFields, emit_block, emit_custom, other_fields, put_element, without,
};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{object_of, state, state_choice};
use apex_parts_json::writer::value_text;
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, MergePolicy, Payload, Piece, ReaderOutput};
use serde_json::{Map, Value, json};

/// The key of the state on parts.
pub(crate) const KEY: &str = "anthropic";

/// What becomes of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BlockShape {
    /// Nothing is kept of it: a result, or a block whose start has not come.
    #[default]
    Plain,
    Text,
    Thinking,
    Call,
    Compaction,
    /// A part of its own type.
    Custom,
}

state_choice!(BlockShape { Plain, Text, Thinking, Call, Compaction, Custom });

/// An open block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Its number among the blocks, counted from 1; 0 if its start has not come.
    number: u64,
    shape: BlockShape,
    /// It has a part.
    told: bool,
    /// The id of the call.
    call: String,
    /// The complete input of the start of a call, which is used only if no deltas follow.
    input: String,
    /// The fields of a compaction, or of a custom block whose deltas add to them.
    compaction: Map<String, Value>,
    /// A custom block as JSON text, as long as no delta adds to it.
    whole: String,
    /// The number of its element in `meta.provider.signatures`, counted from 1.
    listed: u64,
    /// The signature so far.
    signature: String,
    /// The citations so far, as JSON text with commas between them.
    citations: String,
    /// The fields of its start that nobody knows, as JSON text with commas between them.
    more: String,
    /// The bytes that it holds until it ends.
    held: u64,
}

state!(Block {
    number,
    shape,
    told,
    call,
    input,
    compaction,
    whole,
    listed,
    signature,
    citations,
    more,
    held
});

/// Checks that a block has the fields that its type requires.
pub(crate) fn check_block(block: Val<'_>, path: &str) -> Result<(), Violation> {
    must_object(block, path)?;
    let [kind, id, name] = block.fields(&["type", "id", "name"]);
    must_string(kind, &format!("{path}.type"))?;
    if kind.text().ends_with("tool_use") {
        must_string(id, &format!("{path}.id"))?;
        must_string(name, &format!("{path}.name"))?;
    }
    Ok(())
}

/// What the blocks of a message have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockLists {
    /// How many elements the lists in `meta.provider` have, for blocks that add to theirs later.
    calls: u64,
    signatures: u64,
    /// The number of the last block that has started, counted from 1.
    blocks: u64,
}

state!(BlockLists { calls, signatures, blocks });

impl BlockLists {
    /// The index of a block that follows the last one.
    pub(crate) fn next(&self) -> u64 {
        self.blocks
    }

    /// The number of a block that starts: its index, unless the stream gives an index again.
    fn number(&mut self, at: u64) -> u64 {
        /// Indices up to here are exact in JavaScript.
        const MOST: u64 = 1 << 52;
        self.blocks = if at >= self.blocks && at < MOST { at + 1 } else { self.blocks + 1 };
        self.blocks
    }
}

/// The number of an element that is added, counted from 1.
fn add(count: &mut u64) -> u64 {
    *count += 1;
    *count
}

/// The place of an element whose number is counted from 1.
fn place(number: u64) -> usize {
    usize::try_from(number.wrapping_sub(1)).unwrap_or(usize::MAX)
}

impl Block {
    /// Emits what the start of a block carries but its text, and what follows that; returns the block's state.
    pub(crate) fn start(
        at: u64,
        block: Val<'_>,
        lists: &mut BlockLists,
        out: &mut Sink<'_>,
    ) -> Block {
        let kind = block.get("type").text();
        let mut open = Block { number: lists.number(at), ..Block::default() };
        match &*kind {
            "text" => {
                open.shape = BlockShape::Text;
                for citation in block.get("citations").items() {
                    open.citation(at, citation, out);
                }
                open.unknown(at, block, &["type", "text", "citations"], out);
            }
            "thinking" => {
                open.shape = BlockShape::Thinking;
                open.unknown(at, block, &["type", "thinking", "signature"], out);
            }
            "redacted_thinking" => {
                let mut element = unknown_object(block, &["type"]);
                element.insert("index".to_owned(), at.into());
                place_meta(out, "redactedThinking", element);
                let mut state = StateFields::new(KEY);
                state.value("redactedData", block.get("data"));
                state.object("block", &other_fields(block, &["type", "data"]));
                if let Some(state) = state.take() {
                    let text = Piece::default();
                    emit_block(out, BlockKind::Thinking, text, open.index(), Some(state));
                }
            }
            "compaction" => {
                open.shape = BlockShape::Compaction;
                if let Value::Object(map) = block.value() {
                    open.compaction = map;
                }
            }
            _ if kind.ends_with("tool_use") => open.call_start(&kind, block, lists, out),
            _ if kind.ends_with("tool_result") => {
                let mut state = StateFields::new(KEY);
                state.json("result", &without(block, "tool_use_id"));
                state.number("resultIndex", open.number - 1);
                tool_result(block, state.take(), out);
            }
            _ => {
                open.shape = BlockShape::Custom;
                open.whole = block.json();
                open.held += open.whole.len() as u64;
                if let Value::Object(map) = block.value() {
                    place_meta(out, "blocks", map);
                }
            }
        }
        open
    }

    /// The block as the assembler knows it; `None` if its start has not come.
    pub(crate) fn index(&self) -> Option<u64> {
        self.number.checked_sub(1)
    }

    /// The id of a call.
    pub(crate) fn call(&self) -> Option<&str> {
        // A snapshot of an older version has no shape.
        let is_call = self.shape == BlockShape::Call || !self.call.is_empty();
        is_call.then_some(&*self.call)
    }

    /// The bytes that it holds until it ends.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Drops those bytes.
    pub(crate) fn drop_held(&mut self) {
        self.held = 0;
        self.compaction.clear();
        let texts = [&mut self.whole, &mut self.signature, &mut self.citations, &mut self.more];
        texts.into_iter().for_each(|text| *text = String::new());
    }

    /// Notes that text of the block is emitted. Is this what its part begins with?
    pub(crate) fn opens(&mut self, kind: BlockKind) -> bool {
        let own = match kind {
            BlockKind::Text => BlockShape::Text,
            BlockKind::Thinking => BlockShape::Thinking,
        };
        self.shape == own && !std::mem::replace(&mut self.told, true)
    }

    /// What a block has beyond the fields that are read.
    fn unknown(&mut self, at: u64, block: Val<'_>, own: &[&str], out: &mut Sink<'_>) {
        let mut more = unknown_object(block, own);
        if more.is_empty() {
            return;
        }
        self.more = other_fields(block, own);
        self.held += self.more.len() as u64;
        more.insert("type".to_owned(), block.get("type").value());
        more.insert("index".to_owned(), at.into());
        place_meta(out, "blocks", more);
    }

    /// Emits the start of a tool call.
    fn call_start(
        &mut self,
        kind: &str,
        block: Val<'_>,
        lists: &mut BlockLists,
        out: &mut Sink<'_>,
    ) {
        const OWN: &[&str] = &["type", "id", "name", "input"];
        let [id, name, input] = block.fields(&["id", "name", "input"]);
        let id = id.text();
        let mut state = StateFields::new(KEY);
        if kind != "tool_use" {
            state.string("type", kind).number("index", self.number - 1).executed();
        }
        state.object("block", &other_fields(block, OWN));
        let provider = state.take().map(Into::into);
        emit(out, Payload::ToolCallStart { id: (&*id).into(), name: name.text(), provider });
        let mut more = unknown_object(block, OWN);
        if kind != "tool_use" {
            more.insert("type".into(), kind.into());
        }
        if !more.is_empty() {
            more.insert("toolCallId".into(), (&*id).into());
            merge_call(out, place(add(&mut lists.calls)), more);
        }
        if input.exists() && !input.is_empty_object() {
            input.raw().clone_into(&mut self.input);
        }
        self.shape = BlockShape::Call;
        self.call = id.into_owned();
    }

    /// A piece of a call's input: the id of the call.
    pub(crate) fn streamed_input(&mut self) -> &str {
        self.input.clear();
        &self.call
    }

    /// Takes a piece of a block's signature: the pieces of a block are one signature, and one element of
    /// `meta.provider.signatures`.
    pub(crate) fn signature_piece(
        &mut self,
        at: u64,
        signature: Val<'_>,
        lists: &mut BlockLists,
        out: &mut Sink<'_>,
    ) {
        let piece = signature.text();
        if piece.is_empty() {
            return;
        }
        // Some servers repeat the whole at the end.
        if self.number > 0 && self.signature != *piece {
            self.signature.push_str(&piece);
            self.held += piece.len() as u64;
        }
        let signature = ("signature".to_owned(), Value::from(&*piece));
        if self.listed > 0 {
            let value = Value::Object(object_of([signature].into_iter()));
            let keep = MergePolicy::Joined(place(self.listed));
            return out(ReaderOutput::Provider { name: "signatures".into(), value, keep });
        }
        self.listed = add(&mut lists.signatures);
        let fields = [("index".to_owned(), at.into()), signature];
        place_meta(out, "signatures", object_of(fields.into_iter()));
    }

    /// Takes a citation of the block's text.
    pub(crate) fn citation(&mut self, at: u64, citation: Val<'_>, out: &mut Sink<'_>) {
        append_meta(out, "citations", citation_entry(at, citation));
        if self.number > 0 && citation.exists() {
            let citation = citation.json();
            self.held += citation.len() as u64 + 1;
            put_element(&mut self.citations, &citation);
        }
    }

    /// Takes a delta of a block that is kept whole; other blocks do not change.
    pub(crate) fn add(&mut self, delta: Val<'_>) {
        if !matches!(self.shape, BlockShape::Compaction | BlockShape::Custom)
            && self.compaction.is_empty()
        {
            return;
        }
        self.held += delta.raw().len() as u64;
        if let Ok(Value::Object(map)) =
            record::read(&std::mem::take(&mut self.whole), record::MAX_DEPTH).map(Val::value)
        {
            self.compaction = map;
        }
        for (name, value) in delta.entries().filter(|(name, _)| name != "type") {
            match (self.compaction.get_mut(&*name), value.str()) {
                (Some(Value::String(text)), Some(more)) => text.push_str(&more),
                _ => drop(self.compaction.insert(name.into_owned(), value.value())),
            }
        }
    }

    /// The block has stopped, or the stream has ended before it (`is_cut`): emits what it holds.
    pub(crate) fn end(mut self, is_cut: bool, out: &mut Sink<'_>) {
        if let Some(id) = self.call() {
            emit_args(out, id, &self.input);
            if !is_cut {
                let provider = self.state(false).map(Into::into);
                emit(out, Payload::ToolCallEnd { id: id.into(), provider });
            }
            return;
        }
        match self.shape {
            BlockShape::Text | BlockShape::Thinking => {
                let is_thinking = self.shape == BlockShape::Thinking;
                let unsigned = is_thinking && (self.told || !is_cut);
                if let Some(state) = self.state(unsigned) {
                    let kind = if is_thinking { BlockKind::Thinking } else { BlockKind::Text };
                    emit_block(out, kind, Piece::default(), self.index(), Some(state));
                }
            }
            BlockShape::Custom => {
                if !self.compaction.is_empty() {
                    self.whole = value_text(&Value::Object(std::mem::take(&mut self.compaction)));
                }
                let Ok(block) = record::read(&self.whole, record::MAX_DEPTH) else { return };
                let kind = block.get("type").text();
                emit_custom(out, KEY, &kind, "block", &self.whole);
            }
            BlockShape::Plain if self.compaction.is_empty() => {}
            _ => {
                let block = Value::Object(self.compaction);
                emit_custom(out, KEY, "compaction", "block", &value_text(&block));
                out(ReaderOutput::Compaction(block));
            }
        }
    }

    /// The state of its part.
    fn state(&self, is_unsigned: bool) -> Option<String> {
        let mut state = StateFields::new(KEY);
        state.string("signature", &self.signature).list("citations", &self.citations);
        if is_unsigned && self.signature.is_empty() {
            state.flag("unsigned");
        }
        state.object("block", &self.more);
        state.take()
    }
}

/// Emits the result of a call.
pub(crate) fn tool_result(block: Val<'_>, provider: Option<String>, out: &mut Sink<'_>) {
    let [id, content, error] = block.fields(&["tool_use_id", "content", "is_error"]);
    let is_error = error.is_true() || content.get("type").text().ends_with("_error");
    let (content, provider) = (content.json().into(), provider.map(Into::into));
    out(ReaderOutput::ToolResult { id: id.text(), is_error, content, provider });
}

/// A citation with the index of its block, for `meta.provider.citations`.
fn citation_entry(at: u64, citation: Val<'_>) -> Value {
    json!({ "index": at, "citation": citation.value() })
}
