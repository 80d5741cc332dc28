//! The sessions of a log as a transcript takes them.

use super::log_session::LogSession;
use super::session_log::SessionLog;
use super::unwritten::UnwrittenLog;
use super::writing::MessagePlaces;
use crate::loaded_messages::{LaterMessages, LoadedMessages};
use crate::reader::{LoadedSession, LoadedSessions};
use crate::token_counts::count;

impl SessionLog {
    /// The sessions as they are now: more may follow.
    #[must_use]
    pub fn loaded(&self) -> LoadedSessions {
        let written = self.written(&MessagePlaces::of(self));
        let messages = written.into_iter().map(LoadedMessages::from);
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
}
