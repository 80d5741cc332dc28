//! The same answer, or the same thought, again and again.

use super::hash::{Print, Running};

/// One channel: the text that streams, as a fingerprint of its words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Echo {
    pub(super) text: Running,
    /// White space came, and counts once something follows it.
    pub(super) space: bool,
    /// The text that was closed last, and how often it came.
    pub(super) last: Print,
    pub(super) count: u64,
}

/// So many times.
const TIMES: u64 = 3;

impl Echo {
    /// Takes more of the text. White space is folded; thoughts are compared without case.
    pub(super) fn take(&mut self, text: &str, fold_case: bool) {
        if text.is_ascii() {
            return self.take_ascii(text.as_bytes(), fold_case);
        }
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
                continue;
            }
            self.word_goes_on();
            let text = &mut self.text;
            let mut push = |c: char| c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| text.push(b));
            if fold_case {
                c.to_lowercase().for_each(push);
            } else {
                push(c);
            }
        }
    }

    /// The same for what nearly all text is made of.
    fn take_ascii(&mut self, text: &[u8], fold_case: bool) {
        let (mut running, mut space) = (self.text, self.space);
        for byte in text {
            if matches!(byte, b' ' | 9..=13) {
                space = true;
                continue;
            }
            if space {
                space = false;
                if running.length > 0 {
                    running.push(b' ');
                }
            }
            running.push(if fold_case { byte.to_ascii_lowercase() } else { *byte });
        }
        (self.text, self.space) = (running, space);
    }

    fn word_goes_on(&mut self) {
        if std::mem::take(&mut self.space) && self.text.length > 0 {
            self.text.push(b' ');
        }
    }

    /// The message has ended: gives the text's fingerprint and how often it came, where that is too
    /// often.
    pub(super) fn close(&mut self) -> Option<(Print, u64)> {
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
    pub(super) fn restart(&mut self) {
        (self.last, self.count) = (0, 0);
    }
}
