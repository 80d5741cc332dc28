//! claude-stream: what `claude -p --output-format stream-json` prints, one JSON object a line, or an array of them, as
//! Claude Code Action keeps it; and Qwen Code's `stream-json`.
//!
//! - **Sessions.** Each `session_id` is one. A sub-agent's records name the call that started it
//!   (`parent_tool_use_id`), and are the session `ID/CALL`; the call names that in `metadata.sessionId`.
//! - **Messages.** The `assistant` records of one `message.id` are one message. Qwen Code gives each block its own id:
//!   all blocks up to the next `user` record are one message. A `user` record has the results of calls, or text. The
//!   person's prompt is not in the file unless it was replayed.
//! - **Events** (`stream_event`) of a message whose records come say the same again. Of one whose records never come, they
//!   are all there is.
//! - **Tokens.** A step has the tokens of its records; their output is the count when the answer began. The `result` has
//!   the tokens and the cost of the run. If there is none, the run was cut off.
//! - **Times.** Older versions write them in `user` records only. What came before the first time has that time.

use super::partial::PartialMessage;
use super::usage::{of_run, of_usage};
use crate::claude_code::{
    CallPiece, INTERRUPTIONS, LineExtras, LinePiece, ResultPiece, UserLine, UserSaid, answer_pieces,
};
use crate::env::Env;
use crate::fields::{any_string, get, is_true, items, number, of_kind, pick, string, token};
use crate::log::log_call::{LogCall, LogResult, LogStatus};
use crate::log::log_message::LogRole;
use crate::log::log_part::text_field;
use crate::log::session_log::SessionLog;
use crate::object_reader::ObjectReader;
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::token_counts::TokenCounts;
use crate::transcript_format::TranscriptFormat;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Agent, Kind, View};
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;

const NAME: &str = "claude-stream";
const CLAUDE: &str = "claude-code";
const QWEN: &str = "qwen-code";

/// The types of its records.
const TYPES: [&str; 5] = ["system", "assistant", "user", "result", "stream_event"];

/// Is a record one that the program prints? Those that programs exchange about it have no session.
fn is_own(root: Node<'_>) -> bool {
    let names = ["type", "session_id", "uuid", "message", "event", "request", "response"];
    let [kind, session, uuid, message, event, request, response] = pick(root, names);
    let is_control = request.or(response).is_some();
    string(kind).is_some_and(|kind| match TYPES.contains(&&*kind) {
        true => session.or(uuid).or(message).or(event).is_some(),
        false => session.or(uuid).is_some() || is_control,
    })
}

/// Reads the format `claude-stream`.
#[derive(Debug)]
pub struct ClaudeStream {
    log: SessionLog,
    /// The sessions, by `session_id`.
    sessions: TextMap,
    /// Those of sub-agents, by the session and the call that started them.
    agents: SortedMap<(usize, Box<str>), usize>,
    /// The messages of the assistant, by their session and id.
    answers: SortedMap<(usize, Box<str>), usize>,
    /// The messages that come as events, by session.
    partials: SortedMap<usize, PartialMessage>,
    /// Each block of a message has its own id.
    is_qwen: bool,
    /// The open message of each session of Qwen Code.
    steps: SortedMap<usize, usize>,
    has_time: bool,
    has_result: bool,
}

/// A record.
struct StreamRecord<'a> {
    json: &'a str,
    root: Node<'a>,
    at: f64,
    session: usize,
    offset: u64,
}

impl ClaudeStream {
    fn take(&mut self, json: &str, root: Node<'_>, offset: u64) {
        let [kind, id, parent, timestamp] =
            pick(root, ["type", "session_id", "parent_tool_use_id", "timestamp"]);
        self.log.records.add(is_own(root), offset);
        let Some(kind) = string(kind) else {
            return self.log.problems.error("schema", "a record without `type`; skipped", offset);
        };
        if any_string(timestamp).is_some() {
            let at = self.log.time(timestamp);
            if !std::mem::replace(&mut self.has_time, true) {
                self.log.date(at);
            }
        }
        let main = self.session(&string(id).unwrap_or_default());
        let session = match string(parent).filter(|call| !call.is_empty()) {
            Some(call) => self.agent(main, &call, root),
            None => main,
        };
        let at = self.log.last_time();
        let record = StreamRecord { json, root, at, session, offset };
        match &*kind {
            "system" => self.system(&record),
            "assistant" => self.assistant(&record),
            "user" => self.user(&record),
            "result" => self.result(&record),
            "stream_event" => self.event(&record),
            _ => {}
        }
    }

