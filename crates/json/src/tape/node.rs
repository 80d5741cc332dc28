//! A value on a tape, as rules see it.

use super::compact::{self, TapeValue};
use super::reader::{Entry, Tape, UNNAMED, code};
use crate::block::{BEYOND, ESCAPED, UNICODE};
use crate::number;
use crate::string::{bytes_of, is_blank_string, unescape_bytes};
use crate::utf8::to_text;
use crate::utf16::{utf16_of_ascii, utf16_of_raw};
use apex_parts_model::bytes::{is_less, same};
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::{Key, Kind, View, Word};
use std::borrow::Cow;

/// The ids that were seen. Usually each is greater than the last.
#[derive(Debug, Default)]
pub struct SeenIds<'a> {
    ascending: Vec<Cow<'a, [u8]>>,
    others: SortedSet<Cow<'a, [u8]>>,
}

impl<'a> SeenIds<'a> {
    /// False if it was there already.
    fn insert(&mut self, id: Cow<'a, [u8]>) -> bool {
        match self.ascending.last() {
            Some(last) if !is_less(last, &id) => {
                self.ascending.binary_search(&id).is_err() && self.others.insert(id)
            }
            _ => {
                self.ascending.push(id);
                true
            }
        }
    }
}

/// The document that a tape is of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// Its strings need no check.
    Text(&'a str),
    /// They may not be UTF-8.
    Bytes(&'a [u8]),
}

impl Tape {
    /// The document that was read last; `bytes` are those that it was read from.
    #[must_use]
    pub fn root<'a>(&'a self, bytes: &'a [u8]) -> Node<'a> {
        self.node(bytes, 0)
    }

    /// The same of a document that is UTF-8: its strings are not checked again.
    #[must_use]
    pub fn root_of<'a>(&'a self, text: &'a str) -> Node<'a> {
        Node { tape: self, source: Source::Text(text), index: 0 }
    }

    /// The value of the entry with this number; `bytes` are those that the document was read from.
    #[must_use]
    pub fn node<'a>(&'a self, bytes: &'a [u8], index: u32) -> Node<'a> {
        Node { tape: self, source: Source::Bytes(bytes), index }
    }
}

/// A value on a [`Tape`].
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The tape that it is on.
    pub tape: &'a Tape,
    pub(super) source: Source<'a>,
    /// The number of its entry.
    pub index: u32,
}

const NOWHERE: u32 = u32::MAX;
/// Objects of at most this number of entries are walked for every field; larger ones are cached.
const SMALL: u32 = 7;

impl<'a> Node<'a> {
    #[inline]
    fn entry(self) -> Option<&'a Entry> {
        self.tape.entries.get(self.index as usize)
    }

    #[inline]
    fn node(self, index: u32) -> Node<'a> {
        Node { index, ..self }
    }

    /// The bytes of the document that the tape is of.
    #[must_use]
    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        match self.source {
            Source::Text(text) => text.as_bytes(),
            Source::Bytes(bytes) => bytes,
        }
    }

    /// The range of the value's bytes, without the quotes of a string.
    #[must_use]
    pub fn span(self) -> std::ops::Range<usize> {
        self.entry().map_or(0..0, |e| e.start as usize..e.end as usize)
    }

    /// The bytes between the quotes of a string, escapes unresolved; `None` for other values.
    #[must_use]
    #[inline(always)]
    pub fn raw(self) -> Option<&'a [u8]> {
        let entry = self.entry().filter(|e| e.kind.is_string())?;
        self.bytes().get(entry.start as usize..entry.end as usize)
    }

    /// Does the string have escapes?
    #[must_use]
    #[inline]
    pub fn is_escaped(self) -> bool {
        self.entry().is_some_and(|e| e.how & ESCAPED != 0)
    }

    fn value(self) -> TapeValue<'a> {
        TapeValue { tape: self.tape, bytes: self.bytes(), index: self.index }
    }

    /// Is the string written as it is: no escapes, no character outside ASCII?
    #[inline]
    fn is_plain(self) -> bool {
        self.entry().is_some_and(|e| e.how & (ESCAPED | BEYOND) == 0)
    }

    /// The text of a piece of the string's bytes.
    fn piece(self, raw: &'a [u8]) -> Cow<'a, str> {
        if self.is_escaped() { unescape_bytes(raw) } else { to_text(raw) }
    }

    /// The text of a string, borrowed from the bytes if it has no escapes.
    #[must_use]
    #[inline(never)]
    pub fn str(self) -> Option<Cow<'a, str>> {
        let entry = self.entry().filter(|e| e.kind.is_string())?;
        let range = entry.start as usize..entry.end as usize;
        if entry.how & ESCAPED != 0 {
            return self.bytes().get(range).map(unescape_bytes);
        }
        match self.source {
            Source::Text(text) => text.get(range).map(Cow::Borrowed),
            Source::Bytes(bytes) => bytes.get(range).map(to_text),
        }
    }

    /// The JSON text of the value.
    #[must_use]
    pub fn json(self) -> &'a [u8] {
        let span = self.span();
        let quote = usize::from(self.raw().is_some());
        self.bytes().get(span.start.saturating_sub(quote)..span.end + quote).unwrap_or_default()
    }

    /// Shows the key code and the value of every field of the object, which ends before `end`.
    #[inline]
    fn walk(self, end: u32, mut look: impl FnMut(u8, u32)) {
        let mut at = self.index + 1;
        while at < end
            && let Some(name) = self.tape.entries.get(at as usize)
        {
            look(self.key_of(name), at + 1);
            at = name.next;
        }
    }

    /// The code of a key.
    #[inline]
    fn key_of(self, name: &Entry) -> u8 {
        match name.key {
            UNNAMED => Key::code_at(self.bytes(), name.start as usize, name.end as usize),
            key => key,
        }
    }

    /// The elements of an array, or the values of an object.
    #[inline]
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

    /// The fields of an object: key and value.
    pub fn fields(self) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
        let is_object = self.entry().is_some_and(|e| e.kind == Kind::Object);
        let mut values = is_object.then(|| self.children());
        std::iter::from_fn(move || {
            let value = values.as_mut()?.next()?;
            Some((self.node(value.index - 1), value))
        })
    }
}

