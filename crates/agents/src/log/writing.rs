//! The messages of a log's sessions as JSON, once all of them are known: only then are their ids.

use super::log_message::{LogMessage, MessagePlace};
use super::log_session::LogSession;
use super::session_log::SessionLog;
use crate::reader::{LoadedSession, LoadedSessions};
use crate::token_counts::count;
use std::collections::BTreeMap;

impl SessionLog {
    /// The sessions as they are now.
    #[must_use]
    pub fn loaded(&self) -> LoadedSessions {
        let mut used = BTreeMap::new();
        let sessions = self.sessions.iter().map(|session| self.written(session, &mut used));
        LoadedSessions {
            sessions: sessions.collect(),
            problems: self.problems.clone().into_sorted(),
            records: self.records,
            ..LoadedSessions::default()
        }
    }

    fn written(&self, session: &LogSession, used: &mut BTreeMap<Box<str>, usize>) -> LoadedSession {
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
            let is_new = !message.id.is_empty()
                && (!self.rules.renames_repeated
                    || used.insert(message.id.as_str().into(), i).is_none());
            let id = if is_new { message.id.clone() } else { format!("{}:{i}", session.id) };
            let place = MessagePlace {
                session: &session.id,
                id: &id,
                parent: &parent,
                agent: &session.agent,
                rules: &self.rules,
            };
            message.write(place, &mut out);
            if !message.is_answer() {
                parent = id;
            }
        }
        out.push(']');
        LoadedSession {
            id: session.id.clone(),
            parent_id: session.parent.clone(),
            title: session.title.clone(),
            kind: session.kind,
            info: Some(session.info().into_bytes()),
            messages: out.into_bytes(),
            tokens: session.tokens,
            cost: session.cost.map(count),
        }
    }
}