    /// The session with this id.
    fn session(&mut self, id: &str) -> usize {
        if let Some(session) = self.sessions.get(id) {
            return session;
        }
        if id.is_empty() && !self.log.is_empty() {
            return 0;
        }
        let session = self.log.begin_session(id);
        if let Some(of) = self.log.session(session) {
            CLAUDE.clone_into(&mut of.agent);
        }
        self.sessions.insert(id, session);
        session
    }

    /// The session of the sub-agent that a call started.
    fn agent(&mut self, main: usize, call: &str, root: Node<'_>) -> usize {
        let key = (main, Box::from(call));
        let session = match self.agents.get(&key) {
            Some(session) => *session,
            None => {
                let session = self.log.child(main, call);
                self.agents.insert(key, session);
                session
            }
        };
        let id = self.log.session(session).map_or(String::new(), |session| session.id.clone());
        let mut told = [String::new(), String::new()];
        if let Some(call) = self.call(call).filter(|call| call.metadata.is_empty()) {
            call.metadata.push(text_field("sessionId", &id));
            told = told_by(&call.input);
        }
        let [title, agent] = pick(root, ["task_description", "subagent_type"])
            .map(|value| string(value).unwrap_or_default().into_owned());
        if let Some(session) = self.log.session(session) {
            let [description, kind] = told;
            let title = if title.is_empty() { description } else { title };
            if session.title.is_none() && !title.is_empty() {
                session.title = Some(title);
            }
            let agent = if agent.is_empty() { kind } else { agent };
            if !agent.is_empty() {
                session.agent = agent;
            }
        }
        session
    }

    /// The last call with this id, whichever session it is in.
    fn call(&mut self, id: &str) -> Option<&mut LogCall> {
        let session = self.session_of(id)?;
        self.log.find(session, id)
    }

    fn session_of(&self, call: &str) -> Option<usize> {
        (0..self.log.sessions.len()).rev().find(|at| self.log.message_of(*at, call).is_some())
    }

    fn system(&mut self, record: &StreamRecord<'_>) {
        let StreamRecord { json, root, at, session, offset } = *record;
        match &*string(get(Some(root), "subtype")).unwrap_or_default() {
            "init" => self.init(record),
            "compact_boundary" => {
                let [about, uuid] = pick(root, ["compact_metadata", "uuid"]);
                let auto = string(get(about, "trigger")).is_none_or(|trigger| trigger != "manual");
                let what = (auto, number(get(about, "pre_tokens")));
                let uuid = string(uuid).unwrap_or_default();
                self.log.compaction(session, &uuid, at, what, "");
            }
            "api_retry" => {
                let said = pick(root, ["error", "message"]).into_iter().find_map(any_string);
                let said = said.map_or("the request is sent again", |said| token(said, json));
                self.log.notice(session, "warning", said, at, offset);
            }
            _ => {}
        }
    }

    fn init(&mut self, record: &StreamRecord<'_>) {
        let names = ["cwd", "claude_code_version", "qwen_code_version", "model"];
        let [cwd, claude, qwen, model] =
            pick(record.root, names).map(|value| string(value).unwrap_or_default().into_owned());
        self.is_qwen |= !qwen.is_empty();
        let is_qwen = self.is_qwen;
        let Some(session) = self.log.session(record.session) else { return };
        // A later one says nothing new.
        if !session.version.is_empty() || !session.directory.is_empty() {
            return;
        }
        session.version = if claude.is_empty() { qwen } else { claude };
        session.cwd = cwd.into();
        session.directory.clone_from(&session.cwd);
        session.model = model.into();
        if is_qwen {
            QWEN.clone_into(&mut session.agent);
            session.provider.set("qwen");
        }
    }

