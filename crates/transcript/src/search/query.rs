//! A search query and its matches.

use crate::search::case_folding::fold;
use crate::search::excerpt::excerpt;
use crate::search::prefilter::{Prefilter, TextEncoding};
use crate::search::strings::{Pointer, strings};
use apex_parts_json::tape::Node;
use std::ops::{ControlFlow, Range};

/// The text that is searched for.
///
/// A match is an occurrence of the query in an unescaped string; occurrences are taken from left to right
/// and do not overlap. Unless `case_sensitive`, characters are compared one by one by their lower-case
/// letters, if Unicode has a single one: `É` matches `é`, but `ß` does not match `ss`, nor `İ` an `i`; and
/// nothing beyond ASCII matches ASCII. Nothing is normalised: an `é` of two characters is two characters.
/// Invalid UTF-8 and halves of surrogate pairs are U+FFFD in the query and in the strings. An empty query
/// finds nothing.
#[derive(Clone, Debug)]
pub struct Query {
    /// The characters, folded unless the query is case-sensitive.
    chars: Vec<char>,
    sensitive: bool,
    /// For each prefix, the length of the longest shorter prefix with which it ends (Knuth, Morris, Pratt):
    /// so no text is read twice.
    borders: Vec<usize>,
    units: u32,
    json: Option<Prefilter>,
    plain: Option<Prefilter>,
}

/// A match, while the search is at it.
#[derive(Clone, Debug)]
pub struct Match<'a> {
    /// The path of its string in the part.
    pub pointer: &'a Pointer<'a>,
    /// Its string, unescaped.
    pub text: &'a str,
    /// The range of the match in the string, in bytes.
    pub at: Range<usize>,
    /// Where the match starts in the string, in UTF-16 code units.
    pub start: u32,
    /// Where it ends, like `start`.
    pub end: u32,
    /// Is it the first match in its string?
    pub is_first: bool,
}

impl Match<'_> {
    /// The match with its excerpt, to be kept.
    #[must_use]
    pub fn hit(&self) -> Hit {
        Hit {
            field: self.pointer.to_string(),
            start: self.start,
            end: self.end,
            excerpt: excerpt(self.text, self.at.clone()),
        }
    }
}

/// A match to be kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The JSON Pointer of the string in its part.
    pub field: String,
    /// Where the match starts in the string, in UTF-16 code units.
    pub start: u32,
    /// Where it ends, like `start`.
    pub end: u32,
    /// The match with the text around it.
    pub excerpt: String,
}

impl Query {
    /// A query for a text.
    #[must_use]
    pub fn new(text: &str, case_sensitive: bool) -> Query {
        let folded = |c| if case_sensitive { c } else { fold(c) };
        let chars: Vec<char> = text.chars().map(folded).collect();
        let units = chars.iter().map(|c| c.len_utf16()).sum::<usize>();
        Query {
            borders: borders(&chars),
            units: u32::try_from(units).unwrap_or(u32::MAX),
            json: Prefilter::new(&chars, case_sensitive, TextEncoding::Json),
            plain: Prefilter::new(&chars, case_sensitive, TextEncoding::Plain),
            sensitive: case_sensitive,
            chars,
        }
    }

    /// The first position from `from` on in the bytes of JSON documents that may be in a match. Every match
    /// contains such a position; not every such position is in a match.
    #[must_use]
    pub fn next_candidate(&self, bytes: &[u8], from: usize) -> Option<usize> {
        match &self.json {
            Some(needle) => needle.find(bytes, from),
            // The query is all U+FFFD: any invalid byte may be a match.
            None => (!self.chars.is_empty() && from < bytes.len()).then_some(from),
        }
    }

    /// Calls `found` with the matches in a part of `bytes`, string by string in the order of [`strings`],
    /// until it returns `Break`.
    pub fn in_part(
        &self,
        bytes: &[u8],
        part: Node<'_>,
        found: &mut dyn FnMut(&Match<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        strings(part, &mut |pointer, node| {
            // Most strings have no match; their bytes show that sooner than their text.
            let raw = bytes.get(node.span()).unwrap_or_default();
            if self.next_candidate(raw, 0).is_none() {
                return ControlFlow::Continue(());
            }
            let Some(text) = node.str() else { return ControlFlow::Continue(()) };
            let mut is_first = true;
            self.in_text(&text, &mut |at, start, end| {
                let shown = found(&Match { pointer, text: &text, at, start, end, is_first });
                is_first = false;
                shown
            })
        })
    }

    /// Calls `found` with every match in a text: its bytes, and where it starts and ends in UTF-16 code units.
    pub(crate) fn in_text(
        &self,
        text: &str,
        found: &mut dyn FnMut(Range<usize>, u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut counted, mut start) = (0, 0);
        self.matches(text, &mut |at| {
            start += units(text.get(counted..at.start).unwrap_or_default());
            counted = at.start;
            found(at, start, start.saturating_add(self.units))
        })
    }

    /// Calls `found` with the byte range of every match in a text.
    fn matches(
        &self,
        text: &str,
        found: &mut dyn FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // The bytes before `at` have been read; the first `matched` characters of the query end there.
        let (mut at, mut matched) = (0, 0);
        loop {
            if matched == 0
                && let Some(needle) = &self.plain
            {
                let Some(place) = needle.find(text.as_bytes(), at + needle.lead()) else { break };
                at = place - needle.lead();
            }
            let Some(rest) = text.get(at..) else {
                at += 1; // in the middle of a character: the prefilter is not exact
                continue;
            };
            let Some(c) = rest.chars().next() else { break };
            at += c.len_utf8();
            let c = if self.sensitive { c } else { fold(c) };
            while matched > 0 && self.chars.get(matched) != Some(&c) {
                matched = self.borders.get(matched - 1).copied().unwrap_or(0);
            }
            if self.chars.get(matched) == Some(&c) {
                matched += 1;
            }
            if matched == self.chars.len() && matched > 0 {
                let read = text.get(..at).unwrap_or_default();
                let start = read.char_indices().rev().nth(matched - 1).map_or(at, |(i, _)| i);
                found(start..at)?;
                matched = 0;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The number of UTF-16 code units of a text.
fn units(text: &str) -> u32 {
    let starts = |b: &u8| u32::from(*b & 0xc0 != 0x80) + u32::from(*b >= 0xf0);
    text.as_bytes().iter().map(starts).sum()
}

/// For each prefix, the length of the longest shorter prefix with which it ends.
fn borders(chars: &[char]) -> Vec<usize> {
    let mut borders: Vec<usize> = Vec::with_capacity(chars.len());
    let mut matched = 0;
    for c in chars {
        if !borders.is_empty() {
            while matched > 0 && chars.get(matched) != Some(c) {
                matched = borders.get(matched - 1).copied().unwrap_or(0);
            }
            if chars.get(matched) == Some(c) {
                matched += 1;
            }
        }
        borders.push(matched);
    }
    borders
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
