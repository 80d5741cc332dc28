//! The fingerprint of JSON in canonical form: equal values have equal fingerprints, whatever the order of
//! their keys and the spelling of their numbers and escapes.

use apex_parts_json::canonical::{self, CanonicalSink, TokenText};
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::letter_case;
use std::collections::BinaryHeap;

pub(crate) use apex_parts_json::canonical::text;

/// An open object or array, with the fingerprint of its content so far.
struct CanonicalLevel {
    is_object: bool,
    found: Fingerprint,
    count: u64,
    key: Fingerprint,
    /// True while a field that is left out is read.
    skips: bool,
}

impl CanonicalLevel {
    const fn new(is_object: bool) -> CanonicalLevel {
        CanonicalLevel { is_object, found: 0, count: 0, key: 0, skips: false }
    }

    fn add(&mut self, value: Fingerprint) {
        if self.skips {
            return;
        }
        self.count += 1;
        // Fields are added up, so that their order does not matter; elements are hashed in order.
        let mixed = fingerprint::mix(if self.is_object { self.key } else { self.found }, value);
        self.found = if self.is_object { self.found.wrapping_add(mixed) } else { mixed };
    }

    fn close(&self) -> Fingerprint {
        fingerprint::mix(self.found, u128::from(self.count) << 1 | u128::from(self.is_object))
    }
}

/// The keys that came last and their fingerprints: of objects in a list, all have the same.
#[derive(Default)]
struct KnownKeys([(u64, usize, Fingerprint); 16]);

impl KnownKeys {
    /// The fingerprint of a key.
    #[inline(always)]
    fn fingerprint_of(&mut self, name: TokenText<'_>) -> Fingerprint {
        let TokenText::Short(word, length) = name else { return text_fingerprint(name, STRING) };
        #[allow(clippy::cast_possible_truncation)] // below 16
        let place = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize;
        let Some(known) = self.0.get_mut(place) else { return text_fingerprint(name, STRING) };
        // An empty place stands for no key: an empty one is looked up there in vain.
        if (known.0, known.1) != (word, length) || length == 0 {
            *known = (word, length, text_fingerprint(name, STRING));
        }
        known.2
    }
}

/// Computes the fingerprint from the tokens of a JSON text.
struct CanonicalFingerprint<'w> {
    open: Vec<CanonicalLevel>,
    /// The fields of the outermost object that are left out.
    without: &'w [String],
    whole: Fingerprint,
    keys: KnownKeys,
}

impl CanonicalFingerprint<'_> {
    #[inline]
    fn add(&mut self, value: Fingerprint) {
        match self.open.last_mut() {
            Some(inside) => inside.add(value),
            None => self.whole = value,
        }
    }
}

#[inline]
fn text_fingerprint(text: TokenText<'_>, seed: u64) -> Fingerprint {
    match text {
        TokenText::Short(word, length) => fingerprint::of_word(word, length as u64, seed),
        TokenText::Long(bytes) => fingerprint::of(bytes, seed),
    }
}

impl CanonicalSink for CanonicalFingerprint<'_> {
    #[inline]
    fn open(&mut self, is_object: bool) {
        self.open.push(CanonicalLevel::new(is_object));
    }

    #[inline(always)]
    fn close(&mut self) {
        if let Some(closed) = self.open.pop() {
            self.add(closed.close());
        }
    }

    #[inline]
    fn depth(&self) -> usize {
        self.open.len()
    }

    #[inline]
    fn innermost(&self) -> Option<bool> {
        self.open.last().map(|inside| inside.is_object)
    }

    #[inline(always)]
    fn key(&mut self, name: TokenText<'_>) {
        let skips = self.open.len() == 1 && self.without.iter().any(|w| is_name(w, name));
        if let Some(inside) = self.open.last_mut() {
            (inside.key, inside.skips) = (self.keys.fingerprint_of(name), skips);
        }
    }

    #[inline(always)]
    fn string(&mut self, text: TokenText<'_>) {
        self.add(text_fingerprint(text, STRING));
    }

    #[inline(always)]
    fn word(&mut self, text: TokenText<'_>) {
        self.add(text_fingerprint(text, OTHER));
    }

    #[inline]
    fn double(&mut self, number: f64) {
        self.add(fingerprint::of_word(number.to_bits(), 8, FRACTION));
    }
}

#[cold]
fn is_name(name: &str, text: TokenText<'_>) -> bool {
    match text {
        TokenText::Short(word, length) => word.to_le_bytes().get(..length) == Some(name.as_bytes()),
        TokenText::Long(bytes) => bytes == name.as_bytes(),
    }
}

/// The fingerprint of a JSON text in one pass. Fields of the outermost object that are in `without`
/// are left out. Text that is not JSON is hashed unchanged.
///
/// `null`, `{}` and an empty text have the same fingerprint.
pub(crate) fn fingerprint_of(json: &str, without: &[String]) -> Fingerprint {
    let text = json.trim_ascii();
    if matches!(text, "" | "null" | "{}") {
        return EMPTY;
    }
    let mut sink = CanonicalFingerprint {
        open: Vec::new(),
        without,
        whole: EMPTY,
        keys: KnownKeys::default(),
    };
    if canonical::write(text, &mut sink).is_err() {
        return fingerprint::of(text.as_bytes(), RAW);
    }
    if sink.whole == CanonicalLevel::new(true).close() { EMPTY } else { sink.whole }
}

/// The fingerprint of no arguments.
pub(crate) const EMPTY: Fingerprint = 0;
const RAW: u64 = 3;
const STRING: u64 = 4;
const OTHER: u64 = 5;
const FRACTION: u64 = 6;

/// How much of the text of a call's arguments is kept: bytes, or UTF-16 code units where it is shown.
pub(crate) const MAX_ARGUMENTS: usize = 6_000;

/// The words of a JSON text: its runs of letters and digits in lower case, as sorted 32-bit hashes
/// without duplicates. Only the first 6,000 bytes are read.
pub(crate) fn words(json: &str) -> Vec<u32> {
    let mut words = Vec::new();
    let mut limit = json.len().min(MAX_ARGUMENTS);
    while !json.is_char_boundary(limit) {
        limit -= 1;
    }
    let json = json.get(..limit).unwrap_or_default();
    let mut end = 0;
    loop {
        let start = run_end(json, end, false);
        end = run_end(json, start, true);
        let word = json.get(start..end).unwrap_or_default();
        if word.is_empty() {
            break;
        }
        #[allow(clippy::cast_possible_truncation)] // 32 bits distinguish a few hundred words
        words.push(if word.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase()) {
            fingerprint::of(word.as_bytes(), 0) as u32
        } else {
            let word: String = word.chars().map(letter_case::lowercase).collect();
            fingerprint::of(word.as_bytes(), 0) as u32
        });
    }
    // The sort of the standard library would be 4 KB for these few numbers.
    let mut words = BinaryHeap::from(words).into_sorted_vec();
    words.dedup();
    words
}

/// The end of the run from `start` whose characters are letters and digits (`of_words`), or are not.
fn run_end(json: &str, start: usize, of_words: bool) -> usize {
    let mut at = start;
    while let Some(byte) = json.as_bytes().get(at) {
        let (is_word, length) = if byte.is_ascii() {
            (byte.is_ascii_alphanumeric(), 1)
        } else {
            let c = json.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
            (c.is_alphanumeric(), c.len_utf8())
        };
        if is_word != of_words {
            break;
        }
        at += length;
    }
    at
}

/// The Jaccard index of two sorted lists of words: the share of words in both among those in either.
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
