//! The bytes at which something may begin, and the walk from one such place to the next.

use super::byte_class::is_word;
use super::command_password;
use super::haystack::{Haystack, LONGEST_ESCAPE};
use super::registry::SECRET_KINDS;
use super::secret_kind::{Finder, KindIndex, MOST_KINDS};
use super::secret_name::{NamedSecret, may_end};
use super::token_format::TokenFormat;
use super::token_formats::TOKEN_FORMATS;
use std::sync::OnceLock;

/// In the place of a kind: assignments, which are of several.
const ASSIGNED: usize = MOST_KINDS;

/// What is read where a byte stands.
pub(super) enum StartReader {
    Token(TokenFormat),
    Anchor(&'static str, Finder),
    /// A value may be given to a name.
    Assignment,
}

/// A reader, and what it finds.
pub(super) struct Start {
    /// At which of these places it reads: [`FRESH`], [`GLUED`], [`INNER`].
    places: u8,
    /// The first four bytes at which it reads, in the order of a number, and the bits of them that count.
    head: u32,
    mask: u32,
    pub(super) kind: KindIndex,
    pub(super) reader: StartReader,
}

/// Where two bytes stand: where a word may begin.
pub(super) const FRESH: u8 = 1;
/// Behind a `_` or a digit of a word.
pub(super) const GLUED: u8 = 2;
/// Anywhere else in a word.
pub(super) const INNER: u8 = 4;
/// Behind a byte with which a name may end that tells a secret, or its quotation mark.
const NAMED: u8 = 8;
/// By so many bits the place behind a byte stands above those at which something begins with it.
const BEHIND: u32 = 4;

/// So many pairs of bytes are told apart.
const PAIRS: usize = 1 << 14;

/// Two bytes with which something begins, 7 bits each. That others have the same bits does no harm.
fn pair(first: u8, second: u8) -> usize {
    (usize::from(first & 0x7f) << 7 | usize::from(second & 0x7f)) & (PAIRS - 1)
}

/// The bytes at which something may begin.
struct Starts {
    /// For each byte the places at which something may begin with it, and [`BEHIND`] them what place is behind it.
    bytes: [u8; 256],
    /// For each pair of bytes the places at which something begins with it.
    places: Box<[u8; PAIRS]>,
    /// For each pair of bytes the first link of those that read there; none has the number 0.
    first: Box<[u16; PAIRS]>,
    /// A reader, and the next link.
    links: Vec<(u16, u16)>,
    readers: Vec<Start>,
}

/// May an escape or a code of a URL begin with it?
fn begins_escape(byte: u8) -> bool {
    matches!(byte, b'\\' | b'%')
}

/// A letter or digit of ASCII, or a `_`: what begins with a letter does not begin behind it.
fn is_ascii_word(byte: u8) -> bool {
    byte.is_ascii() && is_word(byte)
}

/// The place behind a byte.
fn behind(byte: u8) -> u8 {
    let place = match byte {
        b'_' | b'0'..=b'9' => GLUED,
        byte if is_ascii_word(byte) => INNER,
        _ => FRESH,
    };
    let ends_name = b"adeghklnstvwyADEGHKLNSTVWY0123456789\"'`".contains(&byte);
    place | if ends_name { NAMED } else { 0 }
}

impl Starts {
    fn new() -> Starts {
        let mut starts = Starts {
            bytes: [0; 256],
            places: Box::new([0; PAIRS]),
            first: Box::new([0; PAIRS]),
            links: vec![(0, 0)],
            readers: Vec::new(),
        };
        for (byte, known) in (0..=u8::MAX).zip(&mut starts.bytes) {
            *known = behind(byte) << BEHIND;
            if begins_escape(byte) {
                *known |= FRESH | GLUED | INNER;
            }
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
        // It is passed over.
        starts.begin(b'd', b'a', FRESH);
        starts
    }

    fn reader(&mut self, places: u8, kind: KindIndex, reader: StartReader) -> usize {
        let (beginning, letters) = match &reader {
            StartReader::Token(format) => (format.anchor, 0xff),
            // In any case of letters.
            StartReader::Anchor(anchor, _) => (*anchor, 0xdf),
            StartReader::Assignment => ("", 0),
        };
        let (mut head, mut mask) = ([0; 4], [0; 4]);
        for ((head, mask), byte) in head.iter_mut().zip(&mut mask).zip(beginning.bytes()) {
            *mask = if byte.is_ascii_alphabetic() { letters } else { 0xff };
            *head = byte & *mask;
        }
        let (head, mask) = (u32::from_le_bytes(head), u32::from_le_bytes(mask));
        self.readers.push(Start { places, head, mask, kind, reader });
        self.readers.len() - 1
    }

    /// Notes that something begins with these bytes at such places.
    fn begin(&mut self, first: u8, second: u8, places: u8) {
        if let Some(known) = self.bytes.get_mut(usize::from(first)) {
            *known |= match first {
                // A blank behind anything else is passed over.
                b' ' => NAMED,
                first if is_ascii_word(first) => places,
                _ => FRESH | GLUED | INNER,
            };
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

    fn byte(&self, byte: u8) -> u8 {
        self.bytes.get(usize::from(byte)).copied().unwrap_or_default()
    }
}

static STARTS: OnceLock<Starts> = OnceLock::new();

/// Goes through a text from one place at which something may begin to the next.
pub(super) struct Scan<'t> {
    text: Haystack<'t>,
    starts: &'static Starts,
    /// Where it goes on.
    at: usize,
    /// The place up to which letters may belong to an escape.
    escaped: usize,
    /// What was left out from there on.
    cuts: &'t [usize],
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: Haystack<'t>) -> Scan<'t> {
        let starts = STARTS.get_or_init(Starts::new);
        Scan { text, starts, at: 0, escaped: 0, cuts: text.cuts }
    }

    /// Goes on here, where nothing before is looked at.
    pub(super) fn go_on(&mut self, at: usize) {
        self.at = at;
    }

    /// The next place, and which of [`FRESH`], [`GLUED`] and [`INNER`] it is.
    #[inline(never)] // A loop over every byte, of few variables.
    pub(super) fn next(&mut self) -> Option<(usize, u8)> {
        let (bytes, starts) = (self.text.bytes, self.starts);
        while self.cuts.first().is_some_and(|cut| *cut < self.at) {
            self.cuts = self.cuts.get(1..).unwrap_or_default();
        }
        let mut at = self.at;
        let mut place = self.text.before(at).map_or(FRESH, behind);
        loop {
            let cut = self.cuts.first().copied().unwrap_or(usize::MAX);
            if at > self.escaped && at != cut {
                // Most bytes are letters within words, at which nothing begins.
                let rest = bytes.get(at..cut.min(bytes.len()))?;
                let skipped = rest.iter().position(|byte| {
                    let known = starts.byte(*byte);
                    let is_start = known & place != 0;
                    place = if is_start { place } else { known >> BEHIND };
                    is_start
                });
                at += skipped.unwrap_or(rest.len());
            }
            let byte = *bytes.get(at)?;
            let before = std::mem::replace(&mut place, starts.byte(byte) >> BEHIND);
            let is_cut = at == cut;
            if is_cut {
                self.cuts = self.cuts.get(1..).unwrap_or_default();
            }
            if begins_escape(byte) {
                self.escaped = at + LONGEST_ESCAPE;
            }
            let here = at;
            at += 1;
            let next = self.text.at(at).unwrap_or_default();
            let places = starts.places.get(pair(byte, next)).copied().unwrap_or_default();
            if places == 0 {
                continue;
            }
            if byte == b' ' && (before & NAMED == 0 || !may_end(bytes, here)) {
                continue;
            }
            let is_fresh = place & FRESH != 0
                || before & FRESH != 0
                || is_cut
                || (here <= self.escaped && self.text.begins_word(here));
            let found = if is_fresh { FRESH } else { before & (GLUED | INNER) };
            if places & found != 0 {
                self.at = at;
                return Some((here, found));
            }
        }
    }

    /// What reads at a place of this sort, in the order of the registry.
    pub(super) fn readers(&self, at: usize, place: u8) -> impl Iterator<Item = &'static Start> {
        let starts = self.starts;
        let mut beginning = [0; 4];
        for (to, byte) in beginning.iter_mut().zip(self.text.bytes.get(at..).unwrap_or_default()) {
            *to = *byte;
        }
        let [first, second, ..] = beginning;
        let beginning = u32::from_le_bytes(beginning);
        let mut next = starts.first.get(pair(first, second)).copied().unwrap_or_default();
        std::iter::from_fn(move || {
            loop {
                let (reader, behind) =
                    *starts.links.get(usize::from(next)).filter(|_| next != 0)?;
                next = behind;
                let start = starts.readers.get(usize::from(reader))?;
                if start.places & place != 0 && beginning & start.mask == start.head {
                    return Some(start);
                }
            }
        })
    }
}

/// The kind of this name.
fn kind_index(name: &str) -> Option<KindIndex> {
    SECRET_KINDS.iter().position(|kind| kind.name == name).map(KindIndex)
}

/// The kind of secrets that a name tells.
pub(super) fn kind_named(name: NamedSecret) -> Option<KindIndex> {
    kind_index(name.kind())
}
