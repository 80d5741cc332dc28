//! copilot-cli: sessions of Copilot CLI, one event per line: `{type, data, id, timestamp, parentId}`.
//!
//! - **Messages.** An `assistant.message` is a step. The reasoning comes before it as an event too, and repeats
//!   what the message has, or is all there is of it.
//! - **Calls** are requested by messages; events tell when they start and end. An execution that starts before its
//!   request waits for it, and becomes a message of its own when the request does not come.
//! - **Sub-agents**: events with the id of an agent, or that name the call which started it, are in a session of their
//!   own.
//! - **Tokens** of a message stand in an event before it; older messages tell their output only. The end of the session
//!   has the sums of each model.

use super::attachments::attachment;
use super::results::result_of;
use super::usage;
use super::waiting::{WaitingCall, WaitingInSession};
use crate::arguments::arguments;
use crate::env::Env;
use crate::fields::{get, is_true, items, join, number, of_kind, pick, raw, string, token};
use crate::log::log_call::{LogCall, LogStatus};
use crate::log::log_message::{LogRole, error_json};
use crate::log::log_part::{LogPart, text_field};
use crate::log::session_log::{SessionLog, read_time};
use crate::object_reader::ObjectReader;
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::token_counts::TokenCounts;
use crate::transcript_format::TranscriptFormat;
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, View};
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;

const NAME: &str = "copilot-cli";

/// Reads the format `copilot-cli`.
#[derive(Debug)]
pub struct CopilotCli {
    log: SessionLog,
    has_started: bool,
    /// The sessions of sub-agents, by the call that started them.
    agents: TextMap,
    /// The same, by the ids of the agents.
    agent_ids: TextMap,
    /// What waits in each session.
    waiting: Vec<WaitingInSession>,
    /// The sessions in which something was called since the last abort.
    busy: Vec<usize>,
}

/// An event.
struct CopilotEvent<'a> {
    json: &'a str,
    /// Its id.
    id: String,
    data: Node<'a>,
    at: f64,
    session: usize,
    offset: u64,
}

impl<'a> CopilotEvent<'a> {
    /// The content of a string of its data; raw.
    fn raw(&self, name: &str) -> &'a str {
        get(Some(self.data), name).map_or("", |value| token(value, self.json))
    }

    /// A string of its data.
    fn string(&self, name: &str) -> String {
        string(get(Some(self.data), name)).unwrap_or_default().into_owned()
    }
}

impl CopilotCli {
    fn take(&mut self, json: &str, root: Node<'_>, offset: u64) {
        let [kind, data, id, timestamp, agent] =
            pick(root, ["type", "data", "id", "timestamp", "agentId"]);
        let event = (string(kind), of_kind(data, Kind::Object));
        self.log.records.add(event.0.is_some() && event.1.is_some(), offset);
        let (Some(kind), Some(data)) = event else { return };
        let at = self.log.time(timestamp);
        let started = if kind == "subagent.started" { "toolCallId" } else { "parentToolCallId" };
        let call = string(get(Some(data), started));
        let session = match (string(agent).filter(|id| !id.is_empty()), call) {
            (Some(agent), call) => self.agent_of(&agent, call.as_deref()),
            (None, Some(call)) if started == "parentToolCallId" => self.agent(&call),
            (None, _) => self.log.root(),
        };
        if let Some(session) = self.log.session(session) {
            session.touch(at);
        }
        let id = string(id).unwrap_or_default().into_owned();
        let event = CopilotEvent { json, id, data, at, session, offset };
        match &*kind {
            "session.start" => self.start(&event),
            "session.model_change" => self.model(session, &event.string("newModel")),
            "session.title_changed" => self.title(session, event.string("title")),
            "session.shutdown" => self.shutdown(&event),
            "session.compaction_complete" => self.compaction(&event),
            "session.error" => self.refused(&event),
            "session.usage_record" => {
                let usage = usage::tokens(get(Some(data), "usage"));
                if let Some(waiting) = self.waiting(session) {
                    waiting.tokens = usage;
                }
            }
            "session.warning" => self.notice(&event, "warning", event.raw("message")),
            "session.info" => self.notice(&event, "info", event.raw("message")),
            "system.notification" => self.notice(&event, "info", event.raw("content")),
            "session.truncation" => self.notice(&event, "warning", "context truncated"),
            "system.message" => self.log.system(session, event.raw("content")),
            "user.message" => self.user(&event),
            "assistant.reasoning" => {
                if let Some(waiting) = self.waiting(session) {
                    join(&mut waiting.reasoning, "\\n\\n", event.raw("content"));
                }
            }
            "assistant.message" => self.assistant(&event),
            "assistant.turn_end" => self.settle(session),
            "tool.execution_start" => self.execution_start(&event),
            "tool.execution_complete" => self.execution_complete(&event),
            "subagent.started" => self.agent_started(&event),
            "abort" => self.abort(&event),
            _ => {}
        }
    }

