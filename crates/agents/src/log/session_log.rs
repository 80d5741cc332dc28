//! [`SessionLog`]: the sessions of a file while it is read, with the rules that all formats share whose messages are
//! in pieces: a step is a message; ids; results and their calls; notices; aborts; stretches that were abandoned. A
//! format module reads records and calls these.

use super::log_call::{LogCall, LogResult, LogStatus};
use super::log_message::{LogItem, LogMessage, LogRole, error_json};
use super::log_part::LogPart;
use super::log_rules::LogRules;
use super::log_session::LogSession;
use super::shared_text::SharedText;
use crate::fields::{join, number, string};
use crate::record_count::RecordCount;
use apex_parts_json::tape::{Node, unescape};
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::time;

/// All sessions of a file. Sessions and messages are told by their indexes, which stay.
#[derive(Debug)]
pub struct SessionLog {
    pub(super) rules: LogRules,
    /// The format's id: the agent of each message.
    pub(super) agent: &'static str,
    /// The provider where the file names none.
    provider: &'static str,
    pub(crate) sessions: Vec<LogSession>,
    pub(crate) messages: Vec<LogMessage>,
    /// The calls with an id: of each its message, and its place there.
    calls: Vec<(usize, usize)>,
    /// What is wrong with the file.
    pub problems: ProblemList,
    /// How many records are of the format.
    pub records: RecordCount,
    /// Problems of what may only be incomplete yet.
    pub(crate) at_end: ProblemList,
    /// The last time that could be read.
    pub(super) last_time: f64,
}

impl SessionLog {
    /// An empty log of the agent and the provider with these ids.
    #[must_use]
    pub fn new(agent: &'static str, provider: &'static str) -> SessionLog {
        SessionLog {
            rules: LogRules::default(),
            agent,
            provider,
            sessions: Vec::new(),
            messages: Vec::new(),
            calls: Vec::new(),
            problems: ProblemList::default(),
            at_end: ProblemList::default(),
            records: RecordCount::default(),
            last_time: 0.0,
        }
    }

    /// The same log with other rules.
    #[must_use]
    pub fn with(self, rules: LogRules) -> SessionLog {
        SessionLog { rules, ..self }
    }

    /// A warning about the record at this offset.
    pub(crate) fn warn(&mut self, what: &str, offset: u64) {
        self.problems.warning(self.agent, what, offset);
    }

    // Times.

    /// The time of a record: an ISO 8601 text, or milliseconds. One that cannot be read is the one before it.
    pub(crate) fn time(&mut self, value: Option<Node<'_>>) -> f64 {
        if let Some(at) = read_time(value) {
            self.last_time = at;
        }
        self.last_time
    }

    /// A time that was read elsewhere.
    pub(crate) fn set_time(&mut self, at: f64) {
        self.last_time = at;
    }

    /// The first time is known: what came before it happened then.
    pub(crate) fn date(&mut self, first: f64) {
        let date = |at: &mut f64| {
            if *at == 0.0 {
                *at = first;
            }
        };
        for session in &mut self.sessions {
            if let Some((from, to)) = &mut session.span {
                date(from);
                date(to);
            }
        }
        for message in &mut self.messages {
            date(&mut message.created);
            date(&mut message.last);
            for item in &mut message.items {
                match item {
                    LogItem::Part(part) => part.at.iter_mut().for_each(date),
                    LogItem::Call(call) => {
                        date(&mut call.start);
                        call.result.iter_mut().for_each(|result| date(&mut result.end));
                    }
                }
            }
        }
    }

    /// The last time that was read.
    pub(crate) fn last_time(&self) -> f64 {
        self.last_time
    }

    // Sessions.

    /// Has no session begun?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Begins a session; an empty id becomes the format's.
    pub fn begin_session(&mut self, id: &str) -> usize {
        let id = if id.is_empty() { self.agent } else { id };
        self.sessions.push(LogSession {
            id: id.to_owned(),
            agent: self.agent.to_owned(),
            provider: self.provider.into(),
            ..LogSession::default()
        });
        self.sessions.len() - 1
    }

    /// The first session; begins one without a name if there is none.
    pub(crate) fn root(&mut self) -> usize {
        if self.sessions.is_empty() { self.begin_session("") } else { 0 }
    }

    /// A session.
    pub(crate) fn session(&mut self, session: usize) -> Option<&mut LogSession> {
        self.sessions.get_mut(session)
    }

    /// Begins a session `ID/NAME` below another: of a sub-agent (`NAME` is the call that started it), or of a
    /// stretch that was abandoned. It starts with the model of then.
    pub(crate) fn child(&mut self, session: usize, name: &str) -> usize {
        let mut child = LogSession::default();
        if let Some(parent) = self.sessions.get(session) {
            child.id = format!("{}/{name}", parent.id);
            child.parent = Some(parent.id.clone());
            child.agent.clone_from(&parent.agent);
            child.directory.clone_from(&parent.directory);
            child.version.clone_from(&parent.version);
            child.provider.clone_from(&parent.provider);
            child.model.clone_from(&parent.model);
            child.cwd.clone_from(&parent.cwd);
        }
        self.sessions.push(child);
        self.sessions.len() - 1
    }

