//! What the entries of a session become: messages, parts, calls and their results.

use super::entry::PiEntry;
use super::sessions::{PiLine, PiSession, PiSessions, StoppedAnswer};
use crate::arguments::arguments;
use crate::fields::{any_string, get, is_true, items, number, of_kind, pick, raw, string, token};
use crate::log::log_call::{LogCall, LogResult, LogStatus};
use crate::log::log_message::LogRole;
use crate::log::log_part::{LogFields, LogPart};
use crate::prepared_search::PreparedSearch;
use crate::token_counts::TokenCounts;
use apex_parts_json::tape::{Node, unescape};
use apex_parts_json::writer::{escape, object};
use apex_parts_model::{Kind, View};

/// An entry of a session.
#[derive(Clone, Copy)]
struct EntryOf<'a> {
    place: PiSession,
    entry: &'a PiEntry,
    json: &'a str,
    id: &'a str,
}

/// Who put a text into a message, and whether the user sees it.
#[derive(Clone, Copy)]
struct TextMarks {
    synthetic: bool,
    ignored: bool,
}

const PLAIN: TextMarks = TextMarks { synthetic: false, ignored: false };
const SYNTHETIC: TextMarks = TextMarks { synthetic: true, ignored: false };

impl PiSessions {
    /// Reads an entry.
    pub(super) fn entry(&mut self, place: PiSession, line: PiLine<'_>, root: Node<'_>) {
        let PiLine { entry, json, .. } = line;
        let names = ["type", "id", "message", "provider", "modelId", "content", "display"];
        let [kind, id, message, provider, model, content, display] = pick(root, names);
        let id = string(id).unwrap_or_default();
        let of = EntryOf { place, entry, json, id: &id };
        match &*string(kind).unwrap_or_default() {
            "message" => {
                if let Some(message) = of_kind(message, Kind::Object) {
                    self.message(of, message);
                }
            }
            "model_change" => self.model(place.session, provider, model),
            "compaction" => self.compaction(of, root),
            "branch_summary" => self.summary(of, root),
            "custom_message" => {
                let ignored = of_kind(display, Kind::False).is_some();
                self.user(of, content, TextMarks { ignored, ..SYNTHETIC });
            }
            _ => {}
        }
    }

    fn message(&mut self, of: EntryOf<'_>, message: Node<'_>) {
        let [role, content] = pick(message, ["role", "content"]);
        match &*string(role).unwrap_or_default() {
            "user" => self.user(of, content, PLAIN),
            "assistant" => self.answer(of, message, content),
            "toolResult" => self.result(of, message, content),
            "bashExecution" => self.own_command(of, message),
            "custom" | "hookMessage" => self.user(of, content, SYNTHETIC),
            "branchSummary" => self.summary(of, message),
            "compactionSummary" => self.compaction(of, message),
            "system" | "developer" => {
                let text = ResultContent::read(content, of.json).text;
                self.log.system(of.place.session, &text);
            }
            _ => {}
        }
    }

    /// The model that is used from here on.
    fn model(&mut self, session: usize, provider: Option<Node<'_>>, model: Option<Node<'_>>) {
        let Some(session) = self.log.session(session) else { return };
        if let Some(provider) = string(provider) {
            session.provider.set(&provider);
        }
        if let Some(model) = string(model) {
            session.model.set(&model);
        }
    }

    fn begin_user(&mut self, of: EntryOf<'_>) -> usize {
        self.log.begin(of.place.session, LogRole::User, of.id, of.entry.at)
    }

    fn user(&mut self, of: EntryOf<'_>, content: Option<Node<'_>>, marks: TextMarks) {
        let message = self.begin_user(of);
        if let Some(text) = any_string(content) {
            return self.text(message, of, text, marks);
        }
        for item in items(content) {
            self.item(message, of, item, marks);
        }
    }

    fn text(&mut self, message: usize, of: EntryOf<'_>, text: Node<'_>, marks: TextMarks) {
        let TextMarks { synthetic, ignored } = marks;
        let part = LogPart::text(token(text, of.json), of.entry.at);
        self.log.part(message, LogPart { synthetic, ignored, ..part });
    }

    /// A text, an image, or a custom part that keeps anything else.
    fn item(&mut self, message: usize, of: EntryOf<'_>, item: Node<'_>, marks: TextMarks) {
        if let Some(text) = text_of(item) {
            return self.text(message, of, text, marks);
        }
        let part = image(item, of.json).unwrap_or_else(|| custom(item, of.json));
        self.log.part(message, part);
    }

    /// A summary of a branch that was left.
    fn summary(&mut self, of: EntryOf<'_>, from: Node<'_>) {
        let message = self.begin_user(of);
        if let Some(summary) = any_string(get(Some(from), "summary")) {
            self.text(message, of, summary, SYNTHETIC);
        }
    }

