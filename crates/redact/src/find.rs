//! One walk over a text, by which every kind is found.

use super::byte_class::{is_base64, is_word};
use super::encoded_key::encoded_keys;
use super::haystack::{Haystack, LONGEST_ESCAPE};
use super::reading::Reading;
use super::registry::SECRET_KINDS;
use super::secret_kind::{Finder, KindIndex, MOST_KINDS, SecretKind};
use super::secret_name::{NamedBy, NamedSecret, ValueName, may_end, named_secret};
use super::stock_pair::is_stock;
use super::strength::{holds, is_evident, is_given};
use super::token_format::TokenFormat;
use super::token_formats::TOKEN_FORMATS;
use super::{assignment, command_password, cookie, header, named_value};
use apex_parts_model::{base64, order};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// A secret in a text.
#[derive(Clone, Debug)]
pub struct FoundSecret {
    /// Its kind.
    pub kind: &'static SecretKind,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Finds what should not be shared in a text, in order. The time is proportional to the text's length.
///
/// ```
/// let found = apex_parts_redact::find("mail alice@corp.example.io, PASSWORD=hunter2");
/// let names: Vec<_> = found.iter().map(|secret| secret.kind.name).collect();
/// assert_eq!(names, ["email", "password"]);
/// ```
#[must_use]
pub fn find(text: &str) -> Vec<FoundSecret> {
    let ranges = find_in(text.as_bytes(), None);
    let named = |(index, range): FoundRange| {
        let kind = SECRET_KINDS.get(index.0)?;
        Some(FoundSecret { kind, start: range.start, end: range.end })
    };
    ranges.into_iter().filter_map(named).collect()
}

/// The kind of a secret, and where it is.
type FoundRange = (KindIndex, Range<usize>);

/// More bytes than a mask has.
const LONGEST_MASK: usize = 64;

/// In the place of a kind: assignments, which are of several.
const ASSIGNED: usize = MOST_KINDS;

/// What is read where a byte stands.
enum StartReader {
    Token(TokenFormat),
    Anchor(&'static str, Finder),
    /// A value may be given to a name.
    Assignment,
}

/// A reader, and what it finds.
struct Start {
    /// At which of these places it reads: [`FRESH`], [`GLUED`], [`INNER`].
    places: u8,
    kind: KindIndex,
    reader: StartReader,
}

/// Where two bytes stand: where a word may begin.
const FRESH: u8 = 1;
/// Behind a `_` or a digit of a word.
const GLUED: u8 = 2;
/// Anywhere else in a word.
const INNER: u8 = 4;

/// So many pairs of bytes are told apart.
const PAIRS: usize = 1 << 14;

/// Two bytes with which something begins, 7 bits each. That others have the same bits does no harm.
fn pair(first: u8, second: u8) -> usize {
    (usize::from(first & 0x7f) << 7 | usize::from(second & 0x7f)) & (PAIRS - 1)
}

/// The bytes at which something may begin.
struct Starts {
    /// For each byte what of these holds: [`WORD`], [`GLUE`], [`AT_WORDS`], [`WITHIN`], [`BEHIND`], [`ANYWHERE`],
    /// [`ESCAPES`], [`ENDS`].
    when: [u8; 256],
    /// For each pair of bytes the places at which something begins with it.
    places: Box<[u8; PAIRS]>,
    /// For each pair of bytes the first link of those that read there; none has the number 0.
    first: Box<[u16; PAIRS]>,
    /// A reader, and the next link.
    links: Vec<(u16, u16)>,
    readers: Vec<Start>,
}

/// A letter or digit of ASCII, or a `_`: what begins with a letter does not begin behind it.
const WORD: u8 = 1;
/// Something begins with it where a word begins.
const AT_WORDS: u8 = 2;
/// Something begins with it anywhere.
const ANYWHERE: u8 = 4;
/// An escape or a code of a URL may begin.
const ESCAPES: u8 = 8;
/// A digit or a `_`: some tokens begin behind it.
const GLUE: u8 = 16;
/// Something that stands within a word begins with it.
const WITHIN: u8 = 32;
/// Something that stands behind a `_` or a digit begins with it.
const BEHIND: u8 = 64;
/// A name may end with it that tells a secret, or its quotation mark: a blank behind another is passed over.
const ENDS: u8 = 128;

impl Starts {
    fn new() -> Starts {
        let mut starts = Starts {
            when: [0; 256],
            places: Box::new([0; PAIRS]),
            first: Box::new([0; PAIRS]),
            links: vec![(0, 0)],
            readers: Vec::new(),
        };
        for (byte, when) in (0..=u8::MAX).zip(&mut starts.when) {
            let is_glue = byte == b'_' || byte.is_ascii_digit();
            let is_word = byte.is_ascii() && is_word(byte);
            *when = if is_glue { WORD | GLUE } else { u8::from(is_word) * WORD };
        }
        let mut kind = KindIndex(0);
        for line in TOKEN_FORMATS.lines() {
            if let Some(name) = line.strip_prefix('=') {
                kind = kind_index(name).unwrap_or(kind);
                continue;
            }
            let format = TokenFormat::new(line);
            let places = match (format.is_inside(), format.can_be_glued()) {
                (true, _) => FRESH | GLUED | INNER,
                (_, true) => FRESH | GLUED,
                _ => FRESH,
            };
            let anchor = format.anchor;
            let reader = starts.reader(places, kind, StartReader::Token(format));
            starts.add(anchor, |second| (second, second), reader);
        }
        for (index, kind) in SECRET_KINDS.iter().enumerate() {
            for (anchor, finder) in kind.anchors {
                let cases = |second: u8| (second.to_ascii_lowercase(), second.to_ascii_uppercase());
                let reader = StartReader::Anchor(anchor, *finder);
                let reader = starts.reader(FRESH, KindIndex(index), reader);
                starts.add(anchor, cases, reader);
                let first = anchor.as_bytes().first().copied().unwrap_or_default();
                if first.is_ascii_alphabetic() {
                    let mut other = (*anchor).to_owned();
                    other.replace_range(..1, char::from(first ^ 0x20).encode_utf8(&mut [0; 4]));
                    starts.add(&other, cases, reader);
                }
            }
        }
        let assigned = starts.reader(FRESH, KindIndex(ASSIGNED), StartReader::Assignment);
        for sign in ["=", ":", "--", "</", "\",", "',", " ", "\t"] {
            starts.add(sign, |second| (second, second), assigned);
        }
        let password = kind_named(NamedSecret::Password).unwrap_or(KindIndex(ASSIGNED));
        let mut seen: Vec<&str> = Vec::new();
        for name in command_password::names() {
            if !seen.iter().any(|other| name.starts_with(other)) {
                seen.push(name);
                let anchor = StartReader::Anchor(name, command_password::argument);
                let reader = starts.reader(FRESH, password, anchor);
                starts.add(name, |second| (second, second), reader);
            }
        }
        for byte in [b'\\', b'%'] {
            if let Some(when) = starts.when.get_mut(usize::from(byte)) {
                *when |= ESCAPES;
            }
        }
        for byte in *b"adeghklnstvwyADEGHKLNSTVWY0123456789\"'`" {
            if let Some(when) = starts.when.get_mut(usize::from(byte)) {
                *when |= ENDS;
            }
        }
        // It is passed over.
        starts.begin(b'd', b'a', FRESH);
        starts
    }

