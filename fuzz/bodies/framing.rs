//! Framing: the records do not depend on the chunks, and equal those of a simple reader of the
//! whole input.

use super::dice::{Dice, pieces};
use apex_parts::wire::{Frame, Framing, detect};
use serde_json::Value;

/// The event's name, the record (`None` if it is too long), and the offset of its first byte.
type Record = (String, Option<Vec<u8>>, u64);

/// The records of a stream that comes in these chunks, and whether they are server-sent events.
/// If `restored`, a snapshot is taken and restored after each chunk.
fn framed(chunks: &[&[u8]], max: usize, restored: bool) -> (Vec<Record>, bool) {
    let record = |frame: Frame<'_>| {
        let data = frame.fault.is_none().then(|| frame.data.to_vec());
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

/// Any split gives the records of the whole input, SSE or JSON values, with and without a limit on their length. SSE
/// without a limit equals the simple reader below; JSON values have the laws below.
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
        if is_sse && max == usize::MAX {
            assert_eq!(records, plain_events(data));
        } else if !is_sse {
            values(data, max, &records);
        }
    }
    whatever_came_before(data);
    let _ = detect(data);
}

/// A record after a line end is read, whatever stood before it.
fn whatever_came_before(data: &[u8]) {
    let record = b"{\"z\":1}";
    for (between, is_event) in [(&b"\n"[..], false), (b"\n\ndata:", true)] {
        let (found, is_sse) = framed(&[data, between, record, b"\n"], usize::MAX, false);
        let is_foreign = found.first().is_some_and(|first| is_other(first.1.as_deref()));
        if is_sse == is_event && !is_foreign {
            let last = found.last().and_then(|last| last.1.as_deref());
            assert_eq!(last, Some(&record[..]), "{found:?}");
        }
    }
}

/// The length of the byte order mark.
fn mark_length(data: &[u8]) -> usize {
    if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// JSON values: nothing is lost between the records, and objects one after another are the records.
fn values(data: &[u8], max: usize, records: &[Record]) {
    let mut at = mark_length(data);
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",[]".contains(byte);
    for (event, record, offset) in records {
        assert!(event.is_empty());
        let offset = *offset as usize;
        assert!(at <= offset, "records do not overlap");
        let Some(record) = record else {
            // How long it was is not told.
            assert!(max < usize::MAX);
            return;
        };
        assert!(!record.is_empty() && record.len() <= max);
        assert!(data[at..offset].iter().all(is_between), "what lies before {offset} is lost");
        assert_eq!(data.get(offset..offset + record.len()), Some(&record[..]));
        at = offset + record.len();
    }
    let is_foreign = records.first().is_some_and(|first| is_other(first.1.as_deref()));
    assert!(is_foreign || data[at..].iter().all(is_between), "the end is lost");
    if let Some(objects) = objects(data) {
        let all = records.iter().map(|(_, record, offset)| (record.clone(), *offset));
        assert_eq!(all.collect::<Vec<_>>(), objects);
    }
    if let Ok(Value::Array(items)) = serde_json::from_slice(&data[mark_length(data)..])
        && items.iter().all(Value::is_object)
    {
        let read = |record: &Record| serde_json::from_slice::<Value>(record.1.as_ref()?).ok();
        let read: Vec<_> = records.iter().map(read).collect();
        assert_eq!(read, items.into_iter().map(Some).collect::<Vec<_>>());
    }
}

/// The objects of a text that is nothing else, and their offsets.
fn objects(data: &[u8]) -> Option<Vec<(Option<Vec<u8>>, u64)>> {
    let from = mark_length(data);
    let text = &data[from..];
    let mut found = Vec::new();
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
    let mut at = 0;
    while let Some(value) = values.next() {
        value.ok().filter(Value::is_object)?;
        let value = &text[at..values.byte_offset()];
        let start = at + value.len() - value.trim_ascii_start().len();
        found.push((Some(text[start..values.byte_offset()].to_vec()), (from + start) as u64));
        at = values.byte_offset();
    }
    Some(found)
}

/// Whether it is HTML, XML, an archive or text in another encoding, which has no records.
fn is_other(text: Option<&[u8]>) -> bool {
    let lower = text.unwrap_or_default().to_ascii_lowercase();
    let begins = |starts: &[&[u8]]| starts.iter().any(|start| lower.starts_with(start));
    begins(&[b"<!doctype", b"<html", b"<?xml", b"<head", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"])
        || begins(&[b"pk\x03\x04", b"\xff\xfe", b"\xfe\xff", b"{\0", b"[\0", b"\0{", b"\0["])
}

/// Is this a whole object, as far as strings and brackets tell, or `[DONE]`?
fn is_whole(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !in_string {
            return text == b"[DONE]" || text[0] == b'{' && at + 1 == text.len();
        }
    }
    false
}

/// Server-sent events as in §9.2.6 of the HTML standard, except that the last event counts even if no blank line follows
/// it, that a line after data that are whole begins another event, and that `error: {…}` is data.
fn plain_events(data: &[u8]) -> Vec<Record> {
    let mut at = mark_length(data);
    // Blanks before the first line do not belong to it.
    while matches!(data.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    let mut found = Vec::new();
    // The name of the event, and the one that came after its data.
    let (mut event, mut later) = (String::new(), None);
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut offset = 0;
    let mut give = |event: String, lines: &mut Vec<Vec<u8>>, offset: usize| {
        found.push((event, Some(lines.join(&b'\n')), offset as u64));
        lines.clear();
    };
    while at < data.len() {
        let end = data[at..].iter().position(|b| matches!(b, b'\r' | b'\n'));
        let line = &data[at..end.map_or(data.len(), |end| at + end)];
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let is_error = name == b"error" && value.trim_ascii_start().starts_with(b"{");
        if line.is_empty() {
            let event = later.take().unwrap_or(std::mem::take(&mut event));
            if !lines.is_empty() {
                give(event, &mut lines, offset);
            }
        } else if name == b"data" || is_error {
            if !lines.is_empty() && is_whole(&lines.join(&b'\n')) {
                give(std::mem::take(&mut event), &mut lines, offset);
                event = later.take().unwrap_or_default();
            }
            if lines.is_empty() {
                offset = at + line.len() - value.len();
            }
            if !is_error {
                lines.push(value.to_vec());
            } else if lines.is_empty() {
                lines.push([b"{\"error\":", value, b"}"].concat());
            }
        } else if name == b"event" {
            let name = String::from_utf8_lossy(value).into_owned();
            if lines.is_empty() {
                event = name;
            } else {
                later = Some(name);
            }
        }
        at += line.len() + 1;
        if data.get(at - 1) == Some(&b'\r') && data.get(at) == Some(&b'\n') {
            at += 1;
        }
    }
    if !lines.is_empty() {
        give(later.unwrap_or(event), &mut lines, offset);
    }
    found
}
