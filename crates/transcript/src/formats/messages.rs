//! messages: the `Message` of a run (`{runId, role, parts: [{kind, payload}], timestamp, meta?}`, seed
//! 004) into which deltas are assembled, read as messages with parts.
//!
//! - Each message of `user`, `assistant` or `system` becomes one message. The model has no system
//!   messages: they become a user's, with `synthetic` texts.
//! - `text` → text, `thinking` → reasoning, `image` and `file_ref` → file, `tool_call` → tool. A part
//!   of another kind is kept as a custom part `message-KIND` with its payload under `payload`.
//! - A `tool_result`, usually in a message of `tool`, is added to the last call with its id and makes no
//!   message of its own. One without a call is a problem (DC-10), as is a second one (DC-9); their
//!   contents are shown as `synthetic` text of a user.
//! - The parts of an assistant's message are between a step-start and a step-finish, as from
//!   `toWithParts`; cost, tokens and reason are those of `meta`. `meta` is kept on the message, except
//!   that of a `tool`'s.
//! - All messages are in one session. Ids are new, because a `Message` has only that of its run.

use apex_parts_agents::fields::{get, is_true, items, number, of_kind, pick, raw, string, token};
use apex_parts_agents::log::LogRole;
use apex_parts_agents::log::LogRules;
use apex_parts_agents::log::SessionLog;
use apex_parts_agents::log::{LogCall, LogResult, LogStatus};
use apex_parts_agents::log::{LogFields, LogPart};
use apex_parts_agents::{
    DocumentLayout, Env, FormatReader, LoadedSessions, ObjectReader, Record, SeenFields,
    TokenCounts, TranscriptFormat, read_object,
};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{escape, object};
use apex_parts_model::Agent;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Kind, View, time};
use apex_parts_validate::Ids;

/// Reads the format `messages`.
#[derive(Debug)]
pub(crate) struct PlainMessages {
    log: SessionLog,
    last_time: Option<f64>,
    content: Fingerprint,
}

impl Default for PlainMessages {
    fn default() -> PlainMessages {
        PlainMessages {
            // A message names neither its agent nor its provider.
            log: SessionLog::new("", "").with(LogRules::STATED),
            last_time: None,
            content: Fingerprint::default(),
        }
    }
}

/// The only session of a file.
const ROOT: usize = 0;

/// A message that is being read.
struct Reading<'a> {
    json: &'a str,
    role: &'a str,
    at: f64,
    offset: u64,
    /// The index of the message for its parts, once it exists.
    message: Option<usize>,
    meta: Option<Node<'a>>,
}

impl PlainMessages {
    fn take(&mut self, json: &str, root: Node<'_>, offset: u64, env: &mut Env<'_>) {
        if self.log.is_empty() {
            self.log.begin_session(&(env.new_id)());
        }
        let [role, parts, timestamp, meta] = pick(root, ["role", "parts", "timestamp", "meta"]);
        let role = string(role).unwrap_or_default();
        if !matches!(&*role, "user" | "assistant" | "system" | "tool") {
            let what = "`role` is system, user, assistant or tool; the message is left out";
            self.log.problems.error("schema", what, offset);
            return;
        }
        if of_kind(parts, Kind::Array).is_none() {
            self.log.problems.error("schema", "a message without `parts`; left out", offset);
            return;
        }
        #[allow(clippy::cast_precision_loss)] // milliseconds of this era are exact
        let at = string(timestamp).and_then(|t| time::parse(&t)).map(|ms| ms as f64);
        let at = at.or(self.last_time).unwrap_or(env.now_ms);
        self.last_time = Some(at);
        let meta = of_kind(meta, Kind::Object);
        let mut reading = Reading { json, role: &role, at, offset, message: None, meta };
        if role != "tool" {
            self.message(&mut reading, env);
        }
        for part in items(parts) {
            self.part(&mut reading, part, env);
        }
        // After those of the parts: ids sort as the parts stand.
        if let Some(message) = reading.message.and_then(|message| self.log.message(message)) {
            message.step_ids[1] = (env.new_id)();
        }
    }

    /// The message to which the parts are added; creates it at the first call.
    fn message(&mut self, reading: &mut Reading<'_>, env: &mut Env<'_>) -> usize {
        if let Some(message) = reading.message {
            return message;
        }
        let is_answer = reading.role == "assistant";
        let role = if is_answer { LogRole::Assistant } else { LogRole::User };
        let index = self.log.begin(ROOT, role, &(env.new_id)(), reading.at);
        reading.message = Some(index);
        let Some(message) = self.log.message(index) else { return index };
        if is_answer {
            message.step_ids[0] = (env.new_id)();
            let names = ["modelId", "finishReason", "usage", "error"];
            let [model, finish, usage, error] =
                reading.meta.map_or([None; 4], |meta| pick(meta, names));
            message.model = string(model).unwrap_or_default().into();
            message.finish = string(finish).unwrap_or_default().into_owned();
            message.cost = number(get(usage, "cost")).unwrap_or(0.0);
            message.tokens = usage.map(tokens);
            if let Some(error) = of_kind(error, Kind::Object) {
                message.error = of_error(error);
            }
        }
        if reading.role != "tool" {
            message.more = reading.meta.map(|meta| ("meta", raw(meta, reading.json).to_owned()));
        }
        index
    }