    fn reader(&mut self, places: u8, kind: KindIndex, reader: StartReader) -> usize {
        self.readers.push(Start { places, kind, reader });
        self.readers.len() - 1
    }

    /// Notes that something begins with these bytes at such places.
    fn begin(&mut self, first: u8, second: u8, places: u8) {
        if let Some(when) = self.when.get_mut(usize::from(first)) {
            *when |= if is_word(first) { AT_WORDS } else { ANYWHERE };
            *when |= if places & INNER == 0 { 0 } else { WITHIN };
            *when |= if places & GLUED == 0 { 0 } else { BEHIND };
        }
        if let Some(known) = self.places.get_mut(pair(first, second)) {
            *known |= places;
        }
    }

    fn add(&mut self, beginning: &str, cases: impl Fn(u8) -> (u8, u8), reader: usize) {
        let Some(places) = self.readers.get(reader).map(|start| start.places) else { return };
        let mut bytes = beginning.bytes();
        let first = bytes.next().unwrap_or_default();
        let Some((lower, upper)) = bytes.next().map(cases) else {
            (0..128).for_each(|second| self.link(first, second, places, reader));
            return;
        };
        self.link(first, lower, places, reader);
        if upper != lower {
            self.link(first, upper, places, reader);
        }
    }

    /// Adds a reader behind those of a pair of bytes.
    fn link(&mut self, first: u8, second: u8, places: u8, reader: usize) {
        self.begin(first, second, places);
        let added = u16::try_from(self.links.len()).unwrap_or_default();
        self.links.push((u16::try_from(reader).unwrap_or_default(), 0));
        let Some(head) = self.first.get_mut(pair(first, second)) else { return };
        let mut last = *head;
        if last == 0 {
            *head = added;
            return;
        }
        while let Some((_, next)) = self.links.get(usize::from(last)).filter(|link| link.1 != 0) {
            last = *next;
        }
        if let Some(link) = self.links.get_mut(usize::from(last)) {
            link.1 = added;
        }
    }

