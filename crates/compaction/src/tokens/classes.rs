//! The estimator "classes": the tokens of a text by the classes of its characters, without a vocabulary.
//!
//! | characters | tokens |
//! | --- | --- |
//! | letters, a run cut where lower case meets upper | 1 + 0.19 a letter beyond six |
//! | digits | 1.1 a group of up to three |
//! | punctuation | 0.7 a run of one or two, then a further 0.7 a pair |
//! | line ends | 0.8 a run |
//! | blanks | 0.75 a run of two or more |
//! | Han, kana, hangul | 0.9 a UTF-16 unit |
//! | other alphabets below U+0800 | 0.42 a unit |
//! | everything else | 1.65 a unit |
//! | 24 or more letters and digits in which the class changes often | 0.64 a character |
//!
//! Where the specification leaves a choice, this is the one nearest to o200k on the texts of
//! `benches/estimators.bench.mjs` and on a dozen further languages:
//!
//! - *Letters* are those of ASCII. A Latin letter beyond it is one of the other alphabets and ends the run: words with
//!   accents are split by tokenizers as well. So are Latin and Greek letters of U+1E00…1FFF.
//! - *Punctuation* is what else ASCII and Latin-1 have, control characters among it; punctuation and symbols of
//!   U+2000…2BFF (dashes, quotes, arrows, boxes: a token each); the punctuation of Chinese and Japanese.
//! - *Blanks* are spaces and tabs. A single one is a part of the token that follows.
//! - *Line ends* are line feeds and returns.
//! - *Class changes often*: in a third of the characters or more, between lower case, upper case and digits.
//!   Names in camel case change in a quarter or less, hexadecimal in nearly half, base64 in nearly two thirds.

/// Costs in hundredths of a token: sums are exact, whatever the order.
mod cost {
    pub(super) const WORD: u64 = 100;
    pub(super) const LETTER: u64 = 19;
    pub(super) const DIGITS: u64 = 110;
    pub(super) const PUNCTUATION: u64 = 70;
    pub(super) const LINE_ENDS: u64 = 80;
    pub(super) const BLANKS: u64 = 75;
    pub(super) const CJK: u64 = 90;
    pub(super) const ALPHABET: u64 = 42;
    pub(super) const OTHER: u64 = 165;
    pub(super) const MIXED: u64 = 64;
}

/// The letters of a word that cost nothing beyond the word.
const SHORT_WORD: u64 = 6;
/// The length from which letters and digits may be a hash or base64.
const LONG_RUN: u64 = 24;
/// They are if the class changes at least once in so many characters.
const CHANGES: u64 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Punctuation,
    LineEnd,
    Blank,
    Cjk,
    Alphabet,
    Other,
}

const ASCII: [Class; 128] = {
    let mut table = [Class::Punctuation; 128];
    let mut byte = 0;
    while byte < 128 {
        #[allow(clippy::cast_possible_truncation, clippy::indexing_slicing)] // below 128
        {
            table[byte] = match byte as u8 {
                b'a'..=b'z' => Class::Lower,
                b'A'..=b'Z' => Class::Upper,
                b'0'..=b'9' => Class::Digit,
                b'\n' | b'\r' => Class::LineEnd,
                b' ' | b'\t' => Class::Blank,
                _ => Class::Punctuation,
            };
        }
        byte += 1;
    }
    table
};

/// The class of a character outside ASCII.
const fn class_beyond(c: char) -> Class {
    match c as u32 {
        ..0xaa | 0xab..0xb5 | 0xb6..0xba | 0xbb..0xc0 | 0xd7 | 0xf7 => Class::Punctuation,
        ..0x800 | 0x1e00..=0x1fff => Class::Alphabet,
        0x2000..=0x2bff
        | 0x3000..=0x3004
        | 0x3008..=0x3020
        | 0x3030
        | 0xfe30..=0xfe4f
        | 0xff01..=0xff0f
        | 0xff1a..=0xff20
        | 0xff3b..=0xff40
        | 0xff5b..=0xff65 => Class::Punctuation,
        // Hangul, Han, kana.
        0x1100..=0x11ff
        | 0x2e80..=0x2fdf
        | 0x3005..=0x3007
        | 0x3021..=0x302f
        | 0x3031..=0x30ff
        | 0x3130..=0x318f
        | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xa960..=0xa97f
        | 0xac00..=0xd7ff
        | 0xf900..=0xfaff
        | 0xff66..=0xffdc
        | 0x1_b000..=0x1_b16f
        | 0x2_0000..=0x3_ffff => Class::Cjk,
        _ => Class::Other,
    }
}

/// What was added of the text so far, and the runs at its end.
#[derive(Default)]
struct Sum {
    hundredths: u64,
    /// The last character's class, and how many of it there are at the end.
    last: Option<Class>,
    run: u64,
    /// Of the word at the end.
    letters: u64,
    /// Of the run of letters and digits at the end: its length, changes of class, and the sum before it.
    length: u64,
    changes: u64,
    before: u64,
}

/// The tokens of the text, unrounded. What a message or a part costs by itself is not in it.
#[must_use]
pub fn classes(text: &str) -> f64 {
    let bytes = text.as_bytes();
    let mut sum = Sum::default();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if let Some(class) = ASCII.get(usize::from(*byte)) {
            sum.take(*class, 1);
            at += 1;
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
        sum.take(class_beyond(c), c.len_utf16() as u64);
        at += c.len_utf8();
    }
    sum.end()
}

impl Sum {
    /// Adds a character of so many UTF-16 units.
    #[inline]
    fn take(&mut self, class: Class, units: u64) {
        let last = self.last.replace(class);
        let continues = last == Some(class);
        self.run = if continues { self.run + 1 } else { 1 };
        match class {
            Class::Lower | Class::Upper | Class::Digit => {
                self.take_in_run(class, last);
            }
            _ => self.end_run(),
        }
        self.hundredths += match class {
            Class::Lower | Class::Upper => {
                let is_new = match last {
                    Some(Class::Lower) => class == Class::Upper,
                    Some(Class::Upper) => false,
                    _ => true,
                };
                self.letters = if is_new { 1 } else { self.letters + 1 };
                match self.letters {
                    1 => cost::WORD,
                    2..=SHORT_WORD => 0,
                    _ => cost::LETTER,
                }
            }
            Class::Digit if self.run % 3 == 1 => cost::DIGITS,
            Class::Punctuation if self.run % 2 == 1 => cost::PUNCTUATION,
            Class::LineEnd if self.run == 1 => cost::LINE_ENDS,
            Class::Blank if self.run == 2 => cost::BLANKS,
            Class::Digit | Class::Punctuation | Class::LineEnd | Class::Blank => 0,
            Class::Cjk => cost::CJK * units,
            Class::Alphabet => cost::ALPHABET * units,
            Class::Other => cost::OTHER * units,
        };
    }

    #[inline]
    fn take_in_run(&mut self, class: Class, last: Option<Class>) {
        if self.length == 0 {
            self.before = self.hundredths;
            self.changes = 0;
        } else if last != Some(class) {
            self.changes += 1;
        }
        self.length += 1;
    }

    #[inline]
    fn end_run(&mut self) {
        if self.length >= LONG_RUN && self.changes * CHANGES >= self.length {
            self.hundredths = self.before + cost::MIXED * self.length;
        }
        self.length = 0;
    }

    #[allow(clippy::cast_precision_loss)] // below 2^53
    fn end(mut self) -> f64 {
        self.end_run();
        self.hundredths as f64 / 100.0
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
