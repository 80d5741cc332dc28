//! A reader of JSON that makes no values: a **tape** of spans, 16 bytes each, over the bytes of one
//! document. It checks the whole grammar (RFC 8259), nests as deep as [`MAX_DEPTH`] without
//! recursion, and answers what a rule asks through [`View`].

use crate::model::{Key, Kind, View, Word};
use crate::wire::scan::{plain, skip_space};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Deeper nesting than this is a [`Fault`].
pub const MAX_DEPTH: usize = 16_384;

/// Why bytes are no JSON document, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What was expected or is wrong.
    pub what: &'static str,
    /// The byte, counted from where the reading began.
    pub offset: usize,
    /// The bytes ended before the document did: it was cut off.
    pub cut: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    escaped: bool,
    start: u32,
    end: u32,
    /// The entry behind this one and all that is in it.
    next: u32,
}

/// The spans of one JSON document. Use one tape for many documents: it keeps its memory.
#[derive(Debug, Default)]
pub struct Tape {
    entries: Vec<Entry>,
    open: Vec<u32>,
}

/// What the reader waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    CommaOrEnd,
}

impl Tape {
    /// Reads the document that starts in `bytes` at `at` (white space before it is skipped) and
    /// gives the offset behind it.
    ///
    /// # Errors
    /// A [`Fault`] where the bytes are no JSON; the tape is empty then.
    pub fn read(&mut self, bytes: &[u8], at: usize) -> Result<usize, Fault> {
        self.entries.clear();
        self.open.clear();
        let result = self.fill(bytes, at);
        if result.is_err() {
            self.entries.clear();
        }
        result
    }

    /// The document that was read last, in the same bytes.
    #[must_use]
    pub fn root<'a>(&'a self, bytes: &'a [u8]) -> Node<'a> {
        Node { tape: self, bytes, index: 0 }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, escaped: bool) -> Result<(), Fault> {
        let next = self.entries.len() + 1;
        let (Ok(from), Ok(to), Ok(next)) =
            (u32::try_from(start), u32::try_from(end), u32::try_from(next))
        else {
            return Err(Fault { what: "a document of 4 GB or more", offset: start, cut: false });
        };
        self.entries.push(Entry { kind, escaped, start: from, end: to, next });
        Ok(())
    }

    fn fill(&mut self, bytes: &[u8], at: usize) -> Result<usize, Fault> {
        let mut at = at;
        let mut want = Want::Value;
        loop {
            at = skip_space(bytes, at);
            let Some(&byte) = bytes.get(at) else {
                return Err(Fault { what: "the document is cut off", offset: at, cut: true });
            };
            match (want, byte) {
                (Want::Key | Want::KeyOrEnd, b'"') => {
                    at = self.string(bytes, at)?;
                    at = skip_space(bytes, at);
                    at = expect(bytes, at, b':', "expected `:`")?;
                    want = Want::Value;
                    continue;
                }
                (Want::KeyOrEnd | Want::CommaOrEnd, b'}') if self.inside(Kind::Object) => {
                    at += 1;
                    self.close(at);
                }
                (Want::ValueOrEnd | Want::CommaOrEnd, b']') if self.inside(Kind::Array) => {
                    at += 1;
                    self.close(at);
                }
                (Want::CommaOrEnd, b',') => {
                    at += 1;
                    want = if self.inside(Kind::Object) { Want::Key } else { Want::Value };
                    continue;
                }
                (Want::Value | Want::ValueOrEnd, b'{' | b'[') => {
                    if self.open.len() >= MAX_DEPTH {
                        return Err(Fault { what: "nested too deep", offset: at, cut: false });
                    }
                    let (kind, inside) = if byte == b'{' {
                        (Kind::Object, Want::KeyOrEnd)
                    } else {
                        (Kind::Array, Want::ValueOrEnd)
                    };
                    #[allow(clippy::cast_possible_truncation)] // push refuses what does not fit
                    self.open.push(self.entries.len() as u32);
                    self.push(kind, at, at, false)?;
                    at += 1;
                    want = inside;
                    continue;
                }
                (Want::Value | Want::ValueOrEnd, _) => at = self.scalar(bytes, at, byte)?,
                (Want::Key, _) => return Err(fault("expected a key in double quotes", at)),
                (Want::KeyOrEnd, _) => return Err(fault("expected a key or `}`", at)),
                (Want::CommaOrEnd, _) => return Err(fault("expected `,` or the end", at)),
            }
            if self.open.is_empty() {
                return Ok(at);
            }
            want = Want::CommaOrEnd;
        }
    }

    fn inside(&self, kind: Kind) -> bool {
        let open = self.open.last().and_then(|i| self.entries.get(*i as usize));
        open.is_some_and(|e| e.kind == kind)
    }