    fn assistant(&mut self, record: &StreamRecord<'_>) {
        let StreamRecord { json, root, at, session, .. } = *record;
        let Some(message) = of_kind(get(Some(root), "message"), Kind::Object) else {
            let what = "a record without `message`; skipped";
            return self.log.problems.error("schema", what, record.offset);
        };
        let [id, model, content, stop, usage] =
            pick(message, ["id", "model", "content", "stop_reason", "usage"]);
        let id = string(id).unwrap_or_default();
        if self.partials.get(&session).is_some_and(|partial| partial.id == *id) {
            self.partials.remove(&session);
        } else {
            self.settle(session);
        }
        let known = match self.is_qwen {
            true => self.steps.get(&session).copied(),
            false => self.answers.get(&(session, Box::from(&*id))).copied(),
        };
        let index = known.unwrap_or_else(|| self.begin(session, &id, at));
        if let Some(message) = self.log.message(index) {
            if let Some(model) = string(model).filter(|model| *model != "<synthetic>") {
                message.model.set(&model);
            }
            if let Some(stop) = string(stop) {
                message.finish = stop.into_owned();
            }
            let tokens = of_kind(usage, Kind::Object).map(of_usage);
            let is_said = |tokens: &TokenCounts| {
                tokens.input + tokens.output + tokens.read + tokens.write > 0.0
            };
            message.tokens = tokens.filter(is_said).or(message.tokens).or(tokens);
        }
        self.pieces(index, answer_pieces(content, json, at, false), record);
        let failed = pick(root, ["error", "isApiErrorMessage"]);
        if failed.into_iter().any(|value| any_string(value).is_some() || is_true(value)) {
            let said = items(content).find_map(|block| any_string(get(Some(block), "text")));
            self.log.fail(session, "APIError", said.map_or("", |text| token(text, json)));
        }
    }

    /// Begins a message of the assistant.
    fn begin(&mut self, session: usize, id: &str, at: f64) -> usize {
        let index = self.log.begin(session, LogRole::Assistant, id, at);
        self.answers.insert((session, id.into()), index);
        if self.is_qwen {
            self.steps.insert(session, index);
        }
        index
    }

    /// Adds pieces to a message.
    fn pieces(&mut self, message: usize, pieces: Vec<LinePiece>, record: &StreamRecord<'_>) {
        for piece in pieces {
            match piece {
                LinePiece::Part(part) => self.log.part(message, part),
                LinePiece::Result(result) => self.call_result(&result, record),
                LinePiece::Call(call) => {
                    let CallPiece { call_id, tool, input, is_of_provider, task: _ } = call;
                    let provider =
                        is_of_provider.then(|| ("providerExecuted".into(), "true".into()));
                    let call = LogCall {
                        call_id: call_id.into_string(),
                        tool: tool.into_string(),
                        input,
                        part_metadata: provider.into_iter().collect(),
                        start: record.at,
                        ..LogCall::default()
                    };
                    self.log.call(record.session, message, call);
                }
            }
        }
    }

    fn call_result(&mut self, result: &ResultPiece, record: &StreamRecord<'_>) {
        let ResultPiece { call_id, is_error, output, files, metadata, agent: _ } = result;
        let joined = LogResult {
            status: if *is_error { LogStatus::Failed } else { LogStatus::Completed },
            text: output.clone(),
            end: record.at,
            exit: exit_in(output),
            metadata: metadata.clone(),
            // The model has none of an error.
            attachments: if *is_error { Vec::new() } else { files.clone() },
            ..LogResult::default()
        };
        let session = self.session_of(call_id).unwrap_or(record.session);
        self.log.result(session, call_id, None, joined, record.offset);
    }

    fn user(&mut self, record: &StreamRecord<'_>) {
        let StreamRecord { json, root, at, session, offset } = *record;
        let [message, uuid, synthetic, outcome] =
            pick(root, ["message", "uuid", "isSynthetic", "tool_use_result"]);
        let Some(message) = of_kind(message, Kind::Object) else {
            let what = "a record without `message`; skipped";
            return self.log.problems.error("schema", what, offset);
        };
        self.settle(session);
        self.steps.remove(&session);
        let outcome = outcome.filter(|outcome| !outcome.kind().is_nullish());
        let mut said = UserLine { is_synthetic: is_true(synthetic), ..UserLine::default() };
        said.read(get(Some(message), "content"), LineExtras { json, at, outcome });
        let mut index = None;
        for piece in said.pieces {
            match piece {
                LinePiece::Result(result) => self.call_result(&result, record),
                LinePiece::Part(part) if said.said == UserSaid::Interruption => {
                    let is_for_call = part.says("for tool use");
                    let words = INTERRUPTIONS.get(usize::from(is_for_call)).copied();
                    self.log.abort(session, words.unwrap_or_default(), at);
                }
                LinePiece::Part(part) => {
                    let id = string(uuid).unwrap_or_default();
                    let log = &mut self.log;
                    let index =
                        *index.get_or_insert_with(|| log.begin(session, LogRole::User, &id, at));
                    log.part(index, part);
                }
                LinePiece::Call(_) => {}
            }
        }
    }

