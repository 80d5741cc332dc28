//! What a question is about: the whole file, or one of its sessions.

use super::transcript::Transcript;
use crate::assembled_list::ListSource;
use crate::index::entry::MessageFact;
use crate::index::message_index::Index;
use crate::index::stats::TranscriptStats;
use crate::message_list::MessageList;
use apex_parts_agents::SessionKind;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::Error;

/// The messages of a list that a question is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopedList<'a> {
    /// The index of the list; 0 is the one that is shown.
    pub(crate) place: usize,
    pub(crate) source: ListSource<'a>,
    /// The index of the session in the list; `None` for all of it.
    only: Option<u32>,
}

impl<'a> ScopedList<'a> {
    /// The messages; they are written for it.
    pub(crate) fn list(&self) -> &'a MessageList {
        self.source.list()
    }

    /// Is it all of the list?
    pub(crate) fn is_whole(&self) -> bool {
        self.only.is_none()
    }

    /// Is a message one of these?
    pub(crate) fn has(&self, message: &MessageFact) -> bool {
        self.only.is_none_or(|session| message.session == session)
    }

    /// Calls `look` with the index and the value of each message.
    pub(crate) fn each(&self, look: &mut dyn FnMut(usize, Node<'_>)) -> Result<(), Error> {
        let mut tape = Tape::default();
        let list = self.list();
        let all = 0..list.index.messages.len();
        list.each(all, &|fact| self.has(fact), &mut |index, bytes| {
            if tape.read(bytes, 0).is_ok() {
                look(index, tape.root(bytes));
            }
            true
        })
    }
}

impl Transcript {
    /// The lists that a question about a session is about or, without its id, one about the whole file; `None` if
    /// there is no such session. The copy of its parent with which a fork begins is no part of the whole: it is
    /// counted where it was made.
    pub(crate) fn scope(&self, session: Option<&str>) -> Option<Vec<ScopedList<'_>>> {
        if let Some(id) = session {
            let (list, only) = self.session_place(Some(id))?.0.parts();
            let source = self.source_at(list);
            return Some(vec![ScopedList { place: list, source, only }]);
        }
        let mut all = self.all_lists();
        all.retain(|list| !self.is_replay(list.place));
        Some(all)
    }

    /// All lists, the main session first.
    pub(crate) fn all_lists(&self) -> Vec<ScopedList<'_>> {
        let all = self.sources().enumerate();
        all.map(|(place, source)| ScopedList { place, source, only: None }).collect()
    }

    /// Is a list the copy of another session?
    pub(crate) fn is_replay(&self, place: usize) -> bool {
        let session = self.session_set.sessions.get(place);
        session.is_some_and(|session| session.kind == SessionKind::Replay)
    }

    /// Sums over the messages of the whole file. Where the file tells the tokens or the cost of the whole run, these
    /// count.
    #[must_use]
    pub fn stats(&self) -> TranscriptStats {
        let told = |place| self.session_set.told.get(place).copied().unwrap_or_default();
        let (tokens, cost) = told(0);
        let mut all = TranscriptStats::default();
        let sources = self.sources().enumerate().filter(|(place, _)| !self.is_replay(*place));
        for (place, source) in sources {
            let (own_tokens, own_cost) = told(place);
            let mut own = source.stats().clone();
            own.replace_sums(own_tokens, own_cost);
            let counts =
                (tokens.is_none() || own_tokens.is_some(), cost.is_none() || own_cost.is_some());
            all.add(&own, counts.0, counts.1);
        }
        all.without_clock();
        all
    }

    /// The same over a session: the sums of its steps, and what the file tells where these are nothing. `None` if there
    /// is no such session.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn stats_of(&self, session: &str) -> Result<Option<TranscriptStats>, Error> {
        let Some(lists) = self.scope(Some(session)) else { return Ok(None) };
        let mut sum = TranscriptStats::default();
        for list in lists {
            if list.is_whole() {
                let mut own = list.source.stats().clone();
                let (tokens, cost) =
                    self.session_set.told.get(list.place).copied().unwrap_or_default();
                let of_steps = own.tokens.total();
                own.replace_sums(
                    tokens.filter(|_| of_steps == 0.0),
                    cost.filter(|_| own.cost == 0.0),
                );
                sum.add(&own, true, true);
                continue;
            }
            let mut own = Index::of(list.list().index.sums.made_up);
            list.each(&mut |_, message| own.add(message, 0))?;
            own.sums.settle();
            sum.add(&own.sums.stats, true, true);
        }
        sum.without_clock();
        Ok(Some(sum))
    }
}
