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

use super::conversation::{Conversation, Joined, NewCall, PendingMessage, SessionNames};
use super::pending_call::PendingResult;
use super::placed_part::FinishedPart;
use crate::documents::splitter::DocumentLayout;
use crate::formats::builder::{self, TokenCounts, text_part};
use crate::formats::fields::{
    get, is_true, items, number, of_kind, pick, raw, read, string, text, token,
};
use crate::formats::reader::{Env, FormatReader, LoadedSession, LoadedSessions, Record};
use crate::formats::seen_fields::SeenFields;
use crate::formats::transcript_format::TranscriptFormat;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::{escape, object};
use apex_parts_model::Agent;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::{Kind, View, time};
use apex_parts_validate::Ids;

/// Reads the format `messages`.
#[derive(Debug, Default)]
pub(crate) struct PlainMessages {
    tape: Tape,
    session_id: String,
    talk: Conversation,
    last_time: Option<f64>,
    content: Fingerprint,
}

/// A message that is being read.
struct Reading<'a> {
    json: &'a str,
    role: &'a str,
    at: f64,
    offset: u64,
    /// The message for its parts, once it exists: its index and its id.
    turn: Option<(usize, String)>,
    meta: Option<Node<'a>>,
}

impl PlainMessages {
    fn take(&mut self, json: &str, root: Node<'_>, offset: u64, env: &mut Env<'_>) {
        if self.session_id.is_empty() {
            self.session_id = (env.new_id)();
        }
        let [role, parts, timestamp, meta] = pick(root, ["role", "parts", "timestamp", "meta"]);
        let role = string(role).unwrap_or_default();
        if !matches!(&*role, "user" | "assistant" | "system" | "tool") {
            let what = "`role` is system, user, assistant or tool; the message is left out";
            self.talk.problems.error("schema", what, offset);
            return;
        }
        if of_kind(parts, Kind::Array).is_none() {
            self.talk.problems.error("schema", "a message without `parts`; left out", offset);
            return;
        }
        #[allow(clippy::cast_precision_loss)] // milliseconds of this era are exact
        let at = string(timestamp).and_then(|t| time::parse(&t)).map(|ms| ms as f64);
        let at = at.or(self.last_time).unwrap_or(env.now_ms);
        self.last_time = Some(at);
        let meta = of_kind(meta, Kind::Object);
        let mut reading = Reading { json, role: &role, at, offset, turn: None, meta };
        if role != "tool" {
            self.turn(&mut reading, env);
        }
        for part in items(parts) {
            self.part(&mut reading, part, env);
        }
        // After those of the parts: ids sort as the parts stand.
        if let Some(turn) = reading.turn.and_then(|(turn, _)| self.talk.turn(turn)) {
            turn.steps.1 = (env.new_id)();
        }
    }

    /// The message to which the parts are added; creates it at the first call.
    fn turn(&mut self, reading: &mut Reading<'_>, env: &mut Env<'_>) -> (usize, String) {
        if let Some(turn) = &reading.turn {
            return turn.clone();
        }
        let id = (env.new_id)();
        let mut turn = PendingMessage {
            id: id.clone(),
            is_user: reading.role != "assistant",
            created: reading.at,
            last: reading.at,
            ..PendingMessage::default()
        };
        if !turn.is_user {
            turn.steps.0 = (env.new_id)();
            let names = ["modelId", "finishReason", "usage", "error"];
            let [model, finish, usage, error] =
                reading.meta.map_or([None; 4], |meta| pick(meta, names));
            turn.model = string(model).unwrap_or_default().into_owned();
            turn.finish = string(finish).unwrap_or_default().into_owned();
            turn.cost = number(get(usage, "cost")).unwrap_or(0.0);
            turn.tokens = usage.map_or_else(TokenCounts::default, tokens);
            if let Some(error) = of_kind(error, Kind::Object) {
                turn.error = of_error(error);
            }
        }
        if reading.role != "tool" {
            turn.more = reading.meta.map(|meta| ("meta", raw(meta, reading.json).to_owned()));
        }
        let turn = (self.talk.begin(turn), id);
        reading.turn = Some(turn.clone());
        turn
    }

