//! Messages of formats that have tool results apart from their calls: collected as they arrive, and
//! written at the end of the file or at a refresh.
//!
//! Texts are kept as the escaped content of JSON strings ("raw"), because most are copied from the file
//! as they are.

use crate::formats::builder;
use crate::formats::builder::{AssistantInfo, TokenCounts, UserInfo};
use crate::formats::pending_call::{PendingCall, PendingResult};
use crate::formats::placed_part::{FinishedPart, PartAt, PlacedPart};
use apex_parts_json::writer::{ObjectWriter, object};
use apex_parts_model::problem_list::ProblemList;
use std::collections::BTreeMap;
use std::rc::Rc;

/// All messages of all sessions.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    turns: Vec<PendingMessage>,
    /// The last call with each id: the indexes of its message and its part.
    calls: BTreeMap<Box<str>, (usize, usize)>,
    pub(crate) problems: ProblemList,
}

/// A message to which parts and results may still be added.
#[derive(Debug, Default)]
pub(crate) struct PendingMessage {
    /// The index of its session.
    pub(crate) session: usize,
    pub(crate) id: String,
    pub(crate) is_user: bool,
    pub(crate) created: f64,
    /// The time of its last record.
    pub(crate) last: f64,
    pub(crate) model: String,
    pub(crate) cwd: String,
    pub(crate) tokens: TokenCounts,
    pub(crate) cost: f64,
    /// Why it ended; empty if that is not known.
    pub(crate) finish: String,
    /// A JSON object; empty if there is no error.
    pub(crate) error: String,
    /// One more field of `info`: its name and its JSON.
    pub(crate) more: Option<(&'static str, String)>,
    /// The ids of the parts at which its step starts and ends.
    pub(crate) steps: (String, String),
    /// What the program noted before the first message.
    pub(crate) before: Vec<PlacedPart>,
    pub(crate) parts: Vec<PendingPart>,
    /// What the program noted after it.
    pub(crate) after: Vec<PlacedPart>,
}

/// A part of a message.
#[derive(Debug)]
pub(crate) enum PendingPart {
    /// One that is finished.
    Finished(FinishedPart),
    /// A tool call, whose result may still arrive.
    Call(Box<PendingCall>),
}

/// A tool call, to be added.
pub(crate) struct NewCall<'a> {
    /// The id of its part.
    pub(crate) id: String,
    pub(crate) call_id: &'a str,
    pub(crate) tool: &'a str,
    /// JSON.
    pub(crate) input: Rc<str>,
    /// A JSON object; empty if there is none.
    pub(crate) metadata: String,
    /// The session that it started; empty if it started none.
    pub(crate) child: &'a str,
    pub(crate) start: f64,
}

/// The names that the messages of a session get.
#[derive(Clone, Copy, Default)]
pub(crate) struct SessionNames<'a> {
    pub(crate) id: &'a str,
    pub(crate) provider: &'a str,
    pub(crate) agent: &'a str,
}

/// Whether a result has been added to its call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    Yes,
    /// No: there is no such call.
    NoCall,
    /// No: the call has a result already.
    Again,
}

impl Conversation {
    /// Adds a message and returns its index.
    pub(crate) fn begin(&mut self, turn: PendingMessage) -> usize {
        self.turns.push(turn);
        self.turns.len() - 1
    }

    /// The message at an index.
    pub(crate) fn turn(&mut self, turn: usize) -> Option<&mut PendingMessage> {
        self.turns.get_mut(turn)
    }

    /// How many parts a message has.
    pub(crate) fn len_of(&self, turn: usize) -> usize {
        self.turns.get(turn).map_or(0, |turn| turn.parts.len())
    }

    /// Adds a finished part.
    pub(crate) fn part(&mut self, turn: usize, part: FinishedPart) {
        if let Some(turn) = self.turns.get_mut(turn) {
            turn.parts.push(PendingPart::Finished(part));
        }
    }

    /// Adds a tool call, which is running until its result is added.
    pub(crate) fn call(&mut self, turn: usize, call: NewCall<'_>) {
        let Some(of) = self.turns.get_mut(turn) else { return };
        self.calls.insert(call.call_id.into(), (turn, of.parts.len()));
        of.parts.push(PendingPart::Call(Box::new(PendingCall {
            id: call.id,
            call_id: call.call_id.to_owned(),
            tool: call.tool.to_owned(),
            input: call.input,
            metadata: call.metadata,
            child: call.child.to_owned(),
            start: call.start,
            result: None,
        })));
    }

    /// The message of a call, and the id of its part.
    pub(crate) fn find(&self, call_id: &str) -> Option<(&PendingMessage, &str)> {
        let (turn, part) = self.calls.get(call_id)?;
        let turn = self.turns.get(*turn)?;
        match turn.parts.get(*part)? {
            PendingPart::Call(call) => Some((turn, &call.id)),
            PendingPart::Finished(_) => None,
        }
    }

    /// Adds a result to its call; if that is not possible, the raw output is returned.
    pub(crate) fn result(
        &mut self,
        call_id: &str,
        result: PendingResult,
    ) -> (Joined, Option<Rc<str>>) {
        let place = self.calls.get(call_id);
        let part = place.and_then(|(turn, part)| self.turns.get_mut(*turn)?.parts.get_mut(*part));
        match part {
            Some(PendingPart::Call(call)) if call.result.is_none() => {
                call.result = Some(result);
                (Joined::Yes, None)
            }
            Some(PendingPart::Call(_)) => (Joined::Again, Some(result.output)),
            _ => (Joined::NoCall, Some(result.output)),
        }
    }

