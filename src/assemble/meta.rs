//! What a stream carries that the model has a place for only in `meta`.

use super::assembler::{Assembler, Broken, ToolResult};
use crate::model::delta::Said;
use serde_json::Value;

/// JSON that is nested deeper goes into `meta` as its text: snapshots must be able to bring it back.
const MAX_META_DEPTH: usize = 64;

impl Assembler {
    /// Takes what is no delta.
    pub(super) fn beside(&mut self, said: Said<'_>, now: i64) -> Result<(), Broken> {
        match said {
            Said::Delta(_) => Ok(()), // the rules take it
            Said::ToolResult { id, is_error, content } => {
                self.hold_value(id.len(), &content).map(|()| {
                    let (id, content) = (id.into(), flat(content));
                    self.tool_results.push(ToolResult { id, is_error, content, at: Some(now) });
                })
            }
            Said::Compaction(value) => self.hold_value(0, &value).map(|()| {
                self.compaction = Some(flat(value));
            }),
            Said::Provider { name, value, list } => self.hold_value(name.len(), &value).map(|()| {
                let value = flat(value);
                if let Some(known) = self.provider.get(name.as_ref()) {
                    // What is replaced is held no longer, and its name was counted before.
                    let gone = if list { 0 } else { size_of(known) };
                    self.held = self.held.saturating_sub(gone.saturating_add(name.len()));
                }
                match self.provider.get_mut(name.as_ref()) {
                    Some(Value::Array(values)) if list => values.push(value),
                    _ if list => {
                        self.provider.insert(name.into_owned(), Value::Array(vec![value]));
                    }
                    _ => {
                        self.provider.insert(name.into_owned(), value);
                    }
                }
            }),
        }
    }

    fn hold_value(&mut self, bytes: usize, value: &Value) -> Result<(), Broken> {
        self.hold(bytes.saturating_add(size_of(value)))
    }
}

/// The bytes of text in a value, and one for everything else.
fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 1,
        Value::Array(list) => list.iter().map(size_of).sum::<usize>() + 1,
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() + size_of(value)).sum::<usize>() + 1
        }
        _ => 1,
    }
}

fn is_deeper(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(list) => depth == 0 || list.iter().any(|v| is_deeper(v, depth - 1)),
        Value::Object(fields) => depth == 0 || fields.values().any(|v| is_deeper(v, depth - 1)),
        _ => false,
    }
}

fn flat(value: Value) -> Value {
    if is_deeper(&value, MAX_META_DEPTH) { Value::String(value.to_string()) } else { value }
}
