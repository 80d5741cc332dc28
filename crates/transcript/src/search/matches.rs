//! Search in a transcript.

use crate::carried_part::restored;
use crate::index::entry::{MessageFact, PartFact};
use crate::message_list::MessageList;
use crate::scope::ScopedList;
use crate::search::part_filter::{FilteredMessage, PartFilter, has_error};
use crate::search::part_summary::said_by_part;
use crate::search::strings::{Pointer, error_strings};
use crate::search::{Conditions, Hit, Match, MatchColumns, Query};
use crate::{Facts, Format, Transcript};
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
    /// The index of its part in the message; `None` if it is in the error of the message itself.
    pub part: Option<usize>,
    /// Its position in the part, or in the message.
    pub hit: Hit,
}

/// Called with each match: the index of its message, the index of its part in the message (`None` if the match is in
/// the error of the message itself), and the match. Returns `Break` to end the search.
pub type Tell<'a> = dyn FnMut(usize, Option<usize>, &Match<'_>) -> ControlFlow<()> + 'a;

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

/// Called with each match in any session: where its message is, otherwise as [`Tell`].
pub type TellFound<'a> =
    dyn FnMut(FoundPlace<'_>, Option<usize>, &Match<'_>) -> ControlFlow<()> + 'a;

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
        let mut tell = |(session, message): FoundPlace<'_>, part, shown: &Match<'_>| {
            let session = session.map(str::to_owned);
            matches.push(Found { session, message, part, hit: shown.hit() });
            if matches.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let conditions = Conditions::literal(query.clone(), limit);
        self.each_match_of(&conditions, &SearchScope::default(), &mut tell)?;
        Ok(matches)
    }

    /// Calls `tell` with the matches of a search in what is searched, until it returns `Break`: of each message those
    /// in its error first, then those in its parts. A search for parts alone has a match without a place for each. With
    /// a filter, the copy of its parent with which a fork begins is searched only if it is asked for, as the sums of a
    /// file count it once.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn each_match_of(
        &self,
        conditions: &Conditions,
        scope: &SearchScope<'_>,
        tell: &mut TellFound<'_>,
    ) -> Result<(), Error> {
        let mut is_over = false;
        let counts_once = !conditions.filters.is_empty() && scope.session.is_none();
        for (list, range) in self.searched(scope) {
            if counts_once && self.is_replay(list.place) {
                continue;
            }
            let places = ListPlaces::new(self, &list);
            let filter = self.part_filter(conditions, list.list());
            list.list().each_match(conditions, &filter, range, &mut |message, part, shown| {
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

    /// The filters of a search, for the messages of a list.
    fn part_filter(&self, conditions: &Conditions, list: &MessageList) -> PartFilter {
        let holds_results = self.format().is_none_or(Format::holds_results);
        let has_text = !conditions.texts.is_empty();
        PartFilter::new(&conditions.filters, &list.index, has_text, holds_results)
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
            list.list().each(range, &|fact| list.has(fact), &mut |message, bytes| {
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
            let count = list.list().index.messages.len();
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
        let mut add = |message: usize, part, shown: &Match<'_>| columns.add(message, part, shown);
        let conditions = Conditions::literal(query.clone(), limit.saturating_add(1));
        self.each_match(&conditions, 0..self.message_count(), &mut add)?;
        Ok(columns)
    }

    /// Calls `tell` with the matches of a search in the messages of a range of the main session, in the order of the
    /// file, until it returns `Break`.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn each_match(
        &self,
        conditions: &Conditions,
        range: Range<usize>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Error> {
        let list = self.visible();
        let filter = self.part_filter(conditions, list);
        list.each_match(conditions, &filter, self.within(range), tell)
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
    /// Calls `tell` with the matches of a search in the messages of a range, in the order of the file, until
    /// it returns `Break`.
    fn each_match(
        &self,
        conditions: &Conditions,
        filter: &PartFilter,
        range: Range<usize>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Error> {
        let looked = LookedList { list: self, conditions, filter };
        match conditions.candidate() {
            Some(query) => looked.candidates(query, range, tell),
            None if conditions.texts.is_empty() && conditions.filters.is_empty() => Ok(()),
            None => looked.whole(range, tell),
        }
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

/// A list whose messages are searched.
#[derive(Clone, Copy)]
struct LookedList<'a> {
    list: &'a MessageList,
    conditions: &'a Conditions,
    filter: &'a PartFilter,
}

impl<'a> LookedList<'a> {
    fn message(&self, message: usize) -> Option<FilteredMessage<'a>> {
        let index = &self.list.index;
        let fact = index.messages.get(message)?;
        let end = range_of(&index.messages, message, &index.parts).end;
        Some(FilteredMessage { index, fact, end })
    }

    /// Reads only the parts that may have a text, and the messages that have an error.
    fn candidates(
        self,
        query: &Query,
        range: Range<usize>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Error> {
        let list = self.list;
        let messages = &list.index.messages;
        let last = range.end.min(messages.len());
        // The first message whose error was not searched.
        let mut next = range.start;
        let mut tape = Tape::default();
        list.blocks(range, &mut |base, bytes| {
            let near = |fact: &MessageFact, at: u32| {
                let at = fact.start + u64::from(at);
                usize::try_from(at.checked_sub(base)?).ok()
            };
            let block_end = base + bytes.len() as u64;
            let mut errors_before = |end: usize, tell: &mut Tell<'_>| {
                while next < end
                    && let Some(fact) = messages.get(next)
                    && fact.start < block_end
                {
                    let message = next;
                    next += 1;
                    if !has_error(fact) {
                        continue;
                    }
                    let Some(start) = near(fact, 0) else { continue };
                    let json = bytes.get(start..start + fact.size as usize).unwrap_or_default();
                    let mut tape = Tape::default();
                    if tape.read(json, 0).is_ok() {
                        self.error(message, tape.root(json), tell)?;
                    }
                }
                ControlFlow::Continue(())
            };
            let mut at = 0;
            while let Some(place) = query.next_candidate(bytes, at)
                && let Some((message, part)) = list.part_at(base + place as u64)
                && let Some(fact) = list.index.parts.get(part)
                && let Some(of) = self.message(message)
            {
                let (from, to) = fact.searched;
                let (Some(start), Some(from), Some(to)) =
                    (near(of.fact, fact.start), near(of.fact, from), near(of.fact, to))
                else {
                    break; // it belongs to the next block
                };
                if place < from {
                    at = from;
                    continue;
                }
                at = to;
                let Some(json) = bytes.get(start..start + fact.size as usize) else { break };
                if !self.filter.may_pass(&of, fact) || tape.read(json, 0).is_err() {
                    continue;
                }
                let first = of.fact.first_part as usize;
                if errors_before(message + 1, tell).is_break()
                    || self.part(message, part - first, json, tape.root(json), tell).is_break()
                {
                    return false;
                }
            }
            errors_before(last, tell).is_continue()
        })
    }

    /// Reads every message of which something may pass.
    fn whole(self, range: Range<usize>, tell: &mut Tell<'_>) -> Result<(), Error> {
        let list = self.list;
        let has_text = !self.conditions.texts.is_empty();
        let mut tape = Tape::default();
        // The facts of messages are asked for by their place.
        let starts: Vec<usize> =
            range.filter(|message| self.may_pass(*message, has_text)).collect();
        let mut at = 0;
        while let Some(first) = starts.get(at).copied() {
            let mut end = first + 1;
            while starts.get(at + 1) == Some(&end) {
                at += 1;
                end += 1;
            }
            at += 1;
            let mut is_over = false;
            list.each(first..end, &|_| true, &mut |message, bytes| {
                let bytes = restored(bytes.into());
                if tape.read(&bytes, 0).is_err() {
                    return true;
                }
                let root = tape.root(&bytes);
                let mut goes_on = self.error(message, root, tell);
                for (part, node) in root.get(Key::Parts).children().enumerate() {
                    if goes_on.is_continue() {
                        goes_on = self.part(message, part, &bytes, node, tell);
                    }
                }
                is_over = goes_on.is_break();
                !is_over
            })?;
            if is_over {
                break;
            }
        }
        Ok(())
    }

    fn may_pass(&self, message: usize, has_text: bool) -> bool {
        let Some(of) = self.message(message) else { return false };
        let is_error = has_error(of.fact) && self.filter.passes_error(&of);
        if is_error && (has_text || self.filter.asks_for_errors()) {
            return true;
        }
        let parts = of.index.parts.range(of.fact.first_part as usize..of.end);
        { parts }.any(|part| self.filter.may_pass(&of, part))
    }

    /// The matches in the error of a message.
    fn error(&self, message: usize, value: Node<'_>, tell: &mut Tell<'_>) -> ControlFlow<()> {
        let Some(of) = self.message(message) else { return ControlFlow::Continue(()) };
        if !has_error(of.fact) || !self.filter.passes_error(&of) {
            return ControlFlow::Continue(());
        }
        if !self.conditions.texts.is_empty() {
            let mut tell = |shown: &Match<'_>| tell(message, None, shown);
            return self.conditions.in_strings(&|visit| error_strings(value, visit), &mut tell);
        }
        if !self.filter.asks_for_errors() {
            return ControlFlow::Continue(());
        }
        let mut said = String::new();
        let _ = error_strings(value, &mut |_, text| {
            said = text.str().unwrap_or_default().into_owned();
            ControlFlow::Break(())
        });
        tell(message, None, &whole_match(&said))
    }

    /// The matches in a part of `bytes`.
    fn part(
        &self,
        message: usize,
        part: usize,
        bytes: &[u8],
        value: Node<'_>,
        tell: &mut Tell<'_>,
    ) -> ControlFlow<()> {
        let kind = || value.get(Key::Type).str().unwrap_or_default().into_owned();
        let of = self.message(message);
        let fact = of.and_then(|of| of.index.parts.get(of.fact.first_part as usize + part));
        let (Some(of), Some(fact)) = (of, fact) else { return ControlFlow::Continue(()) };
        if !self.filter.passes(&of, fact, &kind) {
            return ControlFlow::Continue(());
        }
        if self.conditions.texts.is_empty() {
            return tell(message, Some(part), &whole_match(&said_by_part(value)));
        }
        self.conditions.in_part(bytes, value, &mut |shown| tell(message, Some(part), shown))
    }
}

/// The match of what filters alone chose: it has no place, and its excerpt is what is said.
fn whole_match(said: &str) -> Match<'_> {
    const NOWHERE: &Pointer<'static> = &Pointer::NONE;
    Match { pointer: NOWHERE, text: said, at: 0..said.len(), start: 0, end: 0, is_first: true }
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
        let names = &list.list().index.sessions;
        let main = transcript.sessions().into_iter().next().map(|main| main.id);
        let mut each = Vec::new();
        if set.is_empty() && names.len() > 1 {
            let mut counts = vec![0; names.len()];
            for (index, fact) in list.list().index.messages.iter().enumerate() {
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
        let fact = self.list.list().index.messages.get(message)?;
        if !self.list.has(fact) {
            return None;
        }
        Some(self.each.get(message).copied().unwrap_or((self.session, message)))
    }
}
