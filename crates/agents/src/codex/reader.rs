//! codex: rollouts of Codex CLI, one JSON object per line.
//!
//! - **Lines** are `{timestamp, type, payload}`: `session_meta`, `turn_context`, `response_item`, `event_msg`
//!   and `compacted`. Before September 2025 the items stood there bare, after a header `{id, timestamp,
//!   instructions}`. Most events only repeat items, and are left out, as are types that are not known here.
//! - **An answer** is what comes before the first result, the next item of the user, or the end of the turn:
//!   parallel calls are one step.
//! - **Tokens** come in events of their own, before the answer or after it. The same total again is a repeat.
//! - **Exit codes** are in the header of an output, in JSON around it, or in an event.
//! - **A fork** of before version 0.146 begins with a copy of its parent: the turns whose lines all are from the moment
//!   of the fork. They are a session `ID/replay`. Later ones only say where in their parent they begin.
//! - **Rolled back** turns are branches: the last user's messages with text of their own, and all behind them.

use super::call_end::CodexCallEnd;
use super::calls::call_of;
use super::contents::{CodexContent, contents};
use super::fork::CodexFork;
use super::output::{agent_in, integer, output_result, search_result};
use super::run_file::started_by;
use super::usage::CodexUsage;
use crate::arguments::paragraphs;
use crate::env::Env;
use crate::fields::{get, items, join, of_kind, pick, raw, string, token};
use crate::log::log_message::LogRole;
use crate::log::log_part::{LogPart, text_field};
use crate::log::session_log::{SessionLog, read_time};
use crate::object_reader::ObjectReader;
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::run_file::RunFile;
use crate::transcript_format::TranscriptFormat;
use apex_parts_json::tape::Node;
use apex_parts_model::Kind;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::text_map::TextMap;
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;
use std::borrow::Cow;

/// What `history_base` says: the thread whose records come before those of the file, and the first that does not.
const BASE: [&str; 2] = ["thread_id", "end_ordinal_exclusive"];
const GIVE_FOLDER: &str = "open the folder for what came before";

/// The types of lines.
const LINES: [&str; 5] =
    ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];

/// Reads the format `codex`.
#[derive(Debug)]
pub struct Codex {
    pub(super) log: SessionLog,
    /// Has a line been read? The first one is the beginning of the session.
    has_begun: bool,
    /// Has a header been read? Those of other sessions, which may follow, are left out.
    has_header: bool,
    /// The answer to which items are added.
    pub(super) answer: Option<usize>,
    /// The user's message that has nothing but harness texts so far: the next item is added to it.
    harness: Option<usize>,
    /// The user's messages with text of their own, as places in the session.
    pub(super) turns: Vec<usize>,
    pub(super) usage: CodexUsage,
    /// Of calls that have no result yet: what events said of them, as indexes into the ends.
    pub(super) told: TextMap,
    pub(super) ends: Vec<CodexCallEnd>,
    pub(super) fork: Option<CodexFork>,
    /// The ordinal of the line that began each message of the session.
    pub(super) begun: Vec<i64>,
    /// That of the line that is read.
    pub(super) ordinal: i64,
}

/// An item of a line.
#[derive(Clone, Copy)]
pub(super) struct CodexItem<'a> {
    pub(super) node: Node<'a>,
    pub(super) json: &'a str,
    pub(super) at: f64,
    pub(super) offset: u64,
}

impl Default for Codex {
    fn default() -> Codex {
        Codex {
            log: SessionLog::new(Self::NAME, "openai"),
            has_begun: false,
            has_header: false,
            answer: None,
            harness: None,
            turns: Vec::new(),
            usage: CodexUsage::default(),
            told: TextMap::default(),
            ends: Vec::new(),
            fork: None,
            begun: Vec::new(),
            ordinal: 0,
        }
    }
}

/// The only session of a file that items are added to.
pub(super) const ROOT: usize = 0;

