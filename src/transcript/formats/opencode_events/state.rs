//! What the events of an OpenCode server add up to: sessions, their messages, their parts.
//!
//! The order is that of an export, whatever the order of arrival: OpenCode's server reads messages
//! by `time.created` and then by id, and the parts of a message by id. Its ids (`msg_`, `prt_`, then
//! the time in hexadecimal, a counter, and chance) sort by the time at which they were made; where
//! others stand in their place, what they sort by is unknown, and the order of arrival stays.

use crate::json::scan;
use crate::json::tape::MAX_DEPTH;
use crate::json::writer::object;
use crate::model::problem_list::ProblemList;
use crate::transcript::formats::builder::AssistantInfo;
use crate::transcript::formats::opencode_events::growing_part::{GrowingPart, shown};
use crate::transcript::formats::reader::{LoadedSession, LoadedSessions};
use std::collections::BTreeMap;

/// Everything that has come so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventState {
    sessions: Vec<SessionState>,
    session_of: BTreeMap<Box<str>, usize>,
    messages: Vec<MessageState>,
    message_of: BTreeMap<Box<str>, usize>,
    parts: Vec<PartState>,
    /// The part, the message and the session that were named last: events come in rows.
    last: usize,
    last_message: usize,
    last_session: usize,
    failures: Vec<Failure>,
    pub(crate) problems: ProblemList,
}

/// So many errors of sessions are remembered.
const MOST_FAILURES: usize = 100;

/// A session said that something went wrong.
#[derive(Clone, Debug)]
struct Failure {
    session: usize,
    what: String,
    offset: u64,
}

#[derive(Clone, Debug, Default)]
struct SessionState {
    id: Box<str>,
    /// Its JSON object; empty where none has come.
    info: String,
    deleted: bool,
    /// How often it was made: what belongs to an earlier life is gone.
    life: u32,
}

#[derive(Clone, Debug, Default)]
struct MessageState {
    id: Box<str>,
    session: usize,
    life: u32,
    /// Its JSON object; empty where none has come.
    info: String,
    /// When it was made, where its JSON says so.
    created: Option<f64>,
    parts: BTreeMap<Box<str>, usize>,
    removed: bool,
    /// Where it was first named.
    offset: u64,
}

#[derive(Clone, Debug, Default)]
struct PartState {
    id: Box<str>,
    message: usize,
    json: GrowingPart,
    removed: bool,
    /// Where it was first named.
    offset: u64,
}

impl EventState {
    /// A session was made or has changed.
    pub(crate) fn session(&mut self, id: &str, info: &str, made: bool) {
        let index = self.session_index(id);
        let Some(session) = self.sessions.get_mut(index) else { return };
        if session.deleted {
            // What comes late does not bring it back.
            if !made {
                return;
            }
            session.deleted = false;
            session.life += 1;
        }
        session.info.clear();
        session.info.push_str(info);
    }

    /// A session is gone, with all that is in it.
    pub(crate) fn delete_session(&mut self, id: &str) {
        let index = self.session_index(id);
        if let Some(session) = self.sessions.get_mut(index) {
            session.deleted = true;
            session.info = String::new();
        }
    }

    /// Something went wrong in a session.
    pub(crate) fn failed(&mut self, session: &str, what: String, offset: u64) {
        if self.failures.len() < MOST_FAILURES {
            let session = self.session_index(session);
            self.failures.push(Failure { session, what, offset });
        }
    }

    /// Does a message of this session say that something went wrong?
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
        known(&self.message_of, id)
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

    /// A message was made or has changed.
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

    /// A message is gone, with its parts.
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

