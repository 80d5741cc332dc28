//! AG-UI: the events that an agent sends to a user interface, `RUN_STARTED` … `RUN_FINISHED`.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{text_piece, type_of};
use crate::providers::failure;
use crate::providers::output::{
    append_meta, emit, place_meta, set_meta, set_meta_except, unknown_object, wrong,
};
use crate::providers::phase::StreamPhase;
use crate::providers::usage::count;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, object_of, state};
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, ReaderOutput, Usage};
use serde_json::Value;
use std::borrow::Cow;

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct AgUi {
    phase: StreamPhase,
    run: String,
    /// The message of the last chunk.
    message: String,
    /// The messages that are not the model's.
    others: Numbering,
    /// The call of the last chunk.
    call: String,
    /// The calls that are open; 1 if its chunks end it.
    open: Numbering,
    /// The calls without a result.
    unanswered: Numbering,
    /// The sub-agents that were named.
    agents: Numbering,
}

state!(AgUi { phase, run, message, others, call, open, unanswered, agents });

/// The kinds of events, but for the older ones, which begin with `THINKING_`.
const KINDS: &[&str] = &[
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_RESULT",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "MESSAGES_SNAPSHOT",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "RAW",
    "CUSTOM",
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "STEP_STARTED",
    "STEP_FINISHED",
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_END",
    "REASONING_ENCRYPTED_VALUE",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "SUBAGENT_ERROR",
];

fn is_kind(kind: &str) -> bool {
    KINDS.contains(&kind) || kind.starts_with("THINKING_")
}

/// The fields of an event that begins or ends a run that are read.
const OWN_OF_RUN: &[&str] = &["type", "runId", "input", "usage", "rawEvent", "code", "message"];
/// Those of the events of messages and calls.
const OWN: &[&str] = &[
    "type",
    "messageId",
    "role",
    "delta",
    "toolCallId",
    "toolCallName",
    "parentMessageId",
    "timestamp",
    "rawEvent",
];

impl AgUi {
    fn start(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let run = root.get("runId").text();
        // W-71: what came before belongs to the run, unless it has ended or named another id.
        let is_other = !run.is_empty() && !self.run.is_empty() && run != self.run;
        if self.phase == StreamPhase::Open && !is_other {
            if self.run.is_empty() && !run.is_empty() {
                (*run).clone_into(&mut self.run);
                out(ReaderOutput::Ids { model_id: "".into(), request_id: run });
            }
            return;
        }
        *self = AgUi { phase: StreamPhase::Open, run: run.clone().into_owned(), ..AgUi::default() };
        emit(out, Payload::Start { model_id: "".into(), request_id: run });
    }

    /// Notes whose message a `messageId` is; false if it is not the model's.
    fn is_of_model(&mut self, id: Val<'_>, role: Val<'_>) -> bool {
        if id.piece().is_some() {
            self.message = id.text().into_owned();
        }
        if role.is_string() && !matches!(&*role.text(), "assistant" | "reasoning") {
            self.others.insert(self.message.clone(), 0);
        }
        !self.others.contains_key(&self.message)
    }

    fn call_start(&mut self, root: Val<'_>, by_chunks: bool, out: &mut Sink<'_>) {
        let [id, name] = root.fields(&["toolCallId", "toolCallName"]);
        let id = id.text().into_owned();
        emit(
            out,
            Payload::ToolCallStart { id: id.as_str().into(), name: name.text(), provider: None },
        );
        self.open.insert(id.clone(), u64::from(by_chunks));
        self.unanswered.insert(id.clone(), 0);
        self.call = id;
    }

    fn args(&mut self, id: &str, delta: Val<'_>, out: &mut Sink<'_>) {
        let Some(text) = text_piece(delta, "delta", out) else { return };
        if self.open.contains_key(id) {
            emit(out, Payload::ToolCallArgs { id: id.into(), text });
        } else {
            wrong(out, format!("arguments of the call {id:?}, which is not open"));
        }
    }

