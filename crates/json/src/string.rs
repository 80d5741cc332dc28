//! Strings: where they end, and what text their escapes spell.

use super::block::{self, ESCAPED, Stop};
use super::error::JsonError;
use super::utf8::to_text;
use apex_parts_model::view::is_blank;
use std::borrow::Cow;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

/// The top bits of those of eight bytes (the first one lowest) that end a run of plain text in a
/// string. The lowest bit is exact; a borrow can set wrong ones above it.
#[must_use]
#[inline]
pub const fn ends(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    ((quote.wrapping_sub(ONES) & !quote)
        | (slash.wrapping_sub(ONES) & !slash)
        | (word.wrapping_sub(ONES * 0x20) & !word))
        & TOPS
}

/// The first byte from `at` that ends a run of plain text in a string: a quote, a backslash or a
/// control character. Eight bytes at a time.
#[must_use]
pub fn plain(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let (chunks, tail) = rest.as_chunks::<8>();
    for (i, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let hit = ends(word);
        if hit != 0 {
            return at + i * 8 + (hit.trailing_zeros() / 8) as usize;
        }
    }
    let ends = |b: &u8| matches!(b, b'"' | b'\\' | 0..=0x1f);
    at + chunks.len() * 8 + tail.iter().position(ends).unwrap_or(tail.len())
}

/// The closing quote of the string whose text begins at `at`, and whether it has escapes.
///
/// # Errors
/// A [`JsonError`] if it is not a JSON string.
#[inline]
pub fn string(bytes: &[u8], at: usize) -> Result<(usize, bool), JsonError> {
    match block::short(bytes, at) {
        Some(end) => Ok((end, false)),
        None => any_string(bytes, at),
    }
}

#[inline(never)]
fn any_string(bytes: &[u8], at: usize) -> Result<(usize, bool), JsonError> {
    let mut how = 0;
    match block::string(bytes, at, &mut how) {
        Ok(end) => Ok((end, how & ESCAPED != 0)),
        Err(Stop::Cut(at)) => Err(JsonError::cut_off(at)),
        Err(Stop::Wrong(what, at)) => Err(JsonError::syntax(what, at)),
    }
}

/// Appends the text of a JSON string, given what is between its quotes, and gives the halves of
/// surrogate pairs at its edges: a low one before the text, a high one after it. Halves elsewhere
/// become U+FFFD.
pub fn unescape(raw: &str, text: &mut String) -> (Option<u16>, Option<u16>) {
    let (mut low, mut high) = (None, None);
    let mut rest = raw;
    let mut first = true;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        let Some((before, from)) = rest.split_at_checked(slash) else { break };
        if !before.is_empty() {
            lose(&mut high, text);
            text.push_str(before);
            first = false;
        }
        let from_bytes = from.as_bytes();
        let mut used = 2;
        let c = match from_bytes.get(1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                used = 6;
                let unit = hex4(from_bytes).unwrap_or(0xfffd);
                match (high.take(), unit) {
                    (Some(h), 0xdc00..=0xdfff) => text.push(joined(h, unit)),
                    (pending, _) => {
                        if pending.is_some() {
                            text.push(char::REPLACEMENT_CHARACTER);
                        }
                        match unit {
                            0xd800..=0xdbff => high = Some(unit),
                            0xdc00..=0xdfff if first => low = Some(unit),
                            _ => text.push(char_of(unit)),
                        }
                    }
                }
                first = false;
                rest = from.get(used..).unwrap_or_default();
                continue;
            }
            Some(other) if other.is_ascii() => char::from(*other),
            _ => {
                used = 1;
                char::REPLACEMENT_CHARACTER
            }
        };
        lose(&mut high, text);
        text.push(c);
        first = false;
        rest = from.get(used..).unwrap_or_default();
    }
    if !rest.is_empty() {
        lose(&mut high, text);
        text.push_str(rest);
    }
    (low, high)
}

/// A high half that no low half follows is lost.
fn lose(high: &mut Option<u16>, text: &mut String) {
    if high.take().is_some() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
}

/// The character of a UTF-16 unit; U+FFFD for half of a pair.
fn char_of(unit: u16) -> char {
    char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The character of a surrogate pair.
#[must_use]
pub fn joined(high: u16, low: u16) -> char {
    let (high, low) = (u32::from(high) & 0x3ff, u32::from(low) & 0x3ff);
    char::from_u32(0x1_0000 + (high << 10) + low).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hex4(from: &[u8]) -> Option<u16> {
    let digits = from.get(2..6)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The text of a JSON string, given what is between its quotes; unpaired halves of surrogate pairs
/// become U+FFFD.
#[must_use]
pub fn unescaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let (low, high) = unescape(raw, &mut text);
    if low.is_some() {
        text.insert(0, char::REPLACEMENT_CHARACTER);
    }
    if high.is_some() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

/// The text of a JSON string, given the bytes between its quotes. Unpaired surrogates and invalid
/// UTF-8 become U+FFFD.
#[must_use]
pub fn unescape_bytes(raw: &[u8]) -> Cow<'_, str> {
    let text = to_text(raw);
    if raw.contains(&b'\\') { Cow::Owned(unescaped(&text)) } else { text }
}

/// Whether a JSON string is blank ([`is_blank`]), given the bytes between its quotes. The text of most is not needed for it:
/// their first character tells it.
///
/// ```
/// use apex_parts_json::string::is_blank_string;
/// assert!(is_blank_string(br" \n\u2028"));
/// assert!(!is_blank_string(br"\n\u0041"));
/// ```
#[must_use]
pub fn is_blank_string(raw: &[u8]) -> bool {
    let mut rest = raw;
    loop {
        match rest {
            [] => return true,
            [b' ', after @ ..] | [b'\\', b'n' | b'r' | b't', after @ ..] => rest = after,
            [b'!'..=b'[' | b']'..=b'~', ..] => return false,
            _ => return is_blank(&unescape_bytes(rest)),
        }
    }
}

pub(crate) fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
