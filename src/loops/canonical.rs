//! What makes two values the same: their canonical JSON (RFC 8785), for which the order of keys and
//! the spelling of numbers and escapes do not matter.

use crate::json::float;
use crate::json::record;
use crate::json::scan;
use crate::json::scan::TokenKind;
use crate::json::writer::value_text;
use crate::loops::fingerprint;
use crate::loops::fingerprint::Fingerprint;
use crate::model::letter_case;

/// What is open while a value is read: an object or an array with what was found in it so far.
struct CanonicalLevel {
    is_object: bool,
    found: Fingerprint,
    count: u64,
    key: Fingerprint,
    /// The field that is being read is left out.
    skips: bool,
}

impl CanonicalLevel {
    fn add(&mut self, value: Fingerprint) {
        if self.skips {
            return;
        }
        self.count += 1;
        // Fields are summed up, so that their order does not matter; elements are in theirs.
        self.found = if self.is_object {
            self.found.wrapping_add(fingerprint::mix(self.key, value))
        } else {
            fingerprint::mix(self.found, value)
        };
    }

    fn close(&self) -> Fingerprint {
        fingerprint::mix(self.found, u128::from(self.count) << 1 | u128::from(self.is_object))
    }
}

/// The fingerprint of a JSON text in one pass. Fields of the outermost object that are in `without`
/// are left out. Text that is no JSON is taken as it stands.
///
/// `null`, `{}` and nothing at all are the same.
pub(crate) fn print(json: &str, without: &[String]) -> Fingerprint {
    let text = json.trim_ascii();
    if matches!(text, "" | "null" | "{}") {
        return EMPTY;
    }
    let found = read(text, without).unwrap_or_else(|| fingerprint::of(text.as_bytes(), RAW));
    if found
        == (CanonicalLevel { is_object: true, found: 0, count: 0, key: 0, skips: false }).close()
    {
        return EMPTY;
    }
    found
}

/// The fingerprint of arguments of which a host has one: none that text has.
pub(crate) fn of_host(print: u64) -> Fingerprint {
    fingerprint::of_word(print, 8, HOST)
}

/// The fingerprint of no arguments.
pub(crate) const EMPTY: Fingerprint = 0;
const RAW: u64 = 3;
const STRING: u64 = 4;
const OTHER: u64 = 5;
const FRACTION: u64 = 6;
const HOST: u64 = 7;

fn read(json: &str, without: &[String]) -> Option<Fingerprint> {
    let bytes = json.as_bytes();
    let mut open: Vec<CanonicalLevel> = Vec::new();
    let mut at = 0;
    loop {
        at = scan::skip_space(bytes, at);
        // Here a value begins.
        let done = match bytes.get(at)? {
            b'{' | b'[' => {
                let is_object = bytes.get(at) == Some(&b'{');
                open.push(CanonicalLevel { is_object, found: 0, count: 0, key: 0, skips: false });
                at = scan::skip_space(bytes, at + 1);
                match bytes.get(at)? {
                    b'}' | b']' => {
                        at += 1;
                        open.pop()?.close()
                    }
                    _ if is_object => {
                        at = key(json, at, &mut open, without)?;
                        continue;
                    }
                    _ => continue,
                }
            }
            _ => {
                let (print, end) = scalar(json, at)?;
                at = end;
                print
            }
        };
        // Here one has ended.
        let mut value = done;
        loop {
            at = scan::skip_space(bytes, at);
            let Some(inside) = open.last_mut() else {
                return (at == bytes.len()).then_some(value);
            };
            inside.add(value);
            match (bytes.get(at)?, inside.is_object) {
                (b',', true) => {
                    at = key(json, scan::skip_space(bytes, at + 1), &mut open, without)?;
                    break;
                }
                (b',', false) => {
                    at += 1;
                    break;
                }
                (b'}', true) | (b']', false) => {
                    at += 1;
                    value = open.pop()?.close();
                }
                _ => return None,
            }
        }
    }
}

/// Reads a key; gives where its value begins.
fn key(json: &str, at: usize, open: &mut [CanonicalLevel], without: &[String]) -> Option<usize> {
    let bytes = json.as_bytes();
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let outermost = open.len() == 1;
    let inside = open.last_mut()?;
    let end = match short_string(bytes, at) {
        Some((print, end)) if !outermost || without.is_empty() => {
            (inside.key, inside.skips) = (print, false);
            end
        }
        _ => {
            let span = scan::value(bytes, at, 1).ok()?;
            let name = span.string(json)?;
            inside.key = fingerprint::of(name.as_bytes(), STRING);
            inside.skips = outermost && without.iter().any(|w| *w == *name);
            span.end
        }
    };
    let colon = scan::skip_space(bytes, end);
    (bytes.get(colon) == Some(&b':')).then_some(colon + 1)
}

