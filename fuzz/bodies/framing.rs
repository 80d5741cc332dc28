//! Framing: the records do not depend on the chunks, and equal those of a simple reader of the
//! whole input.

use super::dice::{Dice, pieces};
use apex_parts::wire::{Frame, FrameFault, Framing, detect};

/// The event's name, the record or its fault, and the offset of its first byte.
pub(super) type Record = (String, Result<Vec<u8>, FrameFault>, u64);

/// The records of a stream that comes in these chunks, and the framing at its end.
/// If `restored`, a snapshot is taken and restored after each chunk.
fn framed(chunks: &[&[u8]], max: usize, restored: bool) -> (Vec<Record>, Framing) {
    let record = |frame: Frame<'_>| {
        assert!(frame.fault.is_none() || frame.data.is_empty());
        let data = frame.fault.map_or(Ok(frame.data.to_vec()), Err);
        (frame.event.to_owned(), data, frame.offset)
    };
    let mut framing = Framing::default();
    let mut found = Vec::new();
    let mut length = 0;
    for chunk in chunks {
        let mut at = 0;
        loop {
            // An event that is read ahead is the one that would come.
            if framing.is_sse()
                && let Some(line) = framing.line(chunk, at, max)
            {
                found.push((line.event.to_owned(), Ok(line.text.to_vec()), line.offset));
                let used = line.used;
                framing.skip_line(used, &mut at);
                continue;
            }
            let Some(frame) = framing.next(chunk, &mut at, max) else { break };
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
    while let Some(frame) = framing.finish(max) {
        found.push(record(frame));
    }
    assert_eq!(framing.finish(max), None, "the last records come once");
    (found, framing)
}

/// The records of a stream, and the framing at its end: the same in one piece, in some, and byte by byte.
pub(super) fn framed_in_pieces(dice: &mut Dice, data: &[u8], max: usize) -> (Vec<Record>, Framing) {
    let whole = framed(&[data], max, false);
    for _ in 0..2 {
        let cuts = dice.cuts(data.len());
        assert_eq!(framed(&pieces(data, &cuts), max, true), whole, "cut at {cuts:?}");
    }
    let bytes: Vec<&[u8]> = data.chunks(1).collect();
    assert_eq!(framed(&bytes, max, false), whole, "byte by byte");
    whole
}

/// Any split gives the records of the whole input, SSE or JSON values, with and without a limit on their
/// length; they equal those of the simple readers below, for SSE only without a limit.
pub fn framing(data: &[u8]) {
    let mut dice = Dice::new(data);
    // No limit is smaller than the bytes that may be held before the framing is known.
    for max in [usize::MAX, 64 + dice.roll(64)] {
        match framed_in_pieces(&mut dice, data, max) {
            (records, Framing::Json(_)) => assert_eq!(records, plain_values(data, max)),
            (records, Framing::Sse(_)) if max == usize::MAX => {
                assert_eq!(records, plain_events(data));
            }
            _ => {}
        }
    }
    whatever_came_before(data);
    let _ = detect(data);
}

/// A record after a line end is read, whatever stood before it.
fn whatever_came_before(data: &[u8]) {
    let record = b"{\"z\":1}";
    for (between, is_event) in [(&b"\n"[..], false), (b"\n\ndata:", true)] {
        let (found, framing) = framed(&[data, between, record, b"\n"], usize::MAX, false);
        let first = found.first().and_then(|first| first.1.as_deref().ok());
        if framing.is_sse() == is_event && !is_other(first.unwrap_or_default()) {
            let last = found.last().and_then(|last| last.1.as_deref().ok());
            assert_eq!(last, Some(&record[..]), "{found:?}");
        }
    }
}

/// The length of the byte order mark.
fn mark_length(data: &[u8]) -> usize {
    if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// JSON values one after another, or as the elements of an array; what is none is a record up to the
/// end of its line, in an array also up to a comma or the closing bracket.
fn plain_values(data: &[u8], max: usize) -> Vec<Record> {
    let mut at = mark_length(data);
    let mut found = Vec::new();
    let mut in_array = false;
    while let Some(byte) = data.get(at) {
        let start = at;
        let next = data.get(at + 1);
        let mut is_cut = false;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b',' | b']' if in_array => {
                in_array = *byte == b',';
                at += 1;
            }
            b'[' if !in_array && next.is_none_or(|next| !next.is_ascii_uppercase()) => {
                in_array = true;
                at += 1;
            }
            b'{' | b'[' if *byte == b'{' || in_array => match value_end(&data[start..]) {
                Ok(length) => {
                    at += length;
                    let record = data[start..at].to_vec();
                    let record = if length <= max { Ok(record) } else { Err(FrameFault::TooLong) };
                    found.push((String::new(), record, start as u64));
                }
                // Its first line is read again, unless so much was read that it is not there any more.
                Err(length) if length > max => {
                    at += length;
                    is_cut = true;
                }
                Err(_) => {}
            },
            _ => {}
        }
        if at > start && !is_cut {
            continue;
        }
        let ended = is_cut && data[at - 1] == b'\n';
        while let Some(byte) = data.get(at).filter(|_| !ended) {
            if *byte == b'\n' || in_array && matches!(byte, b',' | b']') {
                break;
            }
            at += 1;
        }
        let line = &data[start..at];
        let text = line.trim_ascii();
        if line.len() > max {
            found.push((String::new(), Err(FrameFault::TooLong), start as u64));
        } else if !text.is_empty() {
            let offset = start + line.len() - line.trim_ascii_start().len();
            found.push((String::new(), Ok(text.to_vec()), offset as u64));
            if found.len() == 1 && is_other(text) {
                break;
            }
        }
    }
    found
}

/// Whether it is HTML, XML, an archive or text in another encoding, which has no records.
fn is_other(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let begins = |starts: &[&[u8]]| starts.iter().any(|start| lower.starts_with(start));
    begins(&[b"<!doctype", b"<html", b"<?xml", b"<head", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"])
        || begins(&[b"pk\x03\x04", b"\xff\xfe", b"\xfe\xff", b"{\0", b"[\0", b"\0{", b"\0["])
}

/// The length of the object or array at the beginning of this text, or how much of it was read when
/// it could not be one any more.
fn value_end(text: &[u8]) -> Result<usize, usize> {
    let mut open = Vec::new();
    // The last byte that is not blank, `"` for a string.
    let mut last = 0;
    let mut at = 0;
    while let Some(byte) = text.get(at).copied() {
        at += 1;
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            continue;
        }
        let ends_value = !matches!(last, 0 | b'{' | b'[' | b',' | b':');
        let in_object = open.last() == Some(&b'{');
        // Deeper ones are not told apart.
        let is_far = open.len() > 120;
        let is_key = in_object && !is_far && matches!(last, b'{' | b',');
        let fits = match byte {
            b'}' => is_far || in_object && (ends_value || last == b'{'),
            b']' => is_far || !in_object && (ends_value || last == b'['),
            b',' => ends_value,
            b':' => last == b'"' && (is_far || in_object),
            b'"' => !ends_value,
            b'{' | b'[' => !ends_value && !is_key && open.len() < 2048,
            _ => byte > b' ' && !is_key && !matches!(last, b'}' | b']' | b'"'),
        };
        if !fits {
            return Err(at);
        }
        last = byte;
        match byte {
            b'{' | b'[' => open.push(byte),
            b'}' | b']' => {
                open.pop();
                if open.is_empty() {
                    return Ok(at);
                }
            }
            b'"' => loop {
                let Some(byte) = text.get(at) else { return Err(at) };
                at += 1;
                match byte {
                    b'"' => break,
                    b'\n' => return Err(at),
                    b'\\' if text.get(at).is_some_and(|next| *next != b'\n') => at += 1,
                    _ => {}
                }
            },
            _ => {}
        }
    }
    Err(at)
}

/// Server-sent events as in §9.2.6 of the HTML standard, except that the last event counts even if
/// no blank line follows it, and that data after a whole object or `[DONE]`, as well as a line
/// `error: {…}`, begin another record.
fn plain_events(data: &[u8]) -> Vec<Record> {
    let mut at = mark_length(data);
    // Blanks at the beginning of a stream have no meaning.
    while matches!(data.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    let mut found = Vec::new();
    let (mut event, mut later) = (String::new(), None);
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut offset = 0;
    while at < data.len() {
        let end = data[at..].iter().position(|b| matches!(b, b'\r' | b'\n'));
        let line = &data[at..end.map_or(data.len(), |end| at + end)];
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let is_error = name == b"error" && value.trim_ascii_start().first() == Some(&b'{');
        let begins = name == b"data" || is_error;
        let joined = lines.join(&b'\n');
        if !lines.is_empty() && (line.is_empty() || begins && is_whole(&joined)) {
            // A type that came after the data is that of the next record, if this one ends with it.
            let next = later.take();
            let (name, next) = match line.is_empty() {
                true => (next.unwrap_or(event), String::new()),
                false => (event, next.unwrap_or_default()),
            };
            found.push((name, Ok(joined), offset as u64));
            event = next;
            lines.clear();
        }
        if line.is_empty() {
            event.clear();
        } else if name == b"data" || is_error && lines.is_empty() {
            if lines.is_empty() {
                offset = at + line.len() - value.len();
            }
            lines.push(match is_error {
                true => [b"{\"error\":", value, b"}"].concat(),
                false => value.to_vec(),
            });
        } else if name == b"event" {
            let name = String::from_utf8_lossy(value).into_owned();
            match lines.is_empty() {
                true => event = name,
                false => later = Some(name),
            }
        }
        at += line.len() + 1;
        if data.get(at - 1) == Some(&b'\r') && data.get(at) == Some(&b'\n') {
            at += 1;
        }
    }
    if !lines.is_empty() {
        found.push((later.unwrap_or(event), Ok(lines.join(&b'\n')), offset as u64));
    }
    found
}

/// Is it one object, told by its brackets and strings, or the end of a stream?
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
        if depth == 0 && !in_string && at + 1 < text.len() {
            return false;
        }
    }
    text.first() == Some(&b'{') && depth == 0 && !in_string || text == b"[DONE]"
}
