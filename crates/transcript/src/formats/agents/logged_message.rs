//! [`LoggedMessage`]: a message of an agent's session, to which parts and results may still be added.

use super::logged_call::LoggedCall;
use super::logged_part::{LoggedPart, PartPlace};
use crate::formats::builder::{self, AssistantInfo, TokenCounts, UserInfo, raw_string};
use apex_parts_json::writer::{ObjectWriter, object};

/// Who said a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LoggedRole {
    User,
    #[default]
    Assistant,
}

/// A part, or a call whose result may still come.
#[derive(Debug)]
pub(crate) enum LoggedItem {
    Part(LoggedPart),
    Call(Box<LoggedCall>),
}

/// A message.
#[derive(Debug, Default)]
pub(crate) struct LoggedMessage {
    pub(crate) speaker: LoggedRole,
    /// The file's id of it; empty if it has none.
    pub(crate) id: String,
    pub(crate) created: f64,
    /// The last time that is known of it.
    pub(crate) last: f64,
    /// When it was complete, where the file says it; the last time otherwise.
    pub(crate) completed: Option<f64>,
    pub(crate) provider: String,
    pub(crate) model: String,
    pub(crate) cwd: String,
    /// Texts for the model that come before a user's message; raw.
    pub(crate) system: String,
    pub(crate) tokens: Option<TokenCounts>,
    pub(crate) cost: f64,
    /// Why the answer ended, in OpenCode's words; empty if the file does not say it.
    pub(crate) finish: String,
    /// A JSON object; empty if there is no error.
    pub(crate) error: String,
    /// The parts of its step or, of a user's message, all.
    pub(crate) items: Vec<LoggedItem>,
    /// Notices before the first message of a session.
    pub(crate) before: Vec<LoggedPart>,
    /// Notices and scores, which stand after the step.
    pub(crate) after: Vec<LoggedPart>,
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
}

/// `{name, data: {message}}`, as OpenCode writes errors; the message is raw.
pub(crate) fn error_json(name: &str, raw: &str) -> String {
    let mut json = String::new();
    object(&mut json, |error| {
        error.string("name", name).object("data", |data| raw_string(data.key("message"), raw));
    });
    json
}

impl LoggedMessage {
    /// Is it an answer of the model?
    pub(crate) fn is_answer(&self) -> bool {
        self.speaker == LoggedRole::Assistant
    }

    /// Notes a time at which something of it happened.
    pub(crate) fn touch(&mut self, at: f64) {
        self.last = self.last.max(at);
    }

    /// The call at this place among its items.
    pub(crate) fn call(&mut self, item: usize) -> Option<&mut LoggedCall> {
        match self.items.get_mut(item)? {
            LoggedItem::Call(call) => Some(call),
            LoggedItem::Part(_) => None,
        }
    }

    /// Its calls.
    pub(crate) fn calls(&mut self) -> impl Iterator<Item = &mut LoggedCall> {
        self.items.iter_mut().filter_map(|item| match item {
            LoggedItem::Call(call) => Some(&mut **call),
            LoggedItem::Part(_) => None,
        })
    }

    /// Its approximate length as JSON.
    pub(crate) fn length(&self) -> usize {
        let items = self.items.iter().map(|item| match item {
            LoggedItem::Part(part) => part.length(),
            LoggedItem::Call(call) => call.length(),
        });
        let notices = self.before.iter().chain(&self.after).map(LoggedPart::length);
        1200 + self.system.len() + items.chain(notices).sum::<usize>()
    }

    /// Writes `{info, parts}`.
    pub(crate) fn write(&self, place: MessagePlace<'_>, out: &mut String) {
        let has_call = self.items.iter().any(|item| matches!(item, LoggedItem::Call(_)));
        let finish = match (self.finish.as_str(), has_call) {
            ("", true) => "tool-calls",
            ("", false) => "stop",
            (finish, _) => finish,
        };
        object(out, |message| {
            message.object("info", |info| self.info(place, finish, info));
            self.parts(place, finish, message.key("parts"));
        });
    }

    fn info(&self, place: MessagePlace<'_>, finish: &str, info: &mut ObjectWriter<'_>) {
        if self.is_answer() {
            let assistant = AssistantInfo {
                id: place.id,
                session_id: place.session,
                created: self.created,
                completed: Some(self.completed.unwrap_or(self.last).max(self.created)),
                parent_id: place.parent,
                model_id: &self.model,
                provider_id: &self.provider,
                agent: place.agent,
                cwd: &self.cwd,
                cost: self.cost,
                tokens: self.tokens.unwrap_or_default(),
                finish: Some(finish),
                error: Some(self.error.as_str()).filter(|error| !error.is_empty()),
            };
            return assistant.fields(info);
        }
        let user = UserInfo {
            id: place.id,
            session_id: place.session,
            created: self.created,
            agent: place.agent,
            provider_id: &self.provider,
            model_id: &self.model,
        };
        user.fields(info);
        if !self.system.is_empty() {
            raw_string(info.key("system"), &self.system);
        }
    }

    fn parts(&self, place: MessagePlace<'_>, finish: &str, out: &mut String) {
        let mut count = 0;
        let mut part = |out: &mut String, write: &dyn Fn(PartPlace<'_>, &mut String)| {
            out.push(if count == 0 { '[' } else { ',' });
            let id = format!("{}:{count}", place.id);
            write(PartPlace { session: place.session, message: place.id, id: &id }, out);
            count += 1;
        };
        for notice in &self.before {
            part(out, &|place, out| notice.write(place, out));
        }
        if self.is_answer() {
            part(out, &|place, out| object(out, |part| place.base(part, "step-start")));
        }
        for item in &self.items {
            part(out, &|place, out| match item {
                LoggedItem::Part(part) => part.write(place, out),
                LoggedItem::Call(call) => object(out, |part| call.write(place, part)),
            });
        }
        if self.is_answer() {
            part(out, &|place, out| object(out, |part| self.step_finish(place, finish, part)));
        }
        for notice in &self.after {
            part(out, &|place, out| notice.write(place, out));
        }
        out.push_str(if count == 0 { "[]" } else { "]" });
    }

    fn step_finish(&self, place: PartPlace<'_>, finish: &str, part: &mut ObjectWriter<'_>) {
        place.base(part, "step-finish");
        part.string("reason", finish).number("cost", builder::count(self.cost));
        part.object("tokens", |tokens| self.tokens.unwrap_or_default().write(tokens));
    }
}
