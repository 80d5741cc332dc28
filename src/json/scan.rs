//! JSON by its bytes: strings, numbers, whole values that are stepped over. Nothing here allocates
//! but for text with escapes, and nothing recurses.

use super::block::{self, ESCAPED, Stop};
use super::error::{JsonError, JsonErrorKind};
use crate::model::delta::Piece;
use std::borrow::Cow;

/// Nothing but white space may follow a text that ends at this byte.
pub(crate) fn end_of(bytes: &[u8], at: usize) -> Result<(), JsonError> {
    let at = skip_space(bytes, at);
    if at == bytes.len() { Ok(()) } else { Err(JsonError::syntax("something follows it", at)) }
}

const CUT: &str = "the text is cut off";

/// What a value is, as far as its first byte tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `"…"`; true if there is an escape in it.
    String(bool),
    /// A number.
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
    /// `[…]`
    Array,
    /// `{…}`
    Object,
}

impl TokenKind {
    /// The kind in words, for messages: "not …".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            TokenKind::String(_) => "a string",
            TokenKind::Number => "a number",
            TokenKind::Bool => "a boolean",
            TokenKind::Null => "null",
            TokenKind::Array => "an array",
            TokenKind::Object => "an object",
        }
    }
}

/// Where a value stands, quotes and brackets included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What it is.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

impl Span {
    /// The value as it stands in the text.
    #[must_use]
    pub fn text(self, json: &str) -> &str {
        json.get(self.start..self.end).unwrap_or_default()
    }

    /// What a string says, as a piece: halves of surrogate pairs at its edges are kept.
    #[must_use]
    pub fn piece(self, json: &str) -> Option<Piece<'_>> {
        let (raw, escaped) = self.raw(json)?;
        if !escaped {
            return Some(raw.into());
        }
        let mut text = String::with_capacity(raw.len());
        let (low, high) = unescape(raw, &mut text);
        Some(Piece { low, text: Cow::Owned(text), high })
    }

    /// What a string says. Halves of surrogate pairs are U+FFFD.
    #[must_use]
    pub fn string(self, json: &str) -> Option<Cow<'_, str>> {
        let (raw, escaped) = self.raw(json)?;
        Some(if escaped { Cow::Owned(unescaped(raw)) } else { Cow::Borrowed(raw) })
    }

    fn raw(self, json: &str) -> Option<(&str, bool)> {
        let TokenKind::String(escaped) = self.kind else { return None };
        Some((json.get(self.start + 1..self.end.checked_sub(1)?)?, escaped))
    }
}

/// The first byte from `at` that is no white space.
#[must_use]
#[inline]
pub fn skip_space(bytes: &[u8], at: usize) -> usize {
    block::skip_space(bytes, at)
}

/// Are they the same bytes? Eight at a time: WebAssembly has no `memcmp`, and the one that comes in
/// its place goes byte by byte.
#[must_use]
#[inline]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((Some(a_last), Some(b_last)), (a_eights, b_eights)) =
        ((a.last_chunk::<8>(), b.last_chunk::<8>()), (a.as_chunks::<8>().0, b.as_chunks::<8>().0))
    else {
        return a.iter().zip(b).all(|(a, b)| a == b);
    };
    let word = |eight: &[u8; 8]| u64::from_le_bytes(*eight);
    word(a_last) == word(b_last) && a_eights.iter().zip(b_eights).all(|(a, b)| word(a) == word(b))
}

/// Does the first come before the second, byte by byte? What they have in common, as ids have much,
/// is stepped over as above.
#[must_use]
pub fn is_less(a: &[u8], b: &[u8]) -> bool {
    let eights = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let common = 8 * eights.take_while(|(a, b)| a == b).count();
    a.get(common..) < b.get(common..)
}

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The top bits of those of eight bytes (the first one lowest) that end a run of plain text in a
/// string. The lowest one is exact; a borrow can only make false ones above it.
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

/// The same for bytes that are no digits, all of them exact.
#[must_use]
#[inline]
pub const fn no_digits(word: u64) -> u64 {
    let digit = word ^ (ONES * b'0' as u64);
    // A digit and 118 is less than 128.
    (((digit & !TOPS) + ONES * 118) | digit) & TOPS
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
/// A [`JsonError`] where it is no JSON string.
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
        Err(Stop::Cut(at)) => Err(JsonError::cut(CUT, at)),
        Err(Stop::Wrong(what, at)) => Err(JsonError::syntax(what, at)),
    }
}

