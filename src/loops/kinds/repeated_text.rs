//! The same answer, or the same thought, again and again.

use crate::loops::fingerprint::{Fingerprint, RunningFingerprint};
use crate::model::letter_case;

/// One channel: the text that streams, as a fingerprint of its words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RepeatedText {
    pub(crate) text: RunningFingerprint,
    /// White space came, and counts once something follows it.
    pub(crate) space: bool,
    /// The text that was closed last, and how often it came.
    pub(crate) last: Fingerprint,
    pub(crate) count: u64,
}

/// So many times.
const TIMES: u64 = 3;

/// One in each byte, and the top bit of each.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

fn cut(text: &str, at: Option<usize>) -> (&str, &str) {
    at.and_then(|at| text.split_at_checked(at)).unwrap_or((text, ""))
}

impl RepeatedText {
    /// Takes more of the text. White space is folded; thoughts are compared without case.
    pub(crate) fn take(&mut self, text: &str, fold_case: bool) {
        let mut rest = text;
        while !rest.is_empty() {
            // Nearly all text is ASCII, and that is told faster than where it ends.
            let end = if rest.is_ascii() { None } else { rest.bytes().position(|b| b >= 0x80) };
            let (ascii, behind) = cut(rest, end);
            self.take_ascii(ascii.as_bytes(), fold_case);
            let (other, behind) = cut(behind, behind.find(|c: char| c.is_ascii()));
            self.take_other(other, fold_case);
            rest = behind;
        }
    }

    fn take_other(&mut self, text: &str, fold_case: bool) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
                continue;
            }
            self.word_goes_on();
            let text = &mut self.text;
            let c = if fold_case { letter_case::lowercase(c) } else { c };
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| text.push(b));
        }
    }

    fn take_ascii(&mut self, text: &[u8], fold_case: bool) {
        let mut rest = text;
        while let Some((eight, behind)) = rest.split_first_chunk::<8>() {
            rest = match self.take_words(u64::from_be_bytes(*eight), fold_case) {
                8 => behind,
                7 => rest.get(7..).unwrap_or_default(),
                _ => {
                    eight.iter().for_each(|byte| self.take_byte(*byte, fold_case));
                    behind
                }
            };
        }
        rest.iter().for_each(|byte| self.take_byte(*byte, fold_case));
    }

    #[inline]
    fn take_byte(&mut self, byte: u8, fold_case: bool) {
        if matches!(byte, b' ' | 9..=13) {
            self.space = true;
            return;
        }
        self.word_goes_on();
        self.text.push(if fold_case { byte.to_ascii_lowercase() } else { byte });
    }

    /// Eight bytes of ASCII that are words with single blanks between, as nearly all are, at once.
    /// Gives how many it took: 7 where the last one is a blank, for what follows tells whether that
    /// one counts, and none where there is more to fold.
    #[inline]
    fn take_words(&mut self, bytes: u64, fold_case: bool) -> u32 {
        // The top bits of the bytes below a limit. No byte has its own, so nothing is carried.
        let below = |limit: u8| !(bytes + ONES * u64::from(0x80 - limit)) & TOPS;
        let blanks = below(b' ' + 1);
        let in_front = blanks >> 63 == 1 && (self.space || self.text.length == 0);
        if in_front || blanks & blanks << 8 != 0 || below(b' ') != 0 {
            return 0;
        }
        self.word_goes_on();
        let capitals = if fold_case { below(b'Z' + 1) & !below(b'A') } else { 0 };
        let bytes = bytes | capitals >> 2;
        let at_end = blanks & 0x80 != 0;
        let (bytes, count) = if at_end { (bytes >> 8, 7) } else { (bytes, 8) };
        self.text.push_word(bytes, count);
        count
    }

    #[inline]
    fn word_goes_on(&mut self) {
        if std::mem::take(&mut self.space) && self.text.length > 0 {
            self.text.push(b' ');
        }
    }

    /// The message has ended: gives the text's fingerprint and how often it came, where that is too
    /// often.
    pub(crate) fn close(&mut self) -> Option<(Fingerprint, u64)> {
        let text = std::mem::take(&mut self.text);
        self.space = false;
        if text.length == 0 {
            return None;
        }
        let print = text.print();
        self.count = if print == self.last { self.count + 1 } else { 1 };
        self.last = print;
        (self.count >= TIMES).then_some((print, self.count))
    }

    /// Something was done: the count starts again.
    pub(crate) fn restart(&mut self) {
        (self.last, self.count) = (0, 0);
    }
}