    /// Does something begin with these two bytes at such a place?
    #[inline]
    fn has(&self, first: u8, second: u8, place: u8) -> bool {
        self.places.get(pair(first, second)).is_some_and(|places| places & place != 0)
    }

    /// What reads where these two bytes stand, in the order of the registry.
    fn readers(&self, first: u8, second: u8) -> impl Iterator<Item = &Start> {
        let mut next = self.first.get(pair(first, second)).copied().unwrap_or_default();
        std::iter::from_fn(move || {
            let (reader, behind) = *self.links.get(usize::from(next)).filter(|_| next != 0)?;
            next = behind;
            self.readers.get(usize::from(reader))
        })
    }
}

/// The kind of this name.
fn kind_index(name: &str) -> Option<KindIndex> {
    SECRET_KINDS.iter().position(|kind| kind.name == name).map(KindIndex)
}

static STARTS: OnceLock<Starts> = OnceLock::new();

/// The same for bytes; `name` is that of the field whose value they are. A text is searched as its reader sees it, and
/// so is what a sequence of the terminal carries, as the address of a link.
pub(super) fn find_in(bytes: &[u8], name: Option<&ValueName<'_>>) -> Vec<FoundRange> {
    find_within(Haystack::new(bytes), name)
}

fn find_within(text: Haystack<'_>, name: Option<&ValueName<'_>>) -> Vec<FoundRange> {
    let bytes = text.bytes;
    let Some(reading) = Reading::new(bytes) else { return apart(walk(text, name)) };
    let read = Haystack { bytes: &reading.bytes, cuts: &reading.cuts, ..text };
    let read = apart(walk(read, name));
    let mut ranges: Vec<FoundRange> =
        read.into_iter().map(|(kind, range)| (kind, reading.in_text(&range))).collect();
    let count = ranges.len();
    for carried in &reading.carried {
        let inside = bytes.get(carried.clone()).unwrap_or_default();
        for (kind, range) in apart(walk(Haystack { bytes: inside, cuts: &[], ..text }, None)) {
            let range = carried.start + range.start..carried.start + range.end;
            let seen = ranges.get(..count).unwrap_or_default();
            let behind = seen.partition_point(|(_, other)| other.end <= range.start);
            if seen.get(behind).is_none_or(|(_, other)| other.start >= range.end) {
                ranges.push((kind, range));
            }
        }
    }
    order::sort_by(&mut ranges, |a, b| a.1.start.cmp(&b.1.start));
    ranges
}

fn walk(text: Haystack<'_>, name: Option<&ValueName<'_>>) -> Vec<FoundRange> {
    let mut ranges = Vec::new();
    let mut spans = Vec::new();
    encoded_keys(text, &mut spans);
    ranges.extend(spans.drain(..).map(|span| (KindIndex(0), span)));
    if let Some(name) = name {
        named_value(text, name, &mut ranges);
    }
    let starts = STARTS.get_or_init(Starts::new);
    // The place before which a kind has nothing more; the last is that of assignments.
    let mut done = [0_usize; MOST_KINDS + 1];
    let mut passed = 0;
    let mut before = 0;
    // The place up to which letters may belong to an escape.
    let mut escaped = 0;
    let mut cuts = text.cuts;
    let is_plain = cuts.is_empty();
    for (at, byte) in text.bytes.iter().copied().enumerate() {
        let when = starts.when.get(usize::from(byte)).copied().unwrap_or_default();
        let last = std::mem::replace(&mut before, when);
        if when & (AT_WORDS | ANYWHERE | ESCAPES) == 0 {
            continue;
        }
        if byte == b' ' && (last & ENDS == 0 || !may_end(text.bytes, at)) {
            continue;
        }
        // Most bytes are letters within words, at which nothing begins.
        let is_inside = last & WORD != 0 && when & (ANYWHERE | ESCAPES) == 0;
        let inside = if last & GLUE == 0 { INNER } else { GLUED };
        if is_inside && is_plain && at > escaped {
            let begins = if last & GLUE == 0 { WITHIN } else { BEHIND };
            if when & begins == 0 {
                continue;
            }
        }
        let next = text.at(at + 1).unwrap_or_default();
        if is_inside && is_plain && at > escaped && !starts.has(byte, next, inside) {
            continue;
        }
        while cuts.first().is_some_and(|cut| *cut < at) {
            cuts = cuts.get(1..).unwrap_or_default();
        }
        let is_cut = cuts.first() == Some(&at);
        if when & ESCAPES != 0 {
            escaped = at + LONGEST_ESCAPE;
        }
        let is_within = when & ANYWHERE == 0
            && last & WORD != 0
            && !is_cut
            && (at > escaped || !text.begins_word(at));
        let place = if is_within { inside } else { FRESH };
        if at < passed || !starts.has(byte, next, place) {
            continue;
        }
        if byte == b'd' && text.has(at, b"data:") {
            passed = after_data(text, at, &mut ranges);
            continue;
        }
        for start in starts.readers(byte, next) {
            if start.places & place == 0 {
                continue;
            }
            let Some(done) = done.get_mut(start.kind.0).filter(|done| **done <= at) else {
                continue;
            };
            let next = match &start.reader {
                StartReader::Token(format) => format.read(text, at, place == GLUED, &mut spans),
                StartReader::Anchor(anchor, finder) if text.has_any_case(at, anchor.as_bytes()) => {
                    finder(text, at, &mut spans)
                }
                StartReader::Anchor(..) => continue,
                StartReader::Assignment => {
                    let (value, next) = assignment::read(text, at);
                    let value = value.and_then(|(name, range)| Some((kind_named(name)?, range)));
                    let is_secret = |(_, range): &FoundRange| {
                        !is_stock(text, range) && !is_secret_of_aws(text, at)
                    };
                    ranges.extend(value.filter(is_secret));
                    next
                }
            };
            // Otherwise another reader of the kind may find something here.
            if next > at + 1 {
                *done = next;
            }
            if !spans.is_empty() {
                let spans = spans.drain(..).filter(|span| !is_stock(text, span));
                ranges.extend(spans.map(|span| (start.kind, span)));
            }
        }
    }
    if !ranges.is_empty() {
        leave_masks(text.bytes, &mut ranges);
    }
    ranges
}

/// Leaves out what touches a mask: it is no value, and nothing is looked for in it.
fn leave_masks(text: &[u8], ranges: &mut Vec<FoundRange>) {
    let end = |start: usize| {
        let mask = text.get(start..)?.get(..LONGEST_MASK.min(text.len() - start))?;
        Some(start + memchr::memchr(b']', mask)? + 1)
    };
    let starts = memchr::memmem::find_iter(text, b"[redacted ");
    let masks: Vec<Range<usize>> = starts.filter_map(|start| Some(start..end(start)?)).collect();
    ranges.retain(|(_, range)| {
        let behind = masks.partition_point(|mask| mask.end <= range.start);
        masks.get(behind).is_none_or(|mask| mask.start >= range.end)
    });
}

/// The kind of secrets that a name tells.
fn kind_named(name: NamedSecret) -> Option<KindIndex> {
    kind_index(name.kind())
}

/// `arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME` has the name of a secret behind its last colon.
fn is_secret_of_aws(text: Haystack<'_>, at: usize) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-');
    let resource = text.slice(text.run_back(at, 128, is_inside)..at);
    resource.ends_with(b":secret") && holds(resource, b"secretsmanager:")
}

/// The most digits of base64 that are decoded: a megabyte.
const MOST_DIGITS: usize = (1 << 20) / 3 * 4;

/// Where the data of a URL ends: a picture is not searched, nor is what is base64, unless it is a text. A text with a
/// secret in it is one.
fn after_data(text: Haystack<'_>, at: usize, found: &mut Vec<FoundRange>) -> usize {
    let is_type = |byte: u8| byte.is_ascii_alphanumeric() || b"/+.;=-:".contains(&byte);
    let comma = text.run(at, 128, is_type);
    let head = text.slice(at..comma);
    if text.at(comma) != Some(b',') {
        return at + 1;
    }
    if head.ends_with(b";base64") {
        let end = text.run(comma + 1, usize::MAX, is_base64);
        if !text.is_decoded && (head.starts_with(b"data:text/") || holds(head, b"json")) {
            let digits = text.slice(comma + 1..end.min(comma + MOST_DIGITS));
            let bytes = base64::decode(digits);
            let inside = find_within(Haystack { is_decoded: true, ..Haystack::new(&bytes) }, None);
            let kind = inside.into_iter().map(|(kind, _)| kind).min();
            found.extend(kind.map(|kind| (kind, comma + 1..end)));
        }
        return end;
    }
    if head.starts_with(b"data:image/") {
        let is_inside = |byte: u8| byte > b' ' && !matches!(byte, b'"' | b'\'' | b')' | b'>');
        return text.run(comma + 1, usize::MAX, is_inside);
    }
    at + 1
}

/// What a name says of the value that is the text.
fn named_value(text: Haystack<'_>, named: &ValueName<'_>, found: &mut Vec<FoundRange>) {
    let bytes = text.bytes;
    let told = match named.by {
        NamedBy::Keeper => Some(NamedSecret::Key),
        NamedBy::Cookie => Some(NamedSecret::Cookie),
        _ => named_secret(&named.name),
    };
    let Some(kind) = told else { return };
    let mut spans = Vec::new();
    match (named.by, kind) {
        (NamedBy::Cookie, _) => {
            spans.extend(cookie::is_session(&named.name, bytes).then_some(0..bytes.len()));
        }
        (_, NamedSecret::Authorization) => spans.extend(header::credential(text, 0)),
        (_, NamedSecret::Cookie) => drop(cookie::pairs(text, 0, &mut spans)),
        (by, _) => {
            let has_space = bytes.iter().any(u8::is_ascii_whitespace);
            let is_one = match by {
                NamedBy::Keeper => is_given(bytes),
                NamedBy::Beside => !has_space && named_value::is_given_as(kind, bytes),
                NamedBy::Element => is_evident(bytes),
                _ => !has_space && named_value::is_secret(kind, bytes),
            };
            if is_one {
                spans.push(0..bytes.len());
            }
        }
    }
    if let Some(index) = kind_named(kind) {
        found.extend(spans.into_iter().map(|span| (index, span)));
    }
}

/// Of those that overlap the one of the first kind; all in the order of their places.
fn apart(mut found: Vec<FoundRange>) -> Vec<FoundRange> {
    if found.len() < 2 {
        return found;
    }
    order::sort_by(&mut found, |a, b| (a.0, a.1.start).cmp(&(b.0, b.1.start)));
    let mut taken: BTreeMap<usize, (usize, KindIndex)> = BTreeMap::new();
    for (kind, range) in found {
        let before = taken.range(..range.end).next_back();
        if before.is_none_or(|(_, (end, _))| *end <= range.start) {
            taken.insert(range.start, (range.end, kind));
        }
    }
    taken.into_iter().map(|(start, (end, kind))| (kind, start..end)).collect()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod lists;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