    /// The part of this message, which may be a new one.
    fn part_index(&mut self, id: &str, message: &str, session: &str, offset: u64) -> usize {
        if self.is_last(id, message) {
            return self.last;
        }
        let of = self.message_index(message, session, offset);
        let Some(message) = self.messages.get_mut(of) else { return usize::MAX };
        let index = match known(&message.parts, id) {
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

    /// A part was made or has changed. It may come before its message.
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

    /// More of a string to which something was added before; false where there is none.
    pub(crate) fn more(&mut self, part: usize, field: &str, raw: &str) -> bool {
        let part = self.parts.get_mut(part).filter(|part| !part.removed);
        part.is_some_and(|part| part.json.more(field, raw))
    }

    /// More of a string of a part, as it stands between the quotes. Gives the number of the part.
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
            let message = format!("a delta for one field too many (`{}`), left out", shown(field));
            self.problems.error("limit", message, offset);
        }
        Some(index)
    }

    /// A part is gone.
    pub(crate) fn remove_part(&mut self, id: &str, message: &str) {
        let message = self.message_of.get(message).and_then(|i| self.messages.get(*i));
        let index = message.and_then(|m| m.parts.get(id));
        if let Some(part) = index.and_then(|i| self.parts.get_mut(*i)) {
            part.removed = true;
            part.json.clear();
        }
    }

    /// Is it the part that was named last, and there?
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

    /// Are there no messages?
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Everything, in order.
    pub(crate) fn finish(mut self) -> LoadedSessions {
        for Failure { session, what, offset } in std::mem::take(&mut self.failures) {
            if !self.has_error(session) {
                let message = format!("the session failed, and no message says so: {what}");
                self.problems.error("events", message, offset);
            }
        }
        let mut of_session: Vec<Vec<usize>> = self.sessions.iter().map(|_| Vec::new()).collect();
        for (index, message) in self.messages.iter().enumerate() {
            let session = self.sessions.get(message.session);
            let alive = session.is_some_and(|s| !s.deleted && s.life == message.life);
            if alive && !message.removed && (!message.info.is_empty() || self.has_parts(message)) {
                of_session.get_mut(message.session).into_iter().for_each(|list| list.push(index));
            }
        }
        let mut made = Vec::new();
        let mut problems = std::mem::take(&mut self.problems);
        for (session, list) in std::mem::take(&mut self.sessions).into_iter().zip(of_session) {
            if session.deleted || session.info.is_empty() && list.is_empty() {
                continue;
            }
            let messages = self.session_json(&session, list, &mut problems);
            made.push(session.made(messages));
        }
        // The root comes first: it has no parent. One that is only named, such as another session
        // of the same server, is not it where there are others.
        let root = made.iter().position(|s| s.parent_id.is_none() && s.messages.len() > 2);
        let root = root.or_else(|| made.iter().position(|s| s.parent_id.is_none()));
        if let Some(before) = root.and_then(|root| made.get_mut(..=root)) {
            before.rotate_right(1);
        }
        LoadedSessions { sessions: made, problems: problems.into_sorted() }
    }

    fn has_parts(&self, message: &MessageState) -> bool {
        let mut parts = message.parts.values().filter_map(|i| self.parts.get(*i));
        parts.any(|part| !part.removed)
    }

    /// About how long a message is as JSON.
    fn length_of(&self, message: &MessageState) -> usize {
        let parts = message.parts.values().filter_map(|i| self.parts.get(*i));
        message.info.len() + 24 + parts.map(|part| part.json.length() + 1).sum::<usize>()
    }

    /// The messages of a session, which are given up one by one: of a large file nothing is held
    /// twice.
    fn session_json(
        &mut self,
        session: &SessionState,
        list: Vec<usize>,
        problems: &mut ProblemList,
    ) -> String {
        let take = |index: usize| self.messages.get_mut(index).map(std::mem::take);
        let mut messages: Vec<MessageState> = list.into_iter().filter_map(take).collect();
        sort_messages(&mut messages);
        let length = messages.iter().map(|message| self.length_of(message)).sum::<usize>();
        let mut out = String::with_capacity(length + 2);
        out.push('[');
        for message in messages {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str("{\"info\":");
            if message.info.is_empty() {
                let what = "parts of a message that is not in the file; the message is made up";
                problems.error("events", what, message.offset);
                AssistantInfo {
                    id: &message.id,
                    session_id: &session.id,
                    ..AssistantInfo::default()
                }
                .write(&mut out);
            } else {
                out.push_str(&message.info);
            }
            out.push_str(",\"parts\":[");
            self.message_parts(session, &message, &mut out, problems);
            out.push_str("]}");
        }
        out.push(']');
        out
    }

