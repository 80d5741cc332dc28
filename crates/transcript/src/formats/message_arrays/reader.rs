//! Cuts a file into sessions, and reads the messages of each.

use super::PREFIX;
use super::envelope::{RecordShape, cut_exchange, shape};
use super::exchange::Exchange;
use super::other_fields::OtherFields;
use super::session_source::{KeptMessages, KeptRecord};
use super::whole_answer::AUTO;
use apex_parts_agents::fields::raw;
use apex_parts_agents::{
    Env, FormatReader, LoadedSession, LoadedSessions, ObjectReader, Record, SessionKind, WholeJson,
    read_object,
};
use apex_parts_json::tape::Node;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, Path, Problem, View};
use apex_parts_providers::{MessagesFormat, RecordedAnswer};
use std::borrow::Cow;

/// The format of files in whose messages nothing shows another.
const PLAIN_FORMAT: &str = "messages-openai-chat";

/// The longest id of a record that is used, in bytes: each message and part has it.
const LONGEST_ID: usize = 200;

/// One session of the file.
#[derive(Debug)]
struct RawSession {
    id: String,
    source: KeptSession,
    /// Where each record begins in the file.
    offsets: Vec<u64>,
    /// The session of which it is a branch.
    parent: Option<String>,
}

/// What a session is read from.
#[derive(Debug)]
enum KeptSession {
    /// Records that are messages, or an array of them.
    Messages(Box<KeptMessages>),
    /// A record that has messages.
    Record(Box<KeptRecord>),
}

/// Reads a file of messages for models.
#[derive(Debug)]
pub(crate) struct MessageArrayReader {
    /// The name of the format in `apex-parts-providers`, or [`AUTO`].
    format: &'static str,
    sessions: Vec<RawSession>,
    ids: TextMap,
    /// The number of the last session that was given one.
    number: usize,
    problems: ProblemList,
    others: OtherFields,
    content: Fingerprint,
}

impl MessageArrayReader {
    /// A reader of the format that has this name in `apex-parts-providers`.
    pub(crate) fn new(format: &'static str) -> MessageArrayReader {
        MessageArrayReader {
            format,
            sessions: Vec::new(),
            ids: TextMap::default(),
            number: 0,
            problems: ProblemList::default(),
            others: OtherFields::default(),
            content: Fingerprint::default(),
        }
    }

    /// An id for the next session: that of its record, if no session before has it; otherwise its number. A file that is
    /// opened again has the same ones.
    fn next_id(&mut self, own: Option<Node<'_>>, json: &str) -> String {
        let own = own.filter(|id| id.span().len() <= LONGEST_ID).and_then(|id| match id.kind() {
            Kind::String => id.str().map(Cow::into_owned),
            Kind::Number => Some(raw(id, json).to_owned()),
            _ => None,
        });
        let own = own.filter(|id| !self.ids.contains(id));
        let id = own.unwrap_or_else(|| {
            self.number = self.number.max(self.sessions.len());
            loop {
                self.number += 1;
                let numbered = format!("session-{}", self.number);
                if !self.ids.contains(&numbered) {
                    break numbered;
                }
            }
        });
        self.ids.insert(&id, 0);
        id
    }

    /// What a session is.
    fn session(
        &self,
        given: &RawSession,
        now_ms: f64,
        loaded: &mut LoadedSessions,
        problems: &mut ProblemList,
    ) {
        let format = MessagesFormat::parse(self.format);
        let found = match &given.source {
            KeptSession::Messages(messages) => messages.found(now_ms),
            KeptSession::Record(record) => record.found(format, &given.id, now_ms),
        };
        let first = given.offsets.first().copied().unwrap_or_default();
        let Some(found) = found else {
            let what = "the time of these messages is before 1970: they are left out";
            return problems.error("schema", what, first);
        };
        let is_array = matches!(given.source, KeptSession::Messages(_));
        for problem in found.problems {
            problems.push(problem_in_file(problem, given, is_array));
        }
        let is_better = loaded.format.as_deref().is_none_or(|before| before == PLAIN_FORMAT);
        if self.format == AUTO && is_better && !found.format.is_empty() {
            loaded.format = Some(format!("{PREFIX}{}", found.format));
        }
        if found.info.is_some() || !found.messages.is_empty() {
            loaded.sessions.push(LoadedSession {
                id: given.id.clone(),
                info: found.info,
                messages: found.messages,
                parent_id: given.parent.clone(),
                kind: given.parent.as_ref().map(|_| SessionKind::Branch),
                ..LoadedSession::default()
            });
        }
    }