impl<'a> View for Node<'a> {
    type Ids = SeenIds<'a>;

    #[inline]
    fn kind(&self) -> Kind {
        self.entry().map_or(Kind::Missing, |e| e.kind)
    }
    #[inline]
    fn get(&self, key: Key) -> Self {
        let Some(object) = self.entry().filter(|e| e.kind == Kind::Object) else {
            return self.node(NOWHERE);
        };
        let value = if object.next - self.index <= SMALL {
            let mut found = None;
            // No early end: the last one counts, as for `JSON.parse`.
            self.walk(object.next, |name, value| {
                if name == code(key) {
                    found = Some(value);
                }
            });
            found
        } else {
            let object = self.tape.places.of(self.index, |places| {
                self.walk(object.next, |name, value| places.put(name, value));
            });
            object.and_then(|places| places.get(code(key)))
        };
        self.node(value.unwrap_or(NOWHERE))
    }
    fn len(&self) -> usize {
        if self.kind() == Kind::Array { self.children().count() } else { 0 }
    }
    fn at(&self, index: usize) -> Self {
        let element = if self.kind() == Kind::Array { self.children().nth(index) } else { None };
        element.unwrap_or_else(|| self.node(NOWHERE))
    }
    fn number(&self) -> f64 {
        let raw = if self.kind() == Kind::Number { self.bytes().get(self.span()) } else { None };
        raw.map_or(f64::NAN, number::double)
    }
    #[inline]
    fn word(&self) -> Option<Word> {
        let span = self.entry().filter(|e| e.kind.is_string())?;
        if self.is_escaped() {
            return Word::parse(&self.str()?);
        }
        Word::at(self.bytes(), span.start as usize, span.end as usize)
    }
    fn text(&self) -> Option<Cow<'_, str>> {
        self.str()
    }
    fn text_start(&self, most: usize) -> Cow<'_, str> {
        let raw = self.raw().unwrap_or_default();
        self.piece(raw.get(..most).unwrap_or(raw))
    }
    fn text_end(&self, most: usize) -> Cow<'_, str> {
        let raw = self.raw().unwrap_or_default();
        self.piece(raw.get(raw.len().saturating_sub(most)..).unwrap_or_default())
    }
    fn units(&self) -> usize {
        let Some(raw) = self.raw() else { return 0 };
        match self.entry().map_or(0, |e| e.how & (ESCAPED | UNICODE | BEYOND)) {
            0 => raw.len(),
            ESCAPED => utf16_of_ascii(raw),
            _ => utf16_of_raw(raw),
        }
    }
    fn json_text(&self) -> Option<Cow<'_, str>> {
        self.entry()?;
        Some(compact::text(self.value()).into())
    }
    fn json_units(&self) -> usize {
        compact::units(self.value())
    }
    fn is_blank(&self) -> bool {
        self.raw().is_some_and(is_blank_string)
    }
    fn same(&self, other: &Self) -> bool {
        if !self.is_escaped() && !other.is_escaped() {
            return self.raw().zip(other.raw()).is_some_and(|(a, b)| same(a, b));
        }
        self.str().zip(other.str()).is_some_and(|(a, b)| a == b)
    }
    fn each_field(&self, look: &mut dyn FnMut(&str, &Self)) -> bool {
        // Of a name that occurs twice the last field counts, as for `JSON.parse`.
        let mut fields = SortedMap::new();
        for (key, value) in self.fields() {
            if let Some(name) = key.str() {
                fields.insert(name, value);
            }
        }
        for (name, value) in fields {
            look(&name, &value);
        }
        true
    }
    fn each(&self, limit: usize, look: &mut dyn FnMut(usize, &Self)) {
        if self.kind() == Kind::Array {
            for (index, element) in self.children().take(limit).enumerate() {
                look(index, &element);
            }
        }
    }
    fn note(&self, ids: &mut Self::Ids) -> bool {
        let Some(raw) = self.raw() else { return true };
        ids.insert(if self.is_plain() {
            Cow::Borrowed(raw)
        } else {
            bytes_of(self.str().unwrap_or_default())
        })
    }
}