    // Messages.

    /// The message at an index.
    pub fn message(&mut self, message: usize) -> Option<&mut LogMessage> {
        self.messages.get_mut(message)
    }

    /// The last message of a session.
    pub(crate) fn last(&self, session: usize) -> Option<usize> {
        self.sessions.get(session)?.messages.last().copied()
    }

    /// The last message of a session, if it is an answer.
    pub(crate) fn last_answer(&self, session: usize) -> Option<usize> {
        let last = self.last(session)?;
        self.messages.get(last).filter(|message| message.is_answer()).map(|_| last)
    }

    /// The last message of a session, if it is a user's.
    pub(crate) fn last_user(&self, session: usize) -> Option<usize> {
        let last = self.last(session)?;
        self.messages.get(last).filter(|message| !message.is_answer()).map(|_| last)
    }

    /// Begins a message: the file's id of it, or an empty one. A user's takes the texts that wait for it.
    pub fn begin(&mut self, session: usize, role: LogRole, id: &str, at: f64) -> usize {
        let index = self.messages.len();
        let mut message =
            LogMessage { role, id: id.to_owned(), created: at, last: at, ..LogMessage::default() };
        if let Some(of) = self.sessions.get_mut(session) {
            of.touch(at);
            of.messages.push(index);
            message.provider.clone_from(&of.provider);
            message.model.clone_from(&of.model);
            message.cwd.clone_from(&of.cwd);
            message.before = std::mem::take(&mut of.notices);
            if role == LogRole::User {
                message.system = std::mem::take(&mut of.system);
            }
        }
        self.messages.push(message);
        index
    }

    /// Adds a text (raw) to what the next user's message has as `system`.
    pub(crate) fn system(&mut self, session: usize, raw: &str) {
        if let Some(of) = self.sessions.get_mut(session) {
            join(&mut of.system, "\\n\\n", raw);
        }
    }

    /// Adds a part to a message.
    pub fn part(&mut self, message: usize, part: LogPart) {
        if let Some(message) = self.messages.get_mut(message) {
            message.items.push(LogItem::Part(part));
        }
    }

    /// Notes that something of a message happened at this time.
    pub(crate) fn touch(&mut self, session: usize, message: usize, at: f64) {
        if let Some(message) = self.messages.get_mut(message) {
            message.touch(at);
        }
        if let Some(of) = self.sessions.get_mut(session) {
            of.touch(at);
        }
    }

    /// A user's message with a compaction part and the summary (raw).
    pub(crate) fn compaction(
        &mut self,
        session: usize,
        id: &str,
        at: f64,
        (auto, tokens_before): (bool, Option<f64>),
        summary: &str,
    ) -> usize {
        let message = self.begin(session, LogRole::User, id, at);
        self.part(message, LogPart::compaction(auto, tokens_before));
        if !summary.is_empty() {
            self.part(message, LogPart::synthetic(summary, at));
        }
        message
    }

    // Calls.

    /// Adds a call to a message; it runs until its result comes. `session` is where that is looked for, which is another
    /// one if a file has results in other sessions than calls.
    pub fn call(&mut self, session: usize, message: usize, call: LogCall) {
        let Some(of) = self.messages.get_mut(message) else { return };
        let place = (message, of.items.len());
        if let Some(session) = self.sessions.get_mut(session) {
            if !call.call_id.is_empty() {
                session.calls.insert(&call.call_id, self.calls.len());
                self.calls.push(place);
            }
            if call.result.is_none() {
                session.open.push(place);
            }
        }
        of.touch(call.start);
        of.items.push(LogItem::Call(Box::new(call)));
    }

    /// The message and the place there of the last call of a session with this id.
    fn place(&self, session: usize, call_id: &str) -> Option<(usize, usize)> {
        let call = self.sessions.get(session)?.calls.get(call_id)?;
        self.calls.get(call).copied()
    }

    /// The last call of a session with this id.
    pub fn find(&mut self, session: usize, call_id: &str) -> Option<&mut LogCall> {
        let (message, item) = self.place(session, call_id)?;
        self.messages.get_mut(message)?.call(item)
    }

    /// The message of the last call of a session with this id.
    pub(crate) fn message_of(&self, session: usize, call_id: &str) -> Option<usize> {
        self.place(session, call_id).map(|(message, _)| message)
    }

