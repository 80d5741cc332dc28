//! The content blocks of a message: what their start says, and what is to be known until their end.

use crate::json::record::Val;
use crate::json::saved;
use crate::json::saved::Saved;
use crate::model::Violation;
use crate::model::delta::{Payload, ReaderOutput};
use crate::wire::providers::checks::{must_object, must_string};
use crate::wire::providers::output::{list, say};
use crate::wire::reader::Sink;
use serde_json::{Value, json};

/// A block that is open.
#[derive(Clone, Debug, Default)]
pub(crate) enum Block {
    /// Text, thinking, a result: nothing has to be known of it.
    #[default]
    Plain,
    /// A tool call, with the input that came whole in its start and counts if no deltas follow.
    Call { id: String, input: String },
    /// A compaction, whose text is collected.
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

/// Does a block have what its type must have?
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

/// Says that a call starts.
pub(crate) fn call_start(kind: &str, block: Val<'_>, out: &mut Sink<'_>) -> Block {
    let [id, name, input, server, caller] =
        block.fields(&["id", "name", "input", "server_name", "caller"]);
    let id = id.text();
    say(out, Payload::ToolCallStart { id: (&*id).into(), name: name.text() });
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
        list(out, "toolCalls", Value::Object(extra));
    }
    let whole = input.exists() && !input.is_empty_object();
    let input = if whole { input.raw().to_owned() } else { String::new() };
    Block::Call { id: id.into_owned(), input }
}

/// Says what came of a call.
pub(crate) fn result(block: Val<'_>, out: &mut Sink<'_>) {
    let [id, content, error] = block.fields(&["tool_use_id", "content", "is_error"]);
    let is_error = error.is_true() || content.get("type").text().ends_with("_error");
    out(ReaderOutput::ToolResult { id: id.text(), is_error, content: content.json().into() });
}

/// Keeps the signature of a thought.
pub(crate) fn signed(at: u64, signature: Val<'_>, out: &mut Sink<'_>) {
    if signature.piece().is_some() {
        list(out, "signatures", json!({ "index": at, "signature": signature.text() }));
    }
}

/// A citation and the block that it belongs to.
pub(crate) fn cited(at: u64, citation: Val<'_>) -> Value {
    json!({ "index": at, "citation": citation.value() })
}
