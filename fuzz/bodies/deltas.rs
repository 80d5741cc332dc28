//! Format `delta`: besides the laws of streams, that the reader which is fitted to the common shape
//! says what the general one says, and that both say what serde_json says.

use super::streams::{is_beyond, of_format, seen};
use apex_parts::assemble::{Stream, StreamOptions, Violation};
use apex_parts::wire::WireFormat;
use apex_parts::wire::delta::DeltaReader;
use serde_json::Value;

/// So many lines are looked at one by one.
const LINES: usize = 200;

/// The laws of streams, and the readers of a record against each other.
pub fn delta(data: &[u8]) {
    of_format(WireFormat::Delta, data);
    let lines = data.split(|byte| matches!(byte, b'\n' | b'\r')).take(LINES);
    let lines: Vec<&[u8]> =
        lines.map(|line| line.strip_prefix(b"data: ").unwrap_or(line)).collect();
    readers(&lines);
    push(&lines);
}

/// The fitted reader and the general one, which is all that a space before the record leaves. Both
/// keep what they learn from one record to the next.
fn readers(lines: &[&[u8]]) {
    let (mut fitted, mut general) = (DeltaReader::default(), DeltaReader::default());
    for line in lines {
        let spaced = [b" ", *line].concat();
        for depth in [2, 512] {
            match (fitted.read(line, depth), general.read(&spaced, depth)) {
                (Ok(one), Ok(two)) => assert_eq!(one, two),
                (Err(one), Err(two)) => assert_eq!(key(&one), key(&two), "{one:?} {two:?}"),
                (one, two) => panic!("{one:?} and {two:?}: {}", String::from_utf8_lossy(line)),
            }
        }
    }
}

/// A refusal but for its words, which tell the byte.
fn key(refusal: &Violation) -> (&'static str, &str, Option<i64>, Option<&str>) {
    (refusal.rule, &refusal.path, refusal.seq, refusal.run_id.as_deref())
}

/// Each line pushed as it stands, and as serde_json reads and writes it; with that its keys stand
/// in another order, which the fitted reader does not know. The outputs of tools are kept in the
/// text they come in: a record that carries them gets a space before it and no other order. A violation
/// leaves everything as it was.
fn push(lines: &[&[u8]]) {
    let (mut fitted, mut general) = fresh();
    for line in lines {
        let text = String::from_utf8_lossy(line);
        // What is no UTF-8 is read as U+FFFD, and noted.
        let theirs = serde_json::from_str::<Value>(&text);
        let before = fitted.snapshot();
        let one = fitted.push(line);
        match &theirs {
            Ok(value) if text.as_bytes() == *line && !carries_outputs(value) => {
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
            assert_eq!(fitted.snapshot(), before, "after {one:?}");
        }
    }
    assert_eq!(seen(&mut fitted), seen(&mut general));
}

fn carries_outputs(record: &Value) -> bool {
    !record["payload"]["meta"]["toolResults"].is_null()
}

fn fresh() -> (Stream, Stream) {
    (Stream::new(StreamOptions::default()), Stream::new(StreamOptions::default()))
}

fn rule(result: &Result<(), Violation>) -> Option<(&'static str, &str, Option<i64>)> {
    result.as_ref().err().map(|violation| (violation.rule, violation.path.as_str(), violation.seq))
}