    fn call(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let id = root.get("toolCallId").text();
        match kind {
            "TOOL_CALL_START" => self.call_start(root, false, out),
            "TOOL_CALL_ARGS" => self.args(&id, root.get("delta"), out),
            "TOOL_CALL_END" => {
                if self.open.remove(&*id).is_some() {
                    emit(out, Payload::ToolCallEnd { id, provider: None });
                }
            }
            "TOOL_CALL_CHUNK" => {
                let is_new = !id.is_empty() && *id != *self.call;
                if is_new {
                    self.end_chunks(out);
                    self.call_start(root, true, out);
                }
                let id = self.call.clone();
                self.args(&id, root.get("delta"), out);
            }
            _ => {
                self.unanswered.remove(&*id);
                let content = root.get("content").json().into();
                out(ReaderOutput::ToolResult { id, is_error: false, content, provider: None });
            }
        }
    }

    /// Ends the calls that came in chunks.
    fn end_chunks(&mut self, out: &mut Sink<'_>) {
        let ended: Vec<_> = self
            .open
            .iter()
            .filter(|(_, chunks)| **chunks == 1)
            .map(|(id, _)| id.clone())
            .collect();
        for id in ended {
            self.open.remove(&id);
            emit(out, Payload::ToolCallEnd { id: id.into(), provider: None });
        }
    }

    fn finish(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.end_chunks(out);
        usage(root.get("usage"), out);
        set_meta_except(out, root, OWN_OF_RUN);
        let outcome = root.get("outcome");
        let outcome = outcome.str().or_else(|| outcome.get("type").str()).unwrap_or_default();
        let finish = match &*outcome {
            "interrupt" | "cancelled" => "other",
            _ if !self.unanswered.is_empty() => "tool-calls",
            _ => "stop",
        };
        self.phase = StreamPhase::Ended;
        emit(out, Payload::Done { finish_reason: finish.into() });
    }

    /// Notes a sub-agent, whose events are left out; false if the event is of none.
    fn is_of_agent(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) -> bool {
        let id = root.get("subagentRunId");
        if id.piece().is_none() {
            return kind.starts_with("SUBAGENT_");
        }
        let id = id.text();
        if !self.agents.contains_key(&*id) {
            append_meta(out, "subagents", Value::from(&*id));
            self.agents.insert(id.into_owned(), 0);
        }
        true
    }
}

/// Emits the sum of the usage of models.
fn usage(list: Val<'_>, out: &mut Sink<'_>) {
    let mut sum = Usage::default();
    let mut is_any = false;
    let add = |to: &mut Option<f64>, more: Option<f64>| {
        if let Some(more) = more {
            *to = Some((to.unwrap_or_default() + more).min(f64::MAX));
        }
    };
    for one in list.items() {
        let names = &[
            "inputTokens",
            "outputTokens",
            "totalTokens",
            "reasoningTokens",
            "cachedInputTokens",
            "cacheWriteInputTokens",
        ];
        let [input, output, total, reasoning, cache_read, cache_write] =
            one.fields(names).map(count);
        is_any |= input.is_some() || output.is_some();
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        sum.input = (sum.input + input).min(f64::MAX);
        sum.output = (sum.output + output).min(f64::MAX);
        sum.total = (sum.total + total.unwrap_or(input + output)).min(f64::MAX);
        add(&mut sum.reasoning, reasoning);
        add(&mut sum.cache_read, cache_read);
        add(&mut sum.cache_write, cache_write);
    }
    if is_any {
        emit(out, Payload::Usage(sum));
        set_meta(out, "usage", list.value());
    }
}

