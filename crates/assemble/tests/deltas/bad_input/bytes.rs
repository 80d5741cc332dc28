//! Random bytes, streams that stop anywhere, and invalid characters.

use super::later;
use crate::assemble::*;
use apex_parts_assemble::{MessagePart, MessageStatus, Stream, StreamOptions, read_deltas};
use apex_parts_model::Severity;
use apex_parts_wire::{Provider, WireFormat};
use serde_json::{Value, json};

/// Pseudo-random bytes, the same on every machine.
fn random(seed: u32, length: u32) -> Vec<u8> {
    (0..length).map(|i| ((i ^ seed << 20).wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

#[test]
fn random_bytes_in_every_format() {
    for format in super::formats() {
        for seed in 0..4 {
            let bytes = random(seed, 40_000);
            let options = super::options(format);
            let mut stream = Stream::new(options.clone());
            for chunk in bytes.chunks(997) {
                stream.push_bytes(chunk, 0.0).unwrap();
            }
            stream.end(0.0);
            assert_eq!(stream.status(), MessageStatus::Error);
            assert!(stream.message().is_none());
            let again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
            assert_eq!(again.preview().to_json(), stream.preview().to_json());
            assert!(read_deltas(&bytes, &options, 0.0, &mut || "r".into()).is_ok());
        }
    }
}

#[test]
fn records_after_random_ones_are_read() {
    for format in super::formats() {
        let mut stream = Stream::new(super::options(format));
        if format == WireFormat::Delta {
            push(&mut stream, &start(1)).unwrap();
        }
        for seed in 0..20 {
            // Without line breaks the bytes are one record.
            let mut record = random(seed, 2_000);
            record.retain(|byte| !matches!(byte, b'\r' | b'\n'));
            stream.push_bytes(&[b"data: ", &record[..], b"\n\n"].concat(), 0.0).unwrap();
        }
        assert_eq!(stream.problems().len(), 20);
        assert!(stream.problems().iter().all(|problem| problem.rule == "json"));
        assert_eq!(stream.preview().parts().len(), 0);
        stream.push_bytes(later(format).as_bytes(), 0.0).unwrap();
        assert_eq!(super::texts(&stream), ["LATER"], "{}", format.as_str());
    }
}

/// Do the parts only grow from one cut to the next?
fn grown(before: &[(String, String)], now: &[(String, String)]) -> bool {
    before.len() <= now.len()
        && before.iter().zip(now).all(|(old, new)| old.0 == new.0 && new.1.starts_with(&old.1))
}

fn shown(stream: &Stream) -> Vec<(String, String)> {
    let preview = stream.preview();
    let one = |part: MessagePart<'_>| match part {
        MessagePart::Text { text, .. } | MessagePart::Thinking { text, .. } => {
            (part.kind().to_owned(), text.to_string())
        }
        MessagePart::Custom { name, .. } => (name.to_owned(), String::new()),
        // Arguments are left out: they change from text to a value when a call ends.
        MessagePart::ToolCall { id, name, .. } => (format!("{id} {name}"), String::new()),
    };
    preview.parts().map(one).collect()
}

#[test]
fn streams_that_stop_anywhere() {
    for (name, format, bytes) in super::fixtures() {
        let mut before = Vec::new();
        for cut in (0..=bytes.len()).step_by(7) {
            let mut stream = Stream::new(super::options(format));
            stream.push_bytes(&bytes[..cut], 0.0).unwrap();
            stream.end(0.0);
            let rules: Vec<&str> = stream.problems().iter().map(|p| p.rule.as_str()).collect();
            match stream.status() {
                MessageStatus::Done => assert!(stream.message().is_some()),
                MessageStatus::Error => {
                    let failed = stream.preview().to_json().contains("\"errorCode\"");
                    assert!(failed || rules.last() == Some(&"DC-2"), "{name} at {cut}: {rules:?}");
                }
                status => panic!("{name} at {cut}: {status:?} after the end"),
            }
            let now = shown(&stream);
            assert!(grown(&before, &now), "{name} at {cut}: {before:?} {now:?}");
            before = now;
        }
    }
}

#[test]
fn invalid_utf_8() {
    // Invalid UTF-8 becomes a replacement character, with a warning.
    let good = text(3, "after").to_string();
    for bad in ["\\xff", "\\xc0\\x80", "\\xed\\xa0\\x80", "\\xf0\\x9f\\x98", "\\x80"] {
        let bytes: Vec<u8> =
            bad.split("\\x").skip(1).map(|hex| u8::from_str_radix(hex, 16).unwrap()).collect();
        let record = text(2, "§").to_string().into_bytes();
        let place = record.windows(2).position(|pair| pair == "§".as_bytes()).unwrap();
        let record = [&record[..place], &bytes, &record[place + 2..], b"\n"].concat();
        let mut stream = of(&[start(1)]);
        stream.push(&record).unwrap();
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        assert_eq!(super::texts(&stream), [shown.as_str()]);
        for size in [1, 3, record.len()] {
            let mut stream = Stream::new(collecting());
            push(&mut stream, &start(1)).unwrap();
            for chunk in record.chunks(size) {
                stream.push_bytes(chunk, 0.0).unwrap();
            }
            stream.push_bytes(good.as_bytes(), 0.0).unwrap();
            stream.end(0.0);
            let rules: Vec<&str> = stream.problems().iter().map(|p| p.rule.as_str()).collect();
            assert_eq!(rules, ["json", "DC-2"]);
            let warning = &stream.problems()[0];
            assert_eq!((warning.severity, warning.offset), (Severity::Warning, Some(0.0)));
            assert_eq!(super::texts(&stream), [format!("{shown}after")]);
        }
    }
    // In a provider's text too, for chunks of any size.
    let record = later(WireFormat::Provider(Provider::OpenAiChat)).into_bytes();
    let place = record.windows(5).position(|word| word == b"LATER").unwrap();
    let record = [&record[..place], b"a\xf0\x9f\x98b\xff", &record[place + 5..]].concat();
    for size in 1..record.len() {
        let mut stream = Stream::new(super::options(WireFormat::Provider(Provider::OpenAiChat)));
        for chunk in record.chunks(size) {
            stream.push_bytes(chunk, 0.0).unwrap();
        }
        assert_eq!(super::texts(&stream), ["a\u{fffd}b\u{fffd}"]);
        let problems = stream.problems();
        assert_eq!((problems.len(), problems[0].rule.as_str()), (1, "json"));
    }
}

#[test]
fn nul_bytes() {
    // An escaped NUL is a character; a NUL byte is invalid in JSON.
    let escaped = text(2, "a\0b").to_string();
    assert!(escaped.contains("\\u0000"));
    let raw = escaped.replace("\\u0000", "\0");
    for record in [raw.as_str(), "\0", "{\0}", "\0{}"] {
        let mut stream = of(&[start(1)]);
        let was = (seen(&stream), stream.snapshot());
        assert_eq!(stream.push(record.as_bytes()).unwrap_err().rule, "json", "{record:?}");
        assert_eq!((seen(&stream), stream.snapshot()), was);
        stream.push(escaped.as_bytes()).unwrap();
        assert_eq!(super::texts(&stream), ["a\0b"]);
    }
    for format in super::formats() {
        let mut stream = Stream::new(super::options(format));
        if format == WireFormat::Delta {
            push(&mut stream, &start(1)).unwrap();
        }
        let record = later(format);
        for record in [record.replace("LATER", "a\0b"), record.replace("LATER", "a\\u0000b")] {
            stream.push_bytes(record.as_bytes(), 0.0).unwrap();
        }
        let rules: Vec<&str> = stream.problems().iter().map(|p| p.rule.as_str()).collect();
        assert_eq!(rules, ["json"], "{}", format.as_str());
        assert_eq!(super::texts(&stream), ["a\0b"]);
    }
    // The same in names and ids.
    let stream =
        of(&[start(1), call(2, "c\0"), args(3, "c\0", "{\"\\u0000\":0}"), call_end(4, "c\0")]);
    let part: Value = preview(&stream)["parts"][0]["payload"].clone();
    assert_eq!(part["toolCallId"], "c\0");
    assert_eq!(part["arguments"], json!({"\0": 0}));
}