/// Is a record a line of a rollout, or one as they were before September 2025?
fn is_own(root: Node<'_>) -> bool {
    let names = ["timestamp", "type", "payload", "record_type", "id", "role"];
    let [timestamp, kind, payload, record, id, role] = pick(root, names);
    if of_kind(payload, Kind::Object).is_some() {
        return string(kind).is_some_and(|kind| LINES.contains(&&*kind)) || timestamp.is_some();
    }
    match string(kind).as_deref() {
        Some("message") => role.is_some(),
        Some(kind) => kind == "reasoning" || kind.ends_with("_call") || kind.ends_with("_output"),
        None => record.is_some() || (id.is_some() && timestamp.is_some()),
    }
}

impl Codex {
    fn line(&mut self, json: &str, root: Node<'_>, offset: u64) {
        let [timestamp, kind, payload, ordinal] =
            pick(root, ["timestamp", "type", "payload", "ordinal"]);
        let is_line = timestamp.is_some() && of_kind(payload, Kind::Object).is_some();
        self.log.records.add(is_line || is_own(root), offset);
        let begun = self.log.session(ROOT).map_or(0, |session| session.messages.len());
        if self.begun.len() < begun {
            self.begun.resize(begun, self.ordinal);
        }
        self.ordinal = integer(ordinal).unwrap_or(self.ordinal);
        let at = self.log.time(timestamp);
        self.log.root();
        if let Some(session) = self.log.session(ROOT) {
            if !self.has_begun {
                session.created = Some(at);
            }
            session.touch(at);
        }
        self.has_begun = true;
        let kind = string(kind);
        let Some(payload) = of_kind(payload, Kind::Object) else {
            let item = CodexItem { node: root, json, at, offset };
            return match kind {
                Some(kind) if !LINES.contains(&&*kind) => self.item(&kind, item),
                None if get(Some(root), "record_type").is_none() => self.header(root, offset),
                _ => {}
            };
        };
        let item = CodexItem { node: payload, json, at, offset };
        self.look_for_copy(kind.as_deref().unwrap_or_default(), payload, at);
        let inner = string(get(Some(payload), "type")).unwrap_or_default();
        match kind.as_deref() {
            Some("session_meta") => self.header(payload, offset),
            Some("turn_context") => self.context(payload),
            Some("response_item") => self.item(&inner, item),
            Some("event_msg") => self.event(&inner, item),
            Some("compacted") => {
                self.end_answer();
                let summary = get(Some(payload), "message").map_or("", |text| token(text, json));
                // Whether the user asked for it is not told.
                self.log.compaction(ROOT, "", at, (true, None), summary);
            }
            _ => {}
        }
    }

    fn header(&mut self, meta: Node<'_>, offset: u64) {
        let names = [
            "id",
            "cwd",
            "cli_version",
            "model_provider",
            "forked_from_id",
            "timestamp",
            "history_base",
            "history_mode",
        ];
        let [id, cwd, version, provider, forked, timestamp, base, mode] = pick(meta, names);
        let begun = read_time(timestamp).unwrap_or(self.log.last_time());
        let base = of_kind(base, Kind::Object);
        let [thread, end] = base.map_or([None; 2], |base| pick(base, BASE));
        let id = string(id);
        // The thread that goes on in this file, and the first ordinal that does not come before it.
        let earlier = string(thread).filter(|thread| id.as_ref() == Some(thread)).zip(integer(end));
        let Some(session) = self.log.session(ROOT) else { return };
        if std::mem::replace(&mut self.has_header, true) {
            if let Some((thread, end)) = earlier
                && *thread == *session.id
            {
                self.revert(end);
            }
            return;
        }
        let is_paginated = base.is_some() || string(mode).is_some_and(|mode| mode == "paginated");
        let forked = string(forked);
        self.fork = (forked.is_some() && !is_paginated).then(|| CodexFork::begun(begun));
        if let Some(id) = id {
            session.id = id.into_owned();
        }
        let started_by = started_by(meta);
        if let (None, Some(forked)) = (&started_by, &forked) {
            session.more.push(text_field("forkOf", forked));
        }
        session.parent = started_by.or(forked.map(Cow::into_owned));
        session.directory = string(cwd).unwrap_or_default().into();
        session.cwd.clone_from(&session.directory);
        session.version = string(version).unwrap_or_default().into_owned();
        if let Some(provider) = string(provider) {
            session.provider.set(&provider);
        }
        if let Some((thread, end)) = earlier {
            session.more.push(("beginsAfter".into(), end.to_string().into()));
            let what = format!("this file begins after ordinal {end} of {thread}: {GIVE_FOLDER}");
            self.log.warn(&what, offset);
        }
    }