impl ProviderFormat for AgUi {
    const NAME: &'static str = "ag-ui";
    const TITLE: &'static str = "AG-UI";
    const HOLDS_RESULTS: bool = true;
    const IS_TYPED: bool = true;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        clues.kind.filter(|kind| is_kind(kind)).map(|_| Evidence::Type)
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || self.open.values().any(|by_chunks| *by_chunks == 1) {
            return false;
        }
        let names = ["type", "messageId", "toolCallId", "delta"];
        let ignored = &["timestamp", "rawEvent"];
        let Some([kind, message, call, delta]) = record::only_fields(json, names, ignored) else {
            return false;
        };
        if !delta.is_string_or_none() {
            return false;
        }
        match kind.token() {
            "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" => {
                let is_of_model = self.is_of_model(message, Val::default());
                if let Some(piece) = delta.piece().filter(|_| is_of_model) {
                    let is_text = kind.token().starts_with("TEXT_");
                    emit(
                        out,
                        if is_text { Payload::Text(piece) } else { Payload::Thinking(piece) },
                    );
                }
                true
            }
            "TOOL_CALL_ARGS" => {
                self.args(&call.text(), delta, out);
                true
            }
            _ => false,
        }
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        type_of(event, root).map(drop)
    }

    fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
        let is_error = type_of(event, root).is_ok_and(|kind| kind == "RUN_ERROR");
        if is_error { Some(root) } else { failure::error_of(event, root, true) }
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let Ok(kind) = type_of(event, root) else { return };
        if kind == "RUN_STARTED" {
            self.start(root, out);
            return set_meta_except(out, root, OWN_OF_RUN);
        }
        match self.phase {
            StreamPhase::Ended => return,
            // A recording that lacks its first records.
            StreamPhase::Before => self.start(Val::default(), out),
            StreamPhase::Open => {}
        }
        if self.is_of_agent(&kind, root, out) {
            return;
        }
        if kind != "TOOL_CALL_CHUNK" {
            self.end_chunks(out);
        }
        let is_message = kind.starts_with("TEXT_MESSAGE_")
            || kind.starts_with("REASONING_MESSAGE_")
            || kind.starts_with("THINKING_TEXT_MESSAGE_");
        match &*kind {
            _ if is_message => {
                let [id, role] = root.fields(&["messageId", "role"]);
                let is_of_model = self.is_of_model(id, role);
                let piece = text_piece(root.get("delta"), "delta", out);
                if let Some(piece) = piece.filter(|_| is_of_model) {
                    let is_text = kind.starts_with("TEXT_");
                    emit(
                        out,
                        if is_text { Payload::Text(piece) } else { Payload::Thinking(piece) },
                    );
                }
                unknown(&kind, root, out);
            }
            _ if kind.starts_with("TOOL_CALL_") => {
                self.call(&kind, root, out);
                if kind != "TOOL_CALL_RESULT" {
                    unknown(&kind, root, out);
                }
            }
            "REASONING_ENCRYPTED_VALUE" => {
                let [kind, id, value] = root.fields(&["subtype", "entityId", "encryptedValue"]);
                let fields = [("subtype", kind), ("id", id), ("encryptedValue", value)];
                let fields = fields.into_iter().filter(|(_, value)| value.exists());
                let fields = fields.map(|(name, value)| (name.to_owned(), value.value()));
                place_meta(out, "reasoning", object_of(fields));
            }
            "STATE_SNAPSHOT" => set_meta(out, "state", root.get("snapshot").value()),
            "MESSAGES_SNAPSHOT" => set_meta(out, "messages", root.get("messages").value()),
            "STATE_DELTA" => append_meta(out, "stateDeltas", root.get("delta").value()),
            "ACTIVITY_SNAPSHOT" | "ACTIVITY_DELTA" => append_meta(out, "activities", root.value()),
            "CUSTOM" => append_meta(out, "custom", root.value()),
            "RUN_FINISHED" => self.finish(root, out),
            _ if is_kind(&kind) => {}
            _ => append_meta(out, "events", root.value()),
        }
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            self.start(root, out);
        }
        usage(root.get("usage"), out);
        self.phase = StreamPhase::Ended;
    }

    fn failed_id(&self) -> &str {
        &self.run
    }

    fn begins(event: &str, root: Val<'_>, _failed: &str) -> bool {
        type_of(event, root).is_ok_and(|kind: Cow<'_, str>| kind == "RUN_STARTED")
    }

    fn end(&mut self, _out: &mut Sink<'_>) {}
}

/// Keeps the fields of an event that are not known.
fn unknown(kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
    let mut more = unknown_object(root, OWN);
    if !more.is_empty() {
        more.insert("type".to_owned(), kind.into());
        place_meta(out, "deltas", more);
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
