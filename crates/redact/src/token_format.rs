//! How tokens are written, and how one is read: `ghp_{a16-255}` is 16 to 255 letters and digits behind `ghp_`.

use super::byte_class::*;
use super::haystack::{Haystack, Spans};
use super::strength::{is_filler, is_random, is_stand_in};

/// A word of so many bytes may stand for a secret, as eight times the same letter.
const WORD: usize = 8;

/// The most digits of a code of a URL that is in a URL: `%253D`.
const CODE: usize = 5;

/// A token behind a `_` or a digit begins with so many bytes that it is known by.
const LEAST_GLUED: usize = 4;

/// More than this before a `_` or a digit is data, in which a token's beginning can stand by chance.
const MOST_BEFORE_GLUED: usize = 48;

/// A run of more bytes is not searched again, which would take long.
const LONG_RUN: usize = 128;

/// What tokens are made of, by the letter of the table.
fn class(letter: u8) -> fn(u8) -> bool {
    match letter {
        b'a' => is_alphanumeric,
        b'b' => is_base64,
        b'd' => is_digit,
        b'D' => is_dotted,
        b'E' => |byte| is_base64_url(byte) || byte == b'=',
        b'h' => is_hex,
        b'H' => is_any_hex,
        b'l' => |byte| is_lower(byte) || is_digit(byte),
        b'p' => is_path,
        b'P' => |byte| is_dotted(byte) || byte == b'=',
        b'u' => is_upper,
        b'U' => |byte| is_any_hex(byte) || byte == b'-',
        b'w' => is_base64_url,
        b'W' => is_word_byte,
        b'x' => |byte| is_dotted(byte) || byte == b'~',
        b'z' => is_lower,
        _ => |_| false,
    }
}

/// A piece of a token: a text, or a run of bytes of a class.
#[derive(Clone, Copy)]
enum TokenPiece {
    Text(&'static str),
    Run { class: fn(u8) -> bool, least: usize, most: usize },
}

/// The format of a token, as the table states it:
///
/// - `{w20-64}`: 20 to 64 bytes of the class `w`; `{h40}`: 40. Everything else stands for itself.
/// - `?` at the beginning: other things begin like this too, so what follows has to look as if it were random.
/// - `!`: it does not begin behind `-`, `_` or a digit.
/// - `>` within: what stands before it only says where the token is, and is not part of it.
pub(super) struct TokenFormat {
    /// The text by which it is looked for: the longest of its texts.
    pub(super) anchor: &'static str,
    before: Vec<TokenPiece>,
    after: Vec<TokenPiece>,
    is_random: bool,
    is_apart: bool,
    is_place: bool,
}

impl TokenFormat {
    /// Reads a line of the table.
    pub(super) fn new(line: &'static str) -> TokenFormat {
        let (is_random, line) = without(line, "?");
        let (is_apart, line) = without(line, "!");
        let mut pieces = Vec::new();
        let (mut anchor, mut place, mut is_place) = ("", 0, false);
        let mut rest = line;
        while !rest.is_empty() {
            let (text, behind) = rest.split_once('{').unwrap_or((rest, ""));
            let (text, ends_place) = match text.strip_suffix('>') {
                Some(text) => (text, true),
                None => (text, false),
            };
            is_place |= ends_place;
            if !text.is_empty() {
                if text.len() > anchor.len() {
                    (anchor, place) = (text, pieces.len());
                }
                pieces.push(TokenPiece::Text(text));
            }
            let (run, after) = behind.split_once('}').unwrap_or_default();
            if let [letter, counts @ ..] = run.as_bytes() {
                let mut counts = counts.split(|byte| *byte == b'-').map(number);
                let least = counts.next().unwrap_or_default();
                let most = counts.next().unwrap_or(least);
                pieces.push(TokenPiece::Run { class: class(*letter), least, most });
            }
            rest = after;
        }
        let after = pieces.split_off((place + 1).min(pieces.len()));
        pieces.pop();
        TokenFormat { anchor, before: pieces, after, is_random, is_apart, is_place }
    }

    /// May it begin behind a `_` or a digit, where a word goes on?
    pub(super) fn can_be_glued(&self) -> bool {
        self.before.is_empty()
            && self.anchor.len() >= LEAST_GLUED
            && !self.is_apart
            && !self.is_place
    }

    /// Does what it is looked for stand within it?
    pub(super) fn is_inside(&self) -> bool {
        !self.before.is_empty()
    }

