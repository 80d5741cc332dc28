//! The messages of a log's sessions as JSON, once all of them are known: only then are their ids.

use super::glance::UnwrittenLog;
use super::log_message::{LogMessage, MessagePlace};
use super::log_rules::LogRules;
use super::log_session::LogSession;
use super::session_log::SessionLog;
use crate::loaded_messages::{LaterMessages, LoadedMessages};
use crate::reader::{LoadedSession, LoadedSessions};
use crate::token_counts::count;
use apex_parts_model::text_map::TextMap;

/// The ids of messages that were given already.
#[derive(Default)]
pub(super) struct MessageIds {
    used: TextMap,
}

impl MessageIds {
    /// Does a message have the id of its file? Messages are asked for in order, session by session.
    pub(super) fn is_own(&mut self, message: &LogMessage, index: usize, rules: &LogRules) -> bool {
        !message.id.is_empty()
            && (!rules.renames_repeated || self.used.insert(&message.id, index).is_none())
    }
}

impl SessionLog {
    /// The sessions as they are now: more may follow.
    #[must_use]
    pub fn loaded(&self) -> LoadedSessions {
        let messages = self.written().into_iter().map(LoadedMessages::from);
        self.loaded_with(messages.collect())
    }

    /// The sessions of a log to which nothing is added. Their messages are written when they are asked for.
    #[must_use]
    pub fn into_loaded(self) -> LoadedSessions {
        let loaded = self.loaded_with(Vec::new());
        let messages = LaterMessages::of_log(UnwrittenLog::new(self)).map(LoadedMessages::Later);
        let with = |(session, messages)| LoadedSession { messages, ..session };
        let sessions = loaded.sessions.into_iter().zip(messages).map(with).collect();
        LoadedSessions { sessions, ..loaded }
    }

    /// The sessions, each with its messages; those that are not given have none.
    fn loaded_with(&self, messages: Vec<LoadedMessages>) -> LoadedSessions {
        let mut messages = messages.into_iter();
        let loaded = |session: &LogSession| LoadedSession {
            id: session.id.clone(),
            parent_id: session.parent.clone(),
            title: session.title.clone(),
            kind: session.kind,
            info: Some(session.info().into_bytes()),
            messages: messages.next().unwrap_or_default(),
            tokens: session.tokens,
            cost: session.cost.map(count),
        };
        LoadedSessions {
            sessions: self.sessions.iter().map(loaded).collect(),
            problems: self.problems.clone().into_sorted(),
            records: self.records,
            ..LoadedSessions::default()
        }
    }

    /// The messages of each session, as a JSON array.
    pub(crate) fn written(&self) -> Vec<Vec<u8>> {
        let mut ids = MessageIds::default();
        let written = self.sessions.iter().map(|session| self.messages_of(session, &mut ids));
        written.map(String::into_bytes).collect()
    }

    fn messages_of(&self, session: &LogSession, ids: &mut MessageIds) -> String {
        let messages = session.messages.iter().filter_map(|message| self.messages.get(*message));
        let length: usize = messages.clone().map(LogMessage::length).sum();
        // With the right capacity, large arrays are not copied while they grow.
        let mut out = String::with_capacity(length + 2);
        let mut parent = String::new();
        out.push('[');
        for (i, message) in messages.enumerate() {
            if i > 0 {
                out.push(',');
            }
            let is_own = ids.is_own(message, i, &self.rules);
            let id = message.id_in(session, i, is_own);
            let place = MessagePlace {
                session: &session.id,
                id: &id,
                parent: &parent,
                agent: &session.agent,
                rules: &self.rules,
            };
            message.write(place, &mut out);
            if !message.is_answer() {
                parent = id.into_owned();
            }
        }
        out.push(']');
        out
    }
}
