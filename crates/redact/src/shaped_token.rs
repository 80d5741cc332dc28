//! Tokens that are known by a sign within them and by the lengths of their pieces: `123456789:AA…` of Telegram.

use super::haystack::{Haystack, Spans};
use super::strength::is_stand_in;

/// A word of so many bytes may stand for a secret, as eight times the same letter.
const WORD: usize = 8;

/// The most digits of a code of a URL that is in a URL: `%253D`.
const CODE: usize = 5;

/// A run of bytes of a class.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) class: fn(u8) -> bool,
    /// The fewest and the most of them.
    pub(super) least: usize,
    pub(super) most: usize,
}

/// A token of pieces.
#[derive(Debug)]
pub(super) struct ShapedToken {
    /// What stands before the sign, if anything.
    pub(super) before: Option<Piece>,
    pub(super) sign: &'static str,
    /// What stands behind it, one after the other, with this byte between them.
    pub(super) after: &'static [Piece],
    pub(super) joint: u8,
    /// The sign only says where the token is, and is no part of it.
    pub(super) is_place: bool,
}

/// A run of `least` to `most` bytes of a class.
pub(super) const fn piece(class: fn(u8) -> bool, least: usize, most: usize) -> Piece {
    Piece { class, least, most }
}

/// A token that begins with a sign.
pub(super) const fn begun(sign: &'static str, after: &'static [Piece], joint: u8) -> ShapedToken {
    ShapedToken { before: None, sign, after, joint, is_place: false }
}

/// A token behind an address.
pub(super) const fn behind(sign: &'static str, after: &'static [Piece], joint: u8) -> ShapedToken {
    ShapedToken { before: None, sign, after, joint, is_place: true }
}

/// A token with a sign within it.
pub(super) const fn around(
    before: Piece,
    sign: &'static str,
    after: &'static [Piece],
) -> ShapedToken {
    ShapedToken { before: Some(before), sign, after, joint: 0, is_place: false }
}

impl ShapedToken {
    /// Reads the token whose sign may be here.
    pub(super) fn read(&self, text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
        if let Some((start, end)) = self.range(text, at).filter(|_| !text.is_in_data(at)) {
            spans.push(start..end);
        }
        at + 1
    }

    fn range(&self, text: Haystack<'_>, at: usize) -> Option<(usize, usize)> {
        if !text.has(at, self.sign.as_bytes()) {
            return None;
        }
        let mut start = at;
        if let Some(Piece { class, least, most }) = self.before {
            start = text.run_back(at, most + 1, class);
            // `%3D`: the digits of a code of a URL are not the token's.
            let codes = text.run_back(at, most + CODE, class).saturating_sub(1);
            if text.at(codes) == Some(b'%') {
                start = codes + 1 + 2;
                start += if text.has(codes, b"%25") { 2 } else { 0 };
            }
            // Of a code that is cut short, `start` is behind the sign.
            let is_long = at.checked_sub(start).is_some_and(|size| (least..=most).contains(&size));
            if !is_long || !text.begins_word(start) || is_stand_in(text.slice(start..at)) {
                return None;
            }
        }
        let mut end = at + self.sign.len();
        if self.is_place {
            start = end;
        }
        for (number, Piece { class, least, most }) in self.after.iter().enumerate() {
            if number > 0 {
                end += usize::from(text.at(end) == Some(self.joint));
            }
            let from = end;
            end = text.run(from, most + 1, class);
            if end - from > *most {
                end = text.last_cut(from + least..=from + most)?;
            }
            let mut words = text.slice(from..end).split(|byte| *byte == b'/');
            if end - from < *least || words.any(|word| word.len() >= WORD && is_stand_in(word)) {
                return None;
            }
        }
        text.ends_word(end).then_some((start, end))
    }
}
