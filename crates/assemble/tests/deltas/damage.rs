//! What a stream must bear: a damaged record takes nothing with it, and the order of fields says nothing.

use crate::assemble::*;
use crate::streams::{Records, own_streams, split};
use apex_parts_assemble::{Stream, StreamOptions};
use apex_parts_wire::WireFormat;
use serde_json::Value;
use std::path::PathBuf;

/// Name, format and records of each of our own streams.
fn streams() -> impl Iterator<Item = (String, WireFormat, Records)> {
    let read = |(path, format, text): (PathBuf, _, String)| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, WireFormat::Provider(format), split(&text))
    };
    own_streams().into_iter().map(read)
}

fn stream_of(format: WireFormat) -> Stream {
    Stream::new(StreamOptions { format: Some(format), run_id: Some("r".into()), ..collecting() })
}

/// Pushes one record as a server-sent event.
fn push_record(stream: &mut Stream, event: &str, data: &str) {
    let data = data.replace('\n', "\ndata: ");
    let record = format!("event: {event}\ndata: {data}\n\n");
    stream.push_bytes(record.as_bytes(), 0.0).unwrap();
}

/// Is everything of these parts still there? Texts may have grown, and calls may have ended.
fn are_kept(before: &Value, after: &Value) -> bool {
    let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
    before.len() <= after.len()
        && before.iter().zip(after).all(|(before, after)| {
            let text = |part: &Value| part["payload"]["text"].as_str().unwrap_or("").to_owned();
            let id = |part: &Value| part["payload"]["toolCallId"].clone();
            before["kind"] == after["kind"]
                && text(after).starts_with(&text(before))
                && id(before) == id(after)
        })
}

#[test]
fn a_damaged_record_takes_nothing_with_it() {
    for (name, format, records) in streams() {
        for (at, (_, data)) in records.iter().enumerate() {
            let half = data.chars().take(data.chars().count() / 2).collect::<String>();
            let damaged = [
                half,
                data.replace('}', ""),
                data.replacen(':', "", 2),
                data.replace('"', "'"),
                format!("{data}{data}"),
                "nonsense".to_owned(),
                "[]".to_owned(),
                "{\"a\":1}".to_owned(),
            ];
            for damaged in damaged {
                let mut stream = stream_of(format);
                for (event, data) in &records[..at] {
                    push_record(&mut stream, event, data);
                }
                let before = preview(&stream)["parts"].clone();
                push_record(&mut stream, &records[at].0, &damaged);
                for (event, data) in &records[at + 1..] {
                    push_record(&mut stream, event, data);
                }
                stream.end(0.0);
                let after = preview(&stream)["parts"].clone();
                assert!(are_kept(&before, &after), "{name}: {damaged}: {before} {after}");
            }
        }
    }
}

/// The value as JSON text, the fields of its objects from the last to the first.
fn reversed(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            out.push('{');
            for (number, (name, field)) in fields.iter().rev().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                out.push_str(&format!("{}:", Value::from(name.as_str())));
                reversed(field, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                reversed(item, out);
            }
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}

#[test]
fn the_order_of_fields_does_not_matter() {
    for (name, format, records) in streams() {
        let (mut first, mut second) = (stream_of(format), stream_of(format));
        for (event, data) in &records {
            push_record(&mut first, event, data);
            let mut other = String::new();
            match serde_json::from_str(data) {
                Ok(value) => reversed(&value, &mut other),
                Err(_) => other.clone_from(data),
            }
            push_record(&mut second, event, &other);
        }
        first.end(0.0);
        second.end(0.0);
        assert_eq!(preview(&second), preview(&first), "{name}");
        assert_eq!(second.status(), first.status(), "{name}");
    }
}

/// The names that formats have for a call's arguments.
const ARGUMENTS: &[&str] = &["arguments", "input", "args", "rawInput"];

/// The value with an unknown field in every object, as the first or the last of its fields.
fn with_unknown(value: &Value, first: bool, out: &mut String) {
    let field = "\"aWordOfTomorrow\":{\"n\":1}";
    match value {
        Value::Object(fields) => {
            let mut texts: Vec<_> = fields
                .iter()
                .map(|(name, value)| {
                    let mut text = format!("{}:", Value::from(name.as_str()));
                    // Arguments are kept as they were written.
                    if ARGUMENTS.contains(&name.as_str()) {
                        text.push_str(&value.to_string());
                    } else {
                        with_unknown(value, first, &mut text);
                    }
                    text
                })
                .collect();
            texts.insert(if first { 0 } else { texts.len() }, field.to_owned());
            out.push_str(&format!("{{{}}}", texts.join(",")));
        }
        Value::Array(items) => {
            let each = items.iter().map(|item| {
                let mut text = String::new();
                with_unknown(item, first, &mut text);
                text
            });
            out.push_str(&format!("[{}]", each.collect::<Vec<_>>().join(",")));
        }
        other => out.push_str(&other.to_string()),
    }
}

/// Nor does it matter where fields stand that nobody knows; what they are is kept.
#[test]
fn the_place_of_unknown_fields_does_not_matter() {
    for (name, format, records) in streams() {
        let [first, last] = [true, false].map(|first| {
            let mut stream = stream_of(format);
            for (event, data) in &records {
                let mut other = String::new();
                match serde_json::from_str(data) {
                    Ok(value) => with_unknown(&value, first, &mut other),
                    Err(_) => other.clone_from(data),
                }
                push_record(&mut stream, event, &other);
            }
            stream.end(0.0);
            stream
        });
        assert_eq!(preview(&first), preview(&last), "{name}");
        assert_eq!(first.status(), last.status(), "{name}");
    }
}