    /// Adds a result to its call. A second one is dropped, with a warning. Without its call it becomes a call of
    /// its own, with the tool's name where the result says it.
    pub fn result(
        &mut self,
        session: usize,
        call_id: &str,
        tool: Option<&str>,
        mut result: LogResult,
        offset: u64,
    ) {
        let (end, others) = (result.end, std::mem::take(&mut result.others));
        let message = if let Some((message, item)) = self.place(session, call_id) {
            match self.messages.get_mut(message).and_then(|message| message.call(item)) {
                Some(call) if call.result.is_none() => call.result = Some(result),
                _ => return self.warn("a second result of a call; it is left out", offset),
            }
            message
        } else {
            self.warn("a result without its call; it is shown as a call without arguments", offset);
            let message = self
                .last_answer(session)
                .unwrap_or_else(|| self.begin(session, LogRole::Assistant, "", end));
            let call = LogCall {
                call_id: call_id.to_owned(),
                tool: tool.unwrap_or_default().to_owned(),
                input: "{}".into(),
                start: end,
                result: Some(result),
                ..LogCall::default()
            };
            self.call(session, message, call);
            message
        };
        for part in others {
            self.part(message, part);
        }
        self.touch(session, message, end);
    }

    /// Ends the calls that still run, for this reason (raw).
    pub(crate) fn end_open(&mut self, session: usize, status: LogStatus, raw: &str, at: f64) {
        let Some(of) = self.sessions.get_mut(session) else { return };
        for (message, item) in std::mem::take(&mut of.open) {
            let Some(message) = self.messages.get_mut(message) else { continue };
            if let Some(call) = message.call(item).filter(|call| call.result.is_none()) {
                call.result =
                    Some(LogResult { status, text: raw.into(), end: at, ..LogResult::default() });
                message.touch(at);
            }
        }
    }

    // Errors and notices.

    /// Sets the error of the last message of a session, if that is an answer without one; the text is raw.
    pub(crate) fn fail(&mut self, session: usize, name: &str, raw: &str) {
        let Some(last) = self.last_answer(session) else { return };
        if let Some(message) = self.messages.get_mut(last).filter(|m| m.error.is_empty()) {
            message.error = error_json(name, raw);
        }
    }

    /// The run was aborted, with its open calls and the answer that is the last message; the reason is raw.
    pub(crate) fn abort(&mut self, session: usize, raw: &str, at: f64) {
        let raw = if raw.is_empty() { "aborted" } else { raw };
        self.end_open(session, LogStatus::Aborted, raw, at);
        if let Some(answer) = self.last_answer(session) {
            self.touch(session, answer, at);
        }
        self.fail(session, "MessageAbortedError", raw);
    }

    /// A notice (level `info`, `warning` or `error`; the text is raw). An error is that of the answer before it.
    pub(crate) fn notice(&mut self, session: usize, level: &str, raw: &str, at: f64, offset: u64) {
        if level == "error" {
            self.fail(session, "UnknownError", raw);
        }
        if let Some(of) = self.session(session) {
            of.touch(at);
        }
        self.note(session, LogPart::notice(level, raw), (level, raw), offset);
    }

    /// Puts a notice at the end of the last message, or at the front of the first one. Where none comes, it is a warning.
    pub(crate) fn note(
        &mut self,
        session: usize,
        notice: LogPart,
        (level, raw): (&str, &str),
        offset: u64,
    ) {
        let Some(of) = self.sessions.get_mut(session) else { return };
        match of.messages.last().and_then(|last| self.messages.get_mut(*last)) {
            Some(message) => message.after.push(notice),
            None => {
                of.notices.push(notice);
                of.unplaced.push((unplaced(level, raw), offset));
            }
        }
    }

    /// Sets the model of each user's message to that of the answer after it, for files that name models in answers only.
    pub fn name_models(&mut self) {
        for session in &self.sessions {
            let mut model = SharedText::default();
            for message in session.messages.iter().rev() {
                let Some(message) = self.messages.get_mut(*message) else { continue };
                if !message.is_answer() {
                    message.model.clone_from(&model);
                } else if !message.model.is_empty() {
                    model.clone_from(&message.model);
                }
            }
        }
    }

    /// The file has ended: what is incomplete stays so, and notices of sessions without a message have no place
    /// there and become warnings.
    pub(crate) fn end(&mut self) {
        for problem in std::mem::take(&mut self.at_end) {
            self.problems.push(problem);
        }
        self.place_system();
        for session in self.sessions.iter_mut().filter(|session| session.messages.is_empty()) {
            for (what, offset) in std::mem::take(&mut session.unplaced) {
                self.problems.warning(self.agent, what, offset);
            }
        }
    }
}

/// The text of the warning about a notice whose session has no message. `raw` is the notice as JSON has it, with escapes.
pub(crate) fn unplaced(level: &str, raw: &str) -> String {
    format!("{level} in a session without a message: {}", unescape(raw.as_bytes()))
}

/// A time: an ISO 8601 text, or milliseconds since the Unix epoch.
pub(crate) fn read_time(value: Option<Node<'_>>) -> Option<f64> {
    #[allow(clippy::cast_precision_loss)] // milliseconds of this era are exact
    let text = string(value).and_then(|text| time::parse(&text)).map(|ms| ms as f64);
    text.or_else(|| number(value))
}
