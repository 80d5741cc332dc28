//! Private keys in PEM that are written in base64 once more, in one line or in several.

use super::byte_class::{is_base64, is_blank};
use super::haystack::{Haystack, Spans};
use apex_parts_model::base64;
use std::ops::Range;

/// Base64 of `---`, the same at each of the three offsets at which `-----BEGIN ` can stand, and what follows it there.
const DASHES: &[u8] = b"tLS";
const BEGINNINGS: [&[u8]; 3] = [b"tLS1CRUdJTi", b"tLS0tQkVHSU4g", b"tLS0tLUJFR0lOI"];

/// The longest key, and the longest text before it in the same line, in digits.
const LONGEST: usize = 1 << 16;
/// A shorter line is the last one.
const LINE: usize = 40;

/// Finds every private key of a text and adds its place to `spans`.
pub(super) fn encoded_keys(text: Haystack<'_>, spans: &mut Spans) {
    let mut from = 0;
    let next = |from: usize| memchr::memmem::find(text.bytes.get(from..)?, DASHES);
    while let Some(found) = next(from) {
        let at = from + found;
        from = at + DASHES.len();
        if BEGINNINGS.iter().any(|begun| text.has(at, begun))
            && let Some(end) = at.checked_sub(3).and_then(|first| key_end(text, first))
        {
            let start = text.run_back(at, LONGEST, is_base64);
            spans.push(start..end);
            from = end;
        }
    }
}

/// The end of the private key whose base64 begins at `first`, three digits before its dashes. `None` if what is encoded
/// there is no private key.
fn key_end(text: Haystack<'_>, first: usize) -> Option<usize> {
    let lines: Vec<Range<usize>> = lines(text, first).collect();
    let mut digits = Vec::new();
    for line in &lines {
        digits.extend_from_slice(text.slice(line.clone()));
    }
    let bytes = base64::decode(&digits);
    let holds = |from: usize, text: &[u8]| memchr::memmem::find(bytes.get(from..)?, text);
    let label = holds(0, b"PRIVATE KEY").filter(|label| *label < LINE)?;
    let Some(last) = holds(label, b"-----END ") else { return lines.last().map(|line| line.end) };
    let name = label + last + 9;
    let end = name + holds(name, b"-----")? + 5;
    let end = end + usize::from(bytes.get(end) == Some(&b'\n'));
    // Three bytes are four digits.
    let mut left = end.div_ceil(3) * 4;
    let line = lines.iter().find(|line| {
        let is_last = left <= line.len();
        left = left.saturating_sub(line.len());
        is_last
    });
    line.or(lines.last()).map(|line| line.end)
}

/// The lines of base64 that begin at `first`.
fn lines(text: Haystack<'_>, first: usize) -> impl Iterator<Item = Range<usize>> {
    let (mut at, limit) = (Some(first), first + LONGEST);
    std::iter::from_fn(move || {
        let start = at.filter(|start| *start < limit)?;
        let end = text.run(start, LONGEST, is_base64);
        let is_full = end - start >= LINE && text.before(end) != Some(b'=');
        at = line_break(text, end).filter(|_| is_full);
        (end > start).then_some(start..end)
    })
}

/// The start of the next line if a line ends here. The line break may be written as `\n`.
fn line_break(text: Haystack<'_>, at: usize) -> Option<usize> {
    let end = match text.at(at)? {
        b'\r' | b'\n' => text.run(at, 2, |byte| matches!(byte, b'\r' | b'\n')),
        b'\\' => {
            let letter = text.run(at, 4, |byte| byte == b'\\');
            matches!(text.at(letter), Some(b'n' | b'r')).then_some(letter + 1)?
        }
        _ => return None,
    };
    Some(text.run(end, 64, is_blank))
}