    /// Ends the calls of a message that still run: a person ended the request, for this reason (raw).
    pub(crate) fn abort_calls(&mut self, turn: usize, raw: &Rc<str>, at: f64) {
        let Some(turn) = self.turns.get_mut(turn) else { return };
        for part in &mut turn.parts {
            if let PendingPart::Call(call) = part
                && call.result.is_none()
            {
                call.result = Some(PendingResult {
                    is_error: true,
                    output: raw.clone(),
                    end: at,
                    metadata: vec![("aborted", "true".into())],
                    ..PendingResult::default()
                });
            }
        }
    }

    /// The messages of each session so far, as JSON arrays.
    pub(crate) fn write(&mut self, sessions: &[SessionNames<'_>]) -> Vec<String> {
        // With the right capacity, large arrays are not copied while they grow.
        let mut lengths = vec![2; sessions.len()];
        for turn in &self.turns {
            lengths.get_mut(turn.session).into_iter().for_each(|length| *length += turn.length());
        }
        let mut written: Vec<String> = lengths.into_iter().map(String::with_capacity).collect();
        written.iter_mut().for_each(|out| out.push('['));
        self.name_models(sessions.len());
        let mut asked: Vec<&str> = vec![""; sessions.len()];
        for turn in &self.turns {
            let session = sessions.get(turn.session).copied().unwrap_or_default();
            let (Some(out), Some(parent)) =
                (written.get_mut(turn.session), asked.get_mut(turn.session))
            else {
                continue;
            };
            if out.len() > 1 {
                out.push(',');
            }
            object(out, |message| {
                message.object("info", |info| turn.info(session, parent, info));
                turn.parts(session.id, message.key("parts"));
            });
            if turn.is_user {
                *parent = &turn.id;
            }
        }
        for out in &mut written {
            out.push(']');
        }
        written
    }

    /// Sets the model of each user's message to that of the answer after it.
    fn name_models(&mut self, sessions: usize) {
        let mut models = vec![String::new(); sessions];
        for turn in self.turns.iter_mut().rev() {
            let Some(model) = models.get_mut(turn.session) else { continue };
            if turn.is_user {
                turn.model.clone_from(model);
            } else if !turn.model.is_empty() {
                model.clone_from(&turn.model);
            }
        }
    }
}

impl PendingMessage {
    fn calls(&self) -> impl Iterator<Item = &PendingCall> {
        self.parts.iter().filter_map(|part| match part {
            PendingPart::Call(call) => Some(&**call),
            PendingPart::Finished(_) => None,
        })
    }

    /// When it was completed: not before its last call. `None` while a call is running.
    fn completed(&self) -> Option<f64> {
        self.calls().try_fold(self.last.max(self.created), |last, call| {
            call.result.as_ref().map(|result| last.max(result.end))
        })
    }

    /// Its approximate length as JSON.
    fn length(&self) -> usize {
        let more = self.more.as_ref().map_or(0, |(_, json)| json.len());
        let parts = self.parts.iter().map(PendingPart::length);
        let notes = self.before.iter().chain(&self.after).map(PlacedPart::length);
        1200 + more + parts.chain(notes).sum::<usize>()
    }

    fn info(&self, session: SessionNames<'_>, parent: &str, info: &mut ObjectWriter<'_>) {
        if self.is_user {
            let user = UserInfo {
                id: &self.id,
                session_id: session.id,
                created: self.created,
                agent: session.agent,
                provider_id: session.provider,
                model_id: &self.model,
            };
            user.fields(info);
        } else {
            let completed = self.completed();
            let finish = Some(self.finish.as_str()).filter(|f| !f.is_empty());
            let assistant = AssistantInfo {
                id: &self.id,
                session_id: session.id,
                created: self.created,
                completed,
                parent_id: parent,
                model_id: &self.model,
                provider_id: session.provider,
                agent: session.agent,
                cwd: &self.cwd,
                cost: self.cost,
                tokens: self.tokens,
                // BR-14: a message that is not completed has no `finish`.
                finish: completed.and(finish),
                error: Some(self.error.as_str()).filter(|e| !e.is_empty()),
            };
            assistant.fields(info);
        }
        if let Some((name, json)) = &self.more {
            info.key(name).push_str(json);
        }
    }

    fn parts(&self, session: &str, out: &mut String) {
        out.push('[');
        let mut first = true;
        let mut comma = |out: &mut String| {
            if !std::mem::take(&mut first) {
                out.push(',');
            }
        };
        let place = |id| PartAt { session, message: &self.id, id };
        for note in &self.before {
            comma(out);
            note.write(place(&note.id), out);
        }
        if !self.is_user {
            comma(out);
            object(out, |part| {
                builder::base(part, &self.steps.0, session, &self.id, "step-start");
            });
        }
        for part in &self.parts {
            comma(out);
            part.write(session, &self.id, out);
        }
        if !self.is_user {
            comma(out);
            object(out, |part| {
                builder::base(part, &self.steps.1, session, &self.id, "step-finish");
                let reason = if self.finish.is_empty() { "unknown" } else { &self.finish };
                part.string("reason", reason).number("cost", builder::count(self.cost));
                part.object("tokens", |tokens| self.tokens.write(tokens));
            });
        }
        for note in &self.after {
            comma(out);
            note.write(place(&note.id), out);
        }
        out.push(']');
    }
}

impl PendingPart {
    fn length(&self) -> usize {
        match self {
            PendingPart::Finished(part) => part.length(),
            PendingPart::Call(call) => 400 + call.length(),
        }
    }

    fn write(&self, session: &str, message: &str, out: &mut String) {
        match self {
            PendingPart::Finished(part) => part.write(session, message, out),
            PendingPart::Call(call) => object(out, |part| {
                builder::base(part, &call.id, session, message, "tool");
                call.fields(session, message, part);
            }),
        }
    }
}