/// The offset behind `true`, `false` or `null`, whichever should stand at `at`.
///
/// # Errors
/// A [`JsonError`] where it does not.
pub fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, JsonError> {
    let rest = bytes.get(at..).unwrap_or_default();
    if rest.starts_with(word) {
        return Ok(at + word.len());
    }
    let kind = if word.starts_with(rest) { JsonErrorKind::Cut } else { JsonErrorKind::Syntax };
    Err(JsonError { message: "expected a value", offset: at, kind })
}

/// The first byte from `at` that is no digit. Eight bytes at a time: times have thirteen digits.
#[must_use]
#[inline]
pub fn skip_digits(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let others = no_digits(u64::from_le_bytes(*eight));
        if others != 0 {
            return at + (others.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    at
}

#[inline]
fn digits(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let end = skip_digits(bytes, at);
    if end > at {
        return Ok(end);
    }
    let kind = if at >= bytes.len() { JsonErrorKind::Cut } else { JsonErrorKind::Syntax };
    Err(JsonError { message: "expected a digit", offset: at, kind })
}

/// The offset behind the number that begins at `at`.
///
/// # Errors
/// A [`JsonError`] where there is none; it stands behind the bytes where they end too soon.
#[inline]
pub fn number(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let first = if bytes.get(at) == Some(&b'-') { at + 1 } else { at };
    let mut end = if bytes.get(first) == Some(&b'0') { first + 1 } else { digits(bytes, first)? };
    if bytes.get(end) == Some(&b'.') {
        end = digits(bytes, end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = digits(bytes, end + 1 + sign)?;
    }
    Ok(end)
}

#[inline]
fn scalar(bytes: &[u8], at: usize, byte: u8) -> Result<Span, JsonError> {
    let (kind, end) = match byte {
        b'"' => {
            let (end, escaped) = string(bytes, at + 1)?;
            (TokenKind::String(escaped), end + 1)
        }
        b't' => (TokenKind::Bool, literal(bytes, at, b"true")?),
        b'f' => (TokenKind::Bool, literal(bytes, at, b"false")?),
        b'n' => (TokenKind::Null, literal(bytes, at, b"null")?),
        b'-' | b'0'..=b'9' => (TokenKind::Number, number(bytes, at)?),
        _ => return Err(JsonError::syntax("expected a value", at)),
    };
    Ok(Span { kind, start: at, end })
}

/// What is open, from the outside in: true for an object. Most values nest less than 64 levels deep,
/// and are read without room of their own.
#[derive(Default)]
struct OpenContainers {
    depth: usize,
    /// The innermost of the first 64 levels is the lowest bit.
    near: u64,
    deep: Vec<bool>,
}

impl OpenContainers {
    const NEAR: usize = 64;

    fn push(&mut self, is_object: bool) {
        if self.depth < OpenContainers::NEAR {
            self.near = (self.near << 1) | u64::from(is_object);
        } else {
            self.deep.push(is_object);
        }
        self.depth += 1;
    }

    fn pop(&mut self) {
        if self.depth > OpenContainers::NEAR {
            self.deep.pop();
        } else {
            self.near >>= 1;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn last(&self) -> Option<bool> {
        match self.depth {
            0 => None,
            depth if depth > OpenContainers::NEAR => self.deep.last().copied(),
            _ => Some(self.near & 1 == 1),
        }
    }
}

/// The value that begins at `at` (white space before it is skipped), its grammar checked. Objects
/// and arrays nest at most `depth` deep.
///
/// # Errors
/// A [`JsonError`] where it is no JSON or nested too deep.
pub fn value(bytes: &[u8], at: usize, depth: usize) -> Result<Span, JsonError> {
    let start = skip_space(bytes, at);
    let kind = match bytes.get(start) {
        Some(b'{') => TokenKind::Object,
        Some(b'[') => TokenKind::Array,
        Some(byte) => return scalar(bytes, start, *byte),
        None => return Err(JsonError::cut(CUT, start)),
    };
    let mut open = OpenContainers::default();
    let mut at = start;
    loop {
        // Here a value begins at `at`.
        at = match bytes.get(at) {
            Some(byte @ (b'{' | b'[')) => {
                if open.depth >= depth {
                    return Err(JsonError::limit("nested too deep", at));
                }
                let is_object = *byte == b'{';
                let inside = skip_space(bytes, at + 1);
                match (is_object, bytes.get(inside)) {
                    (true, Some(b'}')) | (false, Some(b']')) => inside + 1,
                    (true, _) => {
                        open.push(true);
                        at = key(bytes, inside)?.2;
                        continue;
                    }
                    (false, _) => {
                        open.push(false);
                        at = inside;
                        continue;
                    }
                }
            }
            Some(byte) => scalar(bytes, at, *byte)?.end,
            None => return Err(JsonError::cut(CUT, at)),
        };
        // Here a value has ended at `at`.
        loop {
            let Some(is_object) = open.last() else { return Ok(Span { kind, start, end: at }) };
            at = skip_space(bytes, at);
            match (bytes.get(at), is_object) {
                (Some(b'}'), true) | (Some(b']'), false) => {
                    open.pop();
                    at += 1;
                }
                (Some(b','), true) => {
                    at = key(bytes, skip_space(bytes, at + 1))?.2;
                    break;
                }
                (Some(b','), false) => {
                    at = skip_space(bytes, at + 1);
                    break;
                }
                (Some(_), _) => return Err(JsonError::syntax("expected `,` or the end", at)),
                (None, _) => return Err(JsonError::cut(CUT, at)),
            }
        }
    }
}

/// The key whose quote is at `at`: its closing quote, whether it has escapes, and where the value
/// begins.
#[inline]
fn key(bytes: &[u8], at: usize) -> Result<(usize, bool, usize), JsonError> {
    match bytes.get(at) {
        Some(b'"') => {}
        Some(_) => return Err(JsonError::syntax("expected a key in double quotes", at)),
        None => return Err(JsonError::cut(CUT, at)),
    }
    let (end, escaped) = string(bytes, at + 1)?;
    let colon = skip_space(bytes, end + 1);
    match bytes.get(colon) {
        Some(b':') => Ok((end, escaped, skip_space(bytes, colon + 1))),
        Some(_) => Err(JsonError::syntax("expected `:`", colon)),
        None => Err(JsonError::cut(CUT, colon)),
    }
}

/// The fields of these names of the object whose brace is at `at`, and where it ends. Other fields
/// are stepped over; of a name that comes twice the last one counts, as for `JSON.parse`.
///
/// # Errors
/// A [`JsonError`] where it is no JSON or nested too deep.
pub fn fields<const N: usize>(
    json: &str,
    at: usize,
    names: [&str; N],
    depth: usize,
) -> Result<([Option<Span>; N], usize), JsonError> {
    let mut found = [None; N];
    let mut put = |slot: usize, span| {
        if let Some(found) = found.get_mut(slot) {
            *found = Some(span);
        }
    };
    let end = find(json, at, &names, depth, &mut put)?;
    Ok((found, end))
}

/// [`fields`], told one by one: the number of the name, and where the value stands. Gives where the
/// object ends.
///
/// # Errors
/// As there.
#[inline]
pub fn find(
    json: &str,
    at: usize,
    names: &[&str],
    depth: usize,
    put: &mut impl FnMut(usize, Span),
) -> Result<usize, JsonError> {
    let bytes = json.as_bytes();
    if depth == 0 {
        return Err(JsonError::limit("nested too deep", at));
    }
    let mut at = skip_space(bytes, at + 1);
    if bytes.get(at) == Some(&b'}') {
        return Ok(at + 1);
    }
    loop {
        let start = at + 1;
        let (end, escaped, from) = key(bytes, at)?;
        let name = json.get(start..end).unwrap_or_default();
        let span = value(bytes, from, depth - 1)?;
        let slot = if escaped {
            let name = unescaped(name);
            names.iter().position(|n| *n == name)
        } else {
            names.iter().position(|n| *n == name)
        };
        if let Some(slot) = slot {
            put(slot, span);
        }
        at = skip_space(bytes, span.end);
        match bytes.get(at) {
            Some(b',') => at = skip_space(bytes, at + 1),
            Some(b'}') => return Ok(at + 1),
            Some(_) => return Err(JsonError::syntax("expected `,` or `}`", at)),
            None => return Err(JsonError::cut(CUT, at)),
        }
    }
}

/// Appends what a JSON string says, given what stands between its quotes, and gives the halves of
/// surrogate pairs at its edges: a low one before the text, a high one behind it. Halves elsewhere
/// become U+FFFD.
pub fn unescape(raw: &str, text: &mut String) -> (Option<u16>, Option<u16>) {
    let (mut low, mut high) = (None, None);
    let mut rest = raw;
    let mut first = true;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (before, from) = rest.split_at(slash);
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

/// A half that has not found its partner.
fn lose(high: &mut Option<u16>, text: &mut String) {
    if high.take().is_some() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
}

/// The character of a UTF-16 unit; halves of pairs are U+FFFD.
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

/// What a JSON string says, given what stands between its quotes; halves of surrogate pairs become
/// U+FFFD.
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

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
