//! [`LogMessage`]: a message in a log, to which parts and results may still be added.

use super::log_call::LogCall;
use super::log_part::{LogPart, PartPlace, raw_string};
use super::log_rules::LogRules;
use super::log_session::LogSession;
use super::shared_text::SharedText;
use crate::assistant_info::AssistantInfo;
use crate::token_counts::{TokenCounts, count};
use apex_parts_json::writer::{ObjectWriter, object};
use std::borrow::Cow;
use std::fmt::Write;

/// Who said a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogRole {
    /// The user, or the program for the model.
    User,
    /// The model.
    #[default]
    Assistant,
}

/// A part, or a call whose result may still come.
#[derive(Debug)]
pub(crate) enum LogItem {
    Part(LogPart),
    Call(Box<LogCall>),
}

/// A part of a message, those included that say where its step starts and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LogPiece<'a> {
    StepStart,
    StepFinish,
    Part(&'a LogPart),
    Call(&'a LogCall),
}

/// A message.
#[derive(Debug, Default)]
pub struct LogMessage {
    pub(crate) role: LogRole,
    /// The file's id of it; empty if it has none.
    pub(crate) id: String,
    pub(crate) created: f64,
    /// The last time that is known of it.
    pub(crate) last: f64,
    /// When it was complete, where the file says it; the last time otherwise.
    pub(crate) completed: Option<f64>,
    pub(crate) provider: SharedText,
    /// The id of the model.
    pub model: SharedText,
    pub(crate) cwd: SharedText,
    /// Texts for the model that come before a user's message; raw.
    pub(crate) system: String,
    /// What it used, where the file says it.
    pub tokens: Option<TokenCounts>,
    /// What it cost.
    pub cost: f64,
    /// Why the answer ended, in OpenCode's words; empty if the file does not say it.
    pub finish: String,
    /// A JSON object; empty if there is no error.
    pub error: String,
    /// One more field of `info`: its name and its JSON.
    pub more: Option<(&'static str, String)>,
    /// The ids of the parts at which its step starts and ends; empty if they get numbers, like other parts.
    pub step_ids: [String; 2],
    /// The parts of its step or, of a user's message, all.
    pub(crate) items: Vec<LogItem>,
    /// Notices before the first message of a session.
    pub(crate) before: Vec<LogPart>,
    /// Notices and scores, which stand after the step.
    pub(crate) after: Vec<LogPart>,
}

/// What a message has of the session that it is written in.
#[derive(Clone, Copy)]
pub(crate) struct MessagePlace<'a> {
    pub(crate) session: &'a str,
    /// Its own id.
    pub(crate) id: &'a str,
    /// The id of the last user's message.
    pub(crate) parent: &'a str,
    pub(crate) agent: &'a str,
    pub(crate) rules: &'a LogRules,
}

/// `{name, data: {message}}`, as OpenCode writes errors; the message is raw.
pub(crate) fn error_json(name: &str, raw: &str) -> String {
    let mut json = String::new();
    object(&mut json, |error| {
        error.string("name", name).object("data", |data| raw_string(data.key("message"), raw));
    });
    json
}

impl LogMessage {
    /// Is it an answer of the model?
    pub(crate) fn is_answer(&self) -> bool {
        self.role == LogRole::Assistant
    }

    /// Notes a time at which something of it happened.
    pub(crate) fn touch(&mut self, at: f64) {
        self.last = self.last.max(at);
    }

    /// The call at this place among its items.
    pub(crate) fn call(&mut self, item: usize) -> Option<&mut LogCall> {
        match self.items.get_mut(item)? {
            LogItem::Call(call) => Some(call),
            LogItem::Part(_) => None,
        }
    }

    /// Its calls that have no result.
    pub(crate) fn open_calls(&mut self) -> impl Iterator<Item = &mut LogCall> {
        self.items.iter_mut().filter_map(|item| match item {
            LogItem::Call(call) if call.result.is_none() => Some(&mut **call),
            _ => None,
        })
    }

    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        let items = self.items.iter().map(|item| match item {
            LogItem::Part(part) => part.length(),
            LogItem::Call(call) => call.length(),
        });
        let notices = self.before.iter().chain(&self.after).map(LogPart::length);
        let more = self.more.as_ref().map_or(0, |(_, json)| json.len());
        1200 + self.system.len() + more + items.chain(notices).sum::<usize>()
    }

    /// When it was complete; `None` while it is not.
    pub(crate) fn completed(&self, rules: &LogRules) -> Option<f64> {
        let is_running = || self.calls().any(|call| call.result.is_none());
        let completed = self.completed.unwrap_or(self.last).max(self.created);
        (rules.ends_answers || !is_running()).then_some(completed)
    }

    /// Why the answer ended.
    pub(crate) fn finish(&self, rules: &LogRules) -> Option<&str> {
        match self.finish.as_str() {
            "" if !rules.ends_answers => None,
            "" => Some(if self.calls().next().is_some() { "tool-calls" } else { "stop" }),
            finish => Some(finish),
        }
    }

    fn calls(&self) -> impl Iterator<Item = &LogCall> {
        self.items.iter().filter_map(|item| match item {
            LogItem::Call(call) => Some(&**call),
            LogItem::Part(_) => None,
        })
    }

    /// Its id in a session: that of the file, or the session's with its index there.
    pub(crate) fn id_in(&self, session: &LogSession, index: usize, is_own: bool) -> Cow<'_, str> {
        if is_own { (&*self.id).into() } else { format!("{}:{index}", session.id).into() }
    }

    /// Writes `{info, parts}`.
    pub(crate) fn write(&self, place: MessagePlace<'_>, out: &mut String) {
        let (completed, finish) = (self.completed(place.rules), self.finish(place.rules));
        object(out, |message| {
            message.object("info", |info| self.info(place, completed, finish, info));
            self.parts(place, finish.unwrap_or("unknown"), message.key("parts"));
        });
    }

    fn info(
        &self,
        place: MessagePlace<'_>,
        completed: Option<f64>,
        finish: Option<&str>,
        info: &mut ObjectWriter<'_>,
    ) {
        if self.is_answer() {
            let assistant = AssistantInfo {
                id: place.id,
                session_id: place.session,
                created: self.created,
                completed,
                parent_id: place.parent,
                model_id: &self.model,
                provider_id: &self.provider,
                agent: place.agent,
                cwd: &self.cwd,
                cost: self.cost,
                tokens: self.tokens.unwrap_or_default(),
                // BR-14: a message that is not completed has no `finish`.
                finish: completed.and(finish),
                error: Some(self.error.as_str()).filter(|error| !error.is_empty()),
            };
            assistant.fields(info);
        } else {
            info.string("id", place.id).string("sessionID", place.session).string("role", "user");
            info.object("time", |time| {
                time.number("created", self.created);
            });
            info.string("agent", place.agent).object("model", |model| {
                model.string("providerID", &self.provider).string("modelID", &self.model);
            });
            if !self.system.is_empty() {
                raw_string(info.key("system"), &self.system);
            }
        }
        if let Some((name, json)) = &self.more {
            info.key(name).push_str(json);
        }
    }

    /// How many parts it has.
    pub(crate) fn piece_count(&self) -> usize {
        let steps = if self.is_step() { 2 } else { 0 };
        self.before.len() + self.items.len() + steps + self.after.len()
    }

    /// The part with a number.
    pub(crate) fn piece(&self, number: usize) -> Option<LogPiece<'_>> {
        let Some(mut at) = number.checked_sub(self.before.len()) else {
            return self.before.get(number).map(LogPiece::Part);
        };
        let is_step = self.is_step();
        if is_step {
            match at.checked_sub(1) {
                Some(next) => at = next,
                None => return Some(LogPiece::StepStart),
            }
        }
        let Some(mut at) = at.checked_sub(self.items.len()) else {
            return self.items.get(at).map(|item| match item {
                LogItem::Part(part) => LogPiece::Part(part),
                LogItem::Call(call) => LogPiece::Call(call),
            });
        };
        if is_step {
            match at.checked_sub(1) {
                Some(next) => at = next,
                None => return Some(LogPiece::StepFinish),
            }
        }
        self.after.get(at).map(LogPiece::Part)
    }

    /// The id of a part; empty if it gets that of its message with a number.
    pub(crate) fn id_of<'a>(&'a self, piece: LogPiece<'a>) -> &'a str {
        let [start, finish] = &self.step_ids;
        match piece {
            LogPiece::StepStart => start,
            LogPiece::StepFinish => finish,
            LogPiece::Part(part) => &part.id,
            LogPiece::Call(call) => &call.id,
        }
    }

    fn parts(&self, place: MessagePlace<'_>, finish: &str, out: &mut String) {
        let mut numbered = String::new();
        let mut number = 0;
        while let Some(piece) = self.piece(number) {
            out.push(if number == 0 { '[' } else { ',' });
            let mut id = self.id_of(piece);
            if id.is_empty() {
                numbered.clear();
                // Writing to a string cannot fail.
                let _ = write!(numbered, "{}:{number}", place.id);
                id = &numbered;
            }
            let at = PartPlace { session: place.session, message: place.id, id };
            match piece {
                LogPiece::StepStart => object(out, |part| at.base(part, "step-start")),
                LogPiece::StepFinish => object(out, |part| self.step_finish(at, finish, part)),
                LogPiece::Part(part) => part.write(at, out),
                LogPiece::Call(call) => object(out, |part| call.write(at, place.rules, part)),
            }
            number += 1;
        }
        out.push_str(if number == 0 { "[]" } else { "]" });
    }

    /// Is it an answer of which there is more than an error? A refused request is no step.
    fn is_step(&self) -> bool {
        let is_refused = self.items.is_empty() && self.tokens.is_none() && !self.error.is_empty();
        self.is_answer() && !is_refused
    }

    fn step_finish(&self, place: PartPlace<'_>, finish: &str, part: &mut ObjectWriter<'_>) {
        place.base(part, "step-finish");
        part.string("reason", finish).number("cost", count(self.cost));
        part.object("tokens", |tokens| self.tokens.unwrap_or_default().write(tokens));
    }
}
