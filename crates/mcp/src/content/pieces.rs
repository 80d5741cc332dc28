//! The pieces of an output, joined with blank lines; where some of them are in it; the cut.

use apex_parts_model::invisible::{Controls, VisibleText};
use apex_parts_model::start_of;

/// A range of bytes.
pub(super) type ByteRange = (usize, usize);

/// Pieces that are joined as they come.
#[derive(Default)]
pub(super) struct Pieces {
    /// What is seen of the pieces.
    pub(super) output: String,
}

impl Pieces {
    /// Adds a piece; gives its range, empty if nothing of it is seen, and what is seen of it.
    pub(super) fn push<'p>(&mut self, piece: &'p str) -> (ByteRange, VisibleText<'p>) {
        let seen = VisibleText::inside(piece, Controls::Remove);
        if seen.text.is_empty() {
            return ((0, 0), seen);
        }
        if !self.output.is_empty() {
            self.output.push_str("\n\n");
        }
        let start = self.output.len();
        self.output.push_str(&seen.text);
        ((start, self.output.len()), seen)
    }

    /// Cuts the output, on a character, to this many bytes; gives the number of bytes left out.
    pub(super) fn cut(&mut self, most: usize) -> usize {
        let whole = self.output.len();
        if whole > most {
            self.output.truncate(start_of(&self.output, most).len());
        }
        whole - self.output.len()
    }
}

/// Counts UTF-16 units up to places that come in order, so that all of them cost one pass.
#[derive(Default)]
pub(super) struct Utf16Units {
    byte: usize,
    units: usize,
}

impl Utf16Units {
    /// The UTF-16 units before this byte, which is not before the last one asked for.
    pub(super) fn before(&mut self, text: &str, byte: usize) -> usize {
        let between = text.get(self.byte..byte).unwrap_or_default();
        self.units += between.chars().map(char::len_utf16).sum::<usize>();
        self.byte = self.byte.max(byte);
        self.units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined_and_cut() {
        let mut pieces = Pieces::default();
        assert_eq!(pieces.push("\u{1b}[1m").0, (0, 0));
        assert_eq!(pieces.push("aé").0, (0, 3));
        assert_eq!(pieces.push("").0, (0, 0));
        assert_eq!(pieces.push("🎉").0, (5, 9));
        let mut units = Utf16Units::default();
        assert_eq!((units.before(&pieces.output, 5), units.before(&pieces.output, 9)), (4, 6));
        assert_eq!(pieces.cut(8), 4);
        assert_eq!(pieces.output, "aé\n\n");
    }
}
