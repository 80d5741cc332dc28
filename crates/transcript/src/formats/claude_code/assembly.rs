//! [`Assembly`]: makes the messages of the sessions out of their lines.

use super::line::{
    AnswerLine, ClaudeLine, LineBody, LinePart, LinePiece, ResultPiece, UserLine, UserSaid,
};
use super::paths::LinePaths;
use super::sessions::LineAbouts;
use super::sub_agents::SubAgents;
use super::tags::INTERRUPTIONS;
use crate::formats::agents::logged_part::NOTICE;
use crate::formats::builder::{TokenCounts, raw_string};
use crate::formats::conversation::{Conversation, Joined, NewCall, PendingMessage};
use crate::formats::pending_call::PendingResult;
use crate::formats::placed_part::{FinishedPart, PlacedPart};
use apex_parts_json::writer::object;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The messages while they are made.
pub(super) struct Assembly<'a> {
    pub(super) lines: &'a [ClaudeLine],
    pub(super) abouts: &'a LineAbouts,
    pub(super) agents: &'a SubAgents<'a>,
    pub(super) talk: Conversation,
}

/// The session whose lines are read.
#[derive(Default)]
struct SessionReading {
    session: usize,
    /// By their `message.id` the last messages of the answers, and in which part of the session each is.
    answers: BTreeMap<Box<str>, (usize, usize)>,
    /// How many messages were typed while an answer was made: each ends the answers before it.
    part: usize,
    last: Option<usize>,
    /// Who spoke last, apart from what the program added.
    before: Before,
    /// The last line was the boundary of a compaction.
    is_compacted: bool,
    /// Notices before the first message.
    notes: Vec<PlacedPart>,
    /// The same as warnings, for where no message comes.
    unplaced: Vec<(String, u64)>,
}

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
                        self.notice(&mut reading, line, level, text)
                    }
                    LineBody::Boundary { auto } => {
                        let turn = self.user_turn(&mut reading, line);
                        self.compaction(turn, line, *auto);
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
            for (what, offset) in reading.unplaced.into_iter().filter(|_| reading.last.is_none()) {
                self.talk.problems.warning("claude-code", what, offset);
            }
        }
        // Where there is no message, there is no session.
        for (line, _) in self.lines.iter().zip(&paths.places).filter(|(_, place)| place.is_none()) {
            if let LineBody::Notice { level, text } = &line.body {
                let what = unplaced(level, text);
                self.talk.problems.warning("claude-code", what, line.offset);
            }
        }
    }

    /// Did the program itself answer a command, before these lines?
    fn is_local(&self, after: &[usize]) -> bool {
        let mut lines = after.iter().filter_map(|index| self.lines.get(*index));
        let next = lines.find(|line| line.is_message());
        next.and_then(ClaudeLine::user).is_some_and(|user| user.said == UserSaid::LocalOutput)
    }

    fn begin(&mut self, reading: &mut SessionReading, mut message: PendingMessage) -> usize {
        message.session = reading.session;
        message.before = std::mem::take(&mut reading.notes);
        let turn = self.talk.begin(message);
        reading.last = Some(turn);
        turn
    }

    fn user_turn(&mut self, reading: &mut SessionReading, line: &ClaudeLine) -> usize {
        let message = PendingMessage {
            id: line.id.to_string(),
            is_user: true,
            created: line.at,
            ..PendingMessage::default()
        };
        self.begin(reading, message)
    }

    /// The id of the next part of a message: the message's id and a number, so that ids sort as the parts stand.
    fn part_id(&self, turn: usize, message: &str) -> String {
        format!("{message}_{:05}", self.talk.len_of(turn) + 1)
    }

    fn part(&mut self, turn: usize, message: &str, at: f64, part: &LinePart, is_own: bool) {
        let id = self.part_id(turn, message);
        let placed = PlacedPart {
            id,
            kind: part.kind.clone(),
            fields: part.fields.clone(),
            is_synthetic: part.is_synthetic || (is_own && part.has_time),
            at: Some(at).filter(|_| part.has_time),
        };
        self.talk.part(turn, FinishedPart::Placed(placed));
    }

    fn compaction(&mut self, turn: usize, line: &ClaudeLine, auto: bool) {
        let fields = if auto { "\"auto\":true" } else { "\"auto\":false" };
        let part = LinePart {
            kind: "compaction".into(),
            fields: fields.into(),
            is_synthetic: false,
            has_time: false,
        };
        self.part(turn, &line.id, line.at, &part, false);
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
        let mut turn = None;
        if user.is_summary && !is_compacted {
            let index = self.user_turn(reading, line);
            self.compaction(index, line, true);
            turn = Some(index);
        }
        for piece in &user.pieces {
            match piece {
                LinePiece::Result(result) => {
                    if let Some(lost) = self.result(line, result) {
                        let turn = *turn.get_or_insert_with(|| self.user_turn(reading, line));
                        self.lost(turn, &line.id, line.at, &lost);
                    }
                }
                LinePiece::Part(_) if user.said == UserSaid::Interruption => {
                    self.interrupted(reading, line, piece);
                }
                LinePiece::Part(part) => {
                    let turn = *turn.get_or_insert_with(|| self.user_turn(reading, line));
                    self.part(turn, &line.id, line.at, part, is_own);
                }
                LinePiece::Call(_) => {}
            }
        }
        if turn.is_some() && user.is_prompt() && !is_local {
            reading.before = Before::Request;
        }
    }

    /// A result that has no call is shown as text.
    fn lost(&mut self, turn: usize, message: &str, at: f64, raw: &str) {
        let mut fields = String::from("\"text\":");
        raw_string(&mut fields, raw);
        let part = LinePart {
            kind: "text".into(),
            fields: fields.into(),
            is_synthetic: true,
            has_time: true,
        };
        self.part(turn, message, at, &part, true);
    }

    /// A person ended the request: the answer before it, and its calls, were aborted.
    fn interrupted(&mut self, reading: &mut SessionReading, line: &ClaudeLine, piece: &LinePiece) {
        let LinePiece::Part(part) = piece else { return };
        let is_for_call = part.fields.contains("for tool use");
        let said: Rc<str> =
            INTERRUPTIONS.get(usize::from(is_for_call)).copied().unwrap_or("").into();
        let Before::Answer(answer) = reading.before else {
            return self.notice(reading, line, "warning", &said);
        };
        self.talk.abort_calls(answer, &said, line.at);
        if let Some(turn) = self.talk.turn(answer).filter(|turn| turn.error.is_empty()) {
            turn.last = turn.last.max(line.at);
            object(&mut turn.error, |error| {
                error.string("name", "MessageAbortedError").object("data", |data| {
                    raw_string(data.key("message"), &said);
                });
            });
        }
    }

    /// A notice is at the end of the message before it, or at the front of the first one.
    fn notice(&mut self, reading: &mut SessionReading, line: &ClaudeLine, level: &str, text: &str) {
        let note = PlacedPart {
            id: format!("{}_note", line.id),
            kind: NOTICE.into(),
            fields: format!("\"level\":\"{level}\",\"text\":\"{text}\"").into(),
            is_synthetic: false,
            at: None,
        };
        match reading.last.and_then(|last| self.talk.turn(last)) {
            Some(turn) => turn.after.push(note),
            None => {
                reading.unplaced.push((unplaced(level, text), line.offset));
                reading.notes.push(note);
            }
        }
    }

    /// Adds a result to its call; if that is not possible, its raw output is returned.
    fn result(&mut self, line: &ClaudeLine, result: &ResultPiece) -> Option<Rc<str>> {
        let part = self.talk.find(&result.call_id).map_or("", |(_, part)| part).to_owned();
        let files = result.files.iter().enumerate().map(|(number, file)| {
            FinishedPart::Placed(PlacedPart {
                id: format!("{part}_{}", number + 1),
                kind: file.kind.clone(),
                fields: file.fields.clone(),
                is_synthetic: false,
                at: None,
            })
        });
        let pending = PendingResult {
            is_error: result.is_error,
            output: result.output.clone(),
            end: line.at,
            metadata: result.metadata.clone(),
            attachments: files.collect(),
        };
        let (joined, lost) = self.talk.result(&result.call_id, pending);
        let what = match joined {
            Joined::Yes => return None,
            Joined::NoCall => "a result without its call; it is shown as text",
            Joined::Again => "a second result of a call; it is shown as text",
        };
        self.talk.problems.warning("claude-code", what, line.offset);
        lost
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
        let turn = match known {
            Some((turn, part)) if part == reading.part => turn,
            _ => {
                // What was typed meanwhile stands between two messages: the tokens are those of the second.
                if let Some(turn) = known.and_then(|(turn, _)| self.talk.turn(turn)) {
                    (turn.tokens, turn.cost) = (TokenCounts::default(), 0.0);
                }
                let id = if known.is_some() { &line.id } else { key };
                let turn = self.begin(
                    reading,
                    PendingMessage {
                        id: id.to_owned(),
                        created: line.at,
                        last: line.at,
                        model: answer.model.to_string(),
                        cwd: self.abouts.get(line.about).map_or("", |a| &a.directory).to_owned(),
                        steps: (format!("{id}_00000"), format!("{id}_finish")),
                        ..PendingMessage::default()
                    },
                );
                reading.answers.insert(key.into(), (turn, reading.part));
                turn
            }
        };
        // What the program says for the model changes nothing about who spoke last.
        if !answer.model.is_empty() || answer.error.is_some() {
            reading.before = Before::Answer(turn);
        }
        let Some(of) = self.talk.turn(turn) else { return };
        let message = of.id.clone();
        of.last = of.last.max(line.at);
        if let Some(stop) = &answer.stop {
            of.finish = stop.to_string();
        }
        of.tokens = answer.tokens.unwrap_or(of.tokens);
        of.cost = answer.cost.unwrap_or(of.cost);
        for piece in &answer.pieces {
            match piece {
                LinePiece::Part(part) => self.part(turn, &message, line.at, part, false),
                LinePiece::Result(result) => {
                    if let Some(lost) = self.result(line, result) {
                        self.lost(turn, &message, line.at, &lost);
                    }
                }
                LinePiece::Call(call) => {
                    let part = self.part_id(turn, &message);
                    let own = if call.call_id.is_empty() { &part } else { &*call.call_id };
                    let metadata =
                        if call.is_of_provider { "{\"providerExecuted\":true}" } else { "" };
                    let call = NewCall {
                        call_id: own,
                        tool: &call.tool,
                        input: call.input.clone(),
                        metadata: metadata.to_owned(),
                        child: self.agents.child(&call.call_id),
                        start: line.at,
                        id: part.clone(),
                    };
                    self.talk.call(turn, call);
                }
            }
        }
        if let (Some(said), Some(turn)) = (&answer.error, self.talk.turn(turn)) {
            turn.error.clear();
            object(&mut turn.error, |error| {
                error.string("name", "APIError").object("data", |data| {
                    raw_string(data.key("message"), said);
                    data.bool("isRetryable", false);
                });
            });
        }
    }
}

/// What is said of a notice for which there is no message.
fn unplaced(level: &str, text: &str) -> String {
    format!("{level} in a session without a message: {text}")
}
