//! Canonical JSON (RFC 8785): two texts are equal if they differ only in white space, in the order of
//! keys and in the spelling of strings and numbers. [`write()`] shows the canonical tokens of a text to
//! a sink; the order of the keys is the sink's, for it may not depend on it. [`text`] is for people.

use super::cursor::{Visitor, value, walk};
use super::error::JsonError;
use super::float;
use super::number::no_digits;
use super::span::TokenKind;
use super::string::{ends, plain};
use super::tree::{MAX_DEPTH, tree};
use super::writer::value_text;

/// The bytes of a canonical token.
#[derive(Clone, Copy, Debug)]
pub enum TokenText<'a> {
    /// Less than eight bytes, the first one lowest, and how many they are.
    Short(u64, usize),
    /// All of its bytes, eight or more.
    Long(&'a [u8]),
}

/// Takes the canonical tokens of a JSON text, in the order of the text.
pub trait CanonicalSink {
    /// An object or an array begins.
    fn open(&mut self, is_object: bool);

    /// The innermost one ends.
    fn close(&mut self);

    /// The number of containers that are open.
    fn depth(&self) -> usize;

    /// Whether the innermost one is an object; `None` if none is open.
    fn innermost(&self) -> Option<bool>;

    /// The key of the value that follows, its escapes resolved.
    fn key(&mut self, name: TokenText<'_>);

    /// A string, its escapes resolved.
    fn string(&mut self, text: TokenText<'_>);

    /// `true`, `false`, `null`, or a number that has one spelling: a whole one below 10^15, or one
    /// that is beyond the range of doubles.
    fn word(&mut self, text: TokenText<'_>);

    /// Any other number. (To spell it takes longer than everything else here.)
    fn double(&mut self, number: f64);
}

/// Shows the tokens of a JSON text to the sink, in one pass. White space around it is the caller's.
///
/// # Errors
/// A [`JsonError`] if it is not JSON; what was shown before is of no use then.
pub fn write(json: &str, sink: &mut impl CanonicalSink) -> Result<(), JsonError> {
    let end = walk(json.as_bytes(), 0, usize::MAX, &mut Tokens { json, sink })?;
    if end == json.len() { Ok(()) } else { Err(JsonError::syntax("something follows it", end)) }
}

struct Tokens<'j, 's, S> {
    json: &'j str,
    sink: &'s mut S,
}

impl<S: CanonicalSink> Visitor for Tokens<'_, '_, S> {
    #[inline(always)]
    fn open(&mut self, is_object: bool) {
        self.sink.open(is_object);
    }

    #[inline(always)]
    fn close(&mut self) {
        self.sink.close();
    }

    #[inline(always)]
    fn empty(&mut self, is_object: bool) {
        self.sink.open(is_object);
        self.sink.close();
    }

    #[inline(always)]
    fn depth(&self) -> usize {
        self.sink.depth()
    }

    #[inline(always)]
    fn innermost(&self) -> Option<bool> {
        self.sink.innermost()
    }

    #[inline(always)]
    fn key(&mut self, bytes: &[u8], at: usize) -> Result<usize, JsonError> {
        if let Some((text, end)) = short_string(bytes, at) {
            self.sink.key(text);
            return Ok(end);
        }
        let span = value(bytes, at, 0)?;
        self.sink.key(TokenText::Long(span.string(self.json).unwrap_or_default().as_bytes()));
        Ok(span.end)
    }

    #[inline(always)]
    fn scalar(&mut self, bytes: &[u8], at: usize, byte: u8) -> Result<usize, JsonError> {
        if byte == b'"' {
            if let Some((text, end)) = short_string(bytes, at) {
                self.sink.string(text);
                return Ok(end);
            }
        } else if let Some((text, end)) = short_number(bytes, at) {
            self.sink.word(text);
            return Ok(end);
        }
        self.long_scalar(bytes, at)
    }
}

impl<S: CanonicalSink> Tokens<'_, '_, S> {
    #[inline(never)]
    fn long_scalar(&mut self, bytes: &[u8], at: usize) -> Result<usize, JsonError> {
        if bytes.get(at) == Some(&b'"') {
            let end = plain(bytes, at + 1);
            if bytes.get(end) == Some(&b'"') {
                self.sink.string(TokenText::Long(bytes.get(at + 1..end).unwrap_or_default()));
                return Ok(end + 1);
            }
        }
        let span = value(bytes, at, 0)?;
        let text = span.text(self.json);
        match span.kind {
            TokenKind::String(_) => {
                let text = span.string(self.json).unwrap_or_default();
                self.sink.string(TokenText::Long(text.as_bytes()));
            }
            TokenKind::Number => number(text, self.sink),
            _ => self.sink.word(TokenText::Long(text.as_bytes())),
        }
        Ok(span.end)
    }
}

/// The bytes from `at` up to the first one that has its bit in what `bits` gives.
#[inline]
fn short(bytes: &[u8], at: usize, bits: fn(u64) -> u64) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
    let position = bits(word).trailing_zeros();
    let length = position / 8;
    (length < 8).then(|| (word & !(u64::MAX << (length * 8)), length as usize))
}

/// A string of less than eight bytes without escapes, as most are that come by the thousand, and
/// where it ends. `None` for any other.
#[inline(always)]
fn short_string(bytes: &[u8], at: usize) -> Option<(TokenText<'static>, usize)> {
    let (word, length) = short(bytes, at + 1, ends)?;
    let end = at + 1 + length;
    (bytes.get(end) == Some(&b'"')).then_some((TokenText::Short(word, length), end + 1))
}

/// The same for a whole number from 0 in its canonical spelling.
#[inline]
fn short_number(bytes: &[u8], at: usize) -> Option<(TokenText<'static>, usize)> {
    let (word, length) = short(bytes, at, no_digits)?;
    let zeros = length > 1 && bytes.get(at) == Some(&b'0');
    let goes_on = matches!(bytes.get(at + length), Some(b'.' | b'e' | b'E'));
    let is_one = length > 0 && !zeros && !goes_on;
    is_one.then_some((TokenText::Short(word, length), at + length))
}

/// Whole numbers below this one have up to 15 digits.
const WHOLE: f64 = 1e15;

/// A number of any spelling.
fn number(text: &str, sink: &mut impl CanonicalSink) {
    let is_whole = || text.bytes().all(|byte| !matches!(byte, b'.' | b'e' | b'E'));
    if text.len() <= 15 && text != "-0" && is_whole() {
        return sink.word(TokenText::Long(text.as_bytes()));
    }
    match float::parse(text) {
        #[allow(clippy::cast_possible_truncation)] // it is whole, and not large
        Some(number) if number.abs() < WHOLE && number.trunc() == number => {
            sink.word(TokenText::Long((number as i64).to_string().as_bytes()));
        }
        Some(number) if number.is_finite() => sink.double(number),
        _ => sink.word(TokenText::Long(text.as_bytes())),
    }
}

/// The canonical text of a JSON text; what is not JSON stays unchanged.
pub fn text(json: &str) -> String {
    let tree = tree(json.trim_ascii(), MAX_DEPTH);
    tree.map_or_else(|_| json.to_owned(), |tree| value_text(&tree))
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