    fn part(&mut self, reading: &mut Reading<'_>, part: Node<'_>, env: &mut Env<'_>) {
        let [kind, payload] = pick(part, ["kind", "payload"]);
        let kind = string(kind).unwrap_or_default();
        let payload = of_kind(payload, Kind::Object);
        let Some(payload) = payload.filter(|_| !kind.is_empty()) else {
            let what = "a part without `kind` or `payload`; left out";
            self.log.problems.error("schema", what, reading.offset);
            return;
        };
        match &*kind {
            "tool_result" => self.result(reading, payload, env),
            "tool_call" => self.call(reading, payload, env),
            "text" | "thinking" => {
                let said = get(Some(payload), "text");
                let raw = said.map_or("", |text| token(text, reading.json));
                let part = match &*kind {
                    "thinking" => LogPart::reasoning(raw, reading.at, &state_of(payload, reading)),
                    _ if get(Some(payload), "provider").is_some() => {
                        LogPart::text_with(raw, reading.at, &state_of(payload, reading))
                    }
                    _ if reading.role == "system" => LogPart::synthetic(raw, reading.at),
                    _ => LogPart::text(raw, reading.at),
                };
                self.add(reading, part, env);
            }
            "custom" => {
                let name = string(get(Some(payload), "type")).unwrap_or_default();
                let part = LogPart::of_metadata(name.into_owned(), &state_of(payload, reading));
                self.add(reading, part, env);
            }
            _ => {
                let part = file_part(&kind, payload, reading.json).unwrap_or_else(|| {
                    let kind = format!("message-{kind}");
                    LogPart::custom(kind, "payload", raw(payload, reading.json))
                });
                self.add(reading, part, env);
            }
        }
    }

    fn add(&mut self, reading: &mut Reading<'_>, part: LogPart, env: &mut Env<'_>) {
        let message = self.message(reading, env);
        self.log.part(message, LogPart { id: (env.new_id)(), ..part });
    }

    fn call(&mut self, reading: &mut Reading<'_>, payload: Node<'_>, env: &mut Env<'_>) {
        let names = ["toolCallId", "toolName", "arguments", "rawArgsText"];
        let [call_id, tool, arguments, raw_args] = pick(payload, names);
        let message = self.message(reading, env);
        let raw_args = raw_args.filter(|text| text.kind().is_string());
        let field = |text| ("rawArgsText".into(), raw(text, reading.json).into());
        let state = state_of(payload, reading);
        let call = LogCall {
            id: (env.new_id)(),
            call_id: string(call_id).unwrap_or_default().into_owned(),
            tool: string(tool).unwrap_or_default().into_owned(),
            input: arguments.map_or("{}", |arguments| raw(arguments, reading.json)).into(),
            part_metadata: raw_args.map(field).into_iter().chain(state).collect(),
            start: reading.at,
            ..LogCall::default()
        };
        self.log.call(ROOT, message, call);
    }

    fn result(&mut self, reading: &mut Reading<'_>, payload: Node<'_>, env: &mut Env<'_>) {
        let [call_id, is_error, content] = pick(payload, ["toolCallId", "isError", "content"]);
        let call_id = string(call_id).unwrap_or_default();
        let mut result = LogResult { end: reading.at, ..LogResult::default() };
        if let Some(content) = content.filter(|content| !content.kind().is_nullish()) {
            result_content(content, reading.json, &mut result, env);
        }
        if is_true(is_error) {
            result.status = LogStatus::Failed;
            result.attachments.clear();
        }
        let has_result = self.log.find(ROOT, &call_id).map(|call| call.result.is_some());
        let (rule, what) = match has_result {
            Some(false) => {
                return self.log.result(ROOT, &call_id, None, result, reading.offset);
            }
            None => ("DC-10", "a tool_result without its call; it is shown as text"),
            Some(true) => ("DC-9", "a second tool_result of a call; it is shown as text"),
        };
        self.log.problems.error(rule, what, reading.offset);
        self.add(reading, LogPart::synthetic(&result.text, reading.at), env);
    }
}

/// The state of a provider on a part, which is its metadata.
fn state_of(payload: Node<'_>, reading: &Reading<'_>) -> LogFields {
    let state = of_kind(get(Some(payload), "provider"), Kind::Object);
    let fields = state.into_iter().flat_map(Node::fields);
    let name = |name| string(Some(name)).unwrap_or_default().into_owned();
    fields.map(|(key, value)| (name(key).into(), raw(value, reading.json).into())).collect()
}

