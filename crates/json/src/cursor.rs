//! The walker of objects and arrays: what may follow a bracket, a key, a value and a comma is
//! written here, once.
//!
//! - [`Cursor`] visits the fields or the elements of one container, for callers that decide what to
//!   do with each value.
//! - `walk` visits everything in a value, however deep, and does not recurse; [`value`] skips a
//!   value by it.
//!
//! Two readers do not walk by these, because they stop at any byte and resume there: the tape's
//! ([`super::tape`]) and that of arguments which are still arriving ([`super::partial`]). They must
//! equal [`value`], proven by the test `all_readers_agree_with_serde_json` beside this file.

use super::error::JsonError;
use super::literal::literal;
use super::number::number;
use super::open_containers::OpenContainers;
use super::span::{Span, TokenKind};
use super::string::{string, unescaped};
use super::white_space::skip_space;
use std::borrow::Cow;

/// What follows within a container.
pub(crate) enum Step {
    /// A key or an element is expected at this offset.
    Next(usize),
    /// The container has ended before this offset.
    End(usize),
}

/// The step from `at`, the byte after the opening bracket (`is_first`) or after a value. The error is
/// the offset of a byte that cannot follow, or of the end of the bytes.
#[inline(always)]
pub(crate) fn step(
    bytes: &[u8],
    at: usize,
    is_object: bool,
    is_first: bool,
) -> Result<Step, usize> {
    let at = skip_space(bytes, at);
    match bytes.get(at) {
        Some(b'}') if is_object => Ok(Step::End(at + 1)),
        Some(b']') if !is_object => Ok(Step::End(at + 1)),
        Some(b',') if !is_first => Ok(Step::Next(skip_space(bytes, at + 1))),
        Some(_) if is_first => Ok(Step::Next(at)),
        _ => Err(at),
    }
}

/// The offset of the value whose key ends before `at`.
#[inline(always)]
fn after_colon(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let colon = skip_space(bytes, at);
    match bytes.get(colon) {
        Some(b':') => Ok(skip_space(bytes, colon + 1)),
        _ => Err(expected("expected `:`", bytes, colon)),
    }
}

/// The error of a byte that cannot be at `at`; a cut if the bytes end there.
#[cold]
fn expected(message: &'static str, bytes: &[u8], at: usize) -> JsonError {
    if at < bytes.len() { JsonError::syntax(message, at) } else { JsonError::cut(message, at) }
}

/// The same error; a cut is reported as such, whatever was expected.
#[cold]
pub(crate) fn or_cut_off(error: JsonError) -> JsonError {
    if error.is_cut() { JsonError::cut_off(error.offset) } else { error }
}

/// The key of a field: where the text between its quotes is.
#[derive(Clone, Copy, Debug)]
pub struct FieldKey {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset of the quote after it.
    pub end: usize,
    /// Whether it has escapes.
    pub is_escaped: bool,
}

impl FieldKey {
    /// The text of the key, its escapes resolved.
    pub fn text(self, json: &str) -> Cow<'_, str> {
        let raw = json.get(self.start..self.end).unwrap_or_default();
        if self.is_escaped { Cow::Owned(unescaped(raw)) } else { Cow::Borrowed(raw) }
    }
}

/// Visits the fields of an object or the elements of an array, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    /// After a step: where the value begins; the caller moves it to the end of the value. After the
    /// last step: the end of the container.
    pub at: usize,
    is_first: bool,
}