    fn context(&mut self, context: Node<'_>) {
        let [model, cwd] = pick(context, ["model", "cwd"]);
        let Some(session) = self.log.session(ROOT) else { return };
        if let Some(model) = string(model) {
            session.model.set(&model);
        }
        if let Some(cwd) = string(cwd) {
            session.cwd.set(&cwd);
        }
    }

    fn item(&mut self, kind: &str, item: CodexItem<'_>) {
        match kind {
            "message" => match string(get(Some(item.node), "role")).as_deref() {
                Some("user") => self.user(item),
                Some("assistant") => self.assistant(item),
                Some("developer" | "system") => {
                    for said in contents(get(Some(item.node), "content"), item.json) {
                        if let CodexContent::Text { raw, .. } = said {
                            self.log.system(ROOT, raw);
                        }
                    }
                }
                _ => {}
            },
            "reasoning" => self.reasoning(item),
            "agent_message" => self.agent_message(item),
            "function_call_output"
            | "custom_tool_call_output"
            | "local_shell_call_output"
            | "tool_search_output" => self.output(kind, item),
            kind => {
                if let Some(call) = call_of(kind, item.node, item.json, item.at) {
                    let answer = self.answer(item.at);
                    self.log.call(ROOT, answer, call);
                    self.log.touch(ROOT, answer, item.at);
                }
            }
        }
    }

    fn user(&mut self, item: CodexItem<'_>) {
        self.end_answer();
        let [id, content] = pick(item.node, ["id", "content"]);
        let id = string(id).unwrap_or_default();
        let joined = self.log.last_user(ROOT).filter(|last| self.harness == Some(*last));
        let message = match joined {
            Some(message) => {
                self.log.touch(ROOT, message, item.at);
                let system = self.log.session(ROOT).map(|of| std::mem::take(&mut of.system));
                if let Some(message) = self.log.message(message) {
                    join(&mut message.system, "\\n\\n", &system.unwrap_or_default());
                    if message.id.is_empty() {
                        message.id = id.into_owned();
                    }
                }
                message
            }
            None => self.log.begin(ROOT, LogRole::User, &id, item.at),
        };
        self.harness = Some(message);
        for said in contents(content, item.json) {
            let is_own = matches!(said, CodexContent::Text { is_harness: false, .. });
            if !matches!(said, CodexContent::Text { is_harness: true, .. }) {
                self.harness = None;
            }
            let place = self.log.session(ROOT).map_or(0, |of| of.messages.len().saturating_sub(1));
            if is_own && self.turns.last().is_none_or(|last| *last != place) {
                self.turns.push(place);
            }
            self.log.part(message, said.into_part(item.at, true));
        }
    }

    fn assistant(&mut self, item: CodexItem<'_>) {
        let [id, content] = pick(item.node, ["id", "content"]);
        let answer = self.answer(item.at);
        if let Some(message) = self.log.message(answer).filter(|message| message.id.is_empty()) {
            message.id = string(id).unwrap_or_default().into_owned();
        }
        for said in contents(content, item.json) {
            self.log.part(answer, said.into_part(item.at, false));
        }
    }

