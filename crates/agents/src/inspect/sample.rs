//! [`SampleReader`]: a sample of a log, as a session.

use super::attachments::Attachments;
use super::content::{ContentItem, SampleText};
use super::events::{AnswerEvent, SampleEvents};
use super::header::LogHeader;
use super::usage;
use crate::arguments::arguments;
use crate::fields::{items, number, of_kind, pick, raw, string};
use crate::log::log_call::{LogCall, LogResult, LogStatus};
use crate::log::log_message::{LogRole, error_json};
use crate::log::log_part::{LogPart, text_field};
use crate::log::log_session::LogSession;
use crate::log::session_log::{SessionLog, read_time};
use crate::whole_json::WholeJson;
use apex_parts_json::tape::Node;
use apex_parts_json::writer::escape;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, View};

/// Where a sample stands in the file.
#[derive(Clone, Copy)]
pub(super) enum SamplePlace {
    /// Its spans are offsets after this one.
    Json(u64),
    /// It is packed in the entry at this offset.
    Packed(u64),
}

impl SamplePlace {
    fn of(self, node: Node<'_>) -> u64 {
        match self {
            SamplePlace::Json(start) => start + node.span().start as u64,
            SamplePlace::Packed(entry) => entry,
        }
    }
}

/// Reads a sample into its session.
pub(super) struct SampleReader<'s, 'a> {
    log: &'s mut SessionLog,
    session: usize,
    text: SampleText<'s, 'a>,
    events: SampleEvents<'a>,
    /// When calls ended, and which of these is that of the last call with an id.
    ends: Vec<Option<Node<'a>>>,
    ends_by_id: TextMap,
    place: SamplePlace,
    /// Is the end of the sample missing?
    is_cut: bool,
}

/// What a session is called.
pub(super) struct SampleNames {
    pub(super) id: String,
    pub(super) title: String,
}

impl SampleNames {
    pub(super) fn read(sample: Node<'_>, json: &str, header: &LogHeader) -> SampleNames {
        let [uuid, id, epoch] = pick(sample, ["uuid", "id", "epoch"]);
        let text = |node: Option<Node<'_>>| {
            let text = string(node).map(std::borrow::Cow::into_owned);
            text.or_else(|| of_kind(node, Kind::Number).map(|node| raw(node, json).to_owned()))
        };
        let id = text(id).unwrap_or_default();
        let epoch = text(epoch).unwrap_or_else(|| "1".to_owned());
        SampleNames {
            title: format!("{} {id} (epoch {epoch})", header.task),
            id: text(uuid).unwrap_or_else(|| format!("{}/{id}_{epoch}", header.run_id)),
        }
    }
}

/// Reads a sample into a session of the log; `left` is how many bytes its references may repeat.
pub(super) fn read_sample<'a>(
    log: &mut SessionLog,
    (sample, read, place): (Node<'a>, &'a WholeJson<'_>, SamplePlace),
    header: &LogHeader,
    names: SampleNames,
    left: &mut usize,
) {
    const NAMES: [&str; 10] = [
        "messages",
        "events",
        "output",
        "attachments",
        "model_usage",
        "scores",
        "error",
        "limit",
        "started_at",
        "completed_at",
    ];
    let [messages, events, output, attachments, models, scores, error, limit, start, end] =
        pick(sample, NAMES);
    let (json, is_cut) = (read.text(), !read.is_whole);
    let session = log.begin_session(&names.id);
    if let Some(created) = header.created {
        log.set_time(created);
    }
    let start = start.map(|start| log.time(Some(start))).or(header.created);
    let (tokens, cost) = usage::sum(models);
    if let Some(of) = log.session(session) {
        of.title = Some(names.title);
        (of.created, of.tokens, of.cost) = (start, tokens, cost);
        of.updated = read_time(end).or(header.completed);
        name_model(of, &header.model, header);
    }
    let attachments = Attachments::read(attachments, json, *left);
    let text = SampleText { json, attachments: &attachments };
    let events = SampleEvents::read(events);
    let (ends, ends_by_id) = (Vec::new(), TextMap::default());
    let mut reader = SampleReader { log, session, text, events, ends, ends_by_id, place, is_cut };
    let messages: Vec<_> = items(messages).collect();
    let answers = reader.events.of_answers(&messages, output);
    for (message, event) in messages.into_iter().zip(answers) {
        reader.message(message, event, header);
    }
    reader.scores(scores, sample);
    let offset = place.of(sample);
    reader.error(error, offset);
    reader.limit(limit, offset);
    *left = attachments.left();
    if attachments.is_over() {
        let what =
            "references to attachments repeat more than 256 MB; the others are left as they are";
        log.problems.error("limit", what, offset);
    }
}