    fn part(&mut self, reading: &mut Reading<'_>, part: Node<'_>, env: &mut Env<'_>) {
        let [kind, payload] = pick(part, ["kind", "payload"]);
        let kind = string(kind).unwrap_or_default();
        let payload = of_kind(payload, Kind::Object);
        let Some(payload) = payload.filter(|_| !kind.is_empty()) else {
            let what = "a part without `kind` or `payload`; left out";
            self.talk.problems.error("schema", what, reading.offset);
            return;
        };
        match &*kind {
            "tool_result" => self.result(reading, payload, env),
            "tool_call" => self.call(reading, payload, env),
            "text" | "thinking" => {
                let said = get(Some(payload), "text");
                let raw = said.map_or("", |text| token(text, reading.json));
                let kind = if kind == "text" { "text" } else { "reasoning" };
                self.text(reading, kind, raw, reading.role == "system", env);
            }
            _ => {
                let (turn, message) = self.turn(reading, env);
                let id = (env.new_id)();
                let place = (self.session_id.as_str(), message.as_str(), id.as_str());
                let file = file_part(&kind, payload, reading.json, place);
                let json = file.unwrap_or_else(|| {
                    let mut json = String::new();
                    object(&mut json, |part| {
                        builder::base(part, place.2, place.0, place.1, &format!("message-{kind}"));
                        part.key("payload").push_str(raw(payload, reading.json));
                    });
                    json
                });
                self.talk.part(turn, FinishedPart::Whole(json));
            }
        }
    }

    fn text(
        &mut self,
        reading: &mut Reading<'_>,
        kind: &str,
        raw: &str,
        synthetic: bool,
        env: &mut Env<'_>,
    ) {
        let (turn, message) = self.turn(reading, env);
        let (id, at) = ((env.new_id)(), reading.at);
        let json = text_part(
            |part| builder::base(part, &id, &self.session_id, &message, kind),
            raw,
            |part| {
                if synthetic && kind == "text" {
                    part.bool("synthetic", true);
                }
                builder::time(part, at, Some(at));
            },
        );
        self.talk.part(turn, FinishedPart::Whole(json));
    }

    fn call(&mut self, reading: &mut Reading<'_>, payload: Node<'_>, env: &mut Env<'_>) {
        let names = ["toolCallId", "toolName", "arguments", "rawArgsText"];
        let [call_id, tool, arguments, raw_args] = pick(payload, names);
        let (turn, _) = self.turn(reading, env);
        let id = (env.new_id)();
        let mut metadata = String::new();
        if let Some(text) = raw_args.filter(|text| text.kind().is_string()) {
            object(&mut metadata, |metadata| {
                metadata.key("rawArgsText").push_str(raw(text, reading.json));
            });
        }
        let call_id = string(call_id).unwrap_or_else(|| id.as_str().into()).into_owned();
        self.talk.call(
            turn,
            NewCall {
                id,
                call_id: &call_id,
                tool: &string(tool).unwrap_or_default(),
                input: arguments.map_or("{}", |arguments| raw(arguments, reading.json)).into(),
                metadata,
                child: "",
                start: reading.at,
            },
        );
    }

    fn result(&mut self, reading: &mut Reading<'_>, payload: Node<'_>, env: &mut Env<'_>) {
        let [call_id, is_error, content] = pick(payload, ["toolCallId", "isError", "content"]);
        let call_id = string(call_id).unwrap_or_default();
        let mut result = PendingResult {
            is_error: is_true(is_error),
            end: reading.at,
            ..PendingResult::default()
        };
        if let Some(content) = content.filter(|content| !content.kind().is_nullish()) {
            let message = self.talk.find(&call_id).map_or("", |(turn, _)| turn.id.as_str());
            result_content(content, reading.json, (&self.session_id, message), &mut result, env);
        }
        let (joined, lost) = self.talk.result(&call_id, result);
        let (rule, what) = match joined {
            Joined::Yes => return,
            Joined::NoCall => ("DC-10", "a tool_result without its call; it is shown as text"),
            Joined::Again => ("DC-9", "a second tool_result of a call; it is shown as text"),
        };
        self.talk.problems.error(rule, what, reading.offset);
        self.text(reading, "text", &lost.unwrap_or_default(), true, env);
    }
}

