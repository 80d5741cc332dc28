//! The content blocks of a message: what their start emits, and their state until their end.

use crate::providers::checks::{must_object, must_string};
use crate::providers::output::{append_meta, emit, merge_call, place_meta, unknown_object};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved;
use apex_parts_json::saved::{Saved, object_of, state};
use apex_parts_model::Violation;
use apex_parts_model::delta::{MergePolicy, Payload, ReaderOutput};
use serde_json::{Value, json};

/// An open block.
#[derive(Clone, Debug, Default)]
pub(crate) enum Block {
    /// Text, thinking or a result: it needs no state.
    #[default]
    Plain,
    /// A block whose signature comes in pieces: the number of its element in `meta.provider.signatures`.
    Signed(usize),
    /// A tool call, with the complete input of its start, which is used only if no deltas follow.
    Call { id: String, input: String },
    /// A compaction, whose fields are collected until the block stops.
    Compaction(serde_json::Map<String, Value>),
}

impl Saved for Block {
    fn save(&self) -> Value {
        let mut map = serde_json::Map::new();
        match self {
            Block::Plain => {}
            Block::Signed(number) => drop(map.insert("signed".to_owned(), Value::from(*number))),
            Block::Call { id, input } => {
                map.insert("call".to_owned(), Value::from(id.as_str()));
                saved::put(&mut map, "input", input.save());
            }
            Block::Compaction(block) => {
                map.insert("compaction".to_owned(), Value::Object(block.clone()));
            }
        }
        saved::object(map)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let (mut call, mut compaction, mut input) = (Value::Null, Value::Null, String::new());
        let mut signed = Value::Null;
        let fields: &mut [&mut dyn Saved] =
            &mut [&mut call, &mut compaction, &mut input, &mut signed];
        let loaded =
            saved::put_back_fields(saved, &["call", "compaction", "input", "signed"], fields);
        let signed = signed.as_u64().and_then(|number| usize::try_from(number).ok());
        *self = match (call, compaction) {
            _ if signed.is_some() => Block::Signed(signed.unwrap_or_default()),
            (Value::String(id), _) => Block::Call { id, input },
            (_, Value::Object(block)) => Block::Compaction(block),
            _ => Block::Plain,
        };
        loaded
    }
}

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

/// How many elements the lists in `meta.provider` have, for blocks that add to theirs later.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockLists {
    calls: u64,
    signatures: u64,
}

state!(BlockLists { calls, signatures });

/// The number of an element that is added.
fn add(count: &mut u64) -> usize {
    *count += 1;
    usize::try_from(*count - 1).unwrap_or(usize::MAX)
}

/// Emits what the start of a block carries; returns the block's state.
pub(crate) fn block_start(
    at: u64,
    block: Val<'_>,
    listed: &mut BlockLists,
    out: &mut Sink<'_>,
) -> Block {
    let kind = block.get("type").text();
    let mut open = Block::Plain;
    match &*kind {
        "text" => {
            if let Some(piece) = block.get("text").piece() {
                emit(out, Payload::Text(piece));
            }
            for citation in block.get("citations").items() {
                append_meta(out, "citations", citation_entry(at, citation));
            }
            unknown(at, block, &["text", "citations"], out);
        }
        "thinking" => {
            let [text, signature] = block.fields(&["thinking", "signature"]);
            if let Some(piece) = text.piece() {
                emit(out, Payload::Thinking(piece));
            }
            unknown(at, block, &["thinking", "signature"], out);
            signature_piece(at, signature, &mut open, listed, out);
        }
        "redacted_thinking" => {
            let mut element = unknown_object(block, &["type"]);
            element.insert("index".to_owned(), at.into());
            place_meta(out, "redactedThinking", element);
        }
        "compaction" => {
            if let Value::Object(map) = block.value() {
                open = Block::Compaction(map);
            }
        }
        _ if kind.ends_with("tool_use") => open = call_start(&kind, block, listed, out),
        _ if kind.ends_with("tool_result") => tool_result(block, out),
        _ => {
            if let Value::Object(map) = block.value() {
                place_meta(out, "blocks", map);
            }
        }
    }
    open
}

/// What a block has beyond the fields that are read.
fn unknown(at: u64, block: Val<'_>, own: &[&str], out: &mut Sink<'_>) {
    let mut more = unknown_object(block, own);
    if more.len() > 1 {
        more.insert("index".to_owned(), at.into());
        place_meta(out, "blocks", more);
    }
}

/// Emits the start of a tool call.
fn call_start(kind: &str, block: Val<'_>, listed: &mut BlockLists, out: &mut Sink<'_>) -> Block {
    let [id, name, input] = block.fields(&["id", "name", "input"]);
    let id = id.text();
    emit(out, Payload::ToolCallStart { id: (&*id).into(), name: name.text(), provider: None });
    let mut more = unknown_object(block, &["type", "id", "name", "input"]);
    if kind != "tool_use" {
        more.insert("type".into(), kind.into());
    }
    if !more.is_empty() {
        more.insert("toolCallId".into(), (&*id).into());
        merge_call(out, add(&mut listed.calls), more);
    }
    let is_complete = input.exists() && !input.is_empty_object();
    let input = if is_complete { input.raw().to_owned() } else { String::new() };
    Block::Call { id: id.into_owned(), input }
}

/// Emits the result of a call.
pub(crate) fn tool_result(block: Val<'_>, out: &mut Sink<'_>) {
    let [id, content, error] = block.fields(&["tool_use_id", "content", "is_error"]);
    let is_error = error.is_true() || content.get("type").text().ends_with("_error");
    out(ReaderOutput::ToolResult {
        id: id.text(),
        is_error,
        content: content.json().into(),
        provider: None,
    });
}

/// Takes a piece of a block's signature: the pieces of a block are one element of
/// `meta.provider.signatures`.
pub(crate) fn signature_piece(
    at: u64,
    signature: Val<'_>,
    open: &mut Block,
    listed: &mut BlockLists,
    out: &mut Sink<'_>,
) {
    if signature.piece().is_none() {
        return;
    }
    let signature = ("signature".to_owned(), Value::from(&*signature.text()));
    if let Block::Signed(number) = open {
        let value = Value::Object(object_of([signature].into_iter()));
        let keep = MergePolicy::Joined(*number);
        return out(ReaderOutput::Provider { name: "signatures".into(), value, keep });
    }
    if matches!(open, Block::Plain) {
        *open = Block::Signed(add(&mut listed.signatures));
    }
    place_meta(
        out,
        "signatures",
        object_of([("index".to_owned(), at.into()), signature].into_iter()),
    );
}

/// A citation with the index of its block, for `meta.provider.citations`.
pub(crate) fn citation_entry(at: u64, citation: Val<'_>) -> Value {
    json!({ "index": at, "citation": citation.value() })
}
