//! The readers of all formats, given odd records and any bytes.

use super::super::Format;
use crate::formats::reading::{assert_valid, made, messages};
use apex_parts_validate::Ids;
use proptest::prelude::*;
use serde_json::Value;

/// The words of all formats, as names and as values.
const WORDS: [&str; 52] = [
    "type",
    "uuid",
    "message",
    "content",
    "id",
    "role",
    "sessionID",
    "messageID",
    "partID",
    "part",
    "field",
    "delta",
    "info",
    "properties",
    "payload",
    "user",
    "assistant",
    "system",
    "tool_use",
    "tool_result",
    "tool_use_id",
    "name",
    "input",
    "text",
    "thinking",
    "usage",
    "timestamp",
    "2025-03-01T10:00:00Z",
    "isSidechain",
    "parentUuid",
    "sessionId",
    "kind",
    "tool_call",
    "toolCallId",
    "arguments",
    "parts",
    "runId",
    "tool",
    "meta",
    "message.part.delta",
    "message.part.updated",
    "message.updated",
    "session.created",
    "step_finish",
    "step_start",
    "error",
    "tokens",
    "cost",
    "time",
    "image",
    "source",
    "",
];

fn record() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(&WORDS[..]);
    let leaf = prop_oneof![
        6 => word.clone().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i32>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    let fields = |value: BoxedStrategy<Value>| {
        let word = prop::sample::select(&WORDS[..]).prop_map(str::to_owned);
        prop::collection::btree_map(word, value, 0..12)
            .prop_map(|map| Value::Object(map.into_iter().collect()))
    };
    leaf.prop_recursive(4, 64, 8, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
        prop_oneof![1 => list, 3 => fields(inner.boxed())]
    })
}

/// A record with its random fields where the format reads them.
fn line(format: Format) -> impl Strategy<Value = Value> {
    let kinds: &[&str] = match format {
        Format::OpenCodeEvents => &[
            "message.part.delta",
            "message.part.updated",
            "message.updated",
            "message.removed",
            "message.part.removed",
            "session.created",
            "session.deleted",
        ],
        Format::OpenCodeRun => &["step_start", "text", "tool_use", "step_finish", "error"],
        _ => &["user", "assistant", "system", "tool"],
    };
    let names = ["properties", "part", "message", "parts", "content", "meta", "timestamp", "info"];
    let fields = prop::collection::vec((prop::sample::select(names.to_vec()), record()), 0..6);
    (prop::sample::select(kinds.to_vec()), fields, record()).prop_map(|(kind, fields, more)| {
        let mut line = more;
        if !line.is_object() {
            line = Value::Object(serde_json::Map::new());
        }
        line["type"] = Value::from(kind);
        line["role"] = Value::from(kind);
        for (name, value) in fields {
            line[name] = value;
        }
        line
    })
}

proptest! {
    /// For any records: no panic, the result is JSON, and derived fields are valid.
    #[test]
    fn odd_records_give_valid_json(
        (format, lines) in prop::sample::select(vec![Format::OpenCodeEvents, Format::OpenCodeRun, Format::Messages, Format::ClaudeCode])
            .prop_flat_map(|format| (Just(format), prop::collection::vec(line(format), 0..8))),
    ) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let made = made(format.reader().unwrap(), text.as_bytes());
        for session in &made.sessions {
            messages(session);
        }
        match format {
            Format::Messages => assert_valid(&made, Ids::Apex),
            Format::ClaudeCode => assert_valid(&made, Ids::OpenCode),
            _ => {}
        }
        prop_assert!(made.problems.iter().all(|p| p.offset.is_some()));
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for reader in Format::all().filter_map(Format::reader) {
            for session in &made(reader, &bytes).sessions {
                messages(session);
            }
        }
    }
}

#[test]
fn formats_with_messages_in_pieces_have_a_reader() {
    for format in Format::all() {
        let whole = matches!(format, Format::OpenCodeExport | Format::WithParts);
        assert_eq!(format.reader().is_none(), whole, "{format:?}");
    }
}
