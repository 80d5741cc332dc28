//! The state as sessions with their messages, in the order of an export.
//!
//! That order does not depend on the order of the events: OpenCode's server reads messages by
//! `time.created` and then by id, and the parts of a message by id. Its ids (`msg_` or `prt_`, then the
//! time in hexadecimal, a counter and random characters) sort by the time of their creation. If there are
//! ids of another form, the order of the events is kept.

use super::{EventState, Failure, MessageState, PartState, SessionState};
use apex_parts_agents::{AssistantInfo, LoadedSession, LoadedSessions};
use apex_parts_json::scan;
use apex_parts_json::tape::MAX_DEPTH;
use apex_parts_json::writer::object;
use apex_parts_model::order;
use apex_parts_model::problem_list::ProblemList;

impl EventState {
    /// All sessions, messages and parts, in order.
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
            made.push(session.into_loaded(messages));
        }
        // The root comes first: it has no parent. If possible it is one with messages, not another
        // session of the same server that is only named.
        let root = made.iter().position(|s| s.parent_id.is_none() && !s.messages.is_empty());
        let root = root.or_else(|| made.iter().position(|s| s.parent_id.is_none()));
        if let Some(before) = root.and_then(|root| made.get_mut(..=root)) {
            before.rotate_right(1);
        }
        LoadedSessions {
            sessions: made,
            problems: problems.into_sorted(),
            ..LoadedSessions::default()
        }
    }

    fn has_parts(&self, message: &MessageState) -> bool {
        let mut parts = message.parts.values().filter_map(|i| self.parts.get(*i));
        parts.any(|part| !part.removed)
    }

    /// The approximate length of a message as JSON.
    fn length_of(&self, message: &MessageState) -> usize {
        let parts = message.parts.values().filter_map(|i| self.parts.get(*i));
        message.info.len() + 24 + parts.map(|part| part.json.length() + 1).sum::<usize>()
    }

    /// The messages of a session as a JSON array. Each is dropped once it is written, so that a large file is
    /// not held twice.
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
        // The map is in the order of the ids.
        let take = |index: &usize| self.parts.get_mut(*index).map(std::mem::take);
        let parts = message.parts.values().filter_map(take);
        let mut parts: Vec<PartState> = parts.filter(|part| !part.removed).collect();
        // Usually this is the order of the events too.
        if !parts.is_sorted_by_key(|part| part.offset)
            && !parts.iter().all(|part| is_ascending(&part.id))
        {
            order::sort_by(&mut parts, |a, b| a.offset.cmp(&b.offset));
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
    fn into_loaded(self, messages: String) -> LoadedSession {
        let mut session = LoadedSession {
            id: self.id.into_string(),
            messages: messages.into_bytes().into(),
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

fn sort_messages(messages: &mut Vec<MessageState>) {
    // A message without a time gets that of the one before it.
    let mut last = f64::NEG_INFINITY;
    for message in messages.iter_mut() {
        last = message.created.unwrap_or(last);
        message.created = Some(last);
    }
    // Usually they are in order already.
    if messages.is_sorted_by(|a, b| a.created < b.created) {
        return;
    }
    let by_id = messages.iter().all(|message| is_ascending(&message.id));
    order::sort_by(messages, |a, b| {
        let ids = if by_id { a.id.cmp(&b.id) } else { std::cmp::Ordering::Equal };
        let time = |message: &MessageState| message.created.unwrap_or(last);
        time(a).total_cmp(&time(b)).then(ids)
    });
}

/// Does an id have OpenCode's form: a word, twelve hexadecimal digits that ascend with time, and fourteen
/// random characters?
fn is_ascending(id: &str) -> bool {
    let Some((word, rest)) = id.split_once('_') else { return false };
    let hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    !word.is_empty()
        && rest.len() == 26
        && rest.bytes().take(12).all(hex)
        && rest.bytes().all(|b| b.is_ascii_alphanumeric())
}