/// Sets the model that was named last. `PROVIDER/NAME` names both; but some names have a slash themselves.
fn name_model(of: &mut LogSession, model: &str, header: &LogHeader) {
    let own = header.model.split_once('/');
    match (model.split_once('/'), own) {
        (_, Some((provider, name))) if name == model => {
            of.provider.set(provider);
            of.model.set(name);
        }
        (Some((provider, name)), _) => {
            of.provider.set(provider);
            of.model.set(name);
        }
        (None, _) => of.model.set(model),
    }
}

/// Why an answer ended, in OpenCode's words; empty if that is not known.
fn finish(stop_reason: Option<Node<'_>>) -> String {
    match string(stop_reason).as_deref() {
        None | Some("unknown") => String::new(),
        Some("max_tokens" | "model_length") => "length".to_owned(),
        Some("tool_calls") => "tool-calls".to_owned(),
        Some(reason) => reason.to_owned(),
    }
}

impl<'a> SampleReader<'_, 'a> {
    fn message(&mut self, message: Node<'a>, event: Option<AnswerEvent<'a>>, header: &LogHeader) {
        const NAMES: [&str; 4] = ["role", "id", "content", "model"];
        let [role, id, content, model] = pick(message, NAMES);
        let id = string(id).unwrap_or_default();
        match string(role).as_deref() {
            Some("system" | "developer") => {
                let text = self.text.texts(content, "\\n\\n");
                self.log.system(self.session, &text);
            }
            Some("user") => {
                let at = self.log.last_time();
                let user = self.log.begin(self.session, LogRole::User, &id, at);
                self.parts(user, content, at);
            }
            Some("assistant") => {
                if let (Some(model), Some(of)) = (string(model), self.log.session(self.session)) {
                    name_model(of, &model, header);
                }
                let at = self.log.time(event.and_then(|event| event.start));
                let answer = self.log.begin(self.session, LogRole::Assistant, &id, at);
                self.parts(answer, content, at);
                let end = self.log.time(event.and_then(|event| event.end)).max(at);
                self.log.touch(self.session, answer, end);
                self.take_answer(answer, event);
                let [calls] = pick(message, ["tool_calls"]);
                for call in items(calls) {
                    self.call(answer, call);
                }
            }
            Some("tool") => self.result(message, content),
            _ => {}
        }
    }

    fn parts(&mut self, message: usize, content: Option<Node<'a>>, at: f64) {
        for item in self.text.items(content, at) {
            let part = match item {
                ContentItem::Text(text) => LogPart::text(text, at),
                ContentItem::Part(part) | ContentItem::File(part) => part,
            };
            self.log.part(message, part);
        }
    }

    /// What the event of an answer tells beside its times.
    fn take_answer(&mut self, answer: usize, event: Option<AnswerEvent<'a>>) {
        let (Some(event), Some(answer)) = (event, self.log.message(answer)) else { return };
        answer.finish = finish(event.stop_reason);
        if let Some((tokens, cost)) = usage::usage(event.usage) {
            answer.tokens = Some(tokens);
            answer.cost = cost.unwrap_or_default();
        }
    }

    fn call(&mut self, answer: usize, call: Node<'a>) {
        let [id, tool, given] = pick(call, ["id", "function", "arguments"]);
        let id = string(id).unwrap_or_default().into_owned();
        let event = self.events.take_call(&id);
        let start = self.log.time(event.and_then(|event| event.start));
        let agent = event.and_then(|event| of_kind(event.agent, Kind::String));
        let agent = agent.map(|agent| ("agent".into(), raw(agent, self.text.json).into()));
        let input = arguments(given, self.text.json);
        self.ends_by_id.insert(&id, self.ends.len());
        self.ends.push(event.and_then(|event| event.end));
        let call = LogCall {
            call_id: id,
            tool: string(tool).unwrap_or_default().into_owned(),
            input: self.text.attachments.within(&input).into(),
            start,
            metadata: agent.into_iter().collect(),
            ..LogCall::default()
        };
        self.log.call(self.session, answer, call);
    }

    fn result(&mut self, message: Node<'a>, content: Option<Node<'a>>) {
        let [id, tool, error] = pick(message, ["tool_call_id", "function", "error"]);
        let id = string(id).unwrap_or_default();
        if id.is_empty() && self.is_cut {
            // Which call it is of has not arrived.
            return;
        }
        let end = match self.ends_by_id.remove(&id) {
            Some(place) => self.ends.get(place).copied().flatten(),
            None => self.events.take_call(&id).and_then(|event| event.end),
        };
        let mut result = LogResult { end: self.log.time(end), ..LogResult::default() };
        match error.filter(|error| !error.kind().is_nullish()) {
            Some(error) => {
                let [kind, message] = pick(error, ["type", "message"]);
                let message = if error.kind().is_string() { Some(error) } else { message };
                result.status = LogStatus::Failed;
                result.text = self.text.text(message).into();
                if let Some(kind) = string(kind) {
                    result.metadata.push(text_field("errorType", &kind));
                }
            }
            None => result.text = self.text.texts(content, "\\n").into(),
        }
        for item in self.text.items(content, result.end) {
            match item {
                ContentItem::File(file) => result.attachments.push(file),
                ContentItem::Part(part) => result.others.push(part),
                ContentItem::Text(_) => {}
            }
        }
        let offset = self.place.of(message);
        self.log.result(self.session, &id, string(tool).as_deref(), result, offset);
    }

    /// The scores, after the last message.
    fn scores(&mut self, scores: Option<Node<'a>>, sample: Node<'a>) {
        const OURS: [&str; 5] = ["id", "sessionID", "messageID", "type", "name"];
        let Some(scores) = of_kind(scores, Kind::Object) else { return };
        let last = self.log.last(self.session);
        if last.is_none() && scores.fields().next().is_some() {
            let what = "a sample without messages; its scores are left out";
            self.log.warn(what, self.place.of(sample));
        }
        for (name, score) in scores.fields() {
            let Some(name) = name.str() else { continue };
            let part = LogPart::new("score", 0, |part| {
                part.string("name", &name);
                if score.kind() != Kind::Object {
                    return part.key("value").push_str(&self.text.value(score));
                }
                // Of two fields with one name the last counts.
                let mut all = TextMap::default();
                for (key, value) in score.fields() {
                    if let Some(key) = key.str() {
                        all.insert(&key, value.span().start);
                    }
                }
                for (key, value) in score.fields() {
                    let Some(key) = key.str().filter(|key| !OURS.contains(&&**key)) else {
                        continue;
                    };
                    if all.get(&key) == Some(value.span().start) {
                        part.foreign_key(&key).push_str(&self.text.value(value));
                    }
                }
            });
            if let Some(message) = last.and_then(|last| self.log.message(last)) {
                message.after.push(part);
            }
        }
    }

    /// The error that ended the sample is that of its last answer.
    fn error(&mut self, error: Option<Node<'a>>, offset: u64) {
        let Some(error) = error.filter(|error| !error.kind().is_nullish()) else { return };
        let [message] = pick(error, ["message"]);
        let message = if error.kind().is_string() { Some(error) } else { message };
        let said = self.text.text(message);
        let said = if said.is_empty() { "error" } else { said };
        let messages = self.log.session(self.session).map(|of| of.messages.clone());
        let is_answer = |message: &&usize| {
            self.log.messages.get(**message).is_some_and(|message| message.is_answer())
        };
        let last = messages.unwrap_or_default().iter().rev().find(is_answer).copied();
        match last.and_then(|last| self.log.message(last)) {
            Some(answer) => answer.error = error_json("UnknownError", said),
            None => {
                let at = self.log.last_time();
                self.log.notice(self.session, "error", said, at, offset);
            }
        }
    }

    fn limit(&mut self, limit: Option<Node<'a>>, offset: u64) {
        let Some(limit) = of_kind(limit, Kind::Object) else { return };
        let [kind, most] = pick(limit, ["type", "limit"]);
        let mut said = "limit:".to_owned();
        if let Some(kind) = string(kind) {
            said.push(' ');
            escape(&mut said, &kind);
        }
        if let Some(most) = number(most) {
            said = format!("{said} {}", number_text(most));
        }
        let at = self.log.last_time();
        self.log.notice(self.session, "warning", &said, at, offset);
    }
}