impl<'a> Cursor<'a> {
    /// A cursor over the container whose opening bracket is at `bracket`.
    #[inline]
    pub fn new(bytes: &'a [u8], bracket: usize) -> Cursor<'a> {
        Cursor { bytes, at: bracket + 1, is_first: true }
    }

    /// Steps to the value of the next field; `None` after the last. For callers that run for every
    /// record.
    ///
    /// # Errors
    /// Something else is there, or the bytes end.
    #[inline(always)]
    pub fn hot_field(&mut self) -> Result<Option<FieldKey>, JsonError> {
        match step(self.bytes, self.at, true, self.is_first) {
            Ok(Step::Next(quote)) => {
                if self.bytes.get(quote) != Some(&b'"') {
                    return Err(expected("expected a key in double quotes", self.bytes, quote));
                }
                let (end, is_escaped) = string(self.bytes, quote + 1)?;
                self.at = after_colon(self.bytes, end + 1)?;
                self.is_first = false;
                Ok(Some(FieldKey { start: quote + 1, end, is_escaped }))
            }
            Ok(Step::End(end)) => {
                self.at = end;
                Ok(None)
            }
            Err(at) => Err(expected("expected `,` or `}`", self.bytes, at)),
        }
    }

    /// [`Cursor::hot_field`], not inlined: for all other callers.
    ///
    /// # Errors
    /// As there.
    #[inline(never)]
    pub fn field(&mut self) -> Result<Option<FieldKey>, JsonError> {
        self.hot_field()
    }

    /// Steps to the next element; false after the last.
    ///
    /// # Errors
    /// Something else is there, or the bytes end.
    #[inline]
    pub fn element(&mut self) -> Result<bool, JsonError> {
        let (at, found) = match step(self.bytes, self.at, false, self.is_first) {
            Ok(Step::Next(at)) => (at, true),
            Ok(Step::End(end)) => (end, false),
            Err(at) => return Err(expected("expected `,` or `]`", self.bytes, at)),
        };
        (self.at, self.is_first) = (at, false);
        Ok(found)
    }

    /// The first byte of the value.
    #[inline]
    pub fn first_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Steps over the value, which nests at most `depth` deep.
    ///
    /// # Errors
    /// It is not JSON or nested deeper.
    #[inline]
    pub fn skip(&mut self, depth: usize) -> Result<Span, JsonError> {
        let span = value_at(self.bytes, self.at, depth)?;
        self.at = span.end;
        Ok(span)
    }
}

/// What [`walk`] does with what it comes to. The visitor keeps the containers that are open, as most
/// visitors have to know more of them than the walk does.
pub(crate) trait Visitor {
    /// An object or an array begins; it is not empty.
    fn open(&mut self, is_object: bool);

    /// The innermost one ends.
    fn close(&mut self);

    /// An empty object or array.
    fn empty(&mut self, is_object: bool);

    /// The number of containers that are open.
    fn depth(&self) -> usize;

    /// Whether the innermost one is an object; `None` if none is open.
    fn innermost(&self) -> Option<bool>;

    /// Reads the key whose quote is at `at`; gives the offset after its closing quote.
    ///
    /// # Errors
    /// It is not a string.
    fn key(&mut self, bytes: &[u8], at: usize) -> Result<usize, JsonError>;

