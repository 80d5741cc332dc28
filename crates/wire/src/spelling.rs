//! The spelling of the record that was read last, for records that differ from it in their text only.
//!
//! Servers send the pieces of a text in records that are otherwise equal, byte for byte. Such a record needs no
//! reader: what it emits is what the last one emitted, with its own text. The test `a_spelling_changes_nothing` and
//! the fuzz targets of the formats prove it.

use super::reader::Sink;
use apex_parts_json::record;
use apex_parts_model::delta::{Payload, Piece, ReaderOutput};
use std::borrow::Cow;
use std::ops::Range;

/// After so many spellings that no record had again, no more are kept.
const USELESS: u8 = 8;

/// How a record of text was spelled.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    /// The type of its event.
    event: String,
    /// The record up to its text; empty if no spelling is known.
    before: String,
    /// What follows the text, up to its padding if it has any.
    after: String,
    /// What follows the padding.
    end: Option<String>,
    thinking: bool,
    /// The number of spellings in a row that no record had again.
    useless: u8,
}

impl Spelling {
    /// Reads a record that has this spelling; false leaves it to the format, and nothing is emitted then.
    pub(crate) fn read(&mut self, event: &str, text: &str, out: &mut Sink<'_>) -> bool {
        if self.before.is_empty() || event != self.event {
            return false;
        }
        let Some(piece) = self.piece(text) else { return false };
        self.useless = 0;
        out(ReaderOutput::Delta(match self.thinking {
            true => Payload::Thinking(piece),
            false => Payload::Text(piece),
        }));
        true
    }

    /// The text of a record that has this spelling, unless it is empty.
    fn piece<'a>(&self, text: &'a str) -> Option<Piece<'a>> {
        let rest = text.strip_prefix(&*self.before)?;
        let (value, rest) = record::leading_string(rest)?;
        let mut rest = rest.strip_prefix(&*self.after)?;
        if let Some(end) = &self.end {
            rest = record::leading_string(rest)?.1.strip_prefix(&**end)?;
        }
        rest.is_empty().then(|| value.piece())?
    }

    /// Forgets it: the record that comes next may mean something else.
    pub(crate) fn forget(&mut self) {
        self.before.clear();
    }

    /// Keeps the spelling of a record, if it emitted a piece of text and nothing else. `padding` is how a field
    /// begins whose string says nothing; empty if the format has none.
    pub(crate) fn keep(&mut self, event: &str, text: &str, seen: &SeenText, padding: &str) {
        self.forget();
        let Some((range, thinking)) = seen.only() else { return };
        let quotes = range.start.checked_sub(1).zip(range.end.checked_add(1));
        let Some((start, end)) = quotes.filter(|_| self.useless < USELESS) else { return };
        let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return };
        self.useless += 1;
        event.clone_into(&mut self.event);
        before.clone_into(&mut self.before);
        self.thinking = thinking;
        let padded = (!padding.is_empty()).then(|| after.find(padding)).flatten();
        let split = padded.and_then(|at| {
            let (after, rest) = after.split_at_checked(at + padding.len() - 1)?;
            Some((after, record::leading_string(rest)?.1))
        });
        self.end = split.map(|(_, end)| end.to_owned());
        split.map_or(after, |(after, _)| after).clone_into(&mut self.after);
    }
}

/// What a record has emitted.
#[derive(Debug)]
pub(crate) struct SeenText {
    /// Where its text begins in memory, and its length.
    text: Range<usize>,
    /// The number of its outputs.
    count: u32,
    /// Where the piece of text lies in it, as it was sent, and whether it is reasoning.
    piece: Option<(Range<usize>, bool)>,
}

impl SeenText {
    pub(crate) fn of(text: &str) -> SeenText {
        let start = text.as_ptr().addr();
        SeenText { text: start..start + text.len(), count: 0, piece: None }
    }

    /// Notes an output.
    pub(crate) fn see(&mut self, output: &ReaderOutput<'_>) {
        self.count += 1;
        let (piece, thinking) = match output {
            ReaderOutput::Delta(Payload::Text(piece)) => (piece, false),
            ReaderOutput::Delta(Payload::Thinking(piece)) => (piece, true),
            _ => return,
        };
        // A piece with escapes is a copy.
        if let Piece { low: None, text: Cow::Borrowed(text), high: None } = piece {
            let start = text.as_ptr().addr();
            let is_within = self.text.contains(&start) && start + text.len() < self.text.end;
            let at = start.wrapping_sub(self.text.start);
            self.piece = is_within.then(|| (at..at + text.len(), thinking));
        }
    }

    /// The piece of text, if it is the only output.
    fn only(&self) -> Option<(Range<usize>, bool)> {
        self.piece.clone().filter(|_| self.count == 1)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