    /// The last result counts.
    fn result(&mut self, record: &StreamRecord<'_>) {
        let StreamRecord { json, root, at, session, offset } = *record;
        self.settle(session);
        self.has_result = true;
        let names =
            ["subtype", "is_error", "result", "errors", "total_cost_usd", "permission_denials"];
        let [subtype, is_error, said, errors, cost, denials] = pick(root, names);
        if let Some(session) = self.log.session(session) {
            session.tokens = of_run(root).or(session.tokens);
            session.cost = number(cost).or(session.cost);
        }
        for denial in items(denials) {
            let tool = any_string(get(Some(denial), "tool_name"));
            let words = format!("denied: {}", tool.map_or("a tool", |tool| token(tool, json)));
            self.log.notice(session, "warning", &words, at, offset);
        }
        let subtype = any_string(subtype).map_or("", |subtype| token(subtype, json));
        if is_true(is_error) || subtype.starts_with("error") {
            let said = any_string(said).map_or("", |said| token(said, json)).to_owned();
            let all: Vec<&str> = items(errors)
                .filter_map(|one| any_string(Some(one)))
                .map(|one| token(one, json))
                .collect();
            let said = [said, all.join("\\n"), subtype.to_owned()];
            let said = said.iter().find(|said| !said.is_empty());
            self.log.fail(session, "UnknownError", said.map_or("error", String::as_str));
        }
    }

    fn event(&mut self, record: &StreamRecord<'_>) {
        let Some(event) = of_kind(get(Some(record.root), "event"), Kind::Object) else { return };
        let [kind, message] = pick(event, ["type", "message"]);
        let kind = string(kind).unwrap_or_default();
        if let ("message_start", Some(message)) = (&*kind, message) {
            self.settle(record.session);
            let begun = PartialMessage::begin(message);
            let is_told = self.answers.contains_key(&(record.session, begun.id.as_str().into()));
            if !is_told {
                self.partials.insert(record.session, begun);
            }
        } else if let Some(partial) = self.partials.get_mut(&record.session) {
            partial.take(&kind, event, record.json);
        }
    }

    /// Another message follows: of the one that came as events, the records never came.
    fn settle(&mut self, session: usize) {
        let Some(partial) = self.partials.remove(&session) else { return };
        let at = self.log.last_time();
        let content = partial.content();
        let mut tape = Tape::default();
        if tape.read(content.as_bytes(), 0).is_ok() {
            let root = tape.root_of(&content);
            let index = self.begin(session, &partial.id, at);
            if let Some(message) = self.log.message(index) {
                message.model.set(&partial.model);
                message.finish.clone_from(&partial.stop);
                message.tokens = partial.tokens;
            }
            let record = StreamRecord { json: &content, root, at, session, offset: 0 };
            self.pieces(index, answer_pieces(Some(root), &content, at, false), &record);
        }
    }
}

/// The exit code that an output begins with; raw.
fn exit_in(output: &str) -> Option<i64> {
    let line = output.split("\\n").next()?;
    let line = line.strip_prefix("Error: ").unwrap_or(line);
    line.strip_prefix("Exit code ")?.trim().parse().ok()
}

/// What the input of a call says of the sub-agent that it starts: its description and its type.
fn told_by(input: &str) -> [String; 2] {
    let mut tape = Tape::default();
    let root = tape.read(input.as_bytes(), 0).ok().map(|_| tape.root_of(input));
    ["description", "subagent_type"]
        .map(|name| string(get(root, name)).unwrap_or_default().into_owned())
}

impl TranscriptFormat for ClaudeStream {
    const NAME: &'static str = NAME;
    const TITLE: &'static str = "Claude stream-json";
    const AGENT: Option<Agent> = Some(Agent { id: CLAUDE, title: "Claude Code" });
    const IDS: Ids = Ids::OpenCode;
    const RECORDS: usize = 4;

    fn detect(seen: &SeenFields) -> bool {
        seen.has_string("session_id") && seen.kind().is_some_and(|kind| TYPES.contains(&kind))
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(ClaudeStream {
            log: SessionLog::new(NAME, "anthropic"),
            sessions: TextMap::default(),
            agents: SortedMap::new(),
            answers: SortedMap::new(),
            partials: SortedMap::new(),
            is_qwen: false,
            steps: SortedMap::new(),
            has_time: false,
            has_result: false,
        }))
    }
}

impl ObjectReader for ClaudeStream {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.log.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, _env: &mut Env<'_>) {
        self.take(text, root, record.offset);
    }
}

impl FormatReader for ClaudeStream {
    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.loaded()
    }

    fn finish(mut self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let open: Vec<usize> = self.partials.keys().copied().collect();
        open.into_iter().for_each(|session| self.settle(session));
        self.log.end();
        LoadedSessions { is_cut: !self.has_result, ..self.log.into_loaded() }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
