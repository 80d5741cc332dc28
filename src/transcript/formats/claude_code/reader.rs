//! claude-code: sessions of Claude Code, one JSON object per line.
//!
//! - **Messages.** Lines with the same `message.id` are one message of the assistant. Its usage is that
//!   of the last line, which is complete. A user's line is a message, unless it has nothing but results
//!   of tools, which are added to their calls.
//! - **Parts.** `text` → text, `thinking` → reasoning (its signature in `metadata`), `tool_use` →
//!   tool, `image` and `document` → file; blocks of other types are kept as custom parts `claude-TYPE`
//!   with the block under `block`. An answer gets a step-start and a step-finish around its parts,
//!   because cost and tokens are summed from the latter. The cost is `costUSD`, which old versions
//!   wrote, otherwise 0. A tool runs from the line of its call to that of its result; `toolUseResult`
//!   is in the state's `metadata`.
//! - **Marks.** Text of `isMeta` lines and the summary after a compaction are `synthetic`. A
//!   `compact_boundary` is a user's message with a compaction part. An `isApiErrorMessage` has an
//!   `error`. `summary` lines are the session's title. Lines of other types are not read.
//! - **Ids** are those of the file, so that they can be found there: `sessionId`, `message.id`, `uuid`,
//!   and for parts that of the message with a number after it. They get no prefix: with
//!   `ids: "opencode"`, this format's default, any id is valid.
//! - **Sidechains** are sessions of their own whose parent is the session: one per `agentId` or,
//!   without one, per chain of `parentUuid`s, with the first `uuid` as its id.
//!
//! Fields that the file lacks are filled in so that messages are valid: `agent` is `claude-code`,
//! `providerID` `anthropic`, `parentID` the last message of the user. The session's `info` is built from
//! its lines in OpenCode's form.

use crate::json::tape::{Node, Tape};
use crate::json::writer::object;
use crate::model::time;
use crate::model::{Kind, View};
use crate::transcript::formats::builder;
use crate::transcript::formats::builder::{raw_string, text_part};
use crate::transcript::formats::claude_code::blocks::{
    ClaudeLine, custom_part, file_part, reasoning_part, result_content, tokens,
};
use crate::transcript::formats::claude_code::sessions::ClaudeSessions;
use crate::transcript::formats::conversation::{
    Conversation, FormatNames, Joined, NewCall, PendingMessage, PendingResult,
};
use crate::transcript::formats::fields::{
    get, is_true, items, number, of_kind, pick, raw, string, text, token,
};
use crate::transcript::formats::opencode_run::read;
use crate::transcript::formats::reader::{Env, FormatReader, LoadedSessions, Record};
use crate::transcript::formats::seen_fields::SeenFields;
use crate::transcript::formats::transcript_format::TranscriptFormat;
use crate::validate::Ids;
use std::collections::BTreeMap;

/// Reads the format `claude-code`.
#[derive(Debug, Default)]
pub(crate) struct ClaudeCode {
    tape: Tape,
    sessions: ClaudeSessions,
    /// The assistant's messages by session and `message.id`.
    answers: BTreeMap<(usize, Box<str>), usize>,
    talk: Conversation,
    last_time: Option<f64>,
}

impl ClaudeCode {
    fn take(&mut self, json: &str, root: Node<'_>, offset: u64, env: &Env<'_>) {
        let [kind, uuid, timestamp, message] = pick(root, ["type", "uuid", "timestamp", "message"]);
        let Some(kind) = string(kind) else {
            self.talk.problems.error("schema", "a line without `type`; skipped", offset);
            return;
        };
        if let "summary" | "custom-title" | "ai-title" = &*kind {
            self.sessions.title(root);
            return;
        }
        let boundary = kind == "system"
            && string(get(Some(root), "subtype")).is_some_and(|s| s == "compact_boundary");
        if !boundary && !matches!(&*kind, "user" | "assistant") {
            return;
        }
        let uuid = string(uuid);
        if let Some(uuid) = &uuid
            && self.sessions.has(uuid)
        {
            return; // a resumed session repeats the lines of the one before
        }
        #[allow(clippy::cast_precision_loss)] // milliseconds of this era are exact
        let at = string(timestamp).and_then(|t| time::parse(&t)).map(|ms| ms as f64);
        let at = at.or(self.last_time).unwrap_or(env.now_ms);
        self.last_time = Some(at);
        let id = uuid.as_ref().map_or_else(|| format!("line_{offset}"), ToString::to_string);
        let session = self.sessions.of(root, &id, at);
        let line = ClaudeLine { json, root, id, at, session, offset };
        if boundary {
            self.boundary(&line);
            return;
        }
        let Some(message) = of_kind(message, Kind::Object) else {
            self.talk.problems.error("schema", "a line without `message`; skipped", offset);
            return;
        };
        if kind == "assistant" {
            self.assistant(&line, message);
        } else {
            self.user(&line, message);
        }
    }

    fn user_turn(&mut self, line: &ClaudeLine<'_>) -> usize {
        self.talk.begin(PendingMessage {
            session: line.session,
            id: line.id.clone(),
            is_user: true,
            created: line.at,
            ..PendingMessage::default()
        })
    }

