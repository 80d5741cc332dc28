//! Changes that models make to text that they quote, undone.

use super::normal::is_blank;
use crate::lines::span::{LineSpan, line_at};
use std::borrow::Cow;

/// Writes a line with plain quotes, dashes and spaces for typographic ones.
pub(super) fn write_plain(out: &mut Vec<u8>, line: &[u8]) {
    let mut rest = line;
    while let Some((first, after)) = rest.split_first() {
        let (plain, width) = match rest {
            [0xe2, 0x80, 0x98..=0x9b | 0xb2, ..] => (b'\'', 3),
            [0xe2, 0x80, 0x9c..=0x9f | 0xb3, ..] => (b'"', 3),
            [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => (b'-', 3),
            // The no-break spaces: usual, narrow and as wide as a digit.
            [0xe2, 0x80, 0xaf | 0x87, ..] => (b' ', 3),
            [0xc2, 0xa0, ..] => (b' ', 2),
            _ => {
                out.push(*first);
                rest = after;
                continue;
            }
        };
        out.push(plain);
        rest = rest.get(width..).unwrap_or_default();
    }
}

/// One level of the escapes `\n`, `\t`, `\"` and `\'` undone; `None` if there is none. Two backslashes stay,
/// and what follows them is not escaped by the second.
pub(super) fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut is_changed = false;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (before, from) = rest.split_at_checked(at)?;
        out.extend_from_slice(before);
        let (plain, width) = match from {
            [_, b'n', ..] => (b'\n', 2),
            [_, b't', ..] => (b'\t', 2),
            [_, quote @ (b'"' | b'\''), ..] => (*quote, 2),
            [_, b'\\', ..] => {
                out.push(b'\\');
                (b'\\', 2)
            }
            _ => (b'\\', 1),
        };
        is_changed |= plain != b'\\';
        out.push(plain);
        rest = from.get(width..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    is_changed.then_some(out)
}

/// The old text without the line numbers of a page: every line has one, and they count up by one.
pub(super) fn without_numbers(old: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(old.len());
    let mut expected = None;
    let mut at = 0;
    while let Some(line) = line_at(old, at) {
        let (number, rest) = split_number(line.content(old))?;
        if expected.is_some_and(|expected| expected != number) {
            return None;
        }
        expected = Some(number + 1);
        push_line(&mut out, rest, &line, old);
        at = line.next;
    }
    Some(out)
}

/// The new text without line numbers: either every line that is not blank has one, or none has, and it stays.
/// `None` if only some have one.
pub(super) fn without_any_numbers(new: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut out = Vec::with_capacity(new.len());
    let (mut with, mut without) = (false, false);
    let mut at = 0;
    while let Some(line) = line_at(new, at) {
        let content = line.content(new);
        let rest = match split_number(content) {
            Some((_, rest)) => {
                with = true;
                rest
            }
            None => {
                without |= !content.iter().all(|byte| is_blank(*byte));
                content
            }
        };
        push_line(&mut out, rest, &line, new);
        at = line.next;
    }
    match (with, without) {
        (true, true) => None,
        (true, false) => Some(Cow::Owned(out)),
        (false, _) => Some(Cow::Borrowed(new)),
    }
}

fn push_line(out: &mut Vec<u8>, content: &[u8], line: &LineSpan, text: &[u8]) {
    out.extend_from_slice(content);
    out.extend_from_slice(text.get(line.end..line.next).unwrap_or_default());
}

/// The number at the beginning of a line, as `12: `, and what follows; an empty line may lack the space.
fn split_number(line: &[u8]) -> Option<(u64, &[u8])> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = line.split_at_checked(digits)?;
    if !(1..=12).contains(&digits) {
        return None;
    }
    let number = number.iter().fold(0, |sum: u64, digit| sum * 10 + u64::from(digit - b'0'));
    let rest = rest.strip_prefix(b":")?;
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(b" ")? };
    Some((number, rest))
}