    fn close(&mut self, end: usize) {
        #[allow(clippy::cast_possible_truncation)] // push refused what does not fit
        let (next, end) = (self.entries.len() as u32, end as u32);
        if let Some(entry) = self.open.pop().and_then(|i| self.entries.get_mut(i as usize)) {
            entry.next = next;
            entry.end = end;
        }
    }

    fn scalar(&mut self, bytes: &[u8], at: usize, byte: u8) -> Result<usize, Fault> {
        let (kind, end) = match byte {
            b'"' => return self.string(bytes, at),
            b't' => (Kind::True, literal(bytes, at, b"true")?),
            b'f' => (Kind::False, literal(bytes, at, b"false")?),
            b'n' => (Kind::Null, literal(bytes, at, b"null")?),
            b'-' | b'0'..=b'9' => (Kind::Number, number(bytes, at)?),
            _ => return Err(fault("expected a value", at)),
        };
        self.push(kind, at, end, false)?;
        Ok(end)
    }

    /// The string whose quote is at `at`; the span is what is between the quotes.
    fn string(&mut self, bytes: &[u8], at: usize) -> Result<usize, Fault> {
        let start = at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            at = plain(bytes, at);
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at = escape(bytes, at)?;
                }
                Some(_) => return Err(fault("a control character in a string", at)),
                None => {
                    return Err(Fault { what: "the string is cut off", offset: at, cut: true });
                }
            }
        }
        let kind = if at == start { Kind::EmptyString } else { Kind::String };
        self.push(kind, start, at, escaped)?;
        Ok(at + 1)
    }
}

fn fault(what: &'static str, offset: usize) -> Fault {
    Fault { what, offset, cut: false }
}

fn expect(bytes: &[u8], at: usize, byte: u8, what: &'static str) -> Result<usize, Fault> {
    match bytes.get(at) {
        Some(b) if *b == byte => Ok(at + 1),
        found => Err(Fault { what, offset: at, cut: found.is_none() }),
    }
}

fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Fault> {
    let rest = bytes.get(at..).unwrap_or_default();
    if rest.starts_with(word) {
        return Ok(at + word.len());
    }
    Err(Fault { what: "expected a value", offset: at, cut: word.starts_with(rest) })
}

fn digits(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let mut end = at;
    while let Some(b'0'..=b'9') = bytes.get(end) {
        end += 1;
    }
    if end == at {
        let cut = bytes.len() <= at;
        return Err(Fault { what: "expected a digit", offset: at, cut });
    }
    Ok(end)
}

fn number(bytes: &[u8], at: usize) -> Result<usize, Fault> {
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

/// The offset behind the escape whose backslash is at `at`.
fn escape(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let digits = bytes.get(at + 2..bytes.len().min(at + 6)).unwrap_or_default();
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return Err(fault("`\\u` without four hexadecimal digits", at));
            }
            if digits.len() < 4 {
                return Err(Fault { what: "the string is cut off", offset: at, cut: true });
            }
            Ok(at + 6)
        }
        Some(_) => Err(fault("an escape that JSON does not have", at)),
        None => Err(Fault { what: "the string is cut off", offset: at, cut: true }),
    }
}

/// What a JSON string says, its escapes resolved. Unpaired surrogates and invalid UTF-8 become
/// U+FFFD.
#[must_use]
pub fn unescape(raw: &[u8]) -> Cow<'_, str> {
    if !raw.contains(&b'\\') {
        return String::from_utf8_lossy(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(slash) = memchr::memchr(b'\\', rest) {
        let (before, from) = rest.split_at(slash);
        text.push_str(&String::from_utf8_lossy(before));
        let (c, used) = match from.get(1) {
            Some(b'n') => ('\n', 2),
            Some(b't') => ('\t', 2),
            Some(b'r') => ('\r', 2),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'u') => unicode(from),
            Some(other) => (char::from(*other), 2),
            None => ('\u{fffd}', 1),
        };
        text.push(c);
        rest = from.get(used..).unwrap_or_default();
    }
    text.push_str(&String::from_utf8_lossy(rest));
    Cow::Owned(text)
}

/// The character of a `\u` escape, with the second half of its pair where it has one, and the
/// bytes used.
fn unicode(from: &[u8]) -> (char, usize) {
    const LOST: char = char::REPLACEMENT_CHARACTER;
    let Some(high) = hex4(from) else {
        return (LOST, from.len().min(6));
    };
    if !(0xd800..0xdc00).contains(&high) {
        return (char::from_u32(high).unwrap_or(LOST), 6);
    }
    match from.get(6..).and_then(hex4) {
        Some(low @ 0xdc00..0xe000) => {
            let c = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(c).unwrap_or(LOST), 12)
        }
        _ => (LOST, 6),
    }
}

