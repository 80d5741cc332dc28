//! The tape, and the reader that fills it.
//!
//! It resumes within a document where the bytes ended, so it does not walk by the
//! [`cursor`](crate::cursor); the test `all_readers_agree_with_serde_json` proves that both
//! accept the same texts.

use crate::block::{self, BEYOND, ESCAPED, Stop};
use crate::error::JsonError;
use crate::field_cache::FieldCache;
use crate::literal::literal;
use crate::number::number;
use crate::string::{bytes_of, unescape_bytes};
use crate::utf8;
use crate::white_space::skip_space;
use apex_parts_model::{Key, Kind};
use std::borrow::Cow;

/// [`Entry::key`] of a key that was not looked up.
pub(super) const UNNAMED: u8 = u8::MAX;
const _: () = assert!(Key::ALL.len() < UNNAMED as usize, "each key has a code");

/// Deeper nesting is a [`JsonError`].
pub const MAX_DEPTH: usize = 16_384;
/// A bit of [`Entry::how`]: the string is a key.
pub(super) const KEY: u8 = 1 << 7;
/// A larger number of values, keys included, is a [`JsonError`]: the tape would take more memory
/// than the document.
pub const MAX_VALUES: usize = 1 << 24;
/// A number of more bytes than this is a [`JsonError`].
const LONGEST_NUMBER: usize = 1 << 14;

const TOO_DEEP: &str = "nested too deep";
const TOO_MANY: &str = "more than 16,777,216 values";
const TOO_LONG: &str = "a number of more than 16,384 bytes";

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub kind: Kind,
    /// How a string is written (the bits of [`block`]), and [`KEY`].
    pub(crate) how: u8,
    /// The code of a key ([`code`]); 0 for an unknown one, [`UNNAMED`] for one that was not looked up.
    pub(crate) key: u8,
    pub start: u32,
    pub end: u32,
    /// The entry after this one and all that is in it; for a key, after its value.
    pub next: u32,
}

/// The spans of one JSON document. Use one tape for many documents: it keeps its memory.
#[derive(Debug, Default)]
pub struct Tape {
    /// The values and keys, in the order of the document.
    pub entries: Vec<Entry>,
    /// The entries of the containers that have not ended, the outermost first.
    pub open: Vec<u32>,
    /// Where to resume, and what is expected there.
    pub(crate) at: usize,
    want: Want,
    /// A string whose end has not arrived.
    begun: Option<Begun>,
    /// The offset of the first bytes that are not UTF-8.
    pub(crate) invalid: Option<usize>,
    /// The document is text of another program: it is UTF-8, and few of its keys are asked for by their [`Key`].
    is_foreign: bool,
    pub(crate) places: FieldCache,
}

#[derive(Clone, Copy, Debug)]
struct Begun {
    start: usize,
    at: usize,
    how: u8,
}

/// What the reader expects next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Want {
    #[default]
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
}

/// The position of the reader.
struct TapePosition {
    at: usize,
    want: Want,
    in_object: bool,
}

impl TapePosition {
    /// The next byte that is not white space, and its offset.
    #[inline(always)]
    fn next(&mut self, bytes: &[u8]) -> Result<(usize, u8), JsonError> {
        self.at = skip_space(bytes, self.at);
        match bytes.get(self.at) {
            Some(byte) => Ok((self.at, *byte)),
            None => Err(JsonError::cut(CUT, self.at)),
        }
    }

    /// Moves past a comma.
    #[inline(always)]
    fn comma(&mut self) {
        self.at += 1;
        self.want = if self.in_object { Want::Key } else { Want::Value };
    }
}

const CUT: &str = "the document is cut off";

#[allow(clippy::cast_possible_truncation)] // there are fewer keys
pub(crate) const fn code(key: Key) -> u8 {
    key as u8 + 1
}

impl Tape {
    /// Reads the document that begins in `bytes` at `at` (white space before it is skipped) and
    /// gives the offset after it.
    ///
    /// # Errors
    /// A [`JsonError`] if the bytes are not JSON; the tape is empty then.
    pub fn read(&mut self, bytes: &[u8], at: usize) -> Result<usize, JsonError> {
        self.begin(at);
        let result = self.go_on(bytes, false);
        if result.is_err() {
            self.entries.clear();
        }
        result
    }

