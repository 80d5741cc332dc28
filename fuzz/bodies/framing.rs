//! Framing: the records do not depend on the chunks, and equal those of a simple reader of the
//! whole input.

use super::dice::{Dice, pieces};
use apex_parts::wire::{Frame, Framing, detect};

/// The event's name, the record (`None` if it is too long), and the offset of its first byte.
type Record = (String, Option<Vec<u8>>, u64);

/// The records of a stream that comes in these chunks, and whether they are server-sent events.
/// If `restored`, a snapshot is taken and restored after each chunk.
fn framed(chunks: &[&[u8]], max: usize, restored: bool) -> (Vec<Record>, bool) {
    let record = |frame: Frame<'_>| {
        let data = (!frame.too_long).then(|| frame.data.to_vec());
        (frame.event.to_owned(), data, frame.offset)
    };
    let mut framing = Framing::default();
    let mut found = Vec::new();
    let mut length = 0;
    for chunk in chunks {
        let mut at = 0;
        while let Some(frame) = framing.next(chunk, &mut at, max) {
            found.push(record(frame));
        }
        assert_eq!(at, chunk.len(), "a chunk is used up");
        length += chunk.len() as u64;
        assert_eq!(framing.consumed(), length);
        framing.settle();
        if restored {
            let json = framing.snapshot().to_string();
            let state = serde_json::from_str(&json).expect("the state is JSON");
            let back = Framing::restore(state).expect("the state is restored");
            assert_eq!(back, framing, "{json}");
            framing = back;
        }
    }
    let is_sse = framing.is_sse();
    while let Some(frame) = framing.finish(max) {
        found.push(record(frame));
    }
    assert_eq!(framing.finish(max), None, "the last records come once");
    (found, is_sse)
}

/// Any split gives the records of the whole input, SSE or NDJSON, with and without a limit on their
/// length; they equal those of the simple readers below, for SSE only without a limit.
pub fn framing(data: &[u8]) {
    let mut dice = Dice::new(data);
    // No limit is smaller than the bytes that may be held before the framing is known.
    for max in [usize::MAX, 64 + dice.roll(64)] {
        let whole = framed(&[data], max, false);
        for _ in 0..2 {
            let cuts = dice.cuts(data.len());
            assert_eq!(framed(&pieces(data, &cuts), max, true), whole, "cut at {cuts:?}");
        }
        let bytes: Vec<&[u8]> = data.chunks(1).collect();
        assert_eq!(framed(&bytes, max, false), whole, "byte by byte");
        let (records, is_sse) = whole;
        if !is_sse {
            assert_eq!(records, plain_lines(data, max));
        } else if max == usize::MAX {
            assert_eq!(records, plain_events(data));
        }
    }
    let _ = detect(data);
}

/// The length of the byte order mark.
fn mark_length(data: &[u8]) -> usize {
    if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// NDJSON: the text between two line feeds without surrounding white space; the first record may
/// take several lines.
fn plain_lines(data: &[u8], max: usize) -> Vec<Record> {
    let mut at = mark_length(data);
    // Blank lines before the first record do not belong to it, whatever their line ends.
    while matches!(data.get(at), Some(b'\r' | b'\n')) {
        at += 1;
    }
    let mut found = Vec::new();
    let mut opening = true;
    while at < data.len() {
        let line = data[at..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let text = line.trim_ascii();
        let mut end = at + line.len();
        if text.is_empty() {
            at = end + 1;
            continue;
        }
        let mut whole = line;
        if opening && line.len() <= max {
            if is_other(text) {
                found.push((String::new(), Some(text.to_vec()), offset_of(line, at)));
                break;
            }
            if matches!(text[0], b'{' | b'[') {
                opening = false;
                if let Some(length) = joined(&data[at..], max) {
                    end = at + length;
                    whole = &data[at..end];
                }
            }
        }
        if line.len() > max {
            found.push((String::new(), None, at as u64));
        } else {
            let record = whole.trim_ascii().to_vec();
            found.push((String::new(), Some(record), offset_of(whole, at)));
        }
        at = end + 1;
    }
    found
}

fn offset_of(line: &[u8], at: usize) -> u64 {
    (at + line.len() - line.trim_ascii_start().len()) as u64
}

/// Whether it is HTML, XML, an archive or text in another encoding, which has no records.
fn is_other(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let begins = |starts: &[&[u8]]| starts.iter().any(|start| lower.starts_with(start));
    begins(&[b"<!doctype", b"<html", b"<?xml", b"<head", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"])
        || begins(&[b"pk\x03\x04", b"\xff\xfe", b"\xfe\xff", b"{\0", b"[\0", b"\0{", b"\0["])
}

/// The length of a first record that takes several lines, if its first line ends with an opening
/// bracket.
fn joined(data: &[u8], max: usize) -> Option<usize> {
    let first = data.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if !matches!(first.trim_ascii_end().last(), Some(b'{' | b'[')) {
        return None;
    }
    let mut length = 0;
    loop {
        let line = data[length..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let before = &data[..length];
        let last = before.iter().rfind(|byte| !byte.is_ascii_whitespace());
        let begins = line.trim_ascii_start().first() == Some(&b'{');
        let fits = length + line.len() <= max;
        if length > 0 && (!fits || begins && !matches!(last, Some(b'[' | b',' | b':'))) {
            return None;
        }
        length += line.len();
        let (depth, in_string) = open_at(&data[..length]);
        match (depth, in_string) {
            (_, true) => return None,
            (0, _) => return Some(length),
            _ if length == data.len() => return None,
            _ => length += 1,
        }
    }
}

/// How many objects and arrays are open after this text, and whether a string is open.
fn open_at(text: &[u8]) -> (usize, bool) {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (depth, in_string)
}

/// Server-sent events as in §9.2.6 of the HTML standard, except that the last event counts even if
/// no blank line follows it.
fn plain_events(data: &[u8]) -> Vec<Record> {
    let mut at = mark_length(data);
    let mut found = Vec::new();
    let mut event = String::new();
    let mut lines: Vec<&[u8]> = Vec::new();
    let mut offset = 0;
    while at < data.len() {
        let end = data[at..].iter().position(|b| matches!(b, b'\r' | b'\n'));
        let line = &data[at..end.map_or(data.len(), |end| at + end)];
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if line.is_empty() && !lines.is_empty() {
            found.push((event.clone(), Some(lines.join(&b'\n')), offset as u64));
        }
        if line.is_empty() {
            event.clear();
            lines.clear();
        } else if name == b"data" {
            if lines.is_empty() {
                offset = at + line.len() - value.len();
            }
            lines.push(value);
        } else if name == b"event" {
            event = String::from_utf8_lossy(value).into_owned();
        }
        at += line.len() + 1;
        if data.get(at - 1) == Some(&b'\r') && data.get(at) == Some(&b'\n') {
            at += 1;
        }
    }
    if !lines.is_empty() {
        found.push((event, Some(lines.join(&b'\n')), offset as u64));
    }
    found
}
