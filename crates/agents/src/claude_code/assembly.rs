//! [`Assembly`]: makes the messages of the sessions out of their lines.

use super::line::{AnswerLine, ClaudeLine, LineBody, LinePiece, ResultPiece, UserLine, UserSaid};
use super::paths::LinePaths;
use super::sessions::LineAbouts;
use super::sub_agents::SubAgents;
use super::tags::INTERRUPTIONS;
use crate::log::log_call::{LogCall, LogResult, LogStatus};
use crate::log::log_message::{LogRole, error_json};
use crate::log::log_part::{LogFields, LogPart, raw_string, text_field};
use crate::log::session_log::{SessionLog, unplaced};
use apex_parts_json::writer::object;
use apex_parts_model::sorted_map::SortedMap;

/// The messages while they are made.
pub(super) struct Assembly<'a> {
    pub(super) lines: &'a [ClaudeLine],
    pub(super) abouts: &'a LineAbouts,
    pub(super) agents: &'a SubAgents<'a>,
    pub(super) log: SessionLog,
}

/// The session whose lines are read.
#[derive(Default)]
struct SessionReading {
    session: usize,
    /// By their `message.id` the last messages of the answers, and in which part of the session each is.
    answers: SortedMap<Box<str>, (usize, usize)>,
    /// How many messages were typed while an answer was made: each ends the answers before it.
    part: usize,
    /// Who spoke last, apart from what the program added.
    before: Before,
    /// The last line was the boundary of a compaction.
    is_compacted: bool,
}

/// The session in whose calls results are looked for: a line of one session may have the result of a call in another.
const CALLS: usize = 0;

/// Who spoke last: the index of the message.
#[derive(Clone, Copy, Default)]
enum Before {
    #[default]
    None,
    Request,
    Answer(usize),
}

impl<'a> Assembly<'a> {
    /// Reads the lines of all sessions.
    pub(super) fn read(&mut self, paths: &LinePaths) {
        for (session, of) in paths.sessions.iter().enumerate() {
            let mut reading = SessionReading { session, ..SessionReading::default() };
            for (at, index) in of.lines.iter().enumerate() {
                let Some(line) = self.lines.get(*index) else { continue };
                match &line.body {
                    LineBody::Link { .. } => {}
                    LineBody::Notice { level, text } => {
                        self.notice(session, line, level, text);
                    }
                    LineBody::Boundary { auto } => {
                        let message = self.user_message(session, line);
                        self.part(message, &line.id, LogPart::compaction(*auto, None));
                        reading.is_compacted = true;
                    }
                    LineBody::Answer(answer) => self.answer(&mut reading, line, answer),
                    LineBody::User(user) => {
                        let after = of.lines.get(at + 1..).unwrap_or_default();
                        let is_local = user.said == UserSaid::Command && self.is_local(after);
                        self.user(&mut reading, line, user, is_local);
                    }
                }
            }
        }
        self.log.end();
        // Where there is no message, there is no session.
        for (line, _) in self.lines.iter().zip(&paths.places).filter(|(_, place)| place.is_none()) {
            if let LineBody::Notice { level, text } = &line.body {
                let what = unplaced(level, text);
                self.log.warn(&what, line.offset);
            }
        }
    }

    /// Did the program itself answer a command, before these lines?
    fn is_local(&self, after: &[usize]) -> bool {
        let mut lines = after.iter().filter_map(|index| self.lines.get(*index));
        let next = lines.find(|line| line.is_message());
        next.and_then(ClaudeLine::user).is_some_and(|user| user.said == UserSaid::LocalOutput)
    }

    fn user_message(&mut self, session: usize, line: &ClaudeLine) -> usize {
        self.log.begin(session, LogRole::User, &line.id, line.at)
    }

    /// The id of the next part of a message: the message's id and a number, so that ids sort as the parts stand.
    fn part_id(&mut self, message: usize, id: &str) -> String {
        let count = self.log.message(message).map_or(0, |message| message.items.len());
        format!("{id}_{:05}", count + 1)
    }

    /// Adds a part to the message with this id.
    fn part(&mut self, message: usize, id: &str, part: LogPart) {
        let id = self.part_id(message, id);
        self.log.part(message, LogPart { id, ..part });
    }

    fn user(
        &mut self,
        reading: &mut SessionReading,
        line: &'a ClaudeLine,
        user: &'a UserLine,
        is_local: bool,
    ) {
        let is_compacted = std::mem::take(&mut reading.is_compacted);
        reading.part += usize::from(user.is_queued);
        let is_own = user.is_synthetic || user.is_summary || is_local;
        let mut message = None;
        if user.is_summary && !is_compacted {
            let index = self.user_message(reading.session, line);
            self.part(index, &line.id, LogPart::compaction(true, None));
            message = Some(index);
        }
        for piece in &user.pieces {
            match piece {
                LinePiece::Result(result) => {
                    if let Some(lost) = self.result(line, result) {
                        let message = *message
                            .get_or_insert_with(|| self.user_message(reading.session, line));
                        self.part(message, &line.id, lost);
                    }
                }
                LinePiece::Part(part) if user.said == UserSaid::Interruption => {
                    self.interrupted(reading, line, part);
                }
                LinePiece::Part(part) => {
                    let message =
                        *message.get_or_insert_with(|| self.user_message(reading.session, line));
                    let synthetic = part.synthetic || (is_own && part.at.is_some());
                    self.part(message, &line.id, LogPart { synthetic, ..part.clone() });
                }
                LinePiece::Call(_) => {}
            }
        }
        if message.is_some() && user.is_prompt() && !is_local {
            reading.before = Before::Request;
        }
    }

