//! Records with a value of another type in any field: they never cause a panic, and later records count.

use super::{later, options};
use crate::assemble::*;
use crate::variants::with_other_values;
use apex_parts_assemble::{MessageStatus, OnProblem, Stream, StreamOptions};
use apex_parts_wire::WireFormat;
use serde_json::{Value, json};

/// Asserts that a valid record still counts, unless the message has ended.
fn goes_on(stream: &mut Stream, format: WireFormat, what: &str) {
    let later = stream.push_bytes(later(format).as_bytes(), 0.0);
    // A changed id makes it the record of another response.
    let turned = |message: &str| message.contains("another response") || message.contains("second");
    let over = matches!(stream.status(), MessageStatus::Done | MessageStatus::Error)
        || stream.problems().iter().any(|problem| turned(&problem.message))
        || later.as_ref().is_err_and(|violation| turned(&violation.message));
    let last = super::texts(stream).last().is_some_and(|text| text.ends_with("LATER"));
    assert!(last || over, "{what}: {}", stream.preview().to_json());
    assert!(over || later.is_ok(), "{what}: {later:?}");
    stream.end(0.0);
    assert!(matches!(stream.status(), MessageStatus::Done | MessageStatus::Error));
    assert!(preview(stream)["parts"].is_array());
}

#[test]
fn other_values_in_records_of_providers() {
    for (name, format, bytes) in super::fixtures() {
        // A stream of the records before the changed one.
        let mut good = Stream::new(options(format));
        for event in String::from_utf8(bytes).unwrap().replace("\r\n", "\n").split_inclusive("\n\n")
        {
            let snapshot = good.snapshot();
            good.push_bytes(event.as_bytes(), 0.0).unwrap();
            let Some((head, data)) = event.split_once("data: ") else { continue };
            let Ok(record) = serde_json::from_str::<Value>(data) else { continue };
            for (i, other) in with_other_values(&record).into_iter().enumerate() {
                let event = format!("{head}data: {other}\n\n");
                let what = format!("{name}: {event}");
                let mut stream = Stream::restore(&snapshot, StreamOptions::default()).unwrap();
                stream.push_bytes(event.as_bytes(), 0.0).unwrap();
                goes_on(&mut stream, format, &what);
                if i % 4 > 0 {
                    continue;
                }
                let thrown = StreamOptions {
                    on_problem: Some(OnProblem::Throw),
                    ..StreamOptions::default()
                };
                let mut stream = Stream::restore(&snapshot, thrown).unwrap();
                if let Err(violation) = stream.push_bytes(event.as_bytes(), 0.0) {
                    assert!(
                        !violation.message.is_empty() && violation.offset.is_some(),
                        "{violation:?}"
                    );
                }
                goes_on(&mut stream, format, &what);
            }
        }
    }
}

/// A delta of every kind, with all its optional fields.
fn every_kind() -> Vec<Value> {
    let usage = json!({"inputTokens": 1, "outputTokens": 2, "totalTokens": 3, "cost": 0.5,
        "cacheReadTokens": 0, "cacheWriteTokens": 0, "reasoningTokens": 1});
    let error = json!({"errorCode": "e", "message": "m", "retryable": true});
    let mut deltas = vec![
        text(9, "more"),
        thinking(9, "hm"),
        call(9, "new"),
        args(9, "c", "1"),
        call_end(9, "c"),
        delta(9, "usage", usage),
        done(9),
        delta(9, "error", error),
        delta(9, "not_known_here", json!({"a": [1]})),
    ];
    for delta in &mut deltas {
        delta["providerRaw"] = json!({"id": 5});
    }
    deltas
}

#[test]
fn other_values_in_deltas() {
    let before = [start(1), text(2, "x"), call(3, "c"), args(4, "c", "[")];
    let snapshot = of(&before).snapshot();
    for record in every_kind() {
        for other in with_other_values(&record) {
            let mut stream = Stream::restore(&snapshot, StreamOptions::default()).unwrap();
            let _ = take(&mut stream);
            let was = (seen(&stream), stream.snapshot());
            let result = push(&mut stream, &other);
            let mut collected = Stream::restore(&snapshot, collecting()).unwrap();
            push(&mut collected, &other).unwrap();
            if let Err(violation) = &result {
                assert_eq!((seen(&stream), stream.snapshot()), was, "{other}");
                assert_eq!(take(&mut stream), [Value::Null; 0], "{other}");
                assert_eq!(collected.problems(), [violation.problem()], "{other}");
            }
            assert_eq!(preview(&collected), preview(&stream), "{other}");
            for mut stream in [stream, collected] {
                goes_on(&mut stream, WireFormat::Delta, &other.to_string());
            }
        }
    }
}

#[test]
fn other_values_in_the_start() {
    for other in with_other_values(&start(1)) {
        let mut stream = Stream::new(StreamOptions::default());
        let was = (seen(&stream), stream.snapshot());
        if let Err(violation) = push(&mut stream, &other) {
            assert!(matches!(violation.rule, "schema" | "DC-1"), "{other}: {violation:?}");
            assert_eq!((seen(&stream), stream.snapshot()), was, "{other}");
            push(&mut stream, &start(2)).unwrap();
        }
        // If its kind has become unknown, nothing has begun.
        if stream.status() == MessageStatus::Empty {
            push(&mut stream, &start(3)).unwrap();
        }
        assert_eq!(stream.status(), MessageStatus::Streaming);
    }
}