    fn notice(&mut self, event: &CopilotEvent<'_>, level: &str, raw: &str) {
        self.log.notice(event.session, level, raw, event.at, event.offset);
    }

    /// The provider refused a request: an answer of which there is nothing but the error.
    fn refused(&mut self, event: &CopilotEvent<'_>) {
        let CopilotEvent { at, session, .. } = *event;
        if self.log.last(session).is_none() {
            return self.notice(event, "error", event.raw("message"));
        }
        self.settle(session);
        let answer = self.log.begin(session, LogRole::Assistant, &event.id, at);
        if let Some(message) = self.log.message(answer) {
            message.error = error_json("UnknownError", event.raw("message"));
        }
    }

    /// The session of the sub-agent with this id; the call started it.
    fn agent_of(&mut self, id: &str, call: Option<&str>) -> usize {
        if let Some(session) = self.agent_ids.get(id) {
            return session;
        }
        let session = self.agent(call.filter(|call| !call.is_empty()).unwrap_or(id));
        self.agent_ids.insert(id, session);
        session
    }

    /// The session of the sub-agent that a call started.
    fn agent(&mut self, call: &str) -> usize {
        if let Some(session) = self.agents.get(call) {
            return session;
        }
        let root = self.log.root();
        let session = self.log.child(root, call);
        self.agents.insert(call, session);
        session
    }

    fn agent_started(&mut self, event: &CopilotEvent<'_>) {
        let call = event.string("toolCallId");
        if call.is_empty() {
            return;
        }
        let session = self.agent(&call);
        let mut id = String::new();
        if let Some(session) = self.log.session(session) {
            session.touch(event.at);
            id.clone_from(&session.id);
        }
        let mut callers = (0..self.waiting.len()).filter(|caller| *caller != session);
        if let Some(caller) = callers.find(|caller| self.log.message_of(*caller, &call).is_some())
            && let Some(call) = self.log.find(caller, &call)
        {
            call.metadata.push(text_field("sessionId", &id));
        }
        let names = ["agentDisplayName", "agentName", "agentDescription"];
        let title = names.map(|name| event.string(name)).into_iter().find(|name| !name.is_empty());
        self.title(session, title.unwrap_or_default());
    }

    fn start(&mut self, event: &CopilotEvent<'_>) {
        let names = ["sessionId", "context", "copilotVersion", "selectedModel", "startTime"];
        let [id, context, version, model, start] = pick(event.data, names);
        let is_first = !std::mem::replace(&mut self.has_started, true);
        let Some(session) = self.log.session(event.session).filter(|_| is_first) else { return };
        if let Some(id) = string(id) {
            session.id = id.into_owned();
        }
        session.cwd = string(get(context, "cwd")).unwrap_or_default().into();
        session.directory.clone_from(&session.cwd);
        session.version = string(version).unwrap_or_default().into_owned();
        session.created = Some(read_time(start).unwrap_or(event.at));
        self.model(event.session, &string(model).unwrap_or_default());
    }

    fn model(&mut self, session: usize, model: &str) {
        if let Some(session) = self.log.session(session).filter(|_| !model.is_empty()) {
            session.model.set(model);
        }
    }

    fn title(&mut self, session: usize, title: String) {
        if let Some(session) = self.log.session(session).filter(|_| !title.is_empty()) {
            session.title = Some(title);
        }
    }

    fn shutdown(&mut self, event: &CopilotEvent<'_>) {
        let sum = usage::sum(get(Some(event.data), "modelMetrics"));
        if let (Some(sum), Some(session)) = (sum, self.log.session(event.session)) {
            session.tokens = Some(sum);
        }
    }

