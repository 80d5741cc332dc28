//! What a search finds, and where.

use crate::json::tape::{Node, Tape};
use crate::model::{Error, Key, View};
use crate::transcript::index::entry::{MessageFact, PartFact};
use crate::transcript::search::{Hit, Match, MatchColumns, Query};
use crate::transcript::{Facts, Transcript};
use std::ops::{ControlFlow, Range};

/// A match in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The index of its message.
    pub message: usize,
    /// The index of its part in the message.
    pub part: usize,
    /// Where it stands in the part.
    pub hit: Hit,
}

/// What is told of each match: the index of its message, that of its part there, and the match. It
/// breaks where no more are wanted.
pub type Tell<'a> = dyn FnMut(usize, usize, &Match<'_>) -> ControlFlow<()> + 'a;

impl Transcript {
    /// The matches of a query in the order of the file, but no more than `limit`.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn search(&self, query: &Query, limit: usize) -> Result<Vec<Found>, Error> {
        let mut found = Vec::new();
        if limit == 0 {
            return Ok(found);
        }
        self.each_match(query, 0..self.message_count(), &mut |message, part, shown| {
            found.push(Found { message, part, hit: shown.hit() });
            if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(found)
    }

    /// The same in columns, without excerpts: 20 bytes a match.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn search_columns(&self, query: &Query, limit: usize) -> Result<MatchColumns, Error> {
        let mut columns = MatchColumns::new(limit);
        let mut add =
            |message: usize, part: usize, shown: &Match<'_>| columns.add(message, part, shown);
        self.each_match(query, 0..self.message_count(), &mut add)?;
        Ok(columns)
    }

    /// Shows the matches of a query in the messages of a range, in the order of the file, until `told`
    /// breaks.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn each_match(
        &self,
        query: &Query,
        range: Range<usize>,
        told: &mut Tell<'_>,
    ) -> Result<(), Error> {
        let mut tape = Tape::default();
        self.shown().blocks(self.within(range), &mut |base, bytes| {
            let mut at = 0;
            while let Some(place) = query.next_candidate(bytes, at)
                && let Some((message, part)) = self.part_at(base + place as u64)
                && let Some(fact) = self.parts().get(part)
            {
                let (from, to) = fact.searched;
                let near = |at: u32| {
                    let at = self.messages().get(message)?.start + u64::from(at);
                    usize::try_from(at.checked_sub(base)?).ok()
                };
                let (Some(start), Some(from), Some(to)) = (near(fact.start), near(from), near(to))
                else {
                    break; // it is of the next block
                };
                if place < from {
                    at = from;
                    continue;
                }
                at = to;
                let Some(json) = bytes.get(start..start + fact.size as usize) else { break };
                if tape.read(json, 0).is_ok() {
                    let first = self.messages().get(message).map_or(0, |m| m.first_part as usize);
                    let mut shown = |shown: &Match<'_>| told(message, part - first, shown);
                    if query.in_part(json, tape.root(json), &mut shown).is_break() {
                        return false;
                    }
                }
            }
            true
        })
    }

    /// Shows every part in the messages of a range until `look` says `false`: the index of its
    /// message, its own there, and what it is.
    ///
    /// # Errors
    /// `TranscriptError` where the host does not give the bytes.
    pub fn each_part(
        &self,
        range: Range<usize>,
        look: &mut dyn FnMut(usize, usize, Node<'_>) -> bool,
    ) -> Result<(), Error> {
        let mut tape = Tape::default();
        self.each(self.within(range), &mut |message, bytes| {
            if tape.read(bytes, 0).is_err() {
                return true;
            }
            let parts = tape.root(bytes).get(Key::Parts);
            parts.children().enumerate().all(|(index, part)| look(message, index, part))
        })
    }

    /// As much of a range as there are messages.
    fn within(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.message_count());
        range.start.min(end)..end
    }

    /// Where the messages of a range stand in the file, in bytes: from the beginning of the first to
    /// behind the last. `None` where there are none, or where they were put together: those stand
    /// nowhere in it.
    #[must_use]
    pub fn byte_range(&self, range: Range<usize>) -> Option<Range<u64>> {
        let range = self.within(range);
        if range.is_empty() || !self.stands_in_file() {
            return None;
        }
        let (first, last) =
            (self.messages().get(range.start)?, self.messages().get(range.end - 1)?);
        Some(first.start..last.start + u64::from(last.size))
    }

    /// The part that has this offset in what is searched of it or, where none has, the next one: the
    /// index of its message, and its own among all parts.
    fn part_at(&self, offset: u64) -> Option<(usize, usize)> {
        let (messages, parts) = (self.messages(), self.parts());
        let mut message =
            messages.partition_point(0..messages.len(), |m| m.start <= offset).saturating_sub(1);
        loop {
            let fact = messages.get(message)?;
            let range = range_of(messages, message, parts);
            let end = |part: &PartFact| fact.start + u64::from(part.searched.1);
            let index = parts.partition_point(range.clone(), |part| end(part) <= offset);
            if index < range.end {
                return Some((message, index));
            }
            message += 1;
        }
    }
}

/// The parts of a message among all.
fn range_of(
    messages: &Facts<MessageFact>,
    message: usize,
    parts: &Facts<PartFact>,
) -> Range<usize> {
    let first = |index: usize| messages.get(index).map_or(parts.len(), |m| m.first_part as usize);
    first(message)..first(message + 1)
}