    /// Adds a message to the session before, or begins one.
    fn message(&mut self, message: Node<'_>, json: &str, offset: u64) {
        let is_open = |last: &RawSession| matches!(last.source, KeptSession::Messages(_));
        if !self.sessions.last().is_some_and(is_open) {
            let id = self.next_id(None, json);
            let format = MessagesFormat::parse(self.format);
            let source = KeptSession::Messages(Box::new(KeptMessages::new(format, &id)));
            self.sessions.push(RawSession { id, source, offsets: Vec::new(), parent: None });
        }
        let Some(session) = self.sessions.last_mut() else { return };
        session.offsets.push(offset);
        if let KeptSession::Messages(messages) = &mut session.source {
            messages.add(message, json);
        }
    }

    /// Adds the session of a record, and its branches.
    fn exchange(&mut self, record: Node<'_>, exchange: &Exchange<'_>, json: &str, offset: u64) {
        self.others.add(record, exchange, offset);
        let id = self.next_id(exchange.id, json);
        let (answer, others) = exchange.answers(json);
        let session =
            |id: String, json: String, answer: Option<RecordedAnswer>, parent| RawSession {
                id,
                source: KeptSession::Record(Box::new(KeptRecord::new(json, answer))),
                offsets: vec![offset],
                parent,
            };
        self.sessions.push(session(id.clone(), exchange.request(record, json), answer, None));
        for (index, other) in others.into_iter().enumerate() {
            let branch = format!("{id}/branch-{}", index + 1);
            // A record before it may have this id.
            if self.ids.insert(&branch, 0).is_none() {
                let parent = Some(id.clone());
                self.sessions.push(session(branch, "[]".to_owned(), Some(other), parent));
            }
        }
    }

    /// Takes a record, if it is a message or has some.
    fn take(&mut self, root: Node<'_>, json: &str, offset: u64) {
        match shape(root) {
            RecordShape::Message => self.message(root, json, offset),
            RecordShape::Exchange(exchange) => self.exchange(root, &exchange, json, offset),
            RecordShape::Aside => self.others.leave_out(offset),
            // Those are counted by who gives the records, but a format that was given is not doubted.
            RecordShape::Foreign if self.format == AUTO => {}
            RecordShape::Foreign => self.message(root, json, offset),
        }
    }

    fn loaded(&self, problems: ProblemList, env: &Env<'_>) -> LoadedSessions {
        let mut problems = problems;
        let mut loaded =
            LoadedSessions { content: Some(self.content), ..LoadedSessions::default() };
        for session in &self.sessions {
            self.session(session, env.now_ms, &mut loaded, &mut problems);
        }
        self.others.report(&mut problems);
        loaded.problems = problems.into_sorted();
        loaded
    }
}

/// A problem of messages with its place in the file. Its path is a place in messages with parts, which this one is not about.
fn problem_in_file(problem: Problem, session: &RawSession, is_array: bool) -> Problem {
    let Problem { severity, rule, path, message, .. } = problem;
    let step = path.split('/').nth(1).filter(|_| is_array);
    let index = step.and_then(|step| step.parse::<usize>().ok()).unwrap_or_default();
    let offset = session.offsets.get(index).or(session.offsets.first());
    #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
    let offset = offset.map(|offset| *offset as f64);
    let message = if path.is_empty() { message } else { format!("{path}: {message}") };
    Problem { offset, ..Problem::new(severity, &rule, &Path::ROOT, message) }
}

impl ObjectReader for MessageArrayReader {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, _env: &mut Env<'_>) {
        self.content = record.hashed(self.content);
        self.take(root, text, record.offset);
    }
}

impl FormatReader for MessageArrayReader {
    fn begin(&mut self, is_given: bool) {
        if !is_given {
            self.format = AUTO;
        }
    }

    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        let content = record.hashed(self.content);
        read_object(self, record, env);
        // A record that is not an object counts too.
        self.content = content;
    }

    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn cut_off(&mut self, record: Record<'_>, _env: &mut Env<'_>) -> bool {
        // That it is cut off is told by who says so here. A message that is cut off is left out, as everywhere.
        let read = WholeJson::read(record.json, record.offset, &mut ProblemList::default());
        let root = Some(read.root()).filter(|root| root.kind() == Kind::Object);
        let exchange = root.and_then(|root| Some((root, cut_exchange(root)?)));
        let Some((root, exchange)) = exchange else { return false };
        self.content = record.hashed(self.content);
        self.exchange(root, &exchange, read.text(), record.offset);
        true
    }

    fn peek(&mut self, _length: u64, env: &mut Env<'_>) -> LoadedSessions {
        self.loaded(self.problems.clone(), env)
    }

    fn finish(mut self: Box<Self>, _length: u64, env: &mut Env<'_>) -> LoadedSessions {
        let problems = std::mem::take(&mut self.problems);
        self.loaded(problems, env)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
