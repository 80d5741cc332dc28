//! A reader of JSON that makes no values: a **tape** of spans, 16 bytes each, over the bytes of one
//! document. It checks the whole grammar (RFC 8259), nests as deep as [`MAX_DEPTH`] without
//! recursion, can stop where the bytes end and go on where there are more, and answers what a rule
//! asks through [`View`].

use super::places::Places;
use crate::model::{Key, Kind, View, Word};
use crate::wire::block::{self, BEYOND, ESCAPED, Stop};
use crate::wire::scan::{self, skip_space};
use crate::wire::utf8;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Deeper nesting than this is a [`Fault`].
pub const MAX_DEPTH: usize = 16_384;
/// The string is a key.
const KEY: u8 = 1 << 7;
/// More values, keys among them, are a [`Fault`]: the tape would take more memory than the document.
pub const MAX_VALUES: usize = 1 << 24;
/// A number of more digits is a [`Fault`].
const LONGEST_NUMBER: usize = 1 << 14;

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
    /// How a string is written: see [`block`]; and whether it is a key.
    how: u8,
    /// The key that a string is, one more than its number, or 0.
    key: u8,
    start: u32,
    end: u32,
    /// The entry behind this one and all that is in it; for a key behind its value as well.
    next: u32,
}

/// The spans of one JSON document. Use one tape for many documents: it keeps its memory.
#[derive(Debug, Default)]
pub struct Tape {
    entries: Vec<Entry>,
    open: Vec<u32>,
    /// Where to go on, and with what.
    at: usize,
    want: Want,
    /// A string of which only the beginning was there.
    begun: Option<Begun>,
    /// Where the first bytes stand that are no UTF-8.
    invalid: Option<usize>,
    places: Places,
}

#[derive(Clone, Copy, Debug)]
struct Begun {
    start: usize,
    at: usize,
    how: u8,
}

/// What the reader waits for.
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

/// Where the reader is.
struct Place {
    at: usize,
    want: Want,
    in_object: bool,
}

impl Place {
    /// The next byte that is no white space, and where it stands.
    #[inline]
    fn next(&mut self, bytes: &[u8]) -> Result<(usize, u8), Fault> {
        self.at = skip_space(bytes, self.at);
        match bytes.get(self.at) {
            Some(byte) => Ok((self.at, *byte)),
            None => Err(Fault { what: CUT, offset: self.at, cut: true }),
        }
    }

    /// There is a comma.
    #[inline]
    fn comma(&mut self) {
        self.at += 1;
        self.want = if self.in_object { Want::Key } else { Want::Value };
    }
}

const CUT: &str = "the document is cut off";

#[allow(clippy::cast_possible_truncation)] // the keys are fewer
const fn code(key: Key) -> u8 {
    key as u8 + 1
}

impl Tape {
    /// Reads the document that starts in `bytes` at `at` (white space before it is skipped) and
    /// gives the offset behind it.
    ///
    /// # Errors
    /// A [`Fault`] where the bytes are no JSON; the tape is empty then.
    pub fn read(&mut self, bytes: &[u8], at: usize) -> Result<usize, Fault> {
        self.begin(at);
        let result = self.go_on(bytes, false);
        if result.is_err() {
            self.entries.clear();
        }
        result
    }

    /// A document begins at this offset.
    pub fn begin(&mut self, at: usize) {
        self.entries.clear();
        self.open.clear();
        self.places.forget();
        (self.at, self.want, self.begun, self.invalid) = (at, Want::Value, None, None);
    }

