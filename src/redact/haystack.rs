//! The text that is searched, as bytes. All that finders look for is ASCII, so that what they find begins and ends
//! between characters.

use std::ops::Range;

/// A text that is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Haystack<'t>(pub(super) &'t [u8]);

impl<'t> Haystack<'t> {
    pub(super) fn at(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    /// The byte before this place.
    pub(super) fn before(self, at: usize) -> Option<u8> {
        self.at(at.checked_sub(1)?)
    }

    pub(super) fn slice(self, range: Range<usize>) -> &'t [u8] {
        self.0.get(range).unwrap_or_default()
    }

    /// Where the run of bytes of a class that begins here ends; it is at most `most` bytes long.
    pub(super) fn run(self, at: usize, most: usize, class: impl Fn(u8) -> bool) -> usize {
        let rest = self.0.get(at..).unwrap_or_default();
        at + rest.iter().take(most).take_while(|byte| class(**byte)).count()
    }

    /// Where the run of bytes of a class that ends here begins; it is at most `most` bytes long.
    pub(super) fn run_back(self, at: usize, most: usize, class: impl Fn(u8) -> bool) -> usize {
        let before = self.0.get(..at).unwrap_or_default();
        at - before.iter().rev().take(most).take_while(|byte| class(**byte)).count()
    }

    pub(super) fn has(self, at: usize, text: &[u8]) -> bool {
        self.0.get(at..).is_some_and(|rest| rest.starts_with(text))
    }

    /// The same in any case of ASCII letters.
    pub(super) fn has_any_case(self, at: usize, text: &[u8]) -> bool {
        let found = at.checked_add(text.len()).and_then(|end| self.0.get(at..end));
        found.is_some_and(|found| found.eq_ignore_ascii_case(text))
    }

    /// Does a text end here?
    pub(super) fn has_before(self, at: usize, text: &[u8]) -> bool {
        self.0.get(..at).is_some_and(|before| before.ends_with(text))
    }

    /// Can a token begin here? A line break that is escaped in a text (`\\n`) is no letter before it.
    pub(super) fn begins_word(self, at: usize) -> bool {
        let Some(before) = self.before(at) else { return true };
        let is_escape = matches!(before, b'n' | b'r' | b't')
            && at.checked_sub(1).is_some_and(|at| self.before(at) == Some(b'\\'));
        is_escape || !is_word(before)
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

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// What words are made of: a token does not begin or end within one.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

pub(super) fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The alphabet of base64 for URLs.
pub(super) fn is_base64_url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}
