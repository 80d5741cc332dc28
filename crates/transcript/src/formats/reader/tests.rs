//! What the tests of all format readers share: a driver, and views of its result.

// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use super::{Env, FormatReader, LoadedSession, LoadedSessions, Record};
use crate::Format;
use apex_parts_model::Severity;
use apex_parts_validate::Ids;
use apex_parts_wire::Framing;
use proptest::prelude::*;
use serde_json::Value;

/// The sessions that a reader assembles from a file of SSE or NDJSON.
pub(crate) fn made(mut reader: Box<dyn FormatReader>, bytes: &[u8]) -> LoadedSessions {
    let mut ids = 0;
    let mut new_id = || {
        ids += 1;
        format!("0199e0a0-0000-7000-8000-{ids:012}")
    };
    let mut env = Env { now_ms: 1_700_000_000_000.0, new_id: &mut new_id };
    let (mut framing, mut at) = (Framing::default(), 0);
    while let Some(frame) = framing.next(bytes, &mut at, usize::MAX) {
        reader.record(
            Record { json: frame.data, event: frame.event, offset: frame.offset },
            &mut env,
        );
    }
    if let Some(frame) = framing.finish(usize::MAX) {
        reader.record(
            Record { json: frame.data, event: frame.event, offset: frame.offset },
            &mut env,
        );
    }
    reader.finish(bytes.len() as u64, &mut env)
}

/// The messages of a session.
pub(crate) fn messages(session: &LoadedSession) -> Value {
    serde_json::from_slice(&session.messages)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&session.messages)))
}

/// The ids of each message's parts sort as the parts stand: OpenCode sorts parts by nothing else.
pub(crate) fn assert_part_ids_ascend(made: &LoadedSessions) {
    for session in &made.sessions {
        for message in messages(session).as_array().unwrap() {
            let parts = message["parts"].as_array().unwrap();
            let ids: Vec<_> = parts.iter().map(|part| part["id"].as_str().unwrap()).collect();
            assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
        }
    }
}

/// The messages of the first session.
pub(crate) fn root(made: &LoadedSessions) -> Value {
    made.sessions.first().map_or(Value::Null, messages)
}

/// The problems, as "rule offset: message".
pub(crate) fn problems(made: &LoadedSessions) -> Vec<String> {
    let one =
        |p: &apex_parts_model::Problem| format!("{} {}: {}", p.rule, p.offset.unwrap(), p.message);
    made.problems.iter().map(one).collect()
}

/// The problems that the validator finds in a session's messages, as text.
pub(crate) fn complaints(session: &LoadedSession, ids: Ids) -> Vec<String> {
    let mut found = Vec::new();
    apex_parts_validate::transcript(&Some(&messages(session)), ids, &mut found);
    found.iter().map(ToString::to_string).collect()
}

/// Asserts that no session breaks a rule; warnings are allowed.
pub(crate) fn assert_valid(made: &LoadedSessions, ids: Ids) {
    for session in &made.sessions {
        let mut found = Vec::new();
        apex_parts_validate::transcript(&Some(&messages(session)), ids, &mut found);
        found.retain(|p| p.severity == Severity::Error);
        assert_eq!(found, [], "{}", String::from_utf8_lossy(&session.messages));
    }
}

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

#[test]
fn a_place_in_a_text_is_one_in_the_file() {
    let json = b"ab\xff\xffc\xe2\x82d";
    let record = Record { json, event: "", offset: 100 };
    let text = String::from_utf8_lossy(json);
    for (what, place) in [("a", 100), ("b", 101), ("c", 104), ("d", 107)] {
        assert_eq!(record.place(text.find(what).unwrap()), place, "{what}");
    }
    assert_eq!(record.place(text.len()), 108);
}