    /// A person ended the request: the answer before it, and its calls, were aborted.
    fn interrupted(&mut self, reading: &SessionReading, line: &ClaudeLine, part: &LogPart) {
        let is_for_call = part.says("for tool use");
        let said = INTERRUPTIONS.get(usize::from(is_for_call)).copied().unwrap_or("");
        let Before::Answer(answer) = reading.before else {
            return self.notice(reading.session, line, "warning", said);
        };
        let Some(answer) = self.log.message(answer) else { return };
        let mut is_touched = answer.error.is_empty();
        for call in answer.open_calls() {
            is_touched = true;
            call.result = Some(LogResult {
                status: LogStatus::Failed,
                text: said.into(),
                end: line.at,
                metadata: vec![("aborted".into(), "true".into())],
                ..LogResult::default()
            });
        }
        if is_touched {
            answer.touch(line.at);
        }
        if answer.error.is_empty() {
            answer.error = error_json("MessageAbortedError", said);
        }
    }

    fn notice(&mut self, session: usize, line: &ClaudeLine, level: &str, text: &str) {
        let notice = LogPart { id: format!("{}_note", line.id), ..LogPart::notice(level, text) };
        self.log.note(session, notice, (level, text), line.offset);
    }

    /// Adds a result to its call; if that is not possible, it is returned as a text.
    fn result(&mut self, line: &ClaudeLine, result: &ResultPiece) -> Option<LogPart> {
        let call = self.log.find(CALLS, &result.call_id);
        let what = match call.map(|call| (call.result.is_some(), call.id.clone())) {
            Some((false, part)) => {
                // The model has none of an error.
                let files = result.files.iter().filter(|_| !result.is_error).zip(1..);
                let file = |(file, number): (&LogPart, usize)| LogPart {
                    id: format!("{part}_{number}"),
                    ..file.clone()
                };
                let joined = LogResult {
                    status: if result.is_error { LogStatus::Failed } else { LogStatus::Completed },
                    text: result.output.clone(),
                    end: line.at,
                    metadata: result.metadata.clone(),
                    attachments: files.map(file).collect(),
                    ..LogResult::default()
                };
                self.log.result(CALLS, &result.call_id, None, joined, line.offset);
                return None;
            }
            Some((true, _)) => "a second result of a call; it is shown as text",
            None => "a result without its call; it is shown as text",
        };
        self.log.warn(what, line.offset);
        Some(LogPart::synthetic(&result.output, line.at))
    }

    fn answer(
        &mut self,
        reading: &mut SessionReading,
        line: &'a ClaudeLine,
        answer: &'a AnswerLine,
    ) {
        reading.is_compacted = false;
        let key: &str = if answer.message.is_empty() { &line.id } else { &answer.message };
        let known = reading.answers.get(key).copied();
        let index = match known {
            Some((message, part)) if part == reading.part => message,
            _ => {
                // What was typed meanwhile stands between two messages: the tokens are those of the second.
                if let Some(before) = known.and_then(|(message, _)| self.log.message(message)) {
                    (before.tokens, before.cost) = (None, 0.0);
                }
                let id = if known.is_some() { &line.id } else { key };
                let index = self.log.begin(reading.session, LogRole::Assistant, id, line.at);
                if let Some(message) = self.log.message(index) {
                    message.model.clone_from(&answer.model);
                    message.cwd = self.abouts.get(line.about).map_or("", |a| &a.directory).into();
                    message.step_ids = [format!("{id}_00000"), format!("{id}_finish")];
                }
                reading.answers.insert(key.into(), (index, reading.part));
                index
            }
        };
        // What the program says for the model changes nothing about who spoke last.
        if !answer.model.is_empty() || answer.error.is_some() {
            reading.before = Before::Answer(index);
        }
        let Some(message) = self.log.message(index) else { return };
        let id = message.id.clone();
        message.touch(line.at);
        if let Some(stop) = &answer.stop {
            message.finish = stop.to_string();
        }
        message.tokens = answer.tokens.or(message.tokens);
        message.cost = answer.cost.unwrap_or(message.cost);
        for piece in &answer.pieces {
            match piece {
                LinePiece::Part(part) => self.part(index, &id, part.clone()),
                LinePiece::Result(result) => {
                    if let Some(lost) = self.result(line, result) {
                        self.part(index, &id, lost);
                    }
                }
                LinePiece::Call(call) => {
                    let part = self.part_id(index, &id);
                    let child = self.agents.child(&call.call_id);
                    let mut metadata = LogFields::new();
                    if !child.is_empty() {
                        metadata.push(text_field("sessionId", child));
                    }
                    let provider = call.is_of_provider;
                    let provider = provider.then(|| ("providerExecuted".into(), "true".into()));
                    let call = LogCall {
                        call_id: call.call_id.to_string(),
                        tool: call.tool.to_string(),
                        input: call.input.clone(),
                        metadata,
                        part_metadata: provider.into_iter().collect(),
                        start: line.at,
                        id: part,
                        ..LogCall::default()
                    };
                    self.log.call(CALLS, index, call);
                }
            }
        }
        if let (Some(said), Some(message)) = (&answer.error, self.log.message(index)) {
            message.error.clear();
            object(&mut message.error, |error| {
                error.string("name", "APIError").object("data", |data| {
                    raw_string(data.key("message"), said);
                    data.bool("isRetryable", false);
                });
            });
        }
    }
}
