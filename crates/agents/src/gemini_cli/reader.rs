//! gemini-cli: sessions of Gemini CLI. Until version 0.40 a file is one JSON object, `{sessionId, projectHash,
//! startTime, lastUpdated, messages}`; since then it has a header and then one record a line. The older JSON
//! of Qwen Code is the same.
//!
//! - **Records.** Each message is written two or three times, as it grows: the last one with an id counts, in
//!   the place of the first. `{$set}` changes the header; `{$rewindTo}` takes messages away, which are a session of
//!   their own, and so are those that the `messages` of a `{$set}` no longer have: there is a checkpoint then, if a new
//!   message came with it. Otherwise they were taken back, and stay where no request follows.
//! - **Messages.** `user` and `gemini` are messages; `info`, `warning` and `error` are notices; one of another
//!   type is kept as an answer with one custom part. A user's message that is nothing but responses to function
//!   calls repeats what the calls have.
//! - **Calls** have their results with them, and the state that the program gave them.

use super::content::{exit_code, is_responses, output, parts, text as content_text};
use super::record_fields::RecordFields;
use super::records::{GeminiRecords, GeminiStretch};
use crate::arguments::arguments;
use crate::env::Env;
use crate::fields::{ObjectRecord, items, join, number, of_kind, pick, raw, string, token};
use crate::log::log_call::{LogCall, LogResult, LogStatus};
use crate::log::log_message::LogRole;
use crate::log::log_part::LogPart;
use crate::log::session_log::{SessionLog, read_time};
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::run_file::RunFile;
use crate::session_kind::SessionKind;
use crate::token_counts::TokenCounts;
use crate::transcript_format::TranscriptFormat;
use crate::whole_json::WholeJson;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Kind, View};
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;
use std::borrow::Cow;

const NAME: &str = "gemini-cli";
/// What the program notes where the user ends a request.
const CANCELLED: &str = "Request cancelled.";
/// How a text begins in which the program tells the model where it is.
const CONTEXT: &str = "<session_context>";

/// Reads the format `gemini-cli`.
#[derive(Debug)]
pub struct GeminiCli {
    log: SessionLog,
}

