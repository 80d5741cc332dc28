//! What a stream carries that the model has a place for only in `meta`.

use super::assembler::{Assembler, Broken, ToolResult};
use super::breach::Breach;
use crate::model::Severity;
use crate::model::delta::{Keep, Said};
use serde_json::Value;
use std::borrow::Cow;

/// JSON that is nested deeper goes into `meta` as its text: snapshots must be able to bring it back.
const MAX_META_DEPTH: usize = 64;

impl Assembler {
    /// Takes what is no delta.
    pub(super) fn beside(&mut self, said: Said<'_>, now: i64) -> Result<(), Broken> {
        match said {
            Said::Delta(_) | Said::Warning { .. } => Ok(()), // they are taken elsewhere
            Said::ToolResult { id, is_error, content } => {
                self.hold(id.len().saturating_add(content.len())).map(|()| {
                    let (id, content) = (id.into(), content.into());
                    self.tool_results.push(ToolResult { id, is_error, content, at: Some(now) });
                })
            }
            Said::Compaction(value) => self.hold_value(0, &value).map(|()| {
                self.compaction = Some(flat(value));
            }),
            Said::Provider { name, value, keep } => self.provider(name, value, keep),
        }
    }

    /// Notes what was said of something that is wrong but stops nothing.
    pub(super) fn warn(&mut self, rule: &'static str, message: &str, offset: Option<u64>) {
        let breach = Breach { offset, ..Breach::new(rule, message) };
        self.note(breach.as_problem(Severity::Warning));
    }

    /// What is replaced is held no longer, and a name counts once.
    fn provider(
        &mut self,
        name: Cow<'static, str>,
        value: Value,
        keep: Keep,
    ) -> Result<(), Broken> {
        self.hold_value(name.len(), &value)?;
        let value = flat(value);
        let Some(known) = self.provider.get_mut(name.as_ref()) else {
            let value = if keep == Keep::All { Value::Array(vec![value]) } else { value };
            self.provider.insert(name.into_owned(), value);
            return Ok(());
        };
        let mut gone = name.len();
        match (known, value, keep) {
            (Value::Array(values), value, Keep::All) => values.push(value),
            (Value::Object(fields), Value::Object(more), Keep::Fields) => {
                gone += 1;
                for (name, value) in more {
                    let length = name.len();
                    if let Some(old) = fields.insert(name, value) {
                        gone += length.saturating_add(size_of(&old));
                    }
                }
            }
            (known, value, _) => {
                gone = gone.saturating_add(size_of(known));
                *known = if keep == Keep::All { Value::Array(vec![value]) } else { value };
            }
        }
        self.held = self.held.saturating_sub(gone);
        Ok(())
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
