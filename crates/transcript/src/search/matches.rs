//! Search in a transcript.

use crate::carried_part::restored;
use crate::index::entry::{MessageFact, PartFact};
use crate::message_list::MessageList;
use crate::scope::ScopedList;
use crate::search::{Hit, Match, MatchColumns, Query};
use crate::{Facts, Transcript};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Error, Key, View};
use std::ops::{ControlFlow, Range};

/// A match in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The id of its session, if that is not the main one.
    pub session: Option<String>,
    /// The index of its message among those of its session.
    pub message: usize,
    /// The index of its part in the message.
    pub part: usize,
    /// Its position in the part.
    pub hit: Hit,
}

/// Called with each match: the index of its message, the index of its part in the message, and the
/// match. Returns `Break` to end the search.
pub type Tell<'a> = dyn FnMut(usize, usize, &Match<'_>) -> ControlFlow<()> + 'a;

/// What is searched: a query, or with [`Transcript::each_part_of`] whatever is looked for.
#[derive(Clone, Debug, Default)]
pub struct SearchScope<'a> {
    /// The session; the whole file if there is none.
    pub session: Option<&'a str>,
    /// A range of the messages of the session or, without one, of the main one: nothing else is searched then.
    pub range: Option<Range<usize>>,
}

/// Where a message is: the id of its session, if that is not the main one, and its index there.
pub type FoundPlace<'a> = (Option<&'a str>, usize);

impl Transcript {
    /// The first `limit` matches of a query in the whole file: those of the main session first, each session in the
    /// order of the file.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn search(&self, query: &Query, limit: usize) -> Result<Vec<Found>, Error> {
        let mut matches = Vec::new();
        if limit == 0 {
            return Ok(matches);
        }
        let mut tell = |(session, message): FoundPlace<'_>, part: usize, shown: &Match<'_>| {
            let session = session.map(str::to_owned);
            matches.push(Found { session, message, part, hit: shown.hit() });
            if matches.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.each_match_of(query, &SearchScope::default(), &mut tell)?;
        Ok(matches)
    }

    /// Calls `tell` with the matches of a query in what is searched, until it returns `Break`.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn each_match_of(
        &self,
        query: &Query,
        scope: &SearchScope<'_>,
        tell: &mut dyn FnMut(FoundPlace<'_>, usize, &Match<'_>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut is_over = false;
        for (list, range) in self.searched(scope) {
            let places = ListPlaces::new(self, &list);
            list.list.each_match(query, range, &mut |message, part, shown| {
                let Some(place) = places.at(message) else { return ControlFlow::Continue(()) };
                let goes_on = tell(place, part, shown);
                is_over = goes_on.is_break();
                goes_on
            })?;
            if is_over {
                break;
            }
        }
        Ok(())
    }

    /// Calls `look` with each part in what is searched, until it returns `false`.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn each_part_of(
        &self,
        scope: &SearchScope<'_>,
        look: &mut dyn FnMut(FoundPlace<'_>, usize, Node<'_>) -> bool,
    ) -> Result<(), Error> {
        let mut tape = Tape::default();
        let mut is_over = false;
        for (list, range) in self.searched(scope) {
            let places = ListPlaces::new(self, &list);
            list.list.each(range, &|fact| list.has(fact), &mut |message, bytes| {
                let bytes = restored(bytes.into());
                if tape.read(&bytes, 0).is_err() {
                    return true;
                }
                let Some(place) = places.at(message) else { return true };
                let parts = tape.root(&bytes).get(Key::Parts);
                is_over = !parts.children().enumerate().all(|(i, part)| look(place, i, part));
                !is_over
            })?;
            if is_over {
                break;
            }
        }
        Ok(())
    }

    /// The lists that are searched, and the range of each: also the copies of other sessions.
    fn searched(&self, scope: &SearchScope<'_>) -> Vec<(ScopedList<'_>, Range<usize>)> {
        let lists = match (scope.session, &scope.range) {
            (Some(_), _) => self.scope(scope.session).unwrap_or_default(),
            (None, None) => self.all_lists(),
            (None, Some(_)) => self.all_lists().into_iter().take(1).collect(),
        };
        let range = |list: &ScopedList<'_>| {
            let count = list.list.index.messages.len();
            let Range { start, end } = scope.range.clone().unwrap_or(0..count);
            start.min(end.min(count))..end.min(count)
        };
        lists.into_iter().map(|list| (list, range(&list))).collect()
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

    /// Calls `tell` with the matches of a query in the messages of a range of the main session, in the order of the
    /// file, until it returns `Break`.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn each_match(
        &self,
        query: &Query,
        range: Range<usize>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Error> {
        self.visible().each_match(query, self.within(range), tell)
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
}

impl MessageList {
    /// Calls `tell` with the matches of a query in the messages of a range, in the order of the file, until
    /// it returns `Break`.
    fn each_match(
        &self,
        query: &Query,
        range: Range<usize>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Error> {
        let mut tape = Tape::default();
        self.blocks(range, &mut |base, bytes| {
            let mut at = 0;
            while let Some(place) = query.next_candidate(bytes, at)
                && let Some((message, part)) = self.part_at(base + place as u64)
                && let Some(fact) = self.index.parts.get(part)
            {
                let (from, to) = fact.searched;
                let near = |at: u32| {
                    let at = self.index.messages.get(message)?.start + u64::from(at);
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
                    let first =
                        self.index.messages.get(message).map_or(0, |m| m.first_part as usize);
                    let mut shown = |shown: &Match<'_>| tell(message, part - first, shown);
                    if query.in_part(json, tape.root(json), &mut shown).is_break() {
                        return false;
                    }
                }
            }
            true
        })
    }

    /// The part whose searched range contains this offset or, if there is none, the next part. Returns the
    /// index of its message, and its index among all parts.
    fn part_at(&self, offset: u64) -> Option<(usize, usize)> {
        let (messages, parts) = (&self.index.messages, &self.index.parts);
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

/// Where the messages of a list are, among those of their sessions.
struct ListPlaces<'a> {
    /// The session of all of them, if it is not the main one.
    session: Option<&'a str>,
    /// Of a list with those of several sessions: of each message its session, and its index there.
    each: Vec<FoundPlace<'a>>,
    list: ScopedList<'a>,
}

impl<'a> ListPlaces<'a> {
    fn new(transcript: &'a Transcript, list: &ScopedList<'a>) -> ListPlaces<'a> {
        let set = &transcript.session_set.sessions;
        let session = set.get(list.place).filter(|_| list.place > 0);
        let names = &list.list.index.sessions;
        let main = transcript.sessions().into_iter().next().map(|main| main.id);
        let mut each = Vec::new();
        if set.is_empty() && names.len() > 1 {
            let mut counts = vec![0; names.len()];
            for (index, fact) in list.list.index.messages.iter().enumerate() {
                let at = fact.session as usize;
                let name = names.get(at).map(String::as_str).unwrap_or_default();
                let Some(count) = counts.get_mut(at) else { continue };
                let is_main = name.is_empty() || main.as_deref() == Some(name);
                each.push(if is_main { (None, index) } else { (Some(name), *count) });
                *count += 1;
            }
        }
        ListPlaces { session: session.map(|session| session.id.as_str()), each, list: *list }
    }

    /// Where a message is; `None` if it is not searched.
    fn at(&self, message: usize) -> Option<FoundPlace<'a>> {
        let fact = self.list.list.index.messages.get(message)?;
        if !self.list.has(fact) {
            return None;
        }
        Some(self.each.get(message).copied().unwrap_or((self.session, message)))
    }
}