    /// Reads the string, number or literal that begins at `at` with `byte`; gives the offset after it.
    ///
    /// # Errors
    /// It is none of these.
    fn scalar(&mut self, bytes: &[u8], at: usize, byte: u8) -> Result<usize, JsonError>;
}

/// Walks through the value that begins at `at`, whose objects and arrays nest at most `depth` deep,
/// and gives the offset after it.
///
/// # Errors
/// A [`JsonError`] if it is not JSON or nested deeper.
#[inline(always)]
pub(crate) fn walk(
    bytes: &[u8],
    at: usize,
    depth: usize,
    visitor: &mut impl Visitor,
) -> Result<usize, JsonError> {
    let mut at = at;
    // Whether the innermost container is an object.
    let mut inside = None;
    loop {
        // Here a value begins at `at`.
        at = match bytes.get(at) {
            Some(byte @ (b'{' | b'[')) => {
                if visitor.depth() >= depth {
                    return Err(JsonError::limit("nested too deep", at));
                }
                let is_object = *byte == b'{';
                match step(bytes, at + 1, is_object, true) {
                    Ok(Step::End(end)) => {
                        visitor.empty(is_object);
                        end
                    }
                    Ok(Step::Next(next)) => {
                        visitor.open(is_object);
                        inside = Some(is_object);
                        at = if is_object { key(bytes, next, visitor)? } else { next };
                        continue;
                    }
                    Err(at) => return Err(JsonError::cut_off(at)),
                }
            }
            Some(byte) => visitor.scalar(bytes, at, *byte)?,
            None => return Err(JsonError::cut_off(at)),
        };
        // Here a value has ended at `at`.
        loop {
            let Some(is_object) = inside else { return Ok(at) };
            match step(bytes, at, is_object, false) {
                Ok(Step::End(end)) => {
                    visitor.close();
                    inside = visitor.innermost();
                    at = end;
                }
                Ok(Step::Next(next)) => {
                    at = if is_object { key(bytes, next, visitor)? } else { next };
                    break;
                }
                Err(at) => {
                    return Err(or_cut_off(expected("expected `,` or the end", bytes, at)));
                }
            }
        }
    }
}

/// Reads the key at `at`; gives the offset of its value.
#[inline(always)]
fn key(bytes: &[u8], at: usize, visitor: &mut impl Visitor) -> Result<usize, JsonError> {
    if bytes.get(at) != Some(&b'"') {
        return Err(or_cut_off(expected("expected a key in double quotes", bytes, at)));
    }
    let end = visitor.key(bytes, at)?;
    after_colon(bytes, end).map_err(or_cut_off)
}

/// Does nothing with a value but to check its grammar.
#[derive(Default)]
struct Skip(OpenContainers);

impl Visitor for Skip {
    #[inline(always)]
    fn open(&mut self, is_object: bool) {
        self.0.push(is_object);
    }

    #[inline(always)]
    fn close(&mut self) {
        self.0.pop();
    }

    #[inline(always)]
    fn empty(&mut self, _is_object: bool) {}

    #[inline(always)]
    fn depth(&self) -> usize {
        self.0.depth
    }

    #[inline(always)]
    fn innermost(&self) -> Option<bool> {
        self.0.last()
    }

    #[inline(always)]
    fn key(&mut self, bytes: &[u8], at: usize) -> Result<usize, JsonError> {
        string(bytes, at + 1).map(|(end, _)| end + 1)
    }

    #[inline(always)]
    fn scalar(&mut self, bytes: &[u8], at: usize, byte: u8) -> Result<usize, JsonError> {
        scalar(bytes, at, byte).map(|span| span.end)
    }
}

/// The string, number or literal that begins at `at` with `byte`.
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

/// The value that begins at `at` (white space before it is skipped), its grammar checked. Objects
/// and arrays nest at most `depth` deep.
///
/// # Errors
/// A [`JsonError`] if it is not JSON or nested deeper.
#[inline]
pub fn value(bytes: &[u8], at: usize, depth: usize) -> Result<Span, JsonError> {
    value_at(bytes, skip_space(bytes, at), depth)
}

/// The same, if there is no white space before it.
fn value_at(bytes: &[u8], start: usize, depth: usize) -> Result<Span, JsonError> {
    let kind = match bytes.get(start) {
        Some(b'{') => TokenKind::Object,
        Some(b'[') => TokenKind::Array,
        Some(byte) => return scalar(bytes, start, *byte),
        None => return Err(JsonError::cut_off(start)),
    };
    let end = walk(bytes, start, depth, &mut Skip::default())?;
    Ok(Span { kind, start, end })
}

/// Checks that nothing but white space follows a text that ends at this byte.
///
/// # Errors
/// A [`JsonError`] if something else does.
pub fn end_of(bytes: &[u8], at: usize) -> Result<(), JsonError> {
    let at = skip_space(bytes, at);
    if at == bytes.len() { Ok(()) } else { Err(JsonError::syntax("something follows it", at)) }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