    /// The id of the next part of a message: the message's id and a number, so that ids sort as the parts stand.
    fn part_id(&self, turn: usize, message: &str) -> String {
        format!("{message}_{:05}", self.talk.len_of(turn) + 1)
    }

    fn boundary(&mut self, line: &ClaudeLine<'_>) {
        let trigger = string(get(get(Some(line.root), "compactMetadata"), "trigger"));
        let auto = trigger.is_none_or(|trigger| trigger != "manual");
        let turn = self.user_turn(line);
        self.compaction(turn, line, auto);
        self.sessions.set_compacted(line.session, true);
    }

    fn compaction(&mut self, turn: usize, line: &ClaudeLine<'_>, auto: bool) {
        let mut json = String::new();
        object(&mut json, |part| {
            let id = self.part_id(turn, &line.id);
            builder::base(part, &id, self.sessions.id(line.session), &line.id, "compaction");
            part.bool("auto", auto);
        });
        self.talk.part(turn, json);
    }

    fn user(&mut self, line: &ClaudeLine<'_>, message: Node<'_>) {
        let [meta, summary, outcome] =
            pick(line.root, ["isMeta", "isCompactSummary", "toolUseResult"]);
        let synthetic = is_true(meta) || is_true(summary);
        let content = get(Some(message), "content");
        let mut turn = None;
        let compacted = self.sessions.set_compacted(line.session, false);
        if is_true(summary) && !compacted {
            let index = self.user_turn(line);
            self.compaction(index, line, true);
            turn = Some(index);
        }
        if let Some(text) = content.filter(|c| c.kind().is_string()) {
            let turn = turn.unwrap_or_else(|| self.user_turn(line));
            self.text(turn, line, &line.id, token(text, line.json), synthetic);
            return;
        }
        let mut outcome = outcome.filter(|o| !o.kind().is_nullish());
        for block in items(content) {
            let kind = string(get(Some(block), "type")).unwrap_or_default();
            if kind.ends_with("tool_result") {
                if let Some(lost) = self.result(line, block, outcome.take()) {
                    let turn = *turn.get_or_insert_with(|| self.user_turn(line));
                    self.text(turn, line, &line.id, &lost, true);
                }
                continue;
            }
            let turn = *turn.get_or_insert_with(|| self.user_turn(line));
            match &*kind {
                "text" => {
                    let raw = get(Some(block), "text").map_or("", |text| token(text, line.json));
                    self.text(turn, line, &line.id, raw, synthetic);
                }
                _ => self.other(turn, line, &line.id, block, &kind),
            }
        }
    }

    fn text(
        &mut self,
        turn: usize,
        line: &ClaudeLine<'_>,
        message: &str,
        raw: &str,
        synthetic: bool,
    ) {
        let id = self.part_id(turn, message);
        let session = self.sessions.id(line.session);
        let json = text_part(
            |part| builder::base(part, &id, session, message, "text"),
            raw,
            |part| {
                if synthetic {
                    part.bool("synthetic", true);
                }
                builder::time(part, line.at, Some(line.at));
            },
        );
        self.talk.part(turn, json);
    }

    /// Adds a file part, or a custom part for a block that the model does not have.
    fn other(
        &mut self,
        turn: usize,
        line: &ClaudeLine<'_>,
        message: &str,
        block: Node<'_>,
        kind: &str,
    ) {
        let id = self.part_id(turn, message);
        let session = self.sessions.id(line.session);
        let json = file_part(&id, session, message, block, line.json)
            .unwrap_or_else(|| custom_part((session, message, &id), block, kind, line.json));
        self.talk.part(turn, json);
    }

    /// Adds a result to its call; if that is not possible, its raw output is returned.
    fn result(
        &mut self,
        line: &ClaudeLine<'_>,
        block: Node<'_>,
        outcome: Option<Node<'_>>,
    ) -> Option<String> {
        let [call_id, content, is_error] = pick(block, ["tool_use_id", "content", "is_error"]);
        let call_id = string(call_id).unwrap_or_default();
        let mut result =
            PendingResult { is_error: is_true(is_error), end: line.at, ..PendingResult::default() };
        let found = self.talk.find(&call_id);
        let of = found.map_or(("", ""), |(turn, part)| (turn.id.as_str(), part));
        let session = found.map_or(line.session, |(turn, _)| turn.session);
        result_content(content, line.json, (self.sessions.id(session), of.0, of.1), &mut result);
        if let Some(outcome) = outcome {
            object(&mut result.metadata, |metadata| {
                metadata.key("toolUseResult").push_str(raw(outcome, line.json));
            });
        }
        let (joined, lost) = self.talk.result(&call_id, result);
        let what = match joined {
            Joined::Yes => return None,
            Joined::NoCall => "a result without its call; it is shown as text",
            Joined::Again => "a second result of a call; it is shown as text",
        };
        self.talk.problems.warning("claude-code", what, line.offset);
        lost
    }

