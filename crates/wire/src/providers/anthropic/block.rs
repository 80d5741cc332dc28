//! The content blocks of a message: what their start emits, and their state until their end.

use crate::providers::checks::{must_object, must_string};
use crate::providers::output::{append_meta, emit};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved;
use apex_parts_json::saved::Saved;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, ReaderOutput};
use serde_json::{Value, json};

/// An open block.
#[derive(Clone, Debug, Default)]
pub(crate) enum Block {
    /// Text, thinking or a result: it needs no state.
    #[default]
    Plain,
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
        let fields: &mut [&mut dyn Saved] = &mut [&mut call, &mut compaction, &mut input];
        let loaded = saved::put_back_fields(saved, &["call", "compaction", "input"], fields);
        *self = match (call, compaction) {
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

/// Emits what the start of a block carries; returns the block's state.
pub(crate) fn block_start(at: u64, block: Val<'_>, out: &mut Sink<'_>) -> Block {
    let kind = block.get("type").text();
    match &*kind {
        "text" => {
            let [text, citations] = block.fields(&["text", "citations"]);
            if let Some(piece) = text.piece() {
                emit(out, Payload::Text(piece));
            }
            for citation in citations.items() {
                append_meta(out, "citations", citation_entry(at, citation));
            }
            Block::Plain
        }
        "thinking" => {
            let [text, signature] = block.fields(&["thinking", "signature"]);
            if let Some(piece) = text.piece() {
                emit(out, Payload::Thinking(piece));
            }
            append_signature(at, signature, out);
            Block::Plain
        }
        "redacted_thinking" => {
            append_meta(out, "redactedThinking", block.get("data").value());
            Block::Plain
        }
        "compaction" => match block.value() {
            Value::Object(map) => Block::Compaction(map),
            _ => Block::Plain,
        },
        _ if kind.ends_with("tool_use") => call_start(&kind, block, out),
        _ if kind.ends_with("tool_result") => {
            tool_result(block, out);
            Block::Plain
        }
        _ => {
            append_meta(out, "blocks", block.value());
            Block::Plain
        }
    }
}

/// Emits the start of a tool call.
fn call_start(kind: &str, block: Val<'_>, out: &mut Sink<'_>) -> Block {
    let [id, name, input, server, caller] =
        block.fields(&["id", "name", "input", "server_name", "caller"]);
    let id = id.text();
    emit(out, Payload::ToolCallStart { id: (&*id).into(), name: name.text() });
    let direct = caller.get("type").text() == "direct" || !caller.exists();
    if kind != "tool_use" || !direct {
        let mut extra = serde_json::Map::new();
        extra.insert("toolCallId".into(), json!(id));
        extra.insert("type".into(), json!(kind));
        for (name, value) in [("server_name", server), ("caller", caller)] {
            if value.exists() {
                extra.insert(name.into(), value.value());
            }
        }
        append_meta(out, "toolCalls", Value::Object(extra));
    }
    let is_complete = input.exists() && !input.is_empty_object();
    let input = if is_complete { input.raw().to_owned() } else { String::new() };
    Block::Call { id: id.into_owned(), input }
}

/// Emits the result of a call.
fn tool_result(block: Val<'_>, out: &mut Sink<'_>) {
    let [id, content, error] = block.fields(&["tool_use_id", "content", "is_error"]);
    let is_error = error.is_true() || content.get("type").text().ends_with("_error");
    out(ReaderOutput::ToolResult { id: id.text(), is_error, content: content.json().into() });
}

/// Appends the signature of a thinking block to `meta.provider.signatures`.
pub(crate) fn append_signature(at: u64, signature: Val<'_>, out: &mut Sink<'_>) {
    if signature.piece().is_some() {
        append_meta(out, "signatures", json!({ "index": at, "signature": signature.text() }));
    }
}

/// A citation with the index of its block, for `meta.provider.citations`.
pub(crate) fn citation_entry(at: u64, citation: Val<'_>) -> Value {
    json!({ "index": at, "citation": citation.value() })
}