    fn compaction(&mut self, event: &CopilotEvent<'_>) {
        let names = ["success", "trigger", "preCompactionTokens", "error"];
        let [success, trigger, tokens, error] = pick(event.data, names);
        if is_true(success) {
            let auto = string(trigger).is_none_or(|trigger| trigger != "manual");
            let what = (auto, number(tokens));
            let summary = event.raw("summaryContent");
            self.log.compaction(event.session, &event.id, event.at, what, summary);
        } else {
            let error = get(error, "message").or(error);
            let why = error.map_or("", |error| token(error, event.json));
            let why = if why.is_empty() { "compaction failed" } else { why };
            self.notice(event, "error", why);
        }
    }

    fn user(&mut self, event: &CopilotEvent<'_>) {
        self.settle(event.session);
        // Reasoning whose message did not come is not that of the next answer.
        if let Some(waiting) = self.waiting(event.session) {
            waiting.reasoning.clear();
        }
        let [source, attachments] = pick(event.data, ["source", "attachments"]);
        let message = self.log.begin(event.session, LogRole::User, &event.id, event.at);
        let content = event.raw("content");
        let is_prompt = event.session != self.log.root();
        let is_own = string(source)
            .is_none_or(|source| source == "user" || (is_prompt && source.starts_with("agent-")));
        let part = if is_own { LogPart::text } else { LogPart::synthetic };
        if !content.is_empty() {
            self.log.part(message, part(content, event.at));
        }
        for item in items(attachments) {
            self.log.part(message, attachment(item, event.json));
        }
    }

    fn assistant(&mut self, event: &CopilotEvent<'_>) {
        let CopilotEvent { json, data, at, session, .. } = *event;
        let [opaque, encrypted, requests, tokens] =
            pick(data, ["reasoningOpaque", "encryptedContent", "toolRequests", "outputTokens"]);
        self.model(session, &event.string("model"));
        let waiting = self
            .waiting(session)
            .map(|waiting| (std::mem::take(&mut waiting.reasoning), waiting.tokens.take()));
        let (before, used) = waiting.unwrap_or_default();
        let log = &mut self.log;
        let message = log.begin(session, LogRole::Assistant, &event.string("messageId"), at);
        let own = event.raw("reasoningText");
        let reasoning = if own.is_empty() { before } else { own.to_owned() };
        let about = [("reasoningOpaque", opaque), ("encryptedContent", encrypted)];
        let about = about.into_iter().filter_map(|(name, value)| {
            let value = value.filter(|value| !value.kind().is_nullish())?;
            Some((name.into(), raw(value, json).into()))
        });
        let metadata: Vec<_> = about.collect();
        if !reasoning.is_empty() || !metadata.is_empty() {
            log.part(message, LogPart::reasoning(&reasoning, at, &metadata));
        }
        let content = event.raw("content");
        if !content.is_empty() {
            log.part(message, LogPart::text(content, at));
        }
        let told = number(tokens).map(|output| TokenCounts { output, ..TokenCounts::default() });
        if let (Some(tokens), Some(message)) = (used.or(told), log.message(message)) {
            message.tokens = Some(tokens);
        }
        for request in items(requests).filter(|request| request.kind() == Kind::Object) {
            let [id, name, input] = pick(request, ["toolCallId", "name", "arguments"]);
            let call_id = string(id).unwrap_or_default().into_owned();
            let Some(waiting) = self.waiting(session) else { continue };
            if waiting.own.contains(&call_id) {
                continue;
            }
            let call = LogCall {
                tool: string(name).unwrap_or_default().into_owned(),
                input: arguments(input, json),
                start: waiting.calls.take(&call_id).map_or(at, |waiting| waiting.start),
                call_id,
                ..LogCall::default()
            };
            self.call(session, message, call);
        }
    }

    fn execution_start(&mut self, event: &CopilotEvent<'_>) {
        let call_id = event.string("toolCallId");
        let message = self.log.message_of(event.session, &call_id);
        if let Some(message) = message.filter(|_| !call_id.is_empty()) {
            match self.log.find(event.session, &call_id) {
                Some(call) if call.result.is_none() => call.start = event.at,
                _ => return,
            }
            return self.log.touch(event.session, message, event.at);
        }
        let call = WaitingCall {
            call_id,
            tool: event.string("toolName"),
            input: arguments(get(Some(event.data), "arguments"), event.json),
            start: event.at,
        };
        if let Some(waiting) = self.waiting(event.session) {
            waiting.calls.add(call);
        }
    }