impl GeminiCli {
    /// Reads a file of one JSON value: an object, or an array of records.
    fn whole<'a>(&mut self, read: &'a WholeJson<'_>, offset: u64, records: &mut GeminiRecords<'a>) {
        let json = Cow::Borrowed(read.text());
        let root = read.root();
        let session = self.log.root();
        records.offset = offset;
        match root.kind() {
            Kind::Array => {
                for record in root.children() {
                    if record.kind() != Kind::Object {
                        let at = offset + record.span().start as u64;
                        self.log.problems.error("schema", "a record is an object; skipped", at);
                        continue;
                    }
                    let fields = RecordFields::of(record);
                    self.log.records.add(fields.is_own(), offset + record.span().start as u64);
                    if let Some(session) = self.log.session(session) {
                        records.take(&fields, &json, true, session);
                    }
                }
            }
            Kind::Object => {
                if let Some(session) = self.log.session(session) {
                    records.take(&RecordFields::of(root), &json, false, session);
                }
            }
            _ => {}
        }
    }

    /// Reads a file of one record a line.
    fn lines<'a>(&mut self, record: &Record<'a>, records: &mut GeminiRecords<'a>) {
        let session = self.log.root();
        let mut tape = Tape::default();
        let end = record.json.trim_ascii_end().len();
        for (start, line) in lines(record.json) {
            let offset = record.offset + start as u64;
            let line = Record { json: line, event: "", offset };
            let is_last = start + line.json.len() == end;
            let problems = if is_last { &mut self.log.at_end } else { &mut self.log.problems };
            let read = ObjectRecord::read_on(std::mem::take(&mut tape), &line, problems);
            let Some(read) = read else { continue };
            let fields = RecordFields::of(read.root());
            self.log.records.add(fields.is_own(), offset);
            if let Some(session) = self.log.session(session) {
                records.offset = offset;
                records.take(&fields, &read.text, true, session);
            }
            tape = read.tape;
        }
    }

    /// Adds messages to a session.
    fn stretch(&mut self, session: usize, stretch: &GeminiStretch<'_, '_>) {
        if let Some(session) = self.log.session(session) {
            session.model.set(stretch.model);
        }
        let mut tape = Tape::default();
        for message in &stretch.messages {
            for at in &message.checkpoints {
                self.log.compaction(session, "", *at, (true, None), "");
            }
            if !message.checkpoints.is_empty() {
                continue;
            }
            let json = &*message.json;
            if tape.read_foreign(json).is_ok() {
                self.message(session, tape.root_of(json), json, message.offset);
            }
        }
    }

    fn message(&mut self, session: usize, message: Node<'_>, json: &str, offset: u64) {
        let names =
            ["id", "type", "timestamp", "content", "model", "thoughts", "toolCalls", "tokens"];
        let [id, kind, timestamp, content, model, thoughts, calls, tokens] = pick(message, names);
        let log = &mut self.log;
        let at = log.time(timestamp);
        let (id, kind) = (string(id).unwrap_or_default(), string(kind).unwrap_or_default());
        if let (Some(model), Some(session)) = (string(model), log.session(session)) {
            session.model.set(&model);
        }
        match &*kind {
            "user" => {
                if !is_responses(content) {
                    let message = log.begin(session, LogRole::User, &id, at);
                    for part in parts(content, json, at) {
                        let synthetic = part.synthetic || part.begins_with(CONTEXT);
                        log.part(message, LogPart { synthetic, ..part });
                    }
                }
            }
            "gemini" => {
                let message = log.begin(session, LogRole::Assistant, &id, at);
                for thought in items(thoughts) {
                    if let Some((part, at)) = reasoning(thought, json, at) {
                        log.part(message, part);
                        log.touch(session, message, at);
                    }
                }
                parts(content, json, at).into_iter().for_each(|part| log.part(message, part));
                for of in items(calls) {
                    let end = log.time(pick(of, ["timestamp"])[0]);
                    log.call(session, message, call(of, json, at, end));
                    log.touch(session, message, end);
                }
                if let Some(message) = log.message(message) {
                    message.tokens = of_kind(tokens, Kind::Object).map(token_counts);
                }
            }
            "info" | "warning" | "error" => {
                log.notice(session, &kind, &content_text(content, json), at, offset);
            }
            _ => {
                let answer = log.begin(session, LogRole::Assistant, &id, at);
                let kind = format!("{NAME}-{kind}");
                log.part(answer, LogPart::custom(kind, "record", raw(message, json)));
            }
        }
    }
}

/// The reasoning part of a thought, and its time.
fn reasoning(thought: Node<'_>, json: &str, at: f64) -> Option<(LogPart, f64)> {
    let [subject, description, timestamp] = pick(thought, ["subject", "description", "timestamp"]);
    let mut raw = String::new();
    if let (Some(subject), Some(_)) = (subject, string(subject)) {
        raw = format!("**{}**", token(subject, json));
    }
    if let (Some(description), Some(_)) = (description, string(description)) {
        join(&mut raw, "\\n", token(description, json));
    }
    let at = read_time(timestamp).unwrap_or(at);
    (!raw.is_empty()).then(|| (LogPart::reasoning(&raw, at, &Vec::new()), at))
}

