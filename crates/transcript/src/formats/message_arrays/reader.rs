//! Cuts a file into sessions, and has the host read the messages of each.

use super::PREFIX;
use super::envelope::{RecordShape, cut_exchange, shape};
use super::exchange::Exchange;
use super::other_fields::OtherFields;
use super::recorded_answer::{AUTO, RecordedAnswer};
use apex_parts_agents::fields::{items, of_kind, pick, raw, string};
use apex_parts_agents::{
    Env, FormatReader, LoadedSession, LoadedSessions, MessageHost, ObjectReader, RawMessages,
    Record, SessionKind, WholeJson, read_object,
};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Kind, Path, Problem, Severity, View};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The format of files in whose messages nothing shows another.
const PLAIN_FORMAT: &str = "messages-openai-chat";

/// The longest id of a record that is used, in bytes: each message and part has it.
const LONGEST_ID: usize = 200;

/// The messages of one session.
#[derive(Debug)]
struct RawSession {
    id: String,
    /// The record, or an array of messages that is not closed yet.
    json: String,
    /// Is it an array of records that are messages?
    is_array: bool,
    /// Where each record begins in the file.
    offsets: Vec<u64>,
    /// The answer that stands beside the messages, for the host.
    answer: Option<String>,
    /// The session of which it is a branch.
    parent: Option<String>,
}

/// Reads a file of messages for models.
#[derive(Debug)]
pub(crate) struct MessageArrayReader {
    /// The name that the host has for the format.
    format: &'static str,
    host: Option<MessageHost>,
    sessions: Vec<RawSession>,
    ids: BTreeSet<String>,
    /// The number of the last session that was given one.
    number: usize,
    problems: ProblemList,
    others: OtherFields,
    content: Fingerprint,
}