fn hex4(from: &[u8]) -> Option<u32> {
    let digits = from.strip_prefix(b"\\u")?.get(..4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// A value on a [`Tape`].
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    tape: &'a Tape,
    bytes: &'a [u8],
    index: u32,
}

const NOWHERE: u32 = u32::MAX;

impl<'a> Node<'a> {
    fn entry(self) -> Option<&'a Entry> {
        self.tape.entries.get(self.index as usize)
    }

    fn node(self, index: u32) -> Node<'a> {
        Node { index, ..self }
    }

    /// The bytes of the value; of a string those between its quotes.
    #[must_use]
    pub fn span(self) -> std::ops::Range<usize> {
        self.entry().map_or(0..0, |e| e.start as usize..e.end as usize)
    }

    /// The string's text with the life of the bytes.
    #[must_use]
    pub fn str(self) -> Option<Cow<'a, str>> {
        let entry = self.entry().filter(|e| e.kind.is_string())?;
        let raw = self.bytes.get(entry.start as usize..entry.end as usize)?;
        Some(if entry.escaped { unescape(raw) } else { String::from_utf8_lossy(raw) })
    }

    /// Every element of an array, or value of an object.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let entry = self.entry().filter(|e| matches!(e.kind, Kind::Array | Kind::Object));
        let is_object = entry.is_some_and(|e| e.kind == Kind::Object);
        let end = entry.map_or(0, |e| e.next);
        let mut at = self.index.saturating_add(1);
        std::iter::from_fn(move || {
            let value = if is_object { at + 1 } else { at };
            let entry = if value < end {
                self.node(value).entry()?
            } else {
                return None;
            };
            at = entry.next;
            Some(self.node(value))
        })
    }

    /// Every field of an object: its key and its value.
    pub fn fields(self) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
        let is_object = self.entry().is_some_and(|e| e.kind == Kind::Object);
        let values = is_object.then(|| self.children());
        values.into_iter().flatten().map(move |value| (self.node(value.index - 1), value))
    }
}

impl<'a> View for Node<'a> {
    type Ids = BTreeSet<Cow<'a, str>>;

    fn kind(&self) -> Kind {
        self.entry().map_or(Kind::Missing, |e| e.kind)
    }
    fn get(&self, key: Key) -> Self {
        let name = key.as_str();
        let mut found = self.node(NOWHERE);
        for (key, value) in self.fields() {
            let Some(entry) = key.entry() else { continue };
            let raw = self.bytes.get(entry.start as usize..entry.end as usize);
            let same = match raw {
                Some(raw) if !entry.escaped => raw == name.as_bytes(),
                Some(raw) => unescape(raw) == name,
                None => false,
            };
            if same {
                found = value; // and on: the last one counts, as for `JSON.parse`
            }
        }
        found
    }
    fn len(&self) -> usize {
        if self.kind() == Kind::Array { self.children().count() } else { 0 }
    }
    fn at(&self, index: usize) -> Self {
        let element = if self.kind() == Kind::Array { self.children().nth(index) } else { None };
        element.unwrap_or_else(|| self.node(NOWHERE))
    }
    fn number(&self) -> f64 {
        let raw = if self.kind() == Kind::Number { self.bytes.get(self.span()) } else { None };
        let text = raw.and_then(|raw| std::str::from_utf8(raw).ok());
        text.and_then(|t| t.parse().ok()).unwrap_or(f64::NAN)
    }
    fn word(&self) -> Option<Word> {
        self.str().and_then(|text| Word::parse(&text))
    }
    fn text(&self) -> Option<Cow<'_, str>> {
        self.str()
    }
    fn is_blank(&self) -> bool {
        self.str().is_some_and(|text| crate::model::value::is_blank(&text))
    }
    fn same(&self, other: &Self) -> bool {
        match (self.str(), other.str()) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
    fn each_field(&self, look: &mut dyn FnMut(&str, &Self)) {
        // A name that stands twice is one field, the last, as `JSON.parse` has it.
        let mut fields = BTreeMap::new();
        for (key, value) in self.fields() {
            if let Some(name) = key.str() {
                fields.insert(name, value);
            }
        }
        for (name, value) in fields {
            look(&name, &value);
        }
    }
    fn each(&self, limit: usize, look: &mut dyn FnMut(usize, &Self)) {
        if self.kind() == Kind::Array {
            for (index, element) in self.children().take(limit).enumerate() {
                look(index, &element);
            }
        }
    }
    fn note(&self, ids: &mut Self::Ids) -> bool {
        self.str().is_none_or(|text| ids.insert(text))
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
