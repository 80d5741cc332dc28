//! The format `delta`: the invariants of streams; the fast path, for records in the common shape,
//! equals the general reader; and both equal serde_json.

use super::streams::{is_beyond, of_format, seen};
use apex_parts::assemble::{Stream, StreamOptions, Violation};
use apex_parts::wire::WireFormat;
use apex_parts::wire::delta::DeltaReader;
use serde_json::Value;

/// How many lines are compared one by one.
const LINES: usize = 200;

/// The invariants of streams, and the two readers compared.
pub fn delta(data: &[u8]) {
    of_format(WireFormat::Delta, data);
    let lines = data.split(|byte| matches!(byte, b'\n' | b'\r')).take(LINES);
    let lines: Vec<&[u8]> =
        lines.map(|line| line.strip_prefix(b"data: ").unwrap_or(line)).collect();
    readers(&lines);
    push(&lines);
}

/// The fast path, and the general reader, which reads a record that has a space before it. Both keep
/// state from record to record.
fn readers(lines: &[&[u8]]) {
    let (mut fast, mut general) = (DeltaReader::default(), DeltaReader::default());
    for line in lines {
        let spaced = [b" ", *line].concat();
        for depth in [2, 512] {
            match (fast.read(line, depth), general.read(&spaced, depth)) {
                (Ok(one), Ok(two)) => assert_eq!(one, two),
                (Err(one), Err(two)) => assert_eq!(key(&one), key(&two), "{one:?} {two:?}"),
                (one, two) => panic!("{one:?} and {two:?}: {}", String::from_utf8_lossy(line)),
            }
        }
    }
}

/// A violation without its message, which names the byte.
fn key(violation: &Violation) -> (&'static str, &str, Option<i64>, Option<&str>) {
    (violation.rule, &violation.path, violation.seq, violation.run_id.as_deref())
}

/// Pushes each line unchanged, and again as serde_json writes it: then its keys have another order,
/// which the fast path does not know. Outputs of tools, state of providers and details of errors are kept as their
/// original text, so a record with these gets a space before it instead. A violation must not
/// change the state.
fn push(lines: &[&[u8]]) {
    let (mut fast, mut general) = fresh();
    for line in lines {
        let text = String::from_utf8_lossy(line);
        // Invalid UTF-8 is read as U+FFFD, with a warning.
        let theirs = serde_json::from_str::<Value>(&text);
        let before = fast.snapshot();
        let one = fast.push(line);
        match &theirs {
            Ok(value) if text.as_bytes() == *line && !carries_text(value) => {
                let two = general.push(value.to_string().as_bytes());
                assert_eq!(rule(&one), rule(&two), "{text}");
            }
            Err(error) if !is_beyond(error) => {
                assert_eq!(rule(&one), Some(("json", "", None)), "{text}: {error}");
            }
            _ => {
                let two = general.push(&[b" ", *line].concat());
                assert_eq!(rule(&one), rule(&two), "{text}");
            }
        }
        if one.is_err() {
            assert_eq!(fast.snapshot(), before, "after {one:?}");
        }
    }
    assert_eq!(seen(&mut fast), seen(&mut general));
}

fn carries_text(record: &Value) -> bool {
    let payload = &record["payload"];
    let texts = [&payload["meta"]["toolResults"], &payload["provider"], &payload["details"]];
    texts.iter().any(|text| !text.is_null())
}

fn fresh() -> (Stream, Stream) {
    (Stream::new(StreamOptions::default()), Stream::new(StreamOptions::default()))
}

fn rule(result: &Result<(), Violation>) -> Option<(&'static str, &str, Option<i64>)> {
    result.as_ref().err().map(|violation| (violation.rule, violation.path.as_str(), violation.seq))
}
