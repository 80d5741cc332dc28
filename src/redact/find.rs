//! One walk over a text, by which every kind is found.

use super::haystack::{Haystack, is_base64, is_word};
use super::registry::SECRET_KINDS;
use super::secret_kind::{Finder, KindIndex, KnownToken, MOST_KINDS, SecretKind};
use super::secret_name::{NamedSecret, named_secret};
use super::{assignment, cookie, header, known_token};
use crate::model::order;
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
/// let found = apex_parts::redact::find("mail alice@corp.example.io, PASSWORD=hunter2");
/// let names: Vec<_> = found.iter().map(|secret| secret.kind.name).collect();
/// assert_eq!(names, ["email", "password"]);
/// ```
#[must_use]
pub fn find(text: &str) -> Vec<FoundSecret> {
    let found = find_in(text.as_bytes(), None);
    let named = |(index, range): (KindIndex, Range<usize>)| {
        let kind = SECRET_KINDS.get(index.0)?;
        Some(FoundSecret { kind, start: range.start, end: range.end })
    };
    found.into_iter().filter_map(named).collect()
}

/// What is read where a byte stands.
enum StartReader {
    Token(&'static KnownToken),
    Anchor(&'static str, Finder),
}

/// A reader, and what tells at once that it has nothing to read: the second byte, in both cases of letters.
struct Start {
    second: Option<(u8, u8)>,
    kind: KindIndex,
    reader: StartReader,
}

/// The bytes at which something may begin.
struct Starts {
    /// For each byte: 0, nothing; [`AT_WORDS`], only where a word begins; [`ANYWHERE`].
    when: [u8; 256],
    readers: Vec<Vec<Start>>,
}

const AT_WORDS: u8 = 1;
const ANYWHERE: u8 = 2;

impl Starts {
    fn new() -> Starts {
        let mut starts = Starts { when: [0; 256], readers: Vec::new() };
        starts.readers.resize_with(256, Vec::new);
        for (index, kind) in SECRET_KINDS.iter().enumerate() {
            let kind_index = KindIndex(index);
            for token in kind.tokens {
                starts.add(
                    token.prefix,
                    kind_index,
                    |second| (second, second),
                    || StartReader::Token(token),
                );
            }
            for (anchor, finder) in kind.anchors {
                let cases = |second: u8| (second.to_ascii_lowercase(), second.to_ascii_uppercase());
                let reader = || StartReader::Anchor(anchor, *finder);
                starts.add(anchor, kind_index, cases, reader);
                let first = anchor.as_bytes().first().copied().unwrap_or_default();
                if first.is_ascii_alphabetic() {
                    let rest = anchor.get(1..).unwrap_or_default();
                    let other = char::from(first ^ 0x20);
                    starts.add(&format!("{other}{rest}"), kind_index, cases, reader);
                }
            }
        }
        // For `data:`, which is passed over.
        if let Some(when) = starts.when.get_mut(usize::from(b'd')) {
            *when |= AT_WORDS;
        }
        starts
    }

    fn add(
        &mut self,
        beginning: &str,
        kind: KindIndex,
        cases: impl Fn(u8) -> (u8, u8),
        reader: impl Fn() -> StartReader,
    ) {
        let mut bytes = beginning.bytes();
        let first = bytes.next().unwrap_or_default();
        let at = usize::from(first);
        if let (Some(when), Some(readers)) = (self.when.get_mut(at), self.readers.get_mut(at)) {
            *when |= if is_word(first) { AT_WORDS } else { ANYWHERE };
            readers.push(Start { second: bytes.next().map(cases), kind, reader: reader() });
        }
    }
}

static STARTS: OnceLock<Starts> = OnceLock::new();

/// The same for bytes; `name` is that of the field whose value they are.
pub(super) fn find_in(bytes: &[u8], name: Option<&[u8]>) -> Vec<(KindIndex, Range<usize>)> {
    let text = Haystack(bytes);
    let mut found = Vec::new();
    if let Some(name) = name {
        named_value(text, name, &mut found);
    }
    let starts = STARTS.get_or_init(Starts::new);
    // The place before which a kind has nothing more.
    let mut done = [0_usize; MOST_KINDS];
    let mut spans = Vec::new();
    let mut passed = 0;
    let mut before = 0;
    for (at, byte) in bytes.iter().copied().enumerate() {
        let last = std::mem::replace(&mut before, byte);
        let when = starts.when.get(usize::from(byte)).copied().unwrap_or_default();
        if when == 0 || at < passed || (when == AT_WORDS && is_word(last) && !text.begins_word(at))
        {
            continue;
        }
        if byte == b'd' && text.has(at, b"data:") {
            passed = after_data(text, at);
            continue;
        }
        let next = text.at(at + 1).unwrap_or_default();
        for start in starts.readers.get(usize::from(byte)).into_iter().flatten() {
            if start.second.is_some_and(|(lower, upper)| next != lower && next != upper) {
                continue;
            }
            let Some(done) = done.get_mut(start.kind.0).filter(|done| **done <= at) else {
                continue;
            };
            let next = match &start.reader {
                StartReader::Token(known) => known_token::token(text, at, known, &mut spans),
                StartReader::Anchor(anchor, finder) if text.has_any_case(at, anchor.as_bytes()) => {
                    finder(text, at, &mut spans)
                }
                StartReader::Anchor(..) => continue,
            };
            // Otherwise another reader of the kind may find something here.
            if next > at + 1 {
                *done = next;
            }
            if !spans.is_empty() {
                found.extend(spans.drain(..).map(|span| (start.kind, span)));
            }
        }
    }
    apart(found)
}

/// Where the data of a URL ends: a picture is not searched, nor is what is base64.
fn after_data(text: Haystack<'_>, at: usize) -> usize {
    let is_type = |byte: u8| byte.is_ascii_alphanumeric() || b"/+.;=-:".contains(&byte);
    let comma = text.run(at, 128, is_type);
    let head = text.slice(at..comma);
    if text.at(comma) != Some(b',') {
        return at + 1;
    }
    if head.ends_with(b";base64") {
        return text.run(comma + 1, usize::MAX, is_base64);
    }
    if head.starts_with(b"data:image/") {
        let is_inside = |byte: u8| byte > b' ' && !matches!(byte, b'"' | b'\'' | b')' | b'>');
        return text.run(comma + 1, usize::MAX, is_inside);
    }
    at + 1
}

/// What the name of a field says of its value.
fn named_value(text: Haystack<'_>, name: &[u8], found: &mut Vec<(KindIndex, Range<usize>)>) {
    let Some(kind) = named_secret(name) else { return };
    let bytes = text.0;
    let mut spans = Vec::new();
    let known = match kind {
        NamedSecret::Password => "password",
        NamedSecret::Key => "secret",
        NamedSecret::AwsKey => "aws-key",
        NamedSecret::Authorization => "authorization",
        NamedSecret::Cookie => "cookie",
    };
    match kind {
        NamedSecret::Authorization => spans.extend(header::credential(text, 0)),
        NamedSecret::Cookie => drop(cookie::pairs(text, 0, &mut spans)),
        _ => {
            let has_space = bytes.iter().any(u8::is_ascii_whitespace);
            if !has_space && assignment::is_secret(kind, name, bytes) {
                spans.push(0..bytes.len());
            }
        }
    }
    if let Some(index) = SECRET_KINDS.iter().position(|kind| kind.name == known) {
        found.extend(spans.into_iter().map(|span| (KindIndex(index), span)));
    }
}

/// Of those that overlap the one of the first kind; all in the order of their places.
fn apart(mut found: Vec<(KindIndex, Range<usize>)>) -> Vec<(KindIndex, Range<usize>)> {
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
mod tests;
