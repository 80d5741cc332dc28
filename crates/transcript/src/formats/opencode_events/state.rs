//! The state that the events of an OpenCode server build: sessions, their messages, their parts.

mod export;

use crate::formats::opencode_events::growing_part::{GrowingPart, short_name};
use apex_parts_json::scan;
use apex_parts_json::tape::MAX_DEPTH;
use apex_parts_model::problem_list::ProblemList;
use std::collections::BTreeMap;

/// The sessions, messages and parts after the events so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventState {
    sessions: Vec<SessionState>,
    session_of: BTreeMap<Box<str>, usize>,
    messages: Vec<MessageState>,
    message_of: BTreeMap<Box<str>, usize>,
    parts: Vec<PartState>,
    /// The part, the message and the session that were named last: events about the same ones come in runs.
    last: usize,
    last_message: usize,
    last_session: usize,
    failures: Vec<Failure>,
    pub(crate) problems: ProblemList,
}

/// The most errors of sessions that are remembered.
const MOST_FAILURES: usize = 100;

/// An error that an event reported for a session.
#[derive(Clone, Debug)]
struct Failure {
    session: usize,
    what: String,
    offset: u64,
}

#[derive(Clone, Debug, Default)]
struct SessionState {
    id: Box<str>,
    /// Its JSON object; empty if there has been none.
    info: String,
    deleted: bool,
    /// How often it was created again: messages of an earlier life are deleted.
    life: u32,
}

#[derive(Clone, Debug, Default)]
struct MessageState {
    id: Box<str>,
    session: usize,
    life: u32,
    /// Its JSON object; empty if there has been none.
    info: String,
    /// `time.created` of its JSON object.
    created: Option<f64>,
    parts: BTreeMap<Box<str>, usize>,
    removed: bool,
    /// The offset of the first event that named it.
    offset: u64,
}

#[derive(Clone, Debug, Default)]
struct PartState {
    id: Box<str>,
    message: usize,
    json: GrowingPart,
    removed: bool,
    /// The offset of the first event that named it.
    offset: u64,
}

impl EventState {
    /// A session was created (`made`) or has changed.
    pub(crate) fn session(&mut self, id: &str, info: &str, made: bool) {
        let index = self.session_index(id);
        let Some(session) = self.sessions.get_mut(index) else { return };
        if session.deleted {
            // A late event does not restore it.
            if !made {
                return;
            }
            session.deleted = false;
            session.life += 1;
        }
        session.info.clear();
        session.info.push_str(info);
    }

    /// A session was deleted, with its messages.
    pub(crate) fn delete_session(&mut self, id: &str) {
        let index = self.session_index(id);
        if let Some(session) = self.sessions.get_mut(index) {
            session.deleted = true;
            session.info = String::new();
        }
    }

    /// An error occurred in a session.
    pub(crate) fn failed(&mut self, session: &str, what: String, offset: u64) {
        if self.failures.len() < MOST_FAILURES {
            let session = self.session_index(session);
            self.failures.push(Failure { session, what, offset });
        }
    }

    /// Does a message of this session have an error?
    fn has_error(&self, session: usize) -> bool {
        let mut own = self.messages.iter().filter(|m| m.session == session && !m.removed);
        own.any(|message| {
            let found = scan::fields(&message.info, 0, ["error"], MAX_DEPTH);
            found.is_ok_and(|([error], _)| error.is_some_and(|e| e.kind == scan::TokenKind::Object))
        })
    }

    fn session_index(&mut self, id: &str) -> usize {
        let last = self.sessions.get(self.last_session);
        if last.is_some_and(|session| scan::same(session.id.as_bytes(), id.as_bytes())) {
            return self.last_session;
        }
        if let Some(index) = self.session_of.get(id) {
            self.last_session = *index;
            return *index;
        }
        let index = self.sessions.len();
        self.sessions.push(SessionState { id: id.into(), ..SessionState::default() });
        self.session_of.insert(id.into(), index);
        index
    }

    fn message_at(&self, id: &str) -> Option<usize> {
        let last = self.messages.get(self.last_message);
        if last.is_some_and(|message| scan::same(message.id.as_bytes(), id.as_bytes())) {
            return Some(self.last_message);
        }
        index_of(&self.message_of, id)
    }

    fn message_index(&mut self, id: &str, session: &str, offset: u64) -> usize {
        if let Some(index) = self.message_at(id) {
            self.last_message = index;
            return index;
        }
        let session = self.session_index(session);
        let life = self.sessions.get(session).map_or(0, |s| s.life);
        let index = self.messages.len();
        self.messages.push(MessageState {
            id: id.into(),
            session,
            life,
            offset,
            ..MessageState::default()
        });
        self.message_of.insert(id.into(), index);
        index
    }