    fn execution_complete(&mut self, event: &CopilotEvent<'_>) {
        let CopilotEvent { json, data, at, session, offset, .. } = *event;
        let call_id = event.string("toolCallId");
        let waiting = self.waiting.get_mut(session).filter(|_| !call_id.is_empty());
        if let Some(call) = waiting.and_then(|waiting| waiting.calls.take(&call_id)) {
            self.own_message(session, call);
        }
        let tool = event.string("toolName");
        self.log.result(session, &call_id, Some(&tool), result_of(data, json, at), offset);
    }

    /// An execution becomes a message.
    fn own_message(&mut self, session: usize, call: WaitingCall) {
        let WaitingCall { call_id, tool, input, start } = call;
        let message = self.log.begin(session, LogRole::Assistant, "", start);
        if let Some(waiting) = self.waiting(session).filter(|_| !call_id.is_empty()) {
            waiting.own.insert(&call_id, message);
        }
        let call = LogCall { call_id, tool, input, start, ..LogCall::default() };
        self.call(session, message, call);
    }

    fn call(&mut self, session: usize, message: usize, call: LogCall) {
        let is_new = |of: &mut WaitingInSession| !std::mem::replace(&mut of.is_busy, true);
        if self.waiting(session).is_some_and(is_new) {
            self.busy.push(session);
        }
        self.log.call(session, message, call);
    }

    /// What waits in a session.
    fn waiting(&mut self, session: usize) -> Option<&mut WaitingInSession> {
        if session >= self.waiting.len() {
            self.waiting.resize_with(session + 1, WaitingInSession::default);
        }
        self.waiting.get_mut(session)
    }

    /// The executions of a session that wait for their requests become messages.
    fn settle(&mut self, session: usize) {
        while let Some(call) = self.waiting.get_mut(session).and_then(|all| all.calls.next()) {
            self.own_message(session, call);
        }
    }

    /// The run was aborted, or the sub-agent that the event is of.
    fn abort(&mut self, event: &CopilotEvent<'_>) {
        let reason = event.raw("reason");
        self.settle(event.session);
        if event.session == self.log.root() {
            for session in std::mem::take(&mut self.busy) {
                if let Some(waiting) = self.waiting(session) {
                    waiting.is_busy = false;
                }
                self.settle(session);
                self.log.end_open(session, LogStatus::Aborted, reason, event.at);
            }
        }
        self.log.abort(event.session, reason, event.at);
    }
}

fn is_event(seen: &SeenFields) -> bool {
    const TYPES: [&str; 6] = ["session.", "user.", "assistant.", "tool.", "system.", "abort"];
    let is_of = |kind: &str| TYPES.iter().any(|of| kind.starts_with(of));
    seen.has_object("data") && seen.kind().is_some_and(is_of)
}

impl TranscriptFormat for CopilotCli {
    const NAME: &'static str = NAME;
    const TITLE: &'static str = "Copilot CLI";
    const ENDINGS: &'static [&'static str] = &[".jsonl"];
    const IDS: Ids = Ids::OpenCode;

    fn detect(seen: &SeenFields) -> bool {
        seen.has_any("parentId") && is_event(seen)
    }

    fn may_be(seen: &SeenFields, _is_listed: bool) -> bool {
        is_event(seen)
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(CopilotCli {
            log: SessionLog::new(NAME, "github-copilot"),
            has_started: false,
            agents: TextMap::default(),
            agent_ids: TextMap::default(),
            waiting: Vec::new(),
            busy: Vec::new(),
        }))
    }
}

impl ObjectReader for CopilotCli {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.log.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, _env: &mut Env<'_>) {
        self.take(text, root, record.offset);
    }
}

impl FormatReader for CopilotCli {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.loaded()
    }

    fn finish(mut self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        (0..self.waiting.len()).for_each(|session| self.settle(session));
        self.log.end();
        self.log.into_loaded()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