    /// Reads a text of another program: few of its names are those that rules ask for. They are looked up when a rule
    /// asks; otherwise it is as [`read`](Self::read) from the first byte on.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_foreign(&mut self, text: &str) -> Result<usize, JsonError> {
        self.begin(0);
        self.is_foreign = true;
        let result = self.go_on(text.as_bytes(), false);
        self.is_foreign = false;
        if result.is_err() {
            self.entries.clear();
        }
        result
    }

    /// Begins a document at this offset.
    pub fn begin(&mut self, at: usize) {
        self.entries.clear();
        self.open.clear();
        self.places.forget();
        (self.at, self.want, self.begun, self.invalid) = (at, Want::Value, None, None);
    }

    /// Continues to read the document as far as there are bytes, and gives the offset after it.
    /// `bytes` begin with those of the last call; `more` says that others may follow.
    ///
    /// # Errors
    /// A [`JsonError`]. If it is a cut and more bytes arrive, call this again.
    pub fn go_on(&mut self, bytes: &[u8], more: bool) -> Result<usize, JsonError> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(JsonError::syntax("a document of 4 GB or more", self.at));
        }
        // Local copies for the loop, stored again after it.
        let mut place = TapePosition { at: self.at, want: self.want, in_object: self.in_object() };
        let result = self.fill(bytes, more, &mut place);
        (self.at, self.want) = (place.at, place.want);
        result
    }

    #[inline]
    fn fill(
        &mut self,
        bytes: &[u8],
        more: bool,
        place: &mut TapePosition,
    ) -> Result<usize, JsonError> {
        loop {
            let (mut at, mut byte) = place.next(bytes)?;
            if let (Want::Key | Want::KeyOrEnd, b'"') = (place.want, byte) {
                place.at = self.string(bytes, at, true)?;
                place.want = Want::Colon;
                if bytes.get(place.at) != Some(&b':') {
                    continue;
                }
                place.at += 1;
                place.want = Want::Value;
                (at, byte) = place.next(bytes)?;
            }
            match (place.want, byte) {
                (Want::Value | Want::ValueOrEnd, b'"') => {
                    place.at = self.string(bytes, at, false)?;
                }
                (Want::CommaOrEnd, b',') => {
                    place.comma();
                    continue;
                }
                (Want::Colon, b':') => {
                    place.at += 1;
                    place.want = Want::Value;
                    continue;
                }
                (Want::KeyOrEnd | Want::CommaOrEnd, b'}') if place.in_object => {
                    place.at += 1;
                    self.close(place.at);
                    place.in_object = self.in_object();
                }
                (Want::ValueOrEnd | Want::CommaOrEnd, b']') if !place.in_object => {
                    place.at += 1;
                    self.close(place.at);
                    place.in_object = self.in_object();
                }
                (Want::Value | Want::ValueOrEnd, b'{' | b'[') => {
                    if self.open.len() >= MAX_DEPTH {
                        return Err(JsonError::limit(TOO_DEEP, at));
                    }
                    #[allow(clippy::cast_possible_truncation)] // at most MAX_VALUES
                    self.open.push(self.entries.len() as u32);
                    place.in_object = byte == b'{';
                    let (kind, inside) = if place.in_object {
                        (Kind::Object, Want::KeyOrEnd)
                    } else {
                        (Kind::Array, Want::ValueOrEnd)
                    };
                    self.push(kind, at, at, 0, 0)?;
                    place.at += 1;
                    place.want = inside;
                    continue;
                }
                (Want::Value | Want::ValueOrEnd, _) => {
                    place.at = self.scalar(bytes, at, byte, more)?;
                }
                (Want::Key, _) => {
                    return Err(JsonError::syntax("expected a key in double quotes", at));
                }
                (Want::KeyOrEnd, _) => return Err(JsonError::syntax("expected a key or `}`", at)),
                (Want::Colon, _) => return Err(JsonError::syntax("expected `:`", at)),
                (Want::CommaOrEnd, _) => {
                    return Err(JsonError::syntax("expected `,` or the end", at));
                }
            }
            if self.open.is_empty() {
                return Ok(place.at);
            }
            place.want = Want::CommaOrEnd;
            if bytes.get(place.at) == Some(&b',') {
                place.comma();
            }
        }
    }

    /// Pushes a plain key.
    #[inline(always)]
    fn push_key(&mut self, bytes: &[u8], start: usize, end: usize) -> Result<(), JsonError> {
        let key = if self.is_foreign { UNNAMED } else { Key::code_at(bytes, start, end) };
        let kind = if end == start { Kind::EmptyString } else { Kind::String };
        self.push(kind, start, end, KEY, key)
    }

    /// The offset of the first bytes of the document that are not UTF-8.
    #[must_use]
    pub fn invalid(&self) -> Option<usize> {
        self.invalid
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // go_on and MAX_VALUES ensure it
    fn push(
        &mut self,
        kind: Kind,
        start: usize,
        end: usize,
        how: u8,
        key: u8,
    ) -> Result<(), JsonError> {
        let count = self.entries.len();
        if count >= MAX_VALUES {
            return Err(JsonError::limit(TOO_MANY, start));
        }
        // A key ends after its value, which is one entry until a container is closed.
        let next = count as u32 + 1 + u32::from(how & KEY != 0);
        let (start, end) = (start as u32, end as u32);
        self.entries.push(Entry { kind, how, key, start, end, next });
        Ok(())
    }

    /// Is the innermost open container an object?
    #[inline]
    fn in_object(&self) -> bool {
        let open = self.open.last().and_then(|i| self.entries.get(*i as usize));
        open.is_some_and(|e| e.kind == Kind::Object)
    }

    #[inline(always)]
    fn close(&mut self, end: usize) {
        #[allow(clippy::cast_possible_truncation)] // as in push
        let (next, end) = (self.entries.len() as u32, end as u32);
        let Some(index) = self.open.pop() else { return };
        if let Some(entry) = self.entries.get_mut(index as usize) {
            entry.next = next;
            entry.end = end;
        }
        if let Some(key) = index.checked_sub(1).and_then(|i| self.entries.get_mut(i as usize))
            && key.how & KEY != 0
        {
            key.next = next;
        }
    }

    #[inline]
    fn scalar(
        &mut self,
        bytes: &[u8],
        at: usize,
        byte: u8,
        more: bool,
    ) -> Result<usize, JsonError> {
        let (kind, end) = match byte {
            b't' => (Kind::True, literal(bytes, at, b"true")?),
            b'f' => (Kind::False, literal(bytes, at, b"false")?),
            b'n' => (Kind::Null, literal(bytes, at, b"null")?),
            b'-' | b'0'..=b'9' => {
                let end = limited_number(bytes, at)?;
                if more && end == bytes.len() {
                    // More digits may follow.
                    return Err(JsonError::cut(CUT, at));
                }
                (Kind::Number, end)
            }
            _ => return Err(JsonError::syntax("expected a value", at)),
        };
        self.push(kind, at, end, 0, 0)?;
        Ok(end)
    }

    /// The string whose quote is at `at`; the span is what is between the quotes.
    #[inline(always)]
    fn string(&mut self, bytes: &[u8], at: usize, is_key: bool) -> Result<usize, JsonError> {
        // Most strings are short and plain, keys above all.
        match block::short(bytes, at + 1) {
            Some(end) if self.begun.is_none() => {
                let start = at + 1;
                if is_key {
                    self.push_key(bytes, start, end)?;
                } else {
                    let kind = if end == start { Kind::EmptyString } else { Kind::String };
                    self.push(kind, start, end, 0, 0)?;
                }
                Ok(end + 1)
            }
            _ => self.long_string(bytes, at, is_key),
        }
    }

    /// The same for any string, also one that was cut.
    #[inline(never)]
    fn long_string(&mut self, bytes: &[u8], at: usize, is_key: bool) -> Result<usize, JsonError> {
        let (start, at, mut how) = match self.begun.take() {
            Some(Begun { start, at, how }) => (start, at, how),
            None => (at + 1, at + 1, 0),
        };
        let end = match block::string(bytes, at, &mut how) {
            Ok(end) => end,
            Err(stop) => return Err(self.stopped(stop, start, how)),
        };
        if how & BEYOND != 0 && !self.is_foreign {
            self.check_utf8(bytes, start, end);
        }
        let kind = if end == start { Kind::EmptyString } else { Kind::String };
        if is_key {
            let raw = bytes.get(start..end).unwrap_or_default();
            let text =
                if how & ESCAPED == 0 { Cow::Borrowed(raw) } else { bytes_of(unescape_bytes(raw)) };
            self.push(kind, start, end, how | KEY, Key::code_of(&text))?;
        } else {
            self.push(kind, start, end, how, 0)?;
        }
        Ok(end + 1)
    }

    #[cold]
    fn stopped(&mut self, stop: Stop, start: usize, how: u8) -> JsonError {
        match stop {
            Stop::Wrong(what, at) => JsonError::syntax(what, at),
            Stop::Cut(at) => {
                self.begun = Some(Begun { start, at, how });
                JsonError::cut("the string is cut off", at)
            }
        }
    }

    fn check_utf8(&mut self, bytes: &[u8], start: usize, end: usize) {
        if self.invalid.is_none() {
            let invalid = utf8::invalid(bytes.get(start..end).unwrap_or_default());
            self.invalid = invalid.map(|at| start + at);
        }
    }
}

#[inline]
fn limited_number(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    let read = number(bytes, at);
    // Also for an incomplete number: the error may not depend on how much of it has arrived.
    let (Ok(end) | Err(JsonError { offset: end, .. })) = read;
    if end - at > LONGEST_NUMBER {
        return Err(JsonError::limit(TOO_LONG, at));
    }
    read
}

#[cfg(test)]
mod tests;
