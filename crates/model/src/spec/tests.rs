//! Compares the table with the structs as serde reads and writes them: the macro gives both the same fields, but a
//! name in JSON stands beside its [`Key`].
//!
//! No test names a part type, so a new row is tested without a change here.

use super::*;
use crate::names::{Key, Word};
use crate::types::base::{
    CacheStats, Created, ModelRef, PartBase, TimeSpan, TokenStats, WritingTime,
};
use crate::types::error::{APIError, MessageError, NamedError};
use crate::types::file::{FilePartSource, Position, Range, SourceText};
use crate::types::message::{MessageInfo, MessageTime, Summary, WorkPath};
use crate::types::part::Part;
use crate::types::tool_state::{ToolState, ToolTime};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::fmt::Debug;

// ── Values by the table ─────────────────────────────────────────────────────────────────────────

fn fields_of(fields: &[FieldSpec]) -> Map<String, Value> {
    fields.iter().map(|field| (field.key.as_str().to_owned(), value_of(field.kind))).collect()
}

/// A value of this kind with all its fields.
fn value_of(kind: FieldKind) -> Value {
    match kind {
        FieldKind::Text => json!("text"),
        FieldKind::Number => json!(1),
        FieldKind::Flag => json!(true),
        FieldKind::Record => json!({"any": [1]}),
        FieldKind::List(_) => json!([1, "any"]),
        FieldKind::ListOf(of) => json!([value_of(*of)]),
        FieldKind::MapOf(of) => json!({"name": value_of(*of)}),
        FieldKind::Object(fields) => Value::Object(fields_of(fields)),
        FieldKind::Named(object) => Value::Object(fields_of(object.fields)),
        FieldKind::OneOf("ToolState") => tagged(&[], "status", Word::Pending, PENDING.fields),
        FieldKind::OneOf("FilePartSource") => {
            tagged(&[], "type", SOURCES[0].word, SOURCES[0].fields)
        }
        FieldKind::OneOf("FilePart") => tagged(BASE, "type", FILE.word, FILE.fields),
        FieldKind::OneOf("MessageError") => Value::Object(fields_of(API_ERROR.fields)),
        FieldKind::OneOf(union) => panic!("what is a {union}?"),
    }
}

fn tagged(base: &[FieldSpec], tag: &str, word: Word, fields: &[FieldSpec]) -> Value {
    let mut object = fields_of(base);
    object.insert(tag.to_owned(), json!(word.as_str()));
    object.extend(fields_of(fields));
    Value::Object(object)
}

// ── Serde ───────────────────────────────────────────────────────────────────────────────────────

/// The number of fields of the struct of this name, from its derived `Debug`, which shows every one.
fn count_fields(shown: &str, type_name: &str) -> usize {
    let head = format!("{type_name} {{");
    let mut lines = shown.lines().skip_while(|line| line.trim_start() != head);
    let first = lines.next().unwrap_or_else(|| panic!("no {type_name} in {shown}"));
    let indent = first.len() - first.trim_start().len();
    let is_field = |line: &&str| {
        let own = line.len() - line.trim_start().len() == indent + 4;
        own && line.trim_start().starts_with(|c: char| c.is_ascii_lowercase())
    };
    let end = format!("{}}}", " ".repeat(indent));
    lines.take_while(|line| !line.starts_with(&end)).filter(is_field).count()
}

/// Asserts that serde reads `T` as the table says: each field of `object` exists, has its kind and is
/// required or optional as in the table, and the struct has `others` more fields.
#[track_caller]
fn agrees<T: Serialize + DeserializeOwned + Debug>(
    type_name: &str,
    object: &Value,
    fields: &[FieldSpec],
    others: usize,
) {
    let read = |object: &Value| serde_json::from_value::<T>(object.clone());
    let whole = read(object).unwrap_or_else(|e| panic!("{type_name} does not take {object}: {e}"));
    assert_eq!(&serde_json::to_value(&whole).unwrap(), object);
    let count = count_fields(&format!("{whole:#?}"), type_name);
    assert_eq!(count, fields.len() + others, "{type_name} has fields that its row has not");
    for field in fields {
        let name = field.key.as_str();
        let mut without = object.clone();
        without.as_object_mut().unwrap().remove(name);
        // One struct serves the times of all states.
        let is_looser = type_name == "ToolTime" && field.key == Key::End;
        let is_required = field.is_required() && !is_looser;
        assert_eq!(read(&without).is_err(), is_required, "{type_name}.{name} is required");
        // The struct keeps any value of this one unchanged.
        if type_name == "NamedError" && field.key == Key::Data {
            continue;
        }
        let mut wrong = object.clone();
        wrong[name] = if matches!(field.kind, FieldKind::Text) { json!(1) } else { json!("x") };
        assert!(read(&wrong).is_err(), "{type_name}.{name} takes {}", wrong[name]);
    }
}

#[test]
fn parts_are_as_in_the_table() {
    for row in PARTS {
        let part = tagged(BASE, "type", row.word, row.fields);
        // Base, tag and unknown fields.
        agrees::<Part>(row.type_name, &part, row.fields, 3);
    }
}

#[test]
fn sources_states_and_messages_are_as_in_the_table() {
    for row in SOURCES {
        let source = tagged(&[], "type", row.word, row.fields);
        agrees::<FilePartSource>(row.type_name, &source, row.fields, 2);
    }
    for row in STATES {
        let value = tagged(&[], "status", row.status.word(), row.fields);
        agrees::<ToolState>(row.type_name, &value, row.fields, 2);
        assert_eq!(state(row.status).type_name, row.type_name);
    }
    for row in MESSAGES {
        let message = tagged(MESSAGE_BASE, "role", row.role, row.fields);
        let fields = [MESSAGE_BASE, row.fields].concat();
        agrees::<MessageInfo>(row.type_name, &message, &fields, 2);
    }
}

#[test]
fn what_they_hold_is_as_in_the_table() {
    fn check<T: Serialize + DeserializeOwned + Debug>(name: &str, fields: &[FieldSpec]) {
        // Unknown fields, which a base does not have.
        let others = usize::from(name != "PartBase");
        agrees::<T>(name, &Value::Object(fields_of(fields)), fields, others);
    }
    check::<PartBase>("PartBase", BASE);
    check::<TimeSpan>("TimeSpan", TimeSpan::FIELDS);
    check::<WritingTime>("WritingTime", WritingTime::FIELDS);
    check::<Created>("Created", Created::FIELDS);
    check::<SourceText>("SourceText", SourceText::FIELDS);
    check::<Position>("Position", Position::FIELDS);
    check::<Range>("Range", Range::FIELDS);
    check::<ModelRef>("ModelRef", ModelRef::FIELDS);
    check::<CacheStats>("CacheStats", CacheStats::FIELDS);
    check::<Summary>("Summary", Summary::FIELDS);
    check::<WorkPath>("WorkPath", WorkPath::FIELDS);
    check::<TokenStats>(TOKENS.type_name, TOKENS.fields);
    check::<APIError>(API_ERROR.type_name, API_ERROR.fields);
    check::<MessageError>(API_ERROR.type_name, API_ERROR.fields);
    check::<NamedError>(NAMED_ERROR.type_name, NAMED_ERROR.fields);
    check::<MessageError>(NAMED_ERROR.type_name, NAMED_ERROR.fields);
    check::<ToolTime>("ToolTime", COMPLETED_TIME);
    let FieldKind::Object(times) = ASSISTANT.fields[0].kind else { panic!("a message has times") };
    check::<MessageTime>("MessageTime", times);
}
