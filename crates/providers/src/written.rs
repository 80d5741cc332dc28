//! How messages are written: numbers, parts, texts, and the bytes whose content is known later.

use super::parts::PartContent;
use super::values::{NewFields, NewText};
use apex_parts_model::order;

/// Bytes that take the place of a range of what is written.
#[derive(Debug)]
pub(crate) struct WrittenEdit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) bytes: Vec<u8>,
}

/// Where a call is written: its status, and what follows its input.
#[derive(Debug)]
pub(crate) struct CallEdit {
    pub(crate) status_at: usize,
    pub(crate) status: &'static str,
    pub(crate) rest_at: usize,
    pub(crate) rest: Vec<u8>,
    /// The range of its metadata; empty if it has none.
    pub(crate) metadata: (usize, usize),
}

/// What is written, with its edits, as a JSON array.
pub(crate) fn written(out: &[u8], calls: Vec<CallEdit>, mut edits: Vec<WrittenEdit>) -> Vec<u8> {
    for CallEdit { status_at, status, rest_at, rest, .. } in calls {
        let bytes = status.as_bytes().to_vec();
        edits.push(WrittenEdit { start: status_at, end: status_at, bytes });
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
    if !metadata.is_empty() {
        out.extend_from_slice(b",\"metadata\":");
        metadata.write(out);
    }
    out.push(b'}');
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