    /// A message was created or has changed.
    pub(crate) fn message(
        &mut self,
        id: &str,
        session: &str,
        (info, created): (&str, Option<f64>),
        offset: u64,
    ) {
        let of = self.session_index(session);
        let index = self.message_index(id, session, offset);
        let life = self.sessions.get(of).map_or(0, |s| s.life);
        if let Some(message) = self.messages.get_mut(index) {
            message.session = of;
            message.life = life;
            message.removed = false;
            message.created = created;
            message.info.clear();
            message.info.push_str(info);
        }
    }

    /// A message was removed, with its parts.
    pub(crate) fn remove_message(&mut self, id: &str) {
        let index = self.message_of.get(id);
        let Some(message) = index.and_then(|i| self.messages.get_mut(*i)) else { return };
        message.removed = true;
        message.created = None;
        message.info = String::new();
        for index in std::mem::take(&mut message.parts).into_values() {
            if let Some(part) = self.parts.get_mut(index) {
                part.removed = true;
                part.json.clear();
            }
        }
    }

    /// The number of a part of this message; it is added if it does not exist.
    fn part_index(&mut self, id: &str, message: &str, session: &str, offset: u64) -> usize {
        if self.is_last(id, message) {
            return self.last;
        }
        let of = self.message_index(message, session, offset);
        let Some(message) = self.messages.get_mut(of) else { return usize::MAX };
        let index = match index_of(&message.parts, id) {
            Some(index) => index,
            None => {
                let index = self.parts.len();
                message.parts.insert(id.into(), index);
                self.parts.push(PartState {
                    id: id.into(),
                    message: of,
                    offset,
                    ..PartState::default()
                });
                index
            }
        };
        self.last = index;
        index
    }

    /// A part was created or has changed. This event may come before that of its message.
    pub(crate) fn part(&mut self, id: &str, message: &str, session: &str, json: &str, offset: u64) {
        if !self.is_last(id, message) && self.is_removed(message) {
            return;
        }
        let index = self.part_index(id, message, session, offset);
        if let Some(part) = self.parts.get_mut(index) {
            part.removed = false;
            part.json.set(json);
        }
    }

    /// Adds to a string of a part that was added to before; false if there is none.
    pub(crate) fn more(&mut self, part: usize, field: &str, raw: &str) -> bool {
        let part = self.parts.get_mut(part).filter(|part| !part.removed);
        part.is_some_and(|part| part.json.more(field, raw))
    }

    /// Adds to a string of a part; `raw` is escaped. Returns the number of the part, `None` if it is removed.
    pub(crate) fn delta(
        &mut self,
        id: &str,
        message: &str,
        session: &str,
        (field, raw): (&str, &str),
        offset: u64,
    ) -> Option<usize> {
        if !self.is_last(id, message) && self.is_removed(message) {
            return None;
        }
        let index = self.part_index(id, message, session, offset);
        let part = self.parts.get_mut(index).filter(|part| !part.removed)?;
        if !part.json.add(field, raw, offset) {
            let message =
                format!("a delta for one field too many (`{}`), left out", short_name(field));
            self.problems.error("limit", message, offset);
        }
        Some(index)
    }

    /// A part was removed.
    pub(crate) fn remove_part(&mut self, id: &str, message: &str) {
        let message = self.message_of.get(message).and_then(|i| self.messages.get(*i));
        let index = message.and_then(|m| m.parts.get(id));
        if let Some(part) = index.and_then(|i| self.parts.get_mut(*i)) {
            part.removed = true;
            part.json.clear();
        }
    }

    /// Is it the part that was named last, and not removed?
    fn is_last(&self, id: &str, message: &str) -> bool {
        let part = self.parts.get(self.last).filter(|part| !part.removed);
        let of = part.and_then(|part| self.messages.get(part.message));
        let (Some(part), Some(of)) = (part, of) else { return false };
        scan::same(part.id.as_bytes(), id.as_bytes())
            && scan::same(of.id.as_bytes(), message.as_bytes())
    }

    fn is_removed(&self, message: &str) -> bool {
        let message = self.message_at(message).and_then(|i| self.messages.get(i));
        message.is_some_and(|m| m.removed)
    }

    /// Has no event named a message?
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
}

/// The index of an id, if it is known. Ids usually ascend: most unknown ones are greater than the last.
fn index_of(of: &BTreeMap<Box<str>, usize>, id: &str) -> Option<usize> {
    let (last, _) = of.last_key_value()?;
    if scan::is_less(last.as_bytes(), id.as_bytes()) { None } else { of.get(id).copied() }
}