    /// What another agent said to this one, or this one to it: the model reads it, and no person wrote it.
    fn agent_message(&mut self, item: CodexItem<'_>) {
        self.end_answer();
        self.harness = None;
        let message = self.log.begin(ROOT, LogRole::User, "", item.at);
        for said in contents(get(Some(item.node), "content"), item.json) {
            let part = match said {
                CodexContent::Text { raw, .. } => LogPart::synthetic(raw, item.at),
                said => said.into_part(item.at, true),
            };
            self.log.part(message, part);
        }
    }

    fn reasoning(&mut self, item: CodexItem<'_>) {
        let [summary, content, encrypted] =
            pick(item.node, ["summary", "content", "encrypted_content"]);
        let texts = items(summary).chain(items(content)).map(|said| get(Some(said), "text"));
        let raw_text = paragraphs(texts, item.json);
        let encrypted = string(encrypted).and(encrypted);
        if raw_text.is_empty() && encrypted.is_none() {
            return;
        }
        let metadata = encrypted.map(|it| ("encrypted_content".into(), raw(it, item.json).into()));
        let metadata = metadata.into_iter().collect();
        let part = LogPart::reasoning(&raw_text, item.at, &metadata);
        let answer = self.answer(item.at);
        self.log.part(answer, part);
    }

    fn output(&mut self, kind: &str, item: CodexItem<'_>) {
        let [call_id, id, name, output] = pick(item.node, ["call_id", "id", "name", "output"]);
        let call_id = string(call_id).or_else(|| string(id)).unwrap_or_default();
        let mut result = match kind {
            "tool_search_output" => search_result(item.node, item.json, item.at),
            _ => output_result(output, item.json, item.at),
        };
        if let Some(told) = self.told.remove(&call_id).and_then(|end| self.ends.get(end)) {
            told.add_to(&mut result);
        }
        if self.log.message_of(ROOT, &call_id).is_none() && self.log.last_answer(ROOT).is_none() {
            self.answer(item.at);
        }
        if let Some(agent) = agent_in(output, item.json) {
            result.metadata.push(text_field("sessionId", &agent));
        }
        self.end_answer();
        self.log.result(ROOT, &call_id, string(name).as_deref(), result, item.offset);
    }

    /// The answer to which an item is added.
    pub(super) fn answer(&mut self, at: f64) -> usize {
        if let Some(answer) = self.answer {
            self.log.touch(ROOT, answer, at);
            return answer;
        }
        let answer = self.log.begin(ROOT, LogRole::Assistant, "", at);
        let waiting = self.usage.waiting.take();
        if let Some(message) = self.log.message(answer) {
            message.tokens = waiting;
        }
        self.answer = Some(answer);
        answer
    }

    pub(super) fn end_answer(&mut self) {
        self.answer = None;
    }
}

impl TranscriptFormat for Codex {
    const NAME: &'static str = "codex";
    const TITLE: &'static str = "Codex";
    const ENDINGS: &'static [&'static str] = &[".jsonl"];
    const IDS: Ids = Ids::OpenCode;

    fn detect(seen: &SeenFields) -> bool {
        let is_line = seen.has_object("payload") && seen.kind().is_some_and(|k| LINES.contains(&k));
        let is_header = seen.has_string("id")
            && seen.has_string("timestamp")
            && seen.has_any("instructions")
            && !seen.has_any("type");
        is_line || is_header || seen.text("record_type") == Some("state")
    }

    fn run_file(_path: &str, line: Option<Node<'_>>) -> Option<RunFile> {
        super::run_file::run_file(line?)
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(Codex::default()))
    }
}

impl ObjectReader for Codex {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.log.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, _env: &mut Env<'_>) {
        self.line(text, root, record.offset);
    }
}

impl FormatReader for Codex {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.loaded()
    }

    fn finish(mut self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.usage.finish(&mut self.log, ROOT);
        if self.fork.take().is_some() {
            let all = self.log.session(ROOT).map_or(0, |session| session.messages.len());
            self.end_copy(all);
        }
        self.log.end();
        self.log.into_loaded()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