    fn message_parts(
        &mut self,
        session: &SessionState,
        message: &MessageState,
        out: &mut String,
        problems: &mut ProblemList,
    ) {
        // A map's order is that of the ids.
        let take = |index: &usize| self.parts.get_mut(*index).map(std::mem::take);
        let parts = message.parts.values().filter_map(take);
        let mut parts: Vec<PartState> = parts.filter(|part| !part.removed).collect();
        // As a rule both orders are the same.
        if !parts.is_sorted_by_key(|part| part.offset)
            && !parts.iter().all(|part| is_ascending(&part.id))
        {
            parts.sort_by_key(|part| part.offset);
        }
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            let mut json = part.json;
            if !json.is_whole() {
                let what =
                    "deltas for a part that never came as a whole; what they say is shown as text";
                problems.error("events", what, part.offset);
                let mut base = String::new();
                object(&mut base, |base| {
                    base.string("id", &part.id).string("sessionID", &session.id);
                    base.string("messageID", &message.id).string("type", "text");
                    base.string("text", "");
                });
                json.begin(base);
            }
            json.write(out, problems);
        }
    }
}

impl SessionState {
    fn made(self, messages: String) -> LoadedSession {
        let mut session = LoadedSession {
            id: self.id.into_string(),
            messages: messages.into_bytes(),
            ..LoadedSession::default()
        };
        if self.info.is_empty() {
            return session;
        }
        if let Ok(([parent, title], _)) =
            scan::fields(&self.info, 0, ["parentID", "title"], MAX_DEPTH)
        {
            let text = |span: Option<scan::Span>| span.and_then(|s| s.string(&self.info));
            session.parent_id = text(parent).filter(|id| !id.is_empty()).map(Into::into);
            session.title = text(title).map(Into::into);
        }
        session.info = Some(self.info.into_bytes());
        session
    }
}

/// What has this id. Ids grow, as a rule: most that are not known are behind the last one.
fn known(of: &BTreeMap<Box<str>, usize>, id: &str) -> Option<usize> {
    let (last, _) = of.last_key_value()?;
    if scan::is_less(last.as_bytes(), id.as_bytes()) { None } else { of.get(id).copied() }
}

fn sort_messages(messages: &mut [MessageState]) {
    // One that does not say when it was made goes with the one that came before it.
    let mut last = f64::NEG_INFINITY;
    for message in messages.iter_mut() {
        last = message.created.unwrap_or(last);
        message.created = Some(last);
    }
    // As a rule each was made later than the one before.
    if messages.is_sorted_by(|a, b| a.created < b.created) {
        return;
    }
    let by_id = messages.iter().all(|message| is_ascending(&message.id));
    messages.sort_by(|a, b| {
        let ids = if by_id { a.id.cmp(&b.id) } else { std::cmp::Ordering::Equal };
        let time = |message: &MessageState| message.created.unwrap_or(last);
        time(a).total_cmp(&time(b)).then(ids)
    });
}

/// Is it an id as OpenCode makes them: a word, twelve hexadecimal digits that grow with the time,
/// and fourteen signs of chance?
fn is_ascending(id: &str) -> bool {
    let Some((word, rest)) = id.split_once('_') else { return false };
    let hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    !word.is_empty()
        && rest.len() == 26
        && rest.bytes().take(12).all(hex)
        && rest.bytes().all(|b| b.is_ascii_alphanumeric())
}
