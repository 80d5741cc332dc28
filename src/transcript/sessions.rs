//! The sessions of a transcript, and the messages of each.

use super::session::Session;
use super::transcript::Transcript;
use crate::json::tape::Tape;
use crate::model::{Error, Key, View};
use crate::transcript::index::entry::MessageFact;
use crate::transcript::message_list::MessageList;
use std::borrow::Cow;
use std::collections::BTreeMap;

impl Transcript {
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
                })
            }
            Err(_) => None,
        };
        let named = self.list.index.sessions.iter().filter(|id| !id.is_empty());
        let others = named
            .filter(|id| own.as_ref().is_none_or(|own| own.id != **id))
            .map(|id| Session { id: id.clone(), ..Session::default() });
        own.clone().into_iter().chain(others).collect()
    }

    /// The JSON of every message of a session, in order; empty if there is no such session.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes.
    pub fn messages_of(&self, session_id: &str) -> Result<Vec<Vec<u8>>, Error> {
        let mut found = Vec::new();
        let mut add = |list: &MessageList, place: Option<u32>| {
            let wanted = |fact: &MessageFact| place.is_none_or(|place| fact.session == place);
            list.each(0..list.index.messages.len(), &wanted, &mut |_, bytes| {
                found.push(bytes.to_vec());
                true
            })
        };
        if !self.session_set.sessions.is_empty() {
            for (session, list) in self.session_set.sessions.iter().zip(&self.session_set.lists) {
                if session.id == session_id {
                    add(list, None)?;
                }
            }
        } else if let Some(place) = self.list.index.sessions.iter().position(|id| id == session_id)
        {
            add(&self.list, u32::try_from(place).ok())?;
        }
        Ok(found)
    }

    /// For each message the index of its session in [`sessions`](Self::sessions); `u32::MAX` if it names
    /// none of them.
    #[must_use]
    pub fn session_places(&self) -> Vec<u32> {
        if !self.session_set.sessions.is_empty() {
            return vec![0; self.message_count()];
        }
        let sessions = self.sessions();
        let places: BTreeMap<&str, u32> =
            sessions.iter().map(|session| session.id.as_str()).zip(0..).collect();
        let named = self.list.index.sessions.iter();
        let named: Vec<u32> =
            named.map(|id| places.get(id.as_str()).copied().unwrap_or(u32::MAX)).collect();
        let of = |fact: &MessageFact| named.get(fact.session as usize).copied();
        self.messages().iter().map(|fact| of(fact).unwrap_or(u32::MAX)).collect()
    }
}