    /// Reads the token whose anchor may be here; `is_glued`: behind a `_` or a digit.
    pub(super) fn read(
        &self,
        text: Haystack<'_>,
        at: usize,
        is_glued: bool,
        spans: &mut Spans,
    ) -> usize {
        if !text.has(at, self.anchor.as_bytes()) {
            return at + 1;
        }
        let is_glued = is_glued && self.before.is_empty();
        if self.is_apart && text.before(at) == Some(b'-') {
            return at + 1;
        }
        let from = at + self.anchor.len();
        let end = match self.end(text, from) {
            Ok(end) => end,
            Err(next) => return next.max(at + 1),
        };
        let Some(start) = self.start(text, at) else { return at + 1 };
        let start = if self.is_place { from } else { start };
        if !text.ends_word(end) {
            return at + 1;
        }
        // What is known by a text within it is random on either side of it.
        let body = if self.before.is_empty() { from..end } else { start..end };
        let is_secret = self.is_secret(text.slice(body), is_glued) && !is_data(text, at, is_glued);
        if is_secret {
            spans.push(start..end);
        }
        if self.before.is_empty() && !self.is_place && !is_glued { end } else { at + 1 }
    }

    fn is_secret(&self, body: &[u8], is_glued: bool) -> bool {
        let mut words = body.split(|byte| matches!(byte, b'/' | b'.' | b'_' | b'-'));
        (body.is_empty() || !is_stand_in(body))
            && !words.any(|word| word.len() >= WORD && is_filler(word))
            && (!(self.is_random || is_glued) || is_random(body))
    }

    /// Where it ends; otherwise where to go on.
    fn end(&self, text: Haystack<'_>, from: usize) -> Result<usize, usize> {
        let mut end = from;
        let last = self.after.len().saturating_sub(1);
        for (number, piece) in self.after.iter().enumerate() {
            let from = end;
            match *piece {
                TokenPiece::Text(sign) if text.has(from, sign.as_bytes()) => end += sign.len(),
                TokenPiece::Text(_) => return Err(0),
                TokenPiece::Run { class, least, most } => {
                    end = text.run(from, most + usize::from(number == last), class);
                    if end - from > most {
                        // What is longer is data, unless a sequence of the terminal ends the token: another token
                        // within it is not looked for, which would take long.
                        let next = if most > LONG_RUN { end } else { 0 };
                        end = text.last_cut(from + least..=from + most).ok_or(next)?;
                    }
                    if number == last {
                        // A sentence's end, or a line of dashes, is not the token's.
                        let end_of_word = text.run_back(end, 4, |byte| matches!(byte, b'.' | b'-'));
                        end = if end_of_word >= from + least { end_of_word } else { end };
                    }
                    if end - from < least {
                        return Err(0);
                    }
                }
            }
        }
        Ok(end)
    }

    /// Where it begins.
    fn start(&self, text: Haystack<'_>, at: usize) -> Option<usize> {
        let mut start = at;
        for (number, piece) in self.before.iter().enumerate().rev() {
            let end = start;
            match *piece {
                TokenPiece::Text(sign) if text.has_before(end, sign.as_bytes()) => {
                    start -= sign.len()
                }
                TokenPiece::Text(_) => return None,
                TokenPiece::Run { class, least, most } if number == 0 => {
                    start = text.run_back(end, most + 1, class);
                    // `%3D`: the digits of a code of a URL are not the token's.
                    let codes = text.run_back(end, most + CODE, class).saturating_sub(1);
                    if text.at(codes) == Some(b'%') {
                        start = codes + 1 + 2;
                        start += if text.has(codes, b"%25") { 2 } else { 0 };
                    }
                    // Of a code that is cut short, `start` is behind the sign.
                    let size = end.checked_sub(start)?;
                    if !(least..=most).contains(&size) {
                        return None;
                    }
                }
                TokenPiece::Run { class, least, most } => {
                    start = text.run_back(end, most, class);
                    // The text before it may be of the same class.
                    if let Some(TokenPiece::Text(sign)) = self.before.get(number - 1) {
                        let from = text.run_back(end, most + sign.len(), class);
                        let is_there = text.has(from, sign.as_bytes());
                        start = if is_there { from + sign.len() } else { start };
                    }
                    if end.checked_sub(start)? < least {
                        return None;
                    }
                }
            }
        }
        (self.before.is_empty() || text.begins_word(start)).then_some(start)
    }
}

/// Does this place stand within data?
fn is_data(text: Haystack<'_>, at: usize, is_glued: bool) -> bool {
    let is_inside = |byte| is_base64(byte) || is_base64_url(byte);
    text.is_in_data(at)
        || (is_glued && at - text.run_back(at, MOST_BEFORE_GLUED, is_inside) >= MOST_BEFORE_GLUED)
}

fn without(text: &'static str, sign: &str) -> (bool, &'static str) {
    text.strip_prefix(sign).map_or((false, text), |rest| (true, rest))
}

fn number(digits: &[u8]) -> usize {
    digits.iter().fold(0, |number, digit| number * 10 + usize::from(digit.wrapping_sub(b'0')))
}
