//! A value of another type in every field of every record: never a panic, and what comes later
//! counts.

use super::{later, options};
use crate::assemble::*;
use apex_parts::assemble::{MessageStatus, OnProblem, Stream, StreamOptions};
use apex_parts::wire::WireFormat;
use serde_json::{Value, json};

/// What stands in a field in place of what belongs there.
fn others() -> [Value; 8] {
    [json!(null), json!(true), json!(1), json!(-1), json!(1.5), json!("x"), json!([]), json!({})]
}

/// Every value that differs from this one by one of the others in one place.
fn twisted(value: &Value, found: &mut Vec<Value>, wrap: &dyn Fn(Value) -> Value) {
    found.extend(others().into_iter().filter(|other| other != value).map(wrap));
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                twisted(inner, found, &|new| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), new);
                    wrap(Value::Object(fields))
                });
            }
        }
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                twisted(inner, found, &|new| {
                    let mut list = list.clone();
                    list[at] = new;
                    wrap(Value::Array(list))
                });
            }
        }
        _ => {}
    }
}

fn all_twisted(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    twisted(value, &mut found, &|value| value);
    found
}

/// The stream goes on: a good record counts, unless the message is over.
fn goes_on(stream: &mut Stream, format: WireFormat, what: &str) {
    let later = stream.push_bytes(later(format).as_bytes(), 0.0);
    // With another id it is another response.
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
fn of_every_provider() {
    for (name, format, bytes) in super::fixtures() {
        // Up to this record all is well.
        let mut good = Stream::new(options(format));
        for event in String::from_utf8(bytes).unwrap().replace("\r\n", "\n").split_inclusive("\n\n")
        {
            let snapshot = good.snapshot();
            good.push_bytes(event.as_bytes(), 0.0).unwrap();
            let Some((head, data)) = event.split_once("data: ") else { continue };
            let Ok(record) = serde_json::from_str::<Value>(data) else { continue };
            for (i, other) in all_twisted(&record).into_iter().enumerate() {
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

/// A delta of every kind, with every field that it may have.
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
fn of_every_delta() {
    let before = [start(1), text(2, "x"), call(3, "c"), args(4, "c", "[")];
    let snapshot = of(&before).snapshot();
    for record in every_kind() {
        for other in all_twisted(&record) {
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
fn of_the_start() {
    for other in all_twisted(&start(1)) {
        let mut stream = Stream::new(StreamOptions::default());
        let was = (seen(&stream), stream.snapshot());
        if let Err(violation) = push(&mut stream, &other) {
            assert!(matches!(violation.rule, "schema" | "DC-1"), "{other}: {violation:?}");
            assert_eq!((seen(&stream), stream.snapshot()), was, "{other}");
            push(&mut stream, &start(2)).unwrap();
        }
        // Where a kind is not known, nothing has begun.
        if stream.status() == MessageStatus::Empty {
            push(&mut stream, &start(3)).unwrap();
        }
        assert_eq!(stream.status(), MessageStatus::Streaming);
    }
}