    fn compaction(&mut self, of: EntryOf<'_>, from: Node<'_>) {
        let [summary, tokens] = pick(from, ["summary", "tokensBefore"]);
        let (session, at) = (of.place.session, of.entry.at);
        let summary = summary.map_or("", |summary| token(summary, of.json));
        self.log.compaction(session, of.id, at, (true, number(tokens)), summary);
    }

    fn answer(&mut self, of: EntryOf<'_>, message: Node<'_>, content: Option<Node<'_>>) {
        let names = ["provider", "model", "usage", "stopReason", "errorMessage"];
        let [provider, model, usage, stop, error] = pick(message, names);
        let session = of.place.session;
        self.model(session, provider, model);
        let answer = self.log.begin(session, LogRole::Assistant, of.id, of.entry.began);
        self.log.touch(session, answer, of.entry.at);
        let stop = string(stop).unwrap_or_default();
        if let Some(answer) = self.log.message(answer) {
            answer.completed = Some(of.entry.at);
            answer.finish = if stop == "toolUse" { "tool-calls" } else { &stop }.to_owned();
            answer.tokens = of_kind(usage, Kind::Object).map(tokens);
            answer.cost = number(get(get(usage, "cost"), "total")).unwrap_or(0.0);
        }
        if let Some(text) = any_string(content) {
            self.text(answer, of, text, PLAIN);
        }
        for item in items(content) {
            self.answer_item(answer, of, item);
        }
        let name = match &*stop {
            "error" => "UnknownError",
            "aborted" => "MessageAbortedError",
            _ => return,
        };
        let told = error.map_or("", |error| token(error, of.json));
        self.log.fail(session, name, if told.is_empty() { &stop } else { told });
        let (reason, at) = (told.to_owned(), of.entry.at);
        self.stopped.push(StoppedAnswer { message: answer, reason, at });
    }

    fn answer_item(&mut self, answer: usize, of: EntryOf<'_>, item: Node<'_>) {
        let names = ["type", "thinking", "thinkingSignature", "id", "name", "arguments"];
        let [kind, thinking, signature, id, name, given] = pick(item, names);
        let at = of.entry.at;
        match &*string(kind).unwrap_or_default() {
            "thinking" => {
                let raw_text = thinking.map_or("", |thinking| token(thinking, of.json));
                let signature = signature.filter(|signature| !signature.kind().is_nullish());
                let field = |value| ("signature".into(), raw(value, of.json).into());
                let metadata = signature.map(field).into_iter().collect();
                self.log.part(answer, LogPart::reasoning(raw_text, at, &metadata));
            }
            "toolCall" => {
                let call = LogCall {
                    call_id: string(id).unwrap_or_default().into_owned(),
                    tool: string(name).unwrap_or_default().into_owned(),
                    input: arguments(given, of.json),
                    start: at,
                    ..LogCall::default()
                };
                self.log.call(of.place.session, answer, call);
            }
            _ => self.item(answer, of, item, PLAIN),
        }
    }

    /// The result of a call, which may be in the session that this one branches off from.
    fn result(&mut self, of: EntryOf<'_>, message: Node<'_>, content: Option<Node<'_>>) {
        let names = ["toolCallId", "toolName", "isError", "details"];
        let [call_id, tool, is_error, details] = pick(message, names);
        let call_id = string(call_id).unwrap_or_default();
        let PiSession { session, of: before } = of.place;
        let has_call = |session: &usize| self.log.message_of(*session, &call_id).is_some();
        let session =
            [Some(session), before].into_iter().flatten().find(has_call).unwrap_or(session);
        let said = ResultContent::read(content, of.json);
        let details = details.filter(|details| !details.kind().is_nullish());
        let metadata = details.map(|details| ("details".into(), raw(details, of.json).into()));
        let result = LogResult {
            status: if is_true(is_error) { LogStatus::Failed } else { LogStatus::Completed },
            exit: exit(&said.text),
            text: said.text.into(),
            end: of.entry.at,
            metadata: metadata.into_iter().collect(),
            attachments: said.files,
            others: said.others,
            ..LogResult::default()
        };
        let tool = string(tool);
        self.log.result(session, &call_id, tool.as_deref(), result, of.entry.offset);
    }

