//! How messages are written: numbers, parts, texts, and the bytes whose content is known later.

use super::parts::{CallOutcome, PartContent};
use super::values::{NewFields, NewText};
use apex_parts_json::string::is_blank_string;
use apex_parts_model::order;

/// Bytes that take the place of a range of what is written.
#[derive(Debug)]
pub(crate) struct WrittenEdit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) bytes: Vec<u8>,
}

/// Where a call is written: its status, and what follows its input.
#[derive(Debug, Default)]
pub(crate) struct CallEdit {
    pub(crate) status_at: usize,
    pub(crate) status: &'static str,
    pub(crate) rest_at: usize,
    pub(crate) rest: Vec<u8>,
    /// As `JSON.stringify` spells it.
    pub(crate) title: String,
    /// JSON; empty if there is none.
    pub(crate) metadata: Vec<u8>,
    /// Did its result have metadata, too?
    pub(crate) is_merged: bool,
    /// What a person is asked about it.
    pub(crate) request: Option<usize>,
}

/// What is written, with its edits, as a JSON array.
pub(crate) fn written(out: &[u8], calls: Vec<CallEdit>, mut edits: Vec<WrittenEdit>) -> Vec<u8> {
    for CallEdit { status_at, status, rest_at, mut rest, metadata, .. } in calls {
        let bytes = status.as_bytes().to_vec();
        edits.push(WrittenEdit { start: status_at, end: status_at, bytes });
        rest.push(b'}');
        if !metadata.is_empty() {
            rest.extend_from_slice(b",\"metadata\":");
            rest.extend_from_slice(&metadata);
        }
        edits.push(WrittenEdit { start: rest_at, end: rest_at, bytes: rest });
    }
    if edits.windows(2).any(|two| matches!(two, [a, b] if b.start < a.start)) {
        order::sort_by(&mut edits, |a, b| a.start.cmp(&b.start));
    }
    let more: usize = edits.iter().map(|edit| edit.bytes.len()).sum();
    let mut json = Vec::with_capacity(out.len() + more + 2);
    json.push(b'[');
    let mut at = 0;
    for edit in edits {
        json.extend_from_slice(out.get(at..edit.start).unwrap_or_default());
        json.extend_from_slice(&edit.bytes);
        at = edit.end;
    }
    json.extend_from_slice(out.get(at..).unwrap_or_default());
    json.push(b']');
    json
}

/// Writes a number in digits.
pub(crate) fn push_number(out: &mut Vec<u8>, number: usize) {
    let mut digits = [0; 20];
    let mut rest = number;
    let mut at = digits.len();
    for digit in digits.iter_mut().rev() {
        #[allow(clippy::cast_possible_truncation)] // one digit
        let one = (rest % 10) as u8;
        *digit = b'0' + one;
        at -= 1;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(at..).unwrap_or_default());
}

/// Writes what a part has behind its type and its texts, and its end.
pub(crate) fn write_rest(content: &PartContent<'_>, metadata: &NewFields<'_>, out: &mut Vec<u8>) {
    if let PartContent::File(file) = content {
        out.extend_from_slice(b",\"mime\":");
        file.mime.write(out);
        out.extend_from_slice(b",\"url\":");
        file.url.write(out);
        if let Some(name) = &file.filename {
            out.extend_from_slice(b",\"filename\":");
            name.write(out);
        }
    }
    write_metadata(metadata, out);
    out.push(b'}');
}

/// Writes the metadata of a part, if it has some.
pub(crate) fn write_metadata(metadata: &NewFields<'_>, out: &mut Vec<u8>) {
    if !metadata.is_empty() {
        out.extend_from_slice(b",\"metadata\":");
        metadata.write(out);
    }
}

/// Writes what the state of a call that failed has behind its input.
pub(crate) fn write_error(outcome: &CallOutcome<'_>, now: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"error\":");
    if outcome.text.iter().all(|text| is_blank_string(text.spelled().as_bytes())) {
        out.extend_from_slice(b"\"error\"");
    } else {
        write_lines(&outcome.text, out);
    }
    if let Some(details) = &outcome.details {
        out.extend_from_slice(b",\"metadata\":");
        details.write(out);
    }
    write_time(now, out);
}

/// Writes the times of what began and ended now.
pub(crate) fn write_time(now: &str, out: &mut Vec<u8>) {
    for piece in [",\"time\":{\"start\":", now, ",\"end\":", now, "}"] {
        out.extend_from_slice(piece.as_bytes());
    }
}

/// Writes texts as the lines of one.
pub(crate) fn write_lines(texts: &[NewText<'_>], out: &mut Vec<u8>) {
    if let [one] = texts {
        return one.write(out);
    }
    out.push(b'"');
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(b"\\n");
        }
        out.extend_from_slice(text.spelled().as_bytes());
    }
    out.push(b'"');
}