    fn assistant(&mut self, line: &ClaudeLine<'_>, message: Node<'_>) {
        let names = ["id", "model", "content", "stop_reason", "usage"];
        let [id, model, content, stop, usage] = pick(message, names);
        let [cost, failed, cwd] = pick(line.root, ["costUSD", "isApiErrorMessage", "cwd"]);
        self.sessions.set_compacted(line.session, false);
        let id = string(id).unwrap_or_else(|| line.id.as_str().into());
        let key = (line.session, Box::from(id.as_ref()));
        let turn = match self.answers.get(&key) {
            Some(turn) => *turn,
            None => {
                let turn = self.talk.begin(PendingMessage {
                    session: line.session,
                    id: id.to_string(),
                    created: line.at,
                    last: line.at,
                    model: string(model).unwrap_or_default().into_owned(),
                    cwd: string(cwd).unwrap_or_default().into_owned(),
                    steps: (format!("{id}_00000"), format!("{id}_finish")),
                    ..PendingMessage::default()
                });
                self.answers.insert(key, turn);
                turn
            }
        };
        if let Some(turn) = self.talk.turn(turn) {
            turn.last = turn.last.max(line.at);
            if let Some(stop) = string(stop) {
                turn.finish = stop.into_owned();
            }
            if let Some(usage) = of_kind(usage, Kind::Object) {
                turn.tokens = tokens(usage);
            }
            if let Some(cost) = number(cost) {
                turn.cost = cost;
            }
        }
        if let Some(text) = content.filter(|c| c.kind().is_string()) {
            self.text(turn, line, &id, token(text, line.json), false);
        }
        for block in items(content) {
            self.block(turn, line, &id, block);
        }
        if is_true(failed) {
            let said = items(content).find_map(|block| get(Some(block), "text"));
            let said = said.map_or("", |text| token(text, line.json));
            if let Some(turn) = self.talk.turn(turn) {
                turn.error.clear();
                object(&mut turn.error, |error| {
                    error.string("name", "APIError").object("data", |data| {
                        raw_string(data.key("message"), said);
                        data.bool("isRetryable", false);
                    });
                });
            }
        }
    }

    fn block(&mut self, turn: usize, line: &ClaudeLine<'_>, message: &str, block: Node<'_>) {
        let names = ["type", "text", "thinking", "signature", "data", "id", "name", "input"];
        let [kind, said, thinking, signature, data, id, name, input] = pick(block, names);
        let kind = string(kind).unwrap_or_default();
        match &*kind {
            "text" => {
                let raw = said.map_or("", |text| token(text, line.json));
                self.text(turn, line, message, raw, false);
            }
            "thinking" | "redacted_thinking" => {
                let raw_text = thinking.map_or("", |text| token(text, line.json));
                let part = self.part_id(turn, message);
                let session = self.sessions.id(line.session);
                let about = [("signature", signature), ("redacted", data)];
                let ids = (session, message, part.as_str());
                let json = reasoning_part(ids, raw_text, about, line);
                self.talk.part(turn, json);
            }
            kind if kind.ends_with("tool_use") => {
                let part = self.part_id(turn, message);
                let mut metadata = String::new();
                if kind != "tool_use" {
                    object(&mut metadata, |metadata| {
                        metadata.bool("providerExecuted", true);
                    });
                }
                let call_id = string(id).unwrap_or_else(|| part.as_str().into()).into_owned();
                self.talk.call(
                    turn,
                    NewCall {
                        id: part,
                        call_id: &call_id,
                        tool: &string(name).unwrap_or_default(),
                        input: input.map_or("{}", |input| raw(input, line.json)),
                        metadata,
                        start: line.at,
                    },
                );
            }
            kind if kind.ends_with("tool_result") => {
                if let Some(lost) = self.result(line, block, None) {
                    self.text(turn, line, message, &lost, true);
                }
            }
            kind => self.other(turn, line, message, block, kind),
        }
    }
}

impl TranscriptFormat for ClaudeCode {
    const NAME: &'static str = "claude-code";
    const IDS: Ids = Ids::OpenCode;

    fn detect(seen: &SeenFields) -> bool {
        // No other format has these names.
        let own = ["parentUuid", "leafUuid", "isSidechain"];
        own.iter().any(|name| seen.has_any(name))
            || (seen.has_string("sessionId") && seen.has_string("uuid"))
            || seen.kind() == Some("file-history-snapshot")
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(ClaudeCode::default()))
    }
}

impl FormatReader for ClaudeCode {
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        let json = text(&record, &mut self.talk.problems);
        let mut tape = std::mem::take(&mut self.tape);
        if let Some(root) = read(&mut tape, &json, &mut self.talk.problems, &record) {
            self.take(&json, root, record.offset, env);
        }
        self.tape = tape;
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let names = FormatNames { provider: "anthropic", agent: "claude-code" };
        let messages = self.talk.write(&self.sessions.ids(), &names);
        LoadedSessions {
            sessions: self.sessions.loaded(messages),
            problems: self.talk.problems.clone().into_sorted(),
            ..LoadedSessions::default()
        }
    }

    fn finish(mut self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions {
        self.peek(length, env)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