    /// Reads the document that has begun, as far as there are bytes, and gives the offset behind
    /// it. `bytes` are those of before, and those that came since; `more` says that others may
    /// follow.
    ///
    /// # Errors
    /// A [`Fault`]; where it is `cut` and more bytes come, this can be called again.
    pub fn go_on(&mut self, bytes: &[u8], more: bool) -> Result<usize, Fault> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(fault("a document of 4 GB or more", self.at));
        }
        // Kept at hand for the loop, and put back for the next call.
        let mut place = Place { at: self.at, want: self.want, in_object: self.in_object() };
        let result = self.fill(bytes, more, &mut place);
        (self.at, self.want) = (place.at, place.want);
        result
    }

    #[inline]
    fn fill(&mut self, bytes: &[u8], more: bool, place: &mut Place) -> Result<usize, Fault> {
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
                        return Err(fault("nested too deep", at));
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
                (Want::Key, _) => return Err(fault("expected a key in double quotes", at)),
                (Want::KeyOrEnd, _) => return Err(fault("expected a key or `}`", at)),
                (Want::Colon, _) => return Err(fault("expected `:`", at)),
                (Want::CommaOrEnd, _) => return Err(fault("expected `,` or the end", at)),
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

    /// The document that was read last, in the same bytes.
    #[must_use]
    pub fn root<'a>(&'a self, bytes: &'a [u8]) -> Node<'a> {
        Node { tape: self, bytes, index: 0 }
    }

    /// Where the first bytes stand in it that are no UTF-8.
    #[must_use]
    pub fn invalid(&self) -> Option<usize> {
        self.invalid
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // go_on and MAX_VALUES see to it
    fn push(
        &mut self,
        kind: Kind,
        start: usize,
        end: usize,
        how: u8,
        key: u8,
    ) -> Result<(), Fault> {
        let count = self.entries.len();
        if count >= MAX_VALUES {
            return Err(fault("more than 16,777,216 values", start));
        }
        let (start, end, next) = (start as u32, end as u32, count as u32 + 1);
        self.entries.push(Entry { kind, how, key, start, end, next });
        Ok(())
    }

    /// A value of one entry has been pushed: if it has a key, that reaches behind it.
    #[inline]
    fn pushed(&mut self) {
        #[allow(clippy::cast_possible_truncation)] // as in push
        let next = self.entries.len() as u32;
        if let [.., before, _] = self.entries.as_mut_slice()
            && before.how & KEY != 0
        {
            before.next = next;
        }
    }

    /// Is what is open an object?
    #[inline]
    fn in_object(&self) -> bool {
        let open = self.open.last().and_then(|i| self.entries.get(*i as usize));
        open.is_some_and(|e| e.kind == Kind::Object)
    }

    #[inline]
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

    fn scalar(&mut self, bytes: &[u8], at: usize, byte: u8, more: bool) -> Result<usize, Fault> {
        let (kind, end) = match byte {
            b't' => (Kind::True, literal(bytes, at, b"true")?),
            b'f' => (Kind::False, literal(bytes, at, b"false")?),
            b'n' => (Kind::Null, literal(bytes, at, b"null")?),
            b'-' | b'0'..=b'9' => {
                let end = number(bytes, at)?;
                if more && end == bytes.len() {
                    // More digits may follow.
                    return Err(Fault { what: CUT, offset: at, cut: true });
                }
                (Kind::Number, end)
            }
            _ => return Err(fault("expected a value", at)),
        };
        self.push(kind, at, end, 0, 0)?;
        self.pushed();
        Ok(end)
    }

    /// The string whose quote is at `at`; the span is what is between the quotes.
    #[inline]
    fn string(&mut self, bytes: &[u8], at: usize, is_key: bool) -> Result<usize, Fault> {
        // Most strings are short and plain, keys above all.
        match block::short(bytes, at + 1) {
            Some(end) if self.begun.is_none() => {
                let start = at + 1;
                let kind = if end == start { Kind::EmptyString } else { Kind::String };
                if is_key {
                    self.push(kind, start, end, KEY, Key::code_at(bytes, start, end))?;
                } else {
                    self.push(kind, start, end, 0, 0)?;
                    self.pushed();
                }
                Ok(end + 1)
            }
            _ => self.long_string(bytes, at, is_key),
        }
    }

    /// The same for any string.
    #[inline(never)]
    fn long_string(&mut self, bytes: &[u8], at: usize, is_key: bool) -> Result<usize, Fault> {
        let (start, at, mut how) = match self.begun.take() {
            Some(Begun { start, at, how }) => (start, at, how),
            None => (at + 1, at + 1, 0),
        };
        let end = match block::string(bytes, at, &mut how) {
            Ok(end) => end,
            Err(stop) => return Err(self.stopped(stop, start, how)),
        };
        if how & BEYOND != 0 {
            self.check_utf8(bytes, start, end);
        }
        let kind = if end == start { Kind::EmptyString } else { Kind::String };
        if is_key {
            let raw = bytes.get(start..end).unwrap_or_default();
            let text =
                if how & ESCAPED == 0 { Cow::Borrowed(raw) } else { bytes_of(unescape(raw)) };
            self.push(kind, start, end, how | KEY, Key::code_of(&text))?;
        } else {
            self.push(kind, start, end, how, 0)?;
            self.pushed();
        }
        Ok(end + 1)
    }

    #[cold]
    fn stopped(&mut self, stop: Stop, start: usize, how: u8) -> Fault {
        match stop {
            Stop::Wrong(what, at) => fault(what, at),
            Stop::Cut(at) => {
                self.begun = Some(Begun { start, at, how });
                Fault { what: "the string is cut off", offset: at, cut: true }
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

fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn fault(what: &'static str, offset: usize) -> Fault {
    Fault { what, offset, cut: false }
}

fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Fault> {
    let rest = bytes.get(at..).unwrap_or_default();
    if rest.starts_with(word) {
        return Ok(at + word.len());
    }
    Err(Fault { what: "expected a value", offset: at, cut: word.starts_with(rest) })
}

fn digits(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let end = scan::skip_digits(bytes, at);
    if end - at > LONGEST_NUMBER {
        return Err(fault("a number of more than 16,384 digits", at));
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

/// What a JSON number says.
fn number_of(raw: &[u8]) -> f64 {
    // Most are whole and short: times, counts.
    if let Some(whole) = short_whole(raw) {
        #[allow(clippy::cast_precision_loss)] // below 2^53
        return whole as f64;
    }
    std::str::from_utf8(raw).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// A number of at most fifteen digits, and of nothing else.
fn short_whole(raw: &[u8]) -> Option<i64> {
    const EXACT: usize = 15;
    if raw.len() > EXACT {
        return None;
    }
    let (eights, rest) = raw.as_chunks::<8>();
    let mut whole = 0_i64;
    for eight in eights {
        let word = u64::from_le_bytes(*eight);
        if scan::no_digits(word) != 0 {
            return None;
        }
        whole = whole * 100_000_000 + eight_digits(word);
    }
    for byte in rest {
        whole = whole * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    Some(whole)
}

/// Eight digits, the first one lowest: neighbours are joined to pairs, pairs to fours, those to all.
const fn eight_digits(word: u64) -> i64 {
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    const FOURS: u64 = 0x0000_ffff_0000_ffff;
    let ones = word & (0x0f * 0x0101_0101_0101_0101);
    let pairs = (ones * 10 + (ones >> 8)) & PAIRS;
    let fours = (pairs * 100 + (pairs >> 16)) & FOURS;
    ((fours * 10_000 + (fours >> 32)) & 0xffff_ffff).cast_signed()
}

/// The ids that were seen: as a rule each is greater than the one before.
#[derive(Debug, Default)]
pub struct Seen<'a> {
    ascending: Vec<Cow<'a, [u8]>>,
    others: BTreeSet<Cow<'a, [u8]>>,
}

impl<'a> Seen<'a> {
    /// False where it was there.
    fn insert(&mut self, id: Cow<'a, [u8]>) -> bool {
        match self.ascending.last() {
            Some(last) if !scan::is_less(last, &id) => {
                self.ascending.binary_search(&id).is_err() && self.others.insert(id)
            }
            _ => {
                self.ascending.push(id);
                true
            }
        }
    }
}

/// A value on a [`Tape`].
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    tape: &'a Tape,
    bytes: &'a [u8],
    index: u32,
}

const NOWHERE: u32 = u32::MAX;
/// Objects of so few entries are walked whenever they are asked.
const SMALL: u32 = 7;

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

    /// The bytes of a string as they stand in the file, escapes and all; `None` for other values.
    #[must_use]
    pub fn raw(self) -> Option<&'a [u8]> {
        let entry = self.entry().filter(|e| e.kind.is_string())?;
        self.bytes.get(entry.start as usize..entry.end as usize)
    }

    /// Has the string escapes?
    #[must_use]
    pub fn is_escaped(self) -> bool {
        self.entry().is_some_and(|e| e.how & ESCAPED != 0)
    }

    /// The string's text with the life of the bytes.
    #[must_use]
    pub fn str(self) -> Option<Cow<'a, str>> {
        let raw = self.raw()?;
        Some(if self.is_escaped() { unescape(raw) } else { String::from_utf8_lossy(raw) })
    }

    /// The value as JSON, as it stands in the file.
    #[must_use]
    pub fn json(self) -> &'a [u8] {
        let span = self.span();
        let quote = usize::from(self.raw().is_some());
        self.bytes.get(span.start.saturating_sub(quote)..span.end + quote).unwrap_or_default()
    }

    /// Shows the key and the value of every field of the object that ends before `end`.
    #[inline]
    fn walk(self, end: u32, mut look: impl FnMut(u8, u32)) {
        let mut at = self.index + 1;
        while at < end
            && let Some(name) = self.tape.entries.get(at as usize)
        {
            look(name.key, at + 1);
            at = name.next;
        }
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
    type Ids = Seen<'a>;

    fn kind(&self) -> Kind {
        self.entry().map_or(Kind::Missing, |e| e.kind)
    }
    fn get(&self, key: Key) -> Self {
        let Some(object) = self.entry().filter(|e| e.kind == Kind::Object) else {
            return self.node(NOWHERE);
        };
        let value = if object.next - self.index <= SMALL {
            let mut found = None;
            // And on: the last one counts, as for `JSON.parse`.
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
        let raw = if self.kind() == Kind::Number { self.bytes.get(self.span()) } else { None };
        raw.map_or(f64::NAN, number_of)
    }
    fn word(&self) -> Option<Word> {
        let span = self.entry().filter(|e| e.kind.is_string())?;
        if self.is_escaped() {
            return Word::parse(&self.str()?);
        }
        Word::at(self.bytes, span.start as usize, span.end as usize)
    }
    fn text(&self) -> Option<Cow<'_, str>> {
        self.str()
    }
    fn is_blank(&self) -> bool {
        self.str().is_some_and(|text| crate::model::value::is_blank(&text))
    }
    fn same(&self, other: &Self) -> bool {
        if !self.is_escaped() && !other.is_escaped() {
            return self.raw().zip(other.raw()).is_some_and(|(a, b)| scan::same(a, b));
        }
        self.str().zip(other.str()).is_some_and(|(a, b)| a == b)
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
        let Some(raw) = self.raw() else { return true };
        let is_plain = self.entry().is_some_and(|e| e.how & (ESCAPED | BEYOND) == 0);
        ids.insert(if is_plain {
            Cow::Borrowed(raw)
        } else {
            bytes_of(self.str().unwrap_or_default())
        })
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
