//! The text that is searched, as bytes. All that finders look for is ASCII, so that what they find begins and ends
//! between characters.

use super::byte_class::{is_base64, is_blank, is_word};
use std::ops::{Range, RangeInclusive};

/// The most bytes of an escape, as `\u003d`.
pub(super) const LONGEST_ESCAPE: usize = 6;

/// Longer runs of base64 than this are data, in which anything can begin by chance.
const DATA: usize = 200;

/// What a finder gives what it finds to.
pub(super) type Spans = Vec<Range<usize>>;

/// A text that is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Haystack<'t> {
    pub(super) bytes: &'t [u8],
    /// Where something was left out that a reader does not see, in order: a word may begin or end there.
    pub(super) cuts: &'t [usize],
    /// It was decoded from base64: nothing in it is decoded again.
    pub(super) is_decoded: bool,
}

impl<'t> Haystack<'t> {
    /// A text in which nothing was left out.
    pub(super) fn new(bytes: &'t [u8]) -> Haystack<'t> {
        Haystack { bytes, cuts: &[], is_decoded: false }
    }

    pub(super) fn at(self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The byte before this place.
    pub(super) fn before(self, at: usize) -> Option<u8> {
        self.at(at.checked_sub(1)?)
    }

    pub(super) fn slice(self, range: Range<usize>) -> &'t [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// Where the run of bytes of a class that begins here ends; it is at most `most` bytes long.
    pub(super) fn run(self, at: usize, most: usize, class: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().take(most).take_while(|byte| class(**byte)).count()
    }

    /// Where the run of bytes of a class that ends here begins; it is at most `most` bytes long.
    pub(super) fn run_back(self, at: usize, most: usize, class: impl Fn(u8) -> bool) -> usize {
        let before = self.bytes.get(..at).unwrap_or_default();
        at - before.iter().rev().take(most).take_while(|byte| class(**byte)).count()
    }

    pub(super) fn has(self, at: usize, text: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(text))
    }

    /// The same in any case of ASCII letters.
    pub(super) fn has_any_case(self, at: usize, text: &[u8]) -> bool {
        let found = at.checked_add(text.len()).and_then(|end| self.bytes.get(at..end));
        found.is_some_and(|found| found.eq_ignore_ascii_case(text))
    }

    /// Does a text end here?
    pub(super) fn has_before(self, at: usize, text: &[u8]) -> bool {
        self.bytes.get(..at).is_some_and(|before| before.ends_with(text))
    }

    /// Can a token begin here? Letters that end an escape (`\n`, `\u003d`) or a code of a URL (`%3D`) are no letters to
    /// a reader, and signs of other alphabets are no part of a token.
    pub(super) fn begins_word(self, at: usize) -> bool {
        let Some(before) = self.before(at) else { return true };
        !is_word(before) || !before.is_ascii() || self.is_cut(at) || self.ends_escape(at)
    }

    /// Can a token end here?
    pub(super) fn ends_word(self, at: usize) -> bool {
        self.at(at).is_none_or(|next| !is_word(next) || !next.is_ascii()) || self.is_cut(at)
    }

    /// Was something left out here?
    pub(super) fn is_cut(self, at: usize) -> bool {
        !self.cuts.is_empty() && self.cuts.binary_search(&at).is_ok()
    }

    /// The last place in a range at which something was left out.
    pub(super) fn last_cut(self, range: RangeInclusive<usize>) -> Option<usize> {
        let behind = self.cuts.partition_point(|cut| cut <= range.end());
        let last = behind.checked_sub(1).and_then(|at| self.cuts.get(at)).copied()?;
        (last >= *range.start()).then_some(last)
    }

    /// Does an escape or a code of a URL end here?
    fn ends_escape(self, at: usize) -> bool {
        let from = at.saturating_sub(LONGEST_ESCAPE);
        match *self.slice(from..at) {
            [.., b'\\', b'n' | b'r' | b't' | b'f' | b'v' | b'b' | b'a' | b'e' | b'0'] => true,
            [.., b'\\', b'x', a, b] | [.., b'%', a, b] | [.., b'%', b'2', b'5', a, b] => {
                a.is_ascii_hexdigit() && b.is_ascii_hexdigit()
            }
            [b'\\', b'u', ref digits @ ..] => {
                digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit)
            }
            _ => false,
        }
    }

    /// Does this place stand within a long run of base64?
    pub(super) fn is_in_data(self, at: usize) -> bool {
        let is_joined = matches!(self.before(at), Some(b'/' | b'+'));
        is_joined && at - self.run_back(at, DATA, is_base64) >= DATA
    }

    /// Skips blanks and tabs, at most a few.
    pub(super) fn skip_blanks(self, at: usize) -> usize {
        self.run(at, 8, is_blank)
    }

    /// The quotation mark here, perhaps behind the backslashes of a text in a text: it and where it ends.
    pub(super) fn quote(self, at: usize) -> Option<(u8, usize)> {
        let at = self.run(at, 4, |byte| byte == b'\\');
        let quote = self.at(at).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
        Some((quote, at + 1))
    }
}
