//! Messages of formats that have tool results apart from their calls: collected as they arrive, and
//! written at the end of the file or at a refresh.
//!
//! Texts are kept as the escaped content of JSON strings ("raw"), because most are copied from the file
//! as they are.

use crate::json::writer::{ObjectWriter, object};
use crate::model::problem_list::ProblemList;
use crate::transcript::formats::builder;
use crate::transcript::formats::builder::{AssistantInfo, CallOutcome, TokenCounts, UserInfo};
use std::collections::BTreeMap;

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
    pub(crate) parts: Vec<PendingPart>,
}

/// A part of a message.
#[derive(Debug)]
pub(crate) enum PendingPart {
    /// A finished part, as JSON.
    Whole(String),
    /// A tool call, whose result may still arrive.
    Call(Box<PendingCall>),
}

/// A tool call to which its result may still be added.
#[derive(Debug)]
pub(crate) struct PendingCall {
    id: String,
    call_id: String,
    tool: String,
    /// JSON.
    input: String,
    /// A JSON object; empty if there is none.
    metadata: String,
    start: f64,
    result: Option<PendingResult>,
}

/// The result of a tool call.
#[derive(Debug, Default)]
pub(crate) struct PendingResult {
    pub(crate) is_error: bool,
    /// Raw.
    pub(crate) output: String,
    pub(crate) end: f64,
    /// A JSON object; empty if there is none.
    pub(crate) metadata: String,
    /// A JSON array of file parts; empty if there are none.
    pub(crate) attachments: String,
}

/// A tool call, to be added.
pub(crate) struct NewCall<'a> {
    /// The id of its part.
    pub(crate) id: String,
    pub(crate) call_id: &'a str,
    pub(crate) tool: &'a str,
    /// JSON.
    pub(crate) input: &'a str,
    /// A JSON object; empty if there is none.
    pub(crate) metadata: String,
    pub(crate) start: f64,
}

/// The names that a format gives its messages.
pub(crate) struct FormatNames {
    pub(crate) provider: &'static str,
    pub(crate) agent: &'static str,
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
    pub(crate) fn part(&mut self, turn: usize, json: String) {
        if let Some(turn) = self.turns.get_mut(turn) {
            turn.parts.push(PendingPart::Whole(json));
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
            input: call.input.to_owned(),
            metadata: call.metadata,
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
            PendingPart::Whole(_) => None,
        }
    }

    /// Adds a result to its call; if that is not possible, the raw output is returned.
    pub(crate) fn result(
        &mut self,
        call_id: &str,
        result: PendingResult,
    ) -> (Joined, Option<String>) {
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

    /// The messages of each session so far, as JSON arrays.
    pub(crate) fn write(&mut self, sessions: &[&str], names: &FormatNames) -> Vec<String> {
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
                message.object("info", |info| turn.info(session, parent, names, info));
                turn.parts(session, message.key("parts"));
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
            } else {
                model.clone_from(&turn.model);
            }
        }
    }
}

impl PendingMessage {
    fn calls(&self) -> impl Iterator<Item = &PendingCall> {
        self.parts.iter().filter_map(|part| match part {
            PendingPart::Call(call) => Some(&**call),
            PendingPart::Whole(_) => None,
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
        let parts = self.parts.iter().map(|part| match part {
            PendingPart::Whole(json) => json.len() + 1,
            PendingPart::Call(call) => 400 + call.length(),
        });
        1200 + more + parts.sum::<usize>()
    }

    fn info(&self, session: &str, parent: &str, names: &FormatNames, info: &mut ObjectWriter<'_>) {
        if self.is_user {
            let user = UserInfo {
                id: &self.id,
                session_id: session,
                created: self.created,
                agent: names.agent,
                provider_id: names.provider,
                model_id: &self.model,
            };
            user.fields(info);
        } else {
            let completed = self.completed();
            let finish = Some(self.finish.as_str()).filter(|f| !f.is_empty());
            let assistant = AssistantInfo {
                id: &self.id,
                session_id: session,
                created: self.created,
                completed,
                parent_id: parent,
                model_id: &self.model,
                provider_id: names.provider,
                agent: names.agent,
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
        if !self.is_user {
            comma(out);
            object(out, |part| {
                builder::base(part, &self.steps.0, session, &self.id, "step-start");
            });
        }
        for part in &self.parts {
            comma(out);
            match part {
                PendingPart::Whole(json) => out.push_str(json),
                PendingPart::Call(call) => object(out, |part| {
                    builder::base(part, &call.id, session, &self.id, "tool");
                    call.fields(part);
                }),
            }
        }
        if !self.is_user {
            comma(out);
            object(out, |part| {
                builder::base(part, &self.steps.1, session, &self.id, "step-finish");
                let reason = if self.finish.is_empty() { "unknown" } else { &self.finish };
                part.string("reason", reason).key("cost").push_str(&builder::number(self.cost));
                part.object("tokens", |tokens| self.tokens.write(tokens));
            });
        }
        out.push(']');
    }
}

impl PendingCall {
    fn length(&self) -> usize {
        let result = self.result.as_ref();
        let result = result.map_or(0, |r| r.output.len() + r.metadata.len() + r.attachments.len());
        self.input.len() + self.metadata.len() + result
    }

    fn fields(&self, part: &mut ObjectWriter<'_>) {
        part.string("callID", &self.call_id).string("tool", &self.tool);
        let not_empty = |json: &'_ str| !json.is_empty();
        let outcome = self.result.as_ref().map(|result| CallOutcome {
            is_error: result.is_error,
            output: &result.output,
            end: result.end,
            metadata: Some(result.metadata.as_str()).filter(|m| not_empty(m)),
            attachments: Some(result.attachments.as_str()).filter(|a| not_empty(a)),
        });
        part.object("state", |state| {
            builder::state(state, &self.input, self.start, outcome.as_ref())
        });
        if !self.metadata.is_empty() {
            part.key("metadata").push_str(&self.metadata);
        }
    }
}