/// Writes the content of a tool's result: text, or parts (their texts joined by line breaks, their images
/// and files as attachments), or any JSON.
fn result_content(
    content: Node<'_>,
    json: &str,
    (session, message): (&str, &str),
    result: &mut PendingResult,
    env: &mut Env<'_>,
) {
    if content.kind().is_string() {
        result.output = token(content, json).into();
        return;
    }
    let of_parts = content.kind() == Kind::Array
        && content.children().all(|part| string(get(Some(part), "kind")).is_some());
    if !of_parts {
        let mut output = String::new();
        escape(&mut output, raw(content, json));
        result.output = output.into();
        return;
    }
    let mut output = String::new();
    for part in content.children() {
        let [kind, payload] = pick(part, ["kind", "payload"]);
        let kind = string(kind).unwrap_or_default();
        let id = (env.new_id)();
        let file = payload.and_then(|p| file_part(&kind, p, json, (session, message, &id)));
        if let Some(file) = file {
            result.attachments.push(FinishedPart::Whole(file));
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
    result.output = output.into();
}

/// The file part of an `image` or a `file_ref`, with the ids of session, message and part; `None` for
/// other kinds.
fn file_part(
    kind: &str,
    payload: Node<'_>,
    json: &str,
    (session, message, id): (&str, &str, &str),
) -> Option<String> {
    let [mime, data, url, path] = pick(payload, ["mimeType", "data", "url", "path"]);
    let [data, url, path] =
        [data, url, path].map(|value| value.filter(|value| value.kind() == Kind::String));
    let is_image = kind == "image" && (data.is_some() || url.is_some());
    if !is_image && (kind != "file_ref" || path.is_none()) {
        return None;
    }
    let default = if is_image { "image/png" } else { "application/octet-stream" };
    let mime = string(mime).unwrap_or_else(|| default.into());
    let mut out = String::new();
    object(&mut out, |part| {
        builder::base(part, id, session, message, "file");
        part.string("mime", &mime);
        if !is_image && let Some(path) = path.and_then(Node::str) {
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            part.string("filename", name);
        }
        let out = part.key("url");
        out.push('"');
        match (is_image, data, url, path) {
            (true, _, Some(url), _) => out.push_str(token(url, json)),
            (true, Some(data), None, _) => {
                out.push_str("data:");
                escape(out, &mime);
                out.push_str(";base64,");
                out.push_str(token(data, json));
            }
            (_, _, _, Some(path)) => {
                out.push_str("file://");
                out.push_str(token(path, json));
            }
            _ => {}
        }
        out.push('"');
    });
    Some(out)
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

impl FormatReader for PlainMessages {
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        self.content = record.hashed(self.content);
        let json = text(&record, &mut self.talk.problems);
        let mut tape = std::mem::take(&mut self.tape);
        if let Some(root) = read(&mut tape, &json, &mut self.talk.problems, &record) {
            self.take(&json, root, record.offset, env);
        }
        self.tape = tape;
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let problems = self.talk.problems.clone().into_sorted();
        let content = Some(self.content);
        let mut made = LoadedSessions { problems, content, ..LoadedSessions::default() };
        if !self.session_id.is_empty() {
            let id = &self.session_id;
            let names = [SessionNames { id, ..SessionNames::default() }];
            let messages = self.talk.write(&names).pop().unwrap_or_default();
            made.sessions.push(LoadedSession {
                id: self.session_id.clone(),
                messages: messages.into_bytes(),
                ..LoadedSession::default()
            });
        }
        made
    }

    fn finish(mut self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions {
        self.peek(length, env)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