/// Reads the content of a tool's result: text, or parts (their texts joined by line breaks, their images
/// and files as attachments), or any JSON.
fn result_content(content: Node<'_>, json: &str, result: &mut LogResult, env: &mut Env<'_>) {
    if content.kind().is_string() {
        result.text = token(content, json).into();
        return;
    }
    let mut output = String::new();
    let has_parts = content.kind() == Kind::Array
        && content.children().all(|part| string(get(Some(part), "kind")).is_some());
    if !has_parts {
        escape(&mut output, raw(content, json));
        result.text = output.into();
        return;
    }
    for part in content.children() {
        let [kind, payload] = pick(part, ["kind", "payload"]);
        let kind = string(kind).unwrap_or_default();
        let id = (env.new_id)();
        if let Some(file) = payload.and_then(|payload| file_part(&kind, payload, json)) {
            result.attachments.push(LogPart { id, ..file });
            continue;
        }
        if !output.is_empty() {
            output.push_str("\\n");
        }
        match get(payload, "text").filter(|text| text.kind().is_string()) {
            Some(text) => output.push_str(token(text, json)),
            None => escape(&mut output, raw(part, json)),
        }
    }
    result.text = output.into();
}

/// The file part of an `image` or a `file_ref`; `None` for other kinds.
fn file_part(kind: &str, payload: Node<'_>, json: &str) -> Option<LogPart> {
    let [mime, data, url, path] = pick(payload, ["mimeType", "data", "url", "path"]);
    let mime = string(mime);
    let raw_text = |value: Option<Node<'_>>| of_kind(value, Kind::String).map(|v| token(v, json));
    match (kind, raw_text(url), raw_text(data), raw_text(path)) {
        ("image", Some(url), ..) => {
            Some(LogPart::file(mime.as_deref().unwrap_or("image/png"), None, &[url]))
        }
        ("image", None, Some(data), _) => {
            Some(LogPart::file_of(data, mime.as_deref().unwrap_or("image/png"), None))
        }
        ("file_ref", .., Some(raw_path)) => {
            let mime = mime.as_deref().unwrap_or("application/octet-stream");
            let path = path.and_then(Node::str).unwrap_or_default();
            let mut name = String::new();
            escape(&mut name, path.rsplit(['/', '\\']).next().unwrap_or_default());
            Some(LogPart::file(mime, Some(&name), &["file://", raw_path]))
        }
        _ => None,
    }
}

/// The tokens of `meta.usage`, as disjoint counts: `inputTokens` there includes cached ones, and
/// `outputTokens` those of reasoning.
fn tokens(usage: Node<'_>) -> TokenCounts {
    let names =
        ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"];
    let [input, output, read, write, reasoning] =
        pick(usage, names).map(|count| number(count).unwrap_or(0.0).max(0.0));
    let cached = TokenCounts { reasoning, read, write, ..TokenCounts::default() };
    TokenCounts { input: input - read - write, output: output - reasoning, ..cached }
}

/// `meta.error` (`{errorCode, message?, retryable?}`) in the model's form, as from `toWithParts`.
fn of_error(error: Node<'_>) -> String {
    let [code, message, retryable] = pick(error, ["errorCode", "message", "retryable"]);
    let code = string(code).unwrap_or("unknown".into());
    let mut out = String::new();
    object(&mut out, |out| {
        out.string("message", string(message).as_deref().unwrap_or(&code));
        out.bool("isRetryable", is_true(retryable)).object("metadata", |metadata| {
            metadata.string("errorCode", &code);
        });
    });
    out
}

impl TranscriptFormat for PlainMessages {
    const NAME: &'static str = "messages";
    const TITLE: &'static str = "Messages";
    const AGENT: Option<Agent> = None;
    const IDS: Ids = Ids::Apex;
    const LAYOUT: Option<DocumentLayout> = Some(DocumentLayout::Lines);
    const INSIDE: &'static [&'static str] = &["parts"];

    fn detect(seen: &SeenFields) -> bool {
        seen.has_string("role") && seen.has_array("parts") && seen.has_string("runId")
    }

    fn detect_inside(name: &str, inside: &SeenFields, _seen: &SeenFields) -> bool {
        name == "parts" && inside.ends_with("kind") && inside.has_string("kind")
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(PlainMessages::default()))
    }
}

impl ObjectReader for PlainMessages {
    fn problems(&mut self) -> &mut ProblemList {
        &mut self.log.problems
    }

    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, env: &mut Env<'_>) {
        self.content = record.hashed(self.content);
        self.take(text, root, record.offset, env);
    }
}

impl FormatReader for PlainMessages {
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        let content = record.hashed(self.content);
        read_object(self, record, env);
        // A record that is not an object counts too.
        self.content = content;
    }

    fn objects(&mut self) -> Option<&mut dyn ObjectReader> {
        Some(self)
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.name_models();
        let mut loaded = LoadedSessions { content: Some(self.content), ..self.log.loaded() };
        // The file says nothing of its session.
        loaded.sessions.iter_mut().for_each(|session| session.info = None);
        loaded
    }

    fn finish(mut self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions {
        self.peek(length, env)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
