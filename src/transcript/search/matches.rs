//! Search in a transcript.

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
    /// Its position in the part.
    pub hit: Hit,
}

/// Called with each match: the index of its message, the index of its part in the message, and the
/// match. Returns `Break` to end the search.
pub type Tell<'a> = dyn FnMut(usize, usize, &Match<'_>) -> ControlFlow<()> + 'a;

impl Transcript {
    /// The first `limit` matches of a query, in the order of the file.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
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

    /// The same as columns, without excerpts: 20 bytes per match.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn search_columns(&self, query: &Query, limit: usize) -> Result<MatchColumns, Error> {
        let mut columns = MatchColumns::new(limit);
        let mut add =
            |message: usize, part: usize, shown: &Match<'_>| columns.add(message, part, shown);
        self.each_match(query, 0..self.message_count(), &mut add)?;
        Ok(columns)
    }

    /// Calls `tell` with the matches of a query in the messages of a range, in the order of the file, until
    /// it returns `Break`.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn each_match(
        &self,
        query: &Query,
        range: Range<usize>,
        tell: &mut Tell<'_>,
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
                    break; // it belongs to the next block
                };
                if place < from {
                    at = from;
                    continue;
                }
                at = to;
                let Some(json) = bytes.get(start..start + fact.size as usize) else { break };
                if tape.read(json, 0).is_ok() {
                    let first = self.messages().get(message).map_or(0, |m| m.first_part as usize);
                    let mut shown = |shown: &Match<'_>| tell(message, part - first, shown);
                    if query.in_part(json, tape.root(json), &mut shown).is_break() {
                        return false;
                    }
                }
            }
            true
        })
    }

    /// Calls `look` with each part in the messages of a range, until it returns `false`. Its arguments are
    /// the index of the message, the index of the part in the message, and the part.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
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

    /// The range, limited to the messages that exist.
    fn within(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.message_count());
        range.start.min(end)..end
    }

    /// The byte range of the file that the messages of a range take: from the first byte of the first one to
    /// the end of the last. `None` if the range is empty, or if the messages were assembled from records:
    /// then the file does not contain them as they are.
    #[must_use]
    pub fn byte_range(&self, range: Range<usize>) -> Option<Range<u64>> {
        let range = self.within(range);
        if range.is_empty() || !self.is_in_file() {
            return None;
        }
        let (first, last) =
            (self.messages().get(range.start)?, self.messages().get(range.end - 1)?);
        Some(first.start..last.start + u64::from(last.size))
    }

    /// The part whose searched range contains this offset or, if there is none, the next part. Returns the
    /// index of its message, and its index among all parts.
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

/// The indexes of a message's parts among all parts.
fn range_of(
    messages: &Facts<MessageFact>,
    message: usize,
    parts: &Facts<PartFact>,
) -> Range<usize> {
    let first = |index: usize| messages.get(index).map_or(parts.len(), |m| m.first_part as usize);
    first(message)..first(message + 1)
}