/// A call with its result; `at` is the time of its message.
fn call(call: Node<'_>, json: &str, at: f64, end: f64) -> LogCall {
    let [id, name, args, status, result] = pick(call, ["id", "name", "args", "status", "result"]);
    let [title, display_name, display] =
        pick(call, ["description", "displayName", "resultDisplay"]);
    let status = string(status).and_then(|status| match &*status {
        "success" => Some(LogStatus::Completed),
        "error" => Some(LogStatus::Failed),
        "cancelled" => Some(LogStatus::Cancelled),
        _ => None,
    });
    let shown = [("displayName", display_name), ("resultDisplay", display)];
    let shown = shown.into_iter().filter_map(|(name, value)| {
        let value = value.filter(|value| !value.kind().is_nullish())?;
        Some((name.into(), raw(value, json).into()))
    });
    LogCall {
        call_id: string(id).unwrap_or_default().into_owned(),
        tool: string(name).unwrap_or_default().into_owned(),
        input: arguments(args, json),
        start: at,
        metadata: shown.collect(),
        result: status.map(|status| {
            let output = output(result, json);
            LogResult {
                status,
                exit: exit_code(&output.text),
                text: output.text.into(),
                end,
                title: title.map_or_else(String::new, |title| token(title, json).to_owned()),
                attachments: output.attachments,
                ..LogResult::default()
            }
        }),
        ..LogCall::default()
    }
}

/// The tokens of an answer: those of the cache are inside `input`, those of tools beside it, and those of
/// reasoning beside `output`.
fn token_counts(tokens: Node<'_>) -> TokenCounts {
    let names = ["input", "output", "cached", "thoughts", "tool"];
    let counts = pick(tokens, names).map(|count| number(count).unwrap_or_default());
    let [input, output, cached, thoughts, tool] = counts;
    TokenCounts {
        input: (input - cached).max(0.0) + tool,
        output,
        reasoning: thoughts,
        read: cached,
        write: 0.0,
        total: number(pick(tokens, ["total"])[0]),
    }
}

/// The lines that are not blank, without the white space around them, each with its offset.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let lines = ends.map(move |end| {
        let line = bytes.get(start..end).unwrap_or_default();
        let at = start + (line.len() - line.trim_ascii_start().len());
        start = end + 1;
        (at, line.trim_ascii())
    });
    lines.filter(|(_, line)| !line.is_empty())
}

/// Does the file have one record a line? Its first two lines show it: of a JSON object that is written over
/// several lines, neither is an object.
fn has_lines(bytes: &[u8]) -> bool {
    let mut tape = Tape::default();
    let mut is_object = |line: Option<(usize, &[u8])>| {
        line.is_some_and(|(_, line)| {
            line.first() == Some(&b'{') && tape.read(line, 0).is_ok_and(|end| end == line.len())
        })
    };
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return false;
    }
    let mut lines = lines(bytes);
    let (first, second) = (lines.next(), lines.next());
    second.is_some() && (is_object(first) || is_object(second))
}

impl TranscriptFormat for GeminiCli {
    const NAME: &'static str = NAME;
    const TITLE: &'static str = "Gemini CLI";
    const ENDINGS: &'static [&'static str] = &[".json", ".jsonl"];
    const INTERRUPTIONS: &'static [&'static str] = &[CANCELLED];
    const IDS: Ids = Ids::OpenCode;
    const IS_WHOLE: bool = true;

    fn detect(seen: &SeenFields) -> bool {
        seen.has_string("sessionId") && seen.has_string("projectHash")
    }

    fn run_file(path: &str, line: Option<Node<'_>>) -> Option<RunFile> {
        super::run_file::run_file(path, line?)
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(GeminiCli { log: SessionLog::new(NAME, "google") }))
    }
}

impl FormatReader for GeminiCli {
    fn record(&mut self, record: Record<'_>, _env: &mut Env<'_>) {
        let read;
        let mut records = GeminiRecords::default();
        if has_lines(record.json) {
            self.lines(&record, &mut records);
        } else {
            read = WholeJson::of_record(&record, &mut self.log);
            self.whole(&read, record.offset, &mut records);
        }
        records.keep_taken_back();
        let (in_force, rewound) = records.stretches();
        let root = self.log.root();
        self.stretch(root, &in_force);
        for (i, stretch) in rewound.iter().enumerate() {
            let branch = self.log.child(root, &format!("branch-{}", i + 1));
            if let Some(branch) = self.log.session(branch) {
                branch.kind = Some(SessionKind::Branch);
            }
            self.stretch(branch, stretch);
        }
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.loaded()
    }

    fn finish(mut self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.log.end();
        self.log.into_loaded()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
