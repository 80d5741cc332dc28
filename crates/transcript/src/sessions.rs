//! The sessions of a transcript, and the messages of each.

use super::session::Session;
use super::transcript::Transcript;
use crate::carried_part::restored;
use crate::formats::registry::Format;
use crate::index::entry::MessageFact;
use crate::message_list::MessageList;
use apex_parts_agents::SessionKind;
use apex_parts_json::tape::Tape;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::order;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::{Error, Key, View};
use std::borrow::Cow;

/// Where the messages of a session are in a transcript.
#[derive(Clone, Copy, Debug)]
pub struct SessionPlace {
    /// The index of the list.
    list: usize,
    /// The index of the session in the list; `None` for all of it.
    session: Option<u32>,
}

impl SessionPlace {
    /// The index of the list, and that of the session in it.
    pub(crate) fn parts(self) -> (usize, Option<u32>) {
        (self.list, self.session)
    }
}

/// The messages of one session: a list that may have those of others between them.
#[derive(Debug)]
pub struct SessionMessages<'a> {
    list: &'a MessageList,
    session: Option<u32>,
}

impl<'a> SessionMessages<'a> {
    /// The length of the list.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list.index.messages.len()
    }

    /// How many messages of the list are of the session.
    #[must_use]
    pub fn own_count(&self) -> usize {
        let messages = &self.list.index.messages;
        let is_own = |fact: u32| self.session.is_none_or(|session| fact == session);
        messages.iter().filter(|fact| is_own(fact.session)).count()
    }

    /// The JSON of a message, as it stands in the file; `None` if it is one of another session.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn json(&self, index: usize) -> Result<Option<Cow<'a, [u8]>>, Error> {
        let fact = self.list.index.messages.get(index);
        if fact.is_some_and(|fact| self.session.is_none_or(|session| fact.session == session)) {
            return self.list.message(index);
        }
        Ok(None)
    }
}

impl Transcript {
    /// Where the messages of a session are, and what is known of it; `None` if there is no such session. Without an
    /// id: of the main one.
    #[must_use]
    pub fn session_place(&self, id: Option<&str>) -> Option<(SessionPlace, Session)> {
        let set = &self.session_set;
        if !set.sessions.is_empty() {
            let list = match id {
                Some(id) => set.sessions.iter().position(|session| session.id == id)?,
                None => 0,
            };
            return Some((SessionPlace { list, session: None }, set.sessions.get(list)?.clone()));
        }
        let mut sessions = self.sessions().into_iter();
        let session = match id {
            Some(id) => sessions.find(|session| session.id == id)?,
            None => sessions.next().unwrap_or_default(),
        };
        // What an export contains is of its session, whatever the messages say.
        let is_whole = id.is_none() && self.format == Some(Format::OpenCodeExport);
        let named = &self.list.index.sessions;
        if is_whole || named.iter().filter(|name| !name.is_empty()).count() < 2 {
            return Some((SessionPlace { list: 0, session: None }, session));
        }
        let at = named.iter().position(|name| *name == session.id);
        let at = at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX);
        Some((SessionPlace { list: 0, session: Some(at) }, session))
    }

    /// The messages at this place.
    #[must_use]
    pub fn session_messages(&self, place: SessionPlace) -> SessionMessages<'_> {
        let list = self.list_at(place.list);
        SessionMessages { list, session: place.session }
    }

    /// The JSON object of a session, if the file has it.
    #[must_use]
    pub fn session_info(&self, id: &str) -> Option<&[u8]> {
        if let Some(at) = self.session_set.sessions.iter().position(|session| session.id == id) {
            return self.session_set.infos.get(at)?.as_deref();
        }
        let own = self.sessions().into_iter().next().filter(|session| session.id == id);
        own.and(self.session())
    }

    /// If the ids of sessions, messages and parts are not the file's, but were made up: the hash of its content.
    #[must_use]
    pub fn content(&self) -> Option<Fingerprint> {
        self.session_set.content
    }

    /// The sessions of the transcript. If they were assembled from records, the messages shown are those of
    /// the first session, otherwise those of all.
    #[must_use]
    pub fn sessions(&self) -> Vec<Session> {
        if !self.session_set.sessions.is_empty() {
            return self.session_set.sessions.clone();
        }
        let mut tape = Tape::default();
        let info = self.session().unwrap_or_default();
        let own = match tape.read(info, 0) {
            Ok(_) => {
                let info = tape.root(info);
                let text = |key| info.get(key).str().map(Cow::into_owned);
                text(Key::Id).map(|id| Session {
                    id,
                    parent_id: text(Key::ParentID),
                    title: text(Key::Title),
                    kind: SessionKind::Main,
                    ..Session::default()
                })
            }
            Err(_) => None,
        };
        let named = self.list.index.sessions.iter().filter(|id| !id.is_empty());
        let others = named
            .filter(|id| own.as_ref().is_none_or(|own| own.id != **id))
            .map(|id| Session { id: id.clone(), ..Session::default() });
        let mut all: Vec<Session> = own.clone().into_iter().chain(others).collect();
        if let Some(main) = all.first_mut() {
            main.kind = SessionKind::Main;
        }
        all
    }

    /// The JSON of every message of a session, in order; empty if there is no such session.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn messages_of(&self, session_id: &str) -> Result<Vec<Vec<u8>>, Error> {
        let mut messages = Vec::new();
        let mut add = |bytes: &[u8]| {
            messages.push(restored(bytes.into()).into_owned());
            true
        };
        if !self.session_set.sessions.is_empty() {
            for (place, _) in
                self.session_set.sessions.iter().enumerate().filter(|(_, own)| own.id == session_id)
            {
                self.source_at(place).each(0..usize::MAX, &mut |_, bytes| add(bytes))?;
            }
        } else if let Some(place) = self.list.index.sessions.iter().position(|id| id == session_id)
        {
            let place = u32::try_from(place).ok();
            let wanted = |fact: &MessageFact| place.is_none_or(|place| fact.session == place);
            let all = 0..self.list.index.messages.len();
            self.list.each(all, &wanted, &mut |_, bytes| add(bytes))?;
        }
        Ok(messages)
    }

    /// For each message the index of its session in [`sessions`](Self::sessions); `u32::MAX` if it names
    /// none of them.
    #[must_use]
    pub fn session_places(&self) -> Vec<u32> {
        if !self.session_set.sessions.is_empty() {
            return vec![0; self.message_count()];
        }
        let sessions = self.sessions();
        let places: SortedMap<&str, u32> =
            order::inserted(sessions.iter().map(|session| session.id.as_str()).zip(0..));
        let named = self.list.index.sessions.iter();
        let named: Vec<u32> =
            named.map(|id| places.get(id.as_str()).copied().unwrap_or(u32::MAX)).collect();
        let of = |fact: &MessageFact| named.get(fact.session as usize).copied();
        self.messages().iter().map(|fact| of(fact).unwrap_or(u32::MAX)).collect()
    }
}
