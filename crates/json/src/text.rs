//! Text that grows by pieces.

use super::string::joined;
use apex_parts_model::delta::Piece;
use std::borrow::Cow;
use std::fmt;

/// The most bytes of a block, and of the first one unless it has more to take at once.
const BLOCK: usize = 1 << 16;
const FIRST_BLOCK: usize = 256;

/// Text that grows by pieces. It is kept in blocks: a single growing string would copy itself again
/// and again, and need up to three times its size meanwhile.
#[derive(Clone, Debug, Default)]
pub struct Text {
    full: Vec<String>,
    tail: String,
    len: usize,
    /// The first half of a surrogate pair, whose second half may begin the next piece. It is not
    /// yet part of the text.
    high: Option<u16>,
}

impl Text {
    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is the text empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its length in bytes as a JSON string, without the quotes.
    pub fn escaped_len(&self) -> u64 {
        let escaped = |byte: u8| match byte {
            0..=31 => 6,
            b'"' | b'\\' => 2,
            _ => 1,
        };
        self.blocks().flat_map(str::bytes).map(escaped).sum()
    }

    /// The text, block by block.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.full.iter().chain(Some(&self.tail)).map(String::as_str).filter(|b| !b.is_empty())
    }

    /// The whole text; copied if it is longer than a block.
    #[must_use]
    pub fn to_str(&self) -> Cow<'_, str> {
        self.since(0)
    }

    /// The text from this byte to its end.
    #[must_use]
    pub fn since(&self, from: usize) -> Cow<'_, str> {
        let wanted = self.len.saturating_sub(from);
        if wanted <= self.tail.len() {
            let from = self.tail.len() - wanted;
            return Cow::Borrowed(self.tail.get(from..).unwrap_or_default());
        }
        let mut text = String::with_capacity(wanted);
        self.each_since(from, |block| text.push_str(block));
        Cow::Owned(text)
    }

    /// Shows the text from this byte to its end, block by block.
    pub fn each_since(&self, from: usize, mut show: impl FnMut(&str)) {
        // Usually the last block has all of it.
        if let Some(skip) = (from + self.tail.len()).checked_sub(self.len) {
            return show(self.tail.get(skip..).unwrap_or_default());
        }
        let mut start = self.len;
        let mut blocks = 0;
        for block in self.blocks().rev() {
            start -= block.len();
            blocks += 1;
            if start <= from {
                break;
            }
        }
        let skipped = self.blocks().count() - blocks;
        for block in self.blocks().skip(skipped) {
            show(block.get(from.saturating_sub(start)..).unwrap_or_default());
            start += block.len();
        }
    }

    /// Shows the text from this byte up to `end`, or to its own end, block by block.
    pub fn each_between(&self, from: usize, end: usize, mut show: impl FnMut(&str)) {
        let mut left = end.min(self.len).saturating_sub(from);
        self.each_since(from, |block| {
            let now = block.get(..boundary(block, left)).unwrap_or_default();
            left -= now.len();
            if !now.is_empty() {
                show(now);
            }
        });
    }

    /// The first half of a surrogate pair that waits after the text for its second half.
    pub fn high(&self) -> Option<u16> {
        self.high
    }

    /// Appends a piece. A surrogate pair that was cut in two is joined; an unpaired half becomes
    /// U+FFFD.
    pub fn append(&mut self, piece: &Piece<'_>) {
        if self.high.is_none() && piece.low.is_none() && piece.high.is_none() {
            self.push(&piece.text);
            return;
        }
        if piece.low.is_none() && piece.high.is_none() && piece.text.is_empty() {
            return; // an empty piece: the half still waits
        }
        match (self.high.take(), piece.low) {
            (Some(high), Some(low)) => self.push_char(joined(high, low)),
            (Some(_), None) | (None, Some(_)) => self.push_char(char::REPLACEMENT_CHARACTER),
            (None, None) => {}
        }
        self.push(&piece.text);
        self.high = piece.high;
    }

    /// Nothing follows: a half that waits becomes U+FFFD. True if there was one.
    pub fn close(&mut self) -> bool {
        let waits = self.high.take().is_some();
        if waits {
            self.push_char(char::REPLACEMENT_CHARACTER);
        }
        waits
    }

    fn push_char(&mut self, c: char) {
        self.push(c.encode_utf8(&mut [0; 4]));
    }

    fn push(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let room = self.tail.capacity() - self.tail.len();
            let fits = boundary(rest, room);
            let Some((now, later)) = rest.split_at_checked(fits) else { return };
            self.tail.push_str(now);
            self.len += now.len();
            if later.is_empty() {
                return;
            }
            // A quarter more. A block never moves: what a block that grows leaves behind fits nothing that is
            // larger, and many messages that grow side by side would leave twice as much as they take.
            let most = BLOCK.min((self.len / 4).max(FIRST_BLOCK));
            let next = String::with_capacity(most.max(later.len().min(BLOCK)));
            let full = std::mem::replace(&mut self.tail, next);
            if full.capacity() > 0 {
                self.full.push(full);
            }
            rest = later;
        }
    }
}

/// The last boundary between two characters that is not after `at`.
fn boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let mut at = at;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.blocks().try_for_each(|block| f.write_str(block))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.high == other.high && self.to_str() == other.to_str()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
