//! One walk over a text, by which every kind is found.

use super::byte_class::is_base64;
use super::encoded_key::encoded_keys;
use super::haystack::Haystack;
use super::reading::Reading;
use super::registry::SECRET_KINDS;
use super::secret_kind::{KindIndex, MOST_KINDS, SecretKind};
use super::secret_name::{NamedBy, NamedSecret, ValueName, named_secret};
use super::starts::{GLUED, Scan, StartReader, kind_named};
use super::stock_pair::is_stock;
use super::strength::{holds, is_evident, is_given};
use super::{assignment, cookie, header, named_value};
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::{base64, order};
use std::ops::Range;

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
    // The place before which a kind has nothing more; the last is that of assignments.
    let mut done = [0_usize; MOST_KINDS + 1];
    let mut scan = Scan::new(text);
    while let Some((at, place)) = scan.next() {
        if text.has(at, b"data:") {
            scan.go_on(after_data(text, at, &mut ranges));
            continue;
        }
        for start in scan.readers(at, place) {
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
    let mut taken: SortedMap<usize, (usize, KindIndex)> = SortedMap::new();
    for (kind, range) in found {
        let before = taken.last_below(&range.end);
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