impl MessageArrayReader {
    /// A reader of the format that has this name at the host.
    pub(crate) fn new(format: &'static str) -> MessageArrayReader {
        MessageArrayReader {
            format,
            host: None,
            sessions: Vec::new(),
            ids: BTreeSet::new(),
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
        self.ids.insert(id.clone());
        id
    }

    /// What the host reads of a session.
    fn session(
        &self,
        given: &RawSession,
        now_ms: f64,
        made: &mut LoadedSessions,
        problems: &mut ProblemList,
    ) {
        let first = given.offsets.first().copied().unwrap_or_default();
        let Some(host) = &self.host else {
            let what =
                "messages for models are read by the host, and this one has no reader of them";
            return problems.error("schema", what, first);
        };
        let closed = given.is_array.then(|| format!("{}]", given.json));
        let json = closed.as_deref().unwrap_or(&given.json);
        let (format, session_id) = (self.format, given.id.as_str());
        let answer = given.answer.as_deref();
        let answer = host.read(&RawMessages { format, json, session_id, now_ms, answer });
        let mut tape = Tape::default();
        let answer = answer.filter(|answer| tape.read(answer.as_bytes(), 0).is_ok());
        let Some(answer) = answer else {
            let what = "these messages cannot be read: they are too long, or nested too deeply";
            return problems.error("limit", what, first);
        };
        let root = tape.root(answer.as_bytes());
        let [messages, format, found, info] =
            pick(root, ["messages", "format", "problems", "session"]);
        for problem in items(found) {
            problems.push(problem_of(problem, given));
        }
        let format = string(format).unwrap_or_default();
        let is_better = made.format.as_deref().is_none_or(|before| before == PLAIN_FORMAT);
        if self.format == AUTO && is_better && !format.is_empty() {
            made.format = Some(format!("{PREFIX}{format}"));
        }
        let info = of_kind(info, Kind::Object).map(|info| raw(info, &answer).into());
        let messages = of_kind(messages, Kind::Array);
        if info.is_some() || items(messages).next().is_some() {
            let json = messages.map_or("[]", |messages| raw(messages, &answer));
            made.sessions.push(LoadedSession {
                id: given.id.clone(),
                info,
                messages: json.as_bytes().to_vec().into(),
                parent_id: given.parent.clone(),
                kind: given.parent.as_ref().map(|_| SessionKind::Branch),
                ..LoadedSession::default()
            });
        }
    }

    /// Adds a message to the session before, or begins one.
    fn message(&mut self, json: &str, offset: u64) {
        if let Some(before) = self.sessions.last_mut().filter(|before| before.is_array) {
            before.json.push(',');
            before.json.push_str(json);
            before.offsets.push(offset);
            return;
        }
        let id = self.next_id(None, json);
        self.sessions.push(RawSession {
            id,
            json: format!("[{json}"),
            is_array: true,
            offsets: vec![offset],
            answer: None,
            parent: None,
        });
    }

    /// Adds the session of a record, and its branches.
    fn exchange(&mut self, record: Node<'_>, exchange: &Exchange<'_>, json: &str, offset: u64) {
        self.others.add(record, exchange, offset);
        let id = self.next_id(exchange.id, json);
        let (answer, others) = exchange.answers(json);
        let session =
            |id: String, json: String, answer: Option<RecordedAnswer>, parent| RawSession {
                id,
                json,
                is_array: false,
                offsets: vec![offset],
                answer: answer.map(|answer| answer.json()),
                parent,
            };
        self.sessions.push(session(id.clone(), exchange.request(record, json), answer, None));
        for (index, other) in others.into_iter().enumerate() {
            let branch = format!("{id}/branch-{}", index + 1);
            // A record before it may have this id.
            if self.ids.insert(branch.clone()) {
                let parent = Some(id.clone());
                self.sessions.push(session(branch, "[]".to_owned(), Some(other), parent));
            }
        }
    }

    /// Takes a record, if it is a message or has some.
    fn take(&mut self, root: Node<'_>, json: &str, offset: u64) {
        match shape(root) {
            RecordShape::Message => self.message(json, offset),
            RecordShape::Exchange(exchange) => self.exchange(root, &exchange, json, offset),
            RecordShape::Aside => self.others.leave_out(offset),
            // Those are counted by who gives the records, but a format that was given is not doubted.
            RecordShape::Foreign if self.format == AUTO => {}
            RecordShape::Foreign => self.message(json, offset),
        }
    }

    fn loaded(&self, problems: ProblemList, env: &Env<'_>) -> LoadedSessions {
        let mut problems = problems;
        let mut made = LoadedSessions { content: Some(self.content), ..LoadedSessions::default() };
        for session in &self.sessions {
            self.session(session, env.now_ms, &mut made, &mut problems);
        }
        self.others.report(&mut problems);
        made.problems = problems.into_sorted();
        made
    }
}

/// A problem of the host, with its place in the file.
fn problem_of(problem: Node<'_>, session: &RawSession) -> Problem {
    let [severity, rule, path, message] = pick(problem, ["severity", "rule", "path", "message"])
        .map(|text| string(text).unwrap_or_default());
    let is_error = severity == Severity::Error.as_str();
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    // The host ends its messages in the rule, as the module does.
    let words = message.strip_suffix(&format!(" ({rule})")).unwrap_or(&message);
    let step = path.split('/').nth(1).filter(|_| session.is_array);
    let index = step.and_then(|step| step.parse::<usize>().ok()).unwrap_or_default();
    let offset = session.offsets.get(index).or(session.offsets.first());
    #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
    let offset = offset.map(|offset| *offset as f64);
    // The path of a problem is a place in messages with parts, which this one is not about.
    let message = if path.is_empty() { words.to_owned() } else { format!("{path}: {words}") };
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
    fn begin(&mut self, host: Option<&MessageHost>, is_given: bool) {
        self.host = host.cloned();
        if !is_given {
            self.format = AUTO;
        }
    }

    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        let content = record.hashed(self.content);
        read_object(self, record, env);
        // One that is no object is content as well.
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
