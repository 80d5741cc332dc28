//! Laws of the conversion, tested with random messages: it is always taken, and what was made stays.

use super::{answer, converted, converted_of, copy, errors_of, opened, user};
use crate::opencode::{OpenCodeConversion, OpenCodeOptions, SessionSource, session_of};
use apex_parts_transcript::Format;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Names and words of the records, so that what is random is often nearly right.
const NAMES: &[&str] = &[
    "id",
    "sessionID",
    "messageID",
    "type",
    "text",
    "time",
    "start",
    "end",
    "created",
    "completed",
    "state",
    "status",
    "input",
    "output",
    "title",
    "metadata",
    "attachments",
    "error",
    "name",
    "data",
    "message",
    "role",
    "parentID",
    "tokens",
    "cache",
    "read",
    "cost",
    "path",
    "cwd",
    "root",
    "model",
    "modelID",
    "agent",
    "tail_start_id",
    "source",
    "files",
    "summary",
    "diffs",
    "format",
    "tools",
    "raw",
    "reason",
    "finish",
];
const WORDS: &[&str] = &[
    "",
    "msg_a",
    "msg_b",
    "ses_a",
    "prt_a",
    "prt_b",
    "wrk_a",
    "text",
    "reasoning",
    "file",
    "tool",
    "step-start",
    "step-finish",
    "snapshot",
    "patch",
    "agent",
    "compaction",
    "subtask",
    "retry",
    "pending",
    "running",
    "completed",
    "error",
    "user",
    "assistant",
    "APIError",
    "UnknownError",
    "symbol",
    "json_schema",
    "odd é\u{0}",
];

fn any_value() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(WORDS).prop_map(Value::from);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..2000).prop_map(Value::from),
        prop::sample::select(vec![0.5, -1.5, 1e300, 9e15, 1e16, 1e-7]).prop_map(Value::from),
        word,
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let name = prop_oneof![8 => prop::sample::select(NAMES).prop_map(str::to_owned), 1 => "[a-z]{1,3}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// An object in which some fields are of a valid one.
fn near(valid: Value) -> impl Strategy<Value = Value> {
    (prop::collection::vec((prop::sample::select(NAMES), any_value()), 0..5)).prop_map(
        move |changes| {
            let mut value = valid.clone();
            for (name, change) in changes {
                value[name] = change;
            }
            value
        },
    )
}

fn any_part() -> impl Strategy<Value = Value> {
    let state = json!({"status": "completed", "input": {}, "output": "o", "title": "", "metadata": {},
        "time": {"start": 1, "end": 2}, "attachments": [{"id": "f", "type": "file", "mime": "a", "url": "b"}]});
    prop_oneof![
        4 => prop::sample::select(WORDS).prop_flat_map(|word| near(json!({"id": "p", "type": word, "text": "t"}))),
        2 => near(json!({"id": "prt_1", "type": "tool", "callID": "c", "tool": "t", "state": state})),
        1 => any_value(),
    ]
}

fn any_message() -> impl Strategy<Value = Value> {
    let info = prop_oneof![
        near(user("u", 5.0, json!([]))["info"].clone()),
        near(answer("a", 6.0, "u", json!([]))["info"].clone()),
    ];
    (info, prop::collection::vec(any_part(), 0..5))
        .prop_map(|(info, parts)| json!({"info": info, "parts": parts}))
}

proptest! {
    #[test]
    fn whatever_is_converted_is_taken(
        messages in prop::collection::vec(any_message(), 0..5),
        info in any_value(),
        is_opencode in any::<bool>(),
        is_copy in any::<bool>(),
    ) {
        let text = info.to_string();
        let source = SessionSource {
            id: "x".into(),
            info: Some(text.as_bytes()),
            is_opencode,
            format: "with-parts",
            ..SessionSource::default()
        };
        let options = if is_copy { copy("c") } else { OpenCodeOptions::default() };
        let (made, _) = converted_of(&messages, &source, &options);
        prop_assert_eq!(errors_of(&made), Vec::<String>::new());
        prop_assert_eq!(&made, &converted_of(&messages, &source, &options).0);
        // Every message is there, in its order as OpenCode sorts.
        let list = made["messages"].as_array().unwrap();
        prop_assert!(list.len() == messages.len() || list.len() == messages.len() + 1);
    }

    /// What was made is OpenCode's own: converted again it stays.
    #[test]
    fn what_was_converted_stays(messages in prop::collection::vec(any_message(), 1..5)) {
        let (made, _) = converted(&messages);
        let again = opened(&made.to_string(), Some(Format::OpenCodeExport));
        let (place, source) = session_of(&again, None).unwrap();
        let list = again.session_messages(place);
        let mut conversion = OpenCodeConversion::new(&list, &source, &OpenCodeOptions::default()).unwrap();
        let mut second = Vec::new();
        while let Some(text) = conversion.next(&list).unwrap() {
            second.push(serde_json::from_str::<Value>(&text).unwrap());
        }
        let info: Value = serde_json::from_str(conversion.info()).unwrap();
        prop_assert_eq!(json!({"info": info, "messages": second}), made);
    }
}
