//! What every reader gives out: deltas, and what has a place only in `meta.provider`.

use crate::json::record;
use crate::json::record::Val;
use crate::model::delta::{MergePolicy, Payload, ReaderOutput};
use crate::wire::reader::Sink;
use serde_json::Value;
use std::borrow::Cow;

/// A delta.
pub(crate) fn emit(out: &mut Sink<'_>, payload: Payload<'_>) {
    out(ReaderOutput::Delta(payload));
}

/// A field for `meta.provider`; what comes later replaces it.
pub(crate) fn set_meta(out: &mut Sink<'_>, name: impl Into<Cow<'static, str>>, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Last });
}

/// An object for `meta.provider`; what comes later replaces its fields, one by one.
pub(crate) fn merge_meta(out: &mut Sink<'_>, name: &'static str, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Fields });
}

/// The fields of an object that are not null and have no place of their own, for `meta.provider`.
pub(crate) fn set_meta_except(out: &mut Sink<'_>, of: Val<'_>, own: &[&str]) {
    for (name, value) in of.entries() {
        if value.exists() && !own.contains(&&*name) {
            set_meta(out, name.into_owned(), value.value());
        }
    }
}

/// The last usage as it stood on the wire, where every record may repeat it.
pub(crate) fn set_usage_meta(usage: &mut String, out: &mut Sink<'_>) {
    if let Ok(usage) = record::read(&std::mem::take(usage), record::MAX_DEPTH) {
        set_meta(out, "usage", usage.value());
    }
}

/// One more element of a list in `meta.provider`.
pub(crate) fn append_meta(out: &mut Sink<'_>, name: impl Into<Cow<'static, str>>, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::All });
}

/// These fields of an object, where they are there and not null, for `meta.provider`.
pub(crate) fn set_meta_fields<const N: usize>(
    out: &mut Sink<'_>,
    of: Val<'_>,
    names: &'static [&'static str; N],
) {
    set_each(out, names, &of.fields(names));
}

fn set_each(out: &mut Sink<'_>, names: &'static [&'static str], values: &[Val<'_>]) {
    for (name, value) in names.iter().zip(values) {
        if value.exists() {
            set_meta(out, *name, value.value());
        }
    }
}

/// A whole tool call: its input is JSON text.
pub(crate) fn emit_call(out: &mut Sink<'_>, id: &str, name: &str, input: &str) {
    emit(out, Payload::ToolCallStart { id: id.into(), name: name.into() });
    emit_args(out, id, input);
    emit(out, Payload::ToolCallEnd { id: id.into() });
}

/// What is told of a call beside its name and input: these fields, where they are there.
pub(crate) fn call_details<const N: usize>(
    id: &str,
    of: Val<'_>,
    names: &'static [&'static str; N],
) -> serde_json::Map<String, Value> {
    details_of(id, names, &of.fields(names))
}

fn details_of(id: &str, names: &[&str], fields: &[Val<'_>]) -> serde_json::Map<String, Value> {
    let mut about = serde_json::Map::new();
    about.insert("toolCallId".to_owned(), Value::from(id));
    for (name, field) in names.iter().zip(fields) {
        if field.exists() && field.raw() != "false" {
            about.insert((*name).to_owned(), field.value());
        }
    }
    about
}

/// An id for a call that came without one: the same for the same stream, and not that of a call of
/// another response.
pub(crate) fn generated_id(response: &str, number: u64) -> String {
    if response.is_empty() { format!("call_{number}") } else { format!("call_{response}_{number}") }
}

/// More of a call's JSON text.
pub(crate) fn emit_args(out: &mut Sink<'_>, id: &str, text: &str) {
    if !text.is_empty() {
        emit(out, Payload::ToolCallArgs { id: id.into(), text: text.into() });
    }
}