/// The bytes from `at` up to the first one that has its bit, as a number, and how many they are.
#[inline]
fn eight(bytes: &[u8], at: usize, bits: fn(u64) -> u64) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
    let found = bits(word).trailing_zeros();
    let length = found / 8;
    (length < 8).then(|| (word & !(u64::MAX << (length * 8)), length as usize))
}

/// A string of less than eight bytes without escapes, as most are that come by the thousand: its
/// fingerprint, and where it ends. `None` for any other.
#[inline]
fn short_string(bytes: &[u8], at: usize) -> Option<(Fingerprint, usize)> {
    let (word, length) = eight(bytes, at + 1, scan::ends)?;
    let end = at + 1 + length;
    let print = fingerprint::of_word(word, length as u64, STRING);
    (bytes.get(end) == Some(&b'"')).then_some((print, end + 1))
}

/// The same for a whole number that is spelled in the one way there is.
#[inline]
fn short_number(bytes: &[u8], at: usize) -> Option<(Fingerprint, usize)> {
    let (word, length) = eight(bytes, at, scan::no_digits)?;
    let zeros = length > 1 && bytes.get(at) == Some(&b'0');
    let goes_on = matches!(bytes.get(at + length), Some(b'.' | b'e' | b'E'));
    let is_one = length > 0 && !zeros && !goes_on;
    is_one.then(|| (fingerprint::of_word(word, length as u64, OTHER), at + length))
}

/// A value that holds no others: its fingerprint, and where it ends.
fn scalar(json: &str, at: usize) -> Option<(Fingerprint, usize)> {
    let bytes = json.as_bytes();
    let is_string = bytes.get(at) == Some(&b'"');
    let short = if is_string { short_string(bytes, at) } else { short_number(bytes, at) };
    if short.is_some() {
        return short;
    }
    let end = if is_string { scan::plain(bytes, at + 1) } else { at };
    if is_string && bytes.get(end) == Some(&b'"') {
        return Some((fingerprint::of(bytes.get(at + 1..end)?, STRING), end + 1));
    }
    let span = scan::value(bytes, at, 1).ok()?;
    let print = match span.kind {
        TokenKind::String(_) => fingerprint::of(span.string(json)?.as_bytes(), STRING),
        TokenKind::Number => number(span.text(json)),
        _ => fingerprint::of(span.text(json).as_bytes(), OTHER),
    };
    Some((print, span.end))
}

/// Numbers that are equal have the same: whole ones that of their digits, as most are spelled, others
/// that of their bits. (To spell a fraction takes longer than everything else here.)
fn number(text: &str) -> Fingerprint {
    let of_text = |text: &str| fingerprint::of(text.as_bytes(), OTHER);
    let whole = || text.bytes().all(|byte| !matches!(byte, b'.' | b'e' | b'E'));
    if text.len() <= 15 && text != "-0" && whole() {
        return of_text(text);
    }
    match float::parse(text) {
        #[allow(clippy::cast_possible_truncation)] // it is whole, and not large
        Some(number) if number.abs() < WHOLE && number.trunc() == number => {
            of_text(&(number as i64).to_string())
        }
        Some(number) if number.is_finite() => fingerprint::of_word(number.to_bits(), 8, FRACTION),
        _ => of_text(text),
    }
}

/// The longest text of arguments that is kept.
pub(crate) const LONGEST_ARGUMENTS: usize = 6_000;

/// Whole numbers below this one have up to 15 digits.
const WHOLE: f64 = 1e15;

/// The canonical text of a value, for people: what is no JSON stays as it is.
pub(crate) fn text(json: &str) -> String {
    let tree = record::tree(json.trim_ascii(), record::MAX_DEPTH);
    tree.map_or_else(|_| json.to_owned(), |tree| value_text(&tree))
}

/// The words of a JSON text: runs of letters and digits, in lower case, as sorted fingerprints. Those
/// of a long text are the words of its beginning.
pub(crate) fn words(json: &str) -> Vec<u32> {
    let mut words = Vec::new();
    let mut most = json.len().min(LONGEST_ARGUMENTS);
    while !json.is_char_boundary(most) {
        most -= 1;
    }
    let json = json.get(..most).unwrap_or_default();
    for word in json.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        #[allow(clippy::cast_possible_truncation)] // 32 bits tell a few hundred words apart
        let print = if word.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase()) {
            fingerprint::of(word.as_bytes(), 0) as u32
        } else {
            let word: String = word.chars().map(letter_case::lowercase).collect();
            fingerprint::of(word.as_bytes(), 0) as u32
        };
        words.push(print);
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// How much two sorted lists of words share: what both have, of what either has.
pub(crate) fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let (mut both, mut either) = (0u32, 0u32);
    loop {
        either += 1;
        match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x == y => {
                both += 1;
                a.next();
                b.next();
            }
            (Some(x), Some(y)) if x < y => drop(a.next()),
            (_, Some(_)) => drop(b.next()),
            (Some(_), None) => drop(a.next()),
            (None, None) => break,
        }
    }
    either -= 1;
    if either == 0 { 0.0 } else { f64::from(both) / f64::from(either) }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
