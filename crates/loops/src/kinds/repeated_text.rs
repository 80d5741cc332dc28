//! monologue and repeated_reasoning: equal answers or equal reasoning, message after message.

use apex_parts_model::fingerprint::{Fingerprint, RunningFingerprint};
use apex_parts_model::letter_case;

/// The text of one channel, as a fingerprint of its words, and how often it was repeated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RepeatedText {
    pub(crate) text: RunningFingerprint,
    /// White space was read; it becomes one space if a word follows.
    pub(crate) space: bool,
    /// The text of the last message that ended, and how many messages in a row had it.
    pub(crate) last: Fingerprint,
    pub(crate) count: u64,
}

/// This many equal messages are a loop.
const REPEATS: u64 = 3;

/// The value 1 in each byte, and the top bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

fn split(text: &str, at: Option<usize>) -> (&str, &str) {
    at.and_then(|at| text.split_at_checked(at)).unwrap_or((text, ""))
}

impl RepeatedText {
    /// Appends text to the message. Runs of white space are equal; with `fold_case`, as for reasoning, so
    /// are upper and lower case.
    pub(crate) fn take(&mut self, text: &str, fold_case: bool) {
        // Nearly all text is ASCII, and testing for that is faster than finding where it ends.
        if text.is_ascii() {
            self.take_ascii(text.as_bytes(), fold_case);
        } else {
            self.take_mixed(text, fold_case);
        }
    }

    #[inline(never)]
    fn take_mixed(&mut self, text: &str, fold_case: bool) {
        let mut rest = text;
        while !rest.is_empty() {
            let (ascii, after) = split(rest, rest.bytes().position(|b| b >= 0x80));
            self.take_ascii(ascii.as_bytes(), fold_case);
            let (other, after) = split(after, after.find(|c: char| c.is_ascii()));
            self.take_non_ascii(other, fold_case);
            rest = after;
        }
    }

    fn take_non_ascii(&mut self, text: &str, fold_case: bool) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
                continue;
            }
            self.push_pending_space();
            let text = &mut self.text;
            let c = if fold_case { letter_case::lowercase(c) } else { c };
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| text.push(b));
        }
    }

    fn take_ascii(&mut self, text: &[u8], fold_case: bool) {
        let mut rest = text;
        while let Some((eight, after)) = rest.split_first_chunk::<8>() {
            rest = match self.take_words(u64::from_be_bytes(*eight), 8, fold_case) {
                8 => after,
                7 => rest.get(7..).unwrap_or_default(),
                _ => {
                    eight.iter().for_each(|byte| self.take_byte(*byte, fold_case));
                    after
                }
            };
        }
        // What is left of a short piece of text costs more byte by byte than the rest of it.
        if let 2..8 = rest.len() {
            let bytes = rest.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
            #[allow(clippy::cast_possible_truncation)] // below 8
            let taken = self.take_words(bytes, rest.len() as u32, fold_case);
            rest = rest.get(taken as usize..).unwrap_or_default();
        }
        rest.iter().for_each(|byte| self.take_byte(*byte, fold_case));
    }

    #[inline(always)]
    fn take_byte(&mut self, byte: u8, fold_case: bool) {
        if matches!(byte, b' ' | 9..=13) {
            self.space = true;
            return;
        }
        self.push_pending_space();
        self.text.push(if fold_case { byte.to_ascii_lowercase() } else { byte });
    }

    /// Takes 2 to 8 bytes of ASCII at once, if they are words with single spaces between them, as is usual. Returns how
    /// many it took: one less if the last byte is a space, because it counts only if a word follows, and 0 if there is
    /// other white space to fold.
    #[inline]
    fn take_words(&mut self, bytes: u64, length: u32, fold_case: bool) -> u32 {
        // In place of the bytes that are not there: a letter.
        let absent = if length < 8 { u64::MAX << (8 * length) } else { 0 };
        let filled = bytes | absent & (ONES * u64::from(b'a'));
        // The top bit of each byte that is below the limit. The bytes are ASCII, so nothing is carried.
        let below = |limit: u8| !(filled + ONES * u64::from(0x80 - limit)) & TOPS;
        let spaces = below(b' ' + 1);
        let is_first = spaces >> (8 * length - 1) & 1 == 1;
        let leading_space = is_first && (self.space || self.text.length == 0);
        if leading_space || spaces & spaces << 8 != 0 || below(b' ') != 0 {
            return 0;
        }
        self.push_pending_space();
        let capitals = if fold_case { below(b'Z' + 1) & !below(b'A') } else { 0 };
        let bytes = bytes | capitals >> 2;
        let at_end = spaces & 0x80 != 0;
        let (bytes, count) = if at_end { (bytes >> 8, length - 1) } else { (bytes, length) };
        self.text.push_word(bytes, count);
        count
    }

    #[inline]
    fn push_pending_space(&mut self) {
        if std::mem::take(&mut self.space) && self.text.length > 0 {
            self.text.push(b' ');
        }
    }

    /// Ends the message. Returns its text's fingerprint and how many messages in a row had it, if these
    /// are enough for a loop.
    pub(crate) fn close(&mut self) -> Option<(Fingerprint, u64)> {
        let text = std::mem::take(&mut self.text);
        self.space = false;
        if text.length == 0 {
            return None;
        }
        let fingerprint = text.finish();
        self.count = if fingerprint == self.last { self.count + 1 } else { 1 };
        self.last = fingerprint;
        (self.count >= REPEATS).then_some((fingerprint, self.count))
    }

    /// A call was made: the count starts again.
    pub(crate) fn restart(&mut self) {
        (self.last, self.count) = (0, 0);
    }
}
