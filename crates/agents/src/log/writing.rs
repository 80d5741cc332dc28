//! The messages of a log's sessions as JSON, once all of them are known: only then are their ids.

use super::log_message::{LogMessage, MessagePlace};
use super::log_session::LogSession;
use super::session_log::SessionLog;
use apex_parts_model::text_map::TextMap;

/// What the messages of a log need to know of those before them.
#[derive(Debug)]
pub(crate) struct MessagePlaces {
    /// By session, and by index there.
    places: Vec<Vec<WrittenPlace>>,
}

/// The same of one message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenPlace {
    /// The index of its first part among those of its session.
    pub(super) first_part: usize,
    /// Does it have the id of its file? It does not if another message has it too.
    pub(super) has_own_id: bool,
    /// The index of the last user's message before it.
    parent: Option<usize>,
}

impl MessagePlaces {
    /// The places of all messages of a log.
    pub(super) fn of(log: &SessionLog) -> MessagePlaces {
        let mut used = TextMap::default();
        let mut of_session = |session: &LogSession| {
            let (mut first_part, mut parent) = (0, None);
            let messages = session.messages.iter().map(|at| log.messages.get(*at));
            let place = |(index, message): (usize, Option<&LogMessage>)| {
                let id = message.map_or("", |message| &message.id);
                let has_own_id = !id.is_empty()
                    && (!log.rules.renames_repeated || used.insert(id, index).is_none());
                let place = WrittenPlace { first_part, has_own_id, parent };
                first_part += message.map_or(0, LogMessage::piece_count);
                if message.is_some_and(|message| !message.is_answer()) {
                    parent = Some(index);
                }
                place
            };
            messages.enumerate().map(place).collect()
        };
        MessagePlaces { places: log.sessions.iter().map(&mut of_session).collect() }
    }

    /// That of the message at an index of a session.
    pub(super) fn get(&self, session: usize, index: usize) -> Option<WrittenPlace> {
        self.places.get(session)?.get(index).copied()
    }
}

impl SessionLog {
    /// The messages of each session, as a JSON array.
    pub(super) fn written(&self, places: &MessagePlaces) -> Vec<Vec<u8>> {
        let sessions = 0..self.sessions.len();
        sessions.map(|session| self.messages_of(session, places).into_bytes()).collect()
    }

    fn messages_of(&self, session: usize, places: &MessagePlaces) -> String {
        let all = self.sessions.get(session).map_or(&[][..], |session| &session.messages);
        let messages = all.iter().filter_map(|message| self.messages.get(*message));
        let length: usize = messages.map(LogMessage::length).sum();
        // With the right capacity, large arrays are not copied while they grow.
        let mut out = String::with_capacity(length + 2);
        out.push('[');
        for index in 0..all.len() {
            if out.len() > 1 {
                out.push(',');
            }
            self.write_message(places, (session, index), &mut out);
        }
        out.push(']');
        out
    }

    /// Writes the message at an index of a session. Returns false if there is none.
    pub(super) fn write_message(
        &self,
        places: &MessagePlaces,
        (session, index): (usize, usize),
        out: &mut String,
    ) -> bool {
        let place = places.get(session, index);
        let (Some(place), Some(of)) = (place, self.sessions.get(session)) else { return false };
        let at = |index: usize| self.messages.get(*of.messages.get(index)?);
        let Some(message) = at(index) else { return false };
        let parent = place.parent.and_then(|parent| {
            let is_own = places.get(session, parent)?.has_own_id;
            Some(at(parent)?.id_in(of, parent, is_own))
        });
        let place = MessagePlace {
            session: &of.id,
            id: &message.id_in(of, index, place.has_own_id),
            parent: &parent.unwrap_or_default(),
            agent: &of.agent,
            rules: &self.rules,
        };
        message.write(place, out);
        true
    }
}
