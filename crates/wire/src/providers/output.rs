//! What every reader emits: deltas, and fields of `meta.provider` for what has no place in a delta.

use super::failure::is_nothing;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::object_of;
use apex_parts_model::delta::{MergePolicy, Payload, ReaderOutput, WholePlace};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Emits a delta.
pub(crate) fn emit(out: &mut Sink<'_>, payload: Payload<'_>) {
    out(ReaderOutput::Delta(payload));
}

/// Sets a field of `meta.provider`; a later value of this name replaces it.
pub(crate) fn set_meta(out: &mut Sink<'_>, name: impl Into<Cow<'static, str>>, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Last });
}

/// Merges an object into a field of `meta.provider`: later fields replace those of the same name.
pub(crate) fn merge_meta(out: &mut Sink<'_>, name: &'static str, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Fields });
}

/// Merges a value into a field of `meta.provider`: objects at every depth, of all else the later value counts (W-74).
pub(crate) fn merge_meta_deep(out: &mut Sink<'_>, name: &'static str, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Deep });
}

/// The fields of an object that are not listed in `own` and say something.
pub(crate) fn unknown_fields<'a>(
    of: Val<'a>,
    own: &'a [&'a str],
) -> impl Iterator<Item = (Cow<'a, str>, Val<'a>)> {
    of.entries().filter(|(name, value)| !own.contains(&&**name) && !is_nothing(*value))
}

/// Those fields as an object.
pub(crate) fn unknown_object(of: Val<'_>, own: &[&str]) -> Map<String, Value> {
    object_of(unknown_fields(of, own).map(|(name, value)| (name.into_owned(), value.value())))
}

/// Sets the fields of an object that say something and are not listed in `own` in `meta.provider`.
pub(crate) fn set_meta_except(out: &mut Sink<'_>, of: Val<'_>, own: &[&str]) {
    for (name, value) in unknown_fields(of, own) {
        set_meta(out, name.into_owned(), value.value());
    }
}

/// Appends an object to a list in `meta.provider`, with its place among the parts.
pub(crate) fn place_meta(out: &mut Sink<'_>, name: &'static str, value: Map<String, Value>) {
    let value = Value::Object(value);
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Placed });
}

/// Sets fields of an element of `meta.provider.toolCalls`, which is the call's.
pub(crate) fn merge_call(out: &mut Sink<'_>, number: usize, fields: Map<String, Value>) {
    let (name, value) = ("toolCalls".into(), Value::Object(fields));
    out(ReaderOutput::Provider { name, value, keep: MergePolicy::Merged(number) });
}

/// Reports something that was left out, which is a violation of the rule `schema`.
pub(crate) fn wrong(out: &mut Sink<'_>, message: impl Into<String>) {
    out(ReaderOutput::Wrong { message: message.into() });
}

/// Sets `usage` in `meta.provider` to the last usage object of the wire, given as JSON text. It is
/// set once, at the end, because every record may repeat it.
pub(crate) fn set_usage_meta(usage: &mut String, out: &mut Sink<'_>) {
    if let Ok(usage) = record::read(&std::mem::take(usage), record::MAX_DEPTH) {
        set_meta(out, "usage", usage.value());
    }
}

/// Replaces the element of this number of a list in `meta.provider`, or appends it if there is none.
pub(crate) fn replace_meta(
    out: &mut Sink<'_>,
    name: impl Into<Cow<'static, str>>,
    number: u64,
    value: Value,
) {
    let keep = MergePolicy::Replaced(usize::try_from(number).unwrap_or(usize::MAX));
    out(ReaderOutput::Provider { name: name.into(), value, keep });
}

/// Where the parts of each item of a list stand that were not read before: before the first part of an item that follows
/// it. `firsts` are the first parts of the items that were read.
pub(crate) fn places<'a>(
    firsts: impl DoubleEndedIterator<Item = Option<WholePlace<'a>>>,
) -> Vec<Option<WholePlace<'static>>> {
    let mut next = None;
    let mut places = Vec::new();
    for first in firsts.rev() {
        places.push(next.clone());
        next = first.map(WholePlace::into_owned).or(next);
    }
    places.reverse();
    places
}

/// Emits parts that stand before this one; behind all, if there is none.
pub(crate) fn emit_before(
    place: Option<WholePlace<'_>>,
    out: &mut Sink<'_>,
    emit: impl FnOnce(&mut Sink<'_>),
) {
    let is_placed = place.is_some();
    if is_placed {
        out(ReaderOutput::Place(place));
    }
    emit(out);
    if is_placed {
        out(ReaderOutput::Place(None));
    }
}

/// Appends an element to a list in `meta.provider`.
pub(crate) fn append_meta(out: &mut Sink<'_>, name: impl Into<Cow<'static, str>>, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::All });
}

/// Sets these fields of an object in `meta.provider`, if they exist and are not null.
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

/// Emits a complete tool call; its input is JSON text.
pub(crate) fn emit_call(out: &mut Sink<'_>, id: &str, name: &str, input: &str) {
    emit(out, Payload::ToolCallStart { id: id.into(), name: name.into(), provider: None });
    emit_args(out, id, input);
    emit(out, Payload::ToolCallEnd { id: id.into(), provider: None });
}

/// What `meta.provider.toolCalls` holds of a call: its id, and these fields if they exist and are
/// neither null nor false.
pub(crate) fn call_details<const N: usize>(
    id: &str,
    of: Val<'_>,
    names: &'static [&'static str; N],
) -> serde_json::Map<String, Value> {
    details_of(id, names, &of.fields(names))
}

fn details_of(id: &str, names: &[&str], fields: &[Val<'_>]) -> serde_json::Map<String, Value> {
    let mut details = serde_json::Map::new();
    details.insert("toolCallId".to_owned(), Value::from(id));
    for (name, field) in names.iter().zip(fields) {
        if field.exists() && field.raw() != "false" {
            details.insert((*name).to_owned(), field.value());
        }
    }
    details
}

/// An id for a call that came without one: the same whenever the stream is read, and different from
/// those of other responses.
pub(crate) fn generated_id(response: &str, number: u64) -> String {
    if response.is_empty() { format!("call_{number}") } else { format!("call_{response}_{number}") }
}

/// Emits a piece of the JSON text of a call's arguments, unless it is empty.
pub(crate) fn emit_args(out: &mut Sink<'_>, id: &str, text: &str) {
    if !text.is_empty() {
        emit(out, Payload::ToolCallArgs { id: id.into(), text: text.into() });
    }
}