    /// A command that the user ran.
    fn own_command(&mut self, of: EntryOf<'_>, message: Node<'_>) {
        let names = ["command", "output", "exitCode", "cancelled", "truncated", "fullOutputPath"];
        let [command, output, code, cancelled, truncated, path] = pick(message, names);
        let user = self.begin_user(of);
        let mut input = String::new();
        object(&mut input, |input| {
            if let Some(command) = any_string(command) {
                input.key("command").push_str(raw(command, of.json));
            }
        });
        let kept = |name: &'static str, value| (name.into(), raw(value, of.json).into());
        let mut metadata: LogFields = Vec::new();
        metadata.extend(truncated.filter(|_| is_true(truncated)).map(|v| kept("truncated", v)));
        metadata.extend(any_string(path).map(|v| kept("fullOutputPath", v)));
        let output = any_string(output);
        let mut text = output.map_or("", |output| token(output, of.json));
        let is_cancelled = is_true(cancelled);
        if is_cancelled && !std::mem::take(&mut text).is_empty() {
            // The output is no reason.
            metadata.extend(output.map(|output| kept("output", output)));
        }
        let result = LogResult {
            status: if is_cancelled { LogStatus::Aborted } else { LogStatus::Completed },
            text: text.into(),
            end: of.entry.at,
            exit: number(code).and_then(whole),
            metadata,
            ..LogResult::default()
        };
        let call = LogCall {
            tool: "bash".to_owned(),
            input: input.into(),
            start: of.entry.at,
            result: Some(result),
            ..LogCall::default()
        };
        self.log.call(of.place.session, user, call);
    }
}

/// The content of a result.
#[derive(Default)]
struct ResultContent {
    /// Its texts, joined by line breaks; raw.
    text: String,
    files: Vec<LogPart>,
    /// What is neither a text nor an image.
    others: Vec<LogPart>,
}

impl ResultContent {
    fn read(content: Option<Node<'_>>, json: &str) -> ResultContent {
        let mut all = ResultContent::default();
        let Some(content) = content.filter(|content| !content.kind().is_nullish()) else {
            return all;
        };
        match content.kind() {
            Kind::String | Kind::EmptyString => token(content, json).clone_into(&mut all.text),
            Kind::Array => all.items(content, json),
            _ => escape(&mut all.text, raw(content, json)),
        }
        all
    }

    fn items(&mut self, content: Node<'_>, json: &str) {
        let mut is_first = true;
        for item in items(Some(content)) {
            if let Some(text) = text_of(item) {
                if !std::mem::take(&mut is_first) {
                    self.text.push_str("\\n");
                }
                self.text.push_str(token(text, json));
            } else if let Some(file) = image(item, json) {
                self.files.push(file);
            } else {
                self.others.push(custom(item, json));
            }
        }
    }
}

/// The text of a content item that is one.
fn text_of(item: Node<'_>) -> Option<Node<'_>> {
    if item.kind().is_string() {
        return Some(item);
    }
    let [kind, text] = pick(item, ["type", "text"]);
    string(kind).filter(|kind| kind == "text").and_then(|_| any_string(text))
}

/// The image that a content item is.
fn image(item: Node<'_>, json: &str) -> Option<LogPart> {
    let [kind, data, mime] = pick(item, ["type", "data", "mimeType"]);
    string(kind).filter(|kind| kind == "image")?;
    let data = token(of_kind(data, Kind::String)?, json);
    let mime = string(mime);
    if data.starts_with("data:") {
        return Some(LogPart::file_at(data, mime.as_deref(), "image/*", None));
    }
    Some(LogPart::file_of(data, mime.as_deref().unwrap_or("image/*"), None))
}

/// The custom part that keeps a content item.
fn custom(item: Node<'_>, json: &str) -> LogPart {
    let kind = string(get(Some(item), "type"));
    let kind = kind.as_deref().unwrap_or("item");
    LogPart::custom(format!("pi-{kind}"), "item", raw(item, json))
}

/// The tokens of a step, which pi counts apart.
fn tokens(usage: Node<'_>) -> TokenCounts {
    let names = ["input", "output", "cacheRead", "cacheWrite", "totalTokens"];
    let [input, output, read, write, total] = pick(usage, names).map(number);
    let count = |tokens: Option<f64>| tokens.unwrap_or(0.0);
    TokenCounts {
        input: count(input),
        output: count(output),
        reasoning: 0.0,
        read: count(read),
        write: count(write),
        total,
    }
}

/// A number without a fraction.
fn whole(number: f64) -> Option<i64> {
    let is_whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
    #[allow(clippy::cast_possible_truncation)] // it is whole and small
    is_whole.then_some(number as i64)
}

/// The exit code that the last line of an output (raw) says.
fn exit(raw: &str) -> Option<i64> {
    const SAYS: &str = "Command exited with code ";
    static SEARCH: PreparedSearch = PreparedSearch::new(SAYS);
    if !SEARCH.is_in(raw) {
        return None;
    }
    let text = unescape(raw.as_bytes());
    let last = text.trim_end().lines().next_back()?;
    last.strip_prefix(SAYS)?.parse().ok()
}
