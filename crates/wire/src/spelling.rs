//! The spelling of the record that was read last, for records that differ from it in their text only.
//!
//! Servers send the pieces of a text, or of a call's arguments, in records that are otherwise equal, byte for byte. Such
//! a record needs no reader: what it emits is what the last one emitted, with its own text. The test
//! `a_spelling_changes_nothing` and the fuzz targets of the formats prove it.

use super::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::scan::same;
use apex_parts_model::delta::{Payload, Piece, ReaderOutput};
use std::borrow::Cow;
use std::ops::Range;

/// After so many spellings that no record had again, no more are kept.
const USELESS: u8 = 8;

/// What the text of a record is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum SpelledText {
    #[default]
    Text,
    Thinking,
    /// Arguments of a call.
    Args,
}

/// What follows this beginning, if the text has it.
fn after<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(begin.len())?;
    same(head.as_bytes(), begin.as_bytes()).then_some(rest)
}

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
    kind: SpelledText,
    /// The call whose arguments it has.
    call: String,
    /// The number of spellings in a row that no record had again.
    useless: u8,
}

impl Spelling {
    /// Reads a record that has this spelling; false leaves it to the format, and nothing is emitted then.
    pub(crate) fn read(&mut self, event: &str, record: &[u8], out: &mut Sink<'_>) -> bool {
        if self.before.is_empty() || !same(event.as_bytes(), self.event.as_bytes()) {
            return false;
        }
        let Some(piece) = self.piece(record) else { return false };
        self.useless = 0;
        out(ReaderOutput::Delta(match self.kind {
            SpelledText::Text => Payload::Text(piece),
            SpelledText::Thinking => Payload::Thinking(piece),
            SpelledText::Args => Payload::ToolCallArgs { id: (&*self.call).into(), text: piece },
        }));
        true
    }

    /// The text of a record that has this spelling, unless it is empty. What equals this spelling is UTF-8.
    fn piece<'a>(&self, record: &'a [u8]) -> Option<Piece<'a>> {
        let (head, rest) = record.split_at_checked(self.before.len())?;
        if !same(head, self.before.as_bytes()) {
            return None;
        }
        let (value, rest) = record::leading_string(std::str::from_utf8(rest).ok()?)?;
        let mut rest = after(rest, &self.after)?;
        if let Some(end) = &self.end {
            rest = after(record::leading_string(rest)?.1, end)?;
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
        let Some((range, kind)) = seen.only() else { return };
        let quotes = range.start.checked_sub(1).zip(range.end.checked_add(1));
        let Some((start, end)) = quotes.filter(|_| self.useless < USELESS) else { return };
        let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return };
        self.useless += 1;
        event.clone_into(&mut self.event);
        before.clone_into(&mut self.before);
        self.kind = kind;
        seen.call.clone_into(&mut self.call);
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
    /// Where the piece of text lies in it, as it was sent, and what it is.
    piece: Option<(Range<usize>, SpelledText)>,
    /// The call whose arguments it is.
    call: String,
    /// Of arguments, too, every piece is emitted alike.
    has_args: bool,
}

impl SeenText {
    /// `has_args`: the format emits every piece of a call's arguments alike.
    pub(crate) fn of(text: &str, has_args: bool) -> SeenText {
        let start = text.as_ptr().addr();
        let text = start..start + text.len();
        SeenText { text, count: 0, piece: None, call: String::new(), has_args }
    }

    /// Notes an output.
    pub(crate) fn see(&mut self, output: &ReaderOutput<'_>) {
        self.count += 1;
        let (piece, kind) = match output {
            ReaderOutput::Delta(Payload::Text(piece)) => (piece, SpelledText::Text),
            ReaderOutput::Delta(Payload::Thinking(piece)) => (piece, SpelledText::Thinking),
            ReaderOutput::Delta(Payload::ToolCallArgs { id, text }) if self.has_args => {
                id.as_ref().clone_into(&mut self.call);
                (text, SpelledText::Args)
            }
            _ => return,
        };
        // A piece with escapes is a copy.
        if let Piece { low: None, text: Cow::Borrowed(text), high: None } = piece {
            let start = text.as_ptr().addr();
            let is_within = self.text.contains(&start) && start + text.len() < self.text.end;
            let at = start.wrapping_sub(self.text.start);
            self.piece = is_within.then(|| (at..at + text.len(), kind));
        }
    }

    /// The piece of text, if it is the only output.
    fn only(&self) -> Option<(Range<usize>, SpelledText)> {
        self.piece.clone().filter(|_| self.count == 1)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
