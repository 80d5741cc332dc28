//! Cohere's v2 chat: `message-start`, content, the plan and the calls in pieces, `message-end`.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::call_list::{CallList, RunBy};
use crate::providers::checks::{holds, must_object, text_piece, type_of};
use crate::providers::failure::{is_nothing, retryable};
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::output::{
    append_meta, emit, emit_args, place_meta, set_meta, set_meta_except, unknown_object, wrong,
};
use crate::providers::phase::StreamPhase;
use crate::providers::text_blocks::TextBlocks;
use crate::providers::usage::count;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_json::slots::Slots;
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, Payload, StreamError, Usage};
use serde_json::Value;
use std::borrow::Cow;

/// The types of records that only this format has.
const TYPES: &[&str] = &[
    "message-start",
    "content-start",
    "content-delta",
    "content-end",
    "tool-plan-delta",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "citation-start",
    "citation-end",
    "message-end",
];

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct Cohere {
    phase: StreamPhase,
    id: String,
    calls: CallList,
    /// The ids of the calls that are open, by their index.
    open: Slots<String>,
    /// The plan so far: it goes back as it came.
    plan: String,
    texts: TextBlocks,
}

state!(Cohere { phase, id, calls, open, plan, texts });

/// The fields of a message that are read.
const OWN_OF_MESSAGE: &[&str] = &["role", "content", "tool_plan", "tool_calls", "citations"];
/// Those of a record.
const OWN: &[&str] =
    &["type", "id", "index", "delta", "message", "finish_reason", "usage", "error"];

impl Cohere {
    fn start(&mut self, id: &str, out: &mut Sink<'_>) {
        self.flush(out);
        *self = Cohere {
            phase: StreamPhase::Open,
            id: id.to_owned(),
            calls: CallList::new(id),
            texts: TextBlocks::new(),
            ..Cohere::default()
        };
        emit(out, Payload::Start { model_id: "".into(), request_id: id.into() });
    }

    /// A piece of the message: of its content, its plan or its calls.
    fn content(&mut self, content: Val<'_>, index: Val<'_>, out: &mut Sink<'_>) {
        let [thinking, text] = content.fields(&["thinking", "text"]);
        if content.exists() && !holds(must_object(content, "content"), out) {
            return;
        }
        let at = index.index().unwrap_or_default();
        if let Some(piece) = text_piece(thinking, "thinking", out) {
            self.texts.text(at, BlockKind::Thinking, piece, out);
        }
        if let Some(piece) = text_piece(text, "text", out) {
            self.texts.text(at, BlockKind::Text, piece, out);
        }
        let mut more = unknown_object(content, &["type", "thinking", "text"]);
        if !more.is_empty() {
            more.insert("index".to_owned(), index.value());
            place_meta(out, "deltas", more);
        }
    }

    fn plan(&mut self, plan: Val<'_>, out: &mut Sink<'_>) {
        if let Some(piece) = plan.piece() {
            self.plan.push_str(&plan.text());
            self.texts.other();
            emit(out, Payload::Thinking(piece));
        }
    }

    /// Begins a call; returns its id.
    fn call(&mut self, call: Val<'_>, out: &mut Sink<'_>) -> Option<String> {
        let function = call.get("function");
        let [name, args] = function.fields(&["name", "arguments"]);
        if !name.is_string() {
            let what = name.describe();
            wrong(out, format!("the name of a call must be a string, but it is {what}"));
            return None;
        }
        let id = self.calls.start(&call.get("id").text(), &name.text(), RunBy::Client, out);
        self.texts.other();
        arguments(&id, args, out);
        let mut more = unknown_object(call, &["id", "type", "function"]);
        let of_function = unknown_object(function, &["name", "arguments"]);
        if !of_function.is_empty() {
            more.insert("function".to_owned(), Value::Object(of_function));
        }
        self.calls.keep(&id, more, out);
        Some(id)
    }

    fn finish(&mut self, end: Val<'_>, out: &mut Sink<'_>) {
        let [reason, usage, error] = end.fields(&["finish_reason", "usage", "error"]);
        self.usage(usage, out);
        self.flush(out);
        let reason = finish_of(reason);
        if let Some(reason) = &reason {
            set_meta(out, "rawFinishReason", Value::from(&**reason));
        }
        self.phase = StreamPhase::Ended;
        let word = finish_word(reason.as_deref(), self.calls.is_asked());
        if word == "error" && !is_nothing(error) {
            let code = reason.unwrap_or_default();
            let message = error.str().or_else(|| error.get("message").str());
            return emit(
                out,
                Payload::Error(Box::new(StreamError {
                    retryable: retryable(&code),
                    code,
                    message: message.or_else(|| Some(Cow::Owned(error.json()))),
                    details: error.is_object().then(|| error.json().into()),
                    ..StreamError::default()
                })),
            );
        }
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    fn usage(&mut self, usage: Val<'_>, out: &mut Sink<'_>) {
        let [tokens, billed, cached] = usage.fields(&["tokens", "billed_units", "cached_tokens"]);
        if !usage.is_object() {
            return;
        }
        set_meta(out, "usage", usage.value());
        let counts = if tokens.is_object() { tokens } else { billed };
        let [input, output] = counts.fields(&["input_tokens", "output_tokens"]).map(count);
        if input.is_none() && output.is_none() {
            return;
        }
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        let total = (input + output).min(f64::MAX);
        let cache_read = count(cached);
        emit(out, Payload::Usage(Usage { input, output, total, cache_read, ..Usage::default() }));
    }

    /// Keeps the plan, which is whole once nothing more follows.
    fn flush(&mut self, out: &mut Sink<'_>) {
        if !self.plan.is_empty() {
            set_meta(out, "toolPlan", Value::String(std::mem::take(&mut self.plan)));
        }
    }

    fn whole(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.start(&root.get("id").text(), out);
        let message = root.get("message");
        let names = &["tool_plan", "content", "tool_calls", "citations"];
        let [plan, content, calls, citations] = message.fields(names);
        self.plan(plan, out);
        if let Some(piece) = content.piece() {
            self.texts.text(0, BlockKind::Text, piece, out);
        }
        for each in content.items() {
            self.content(each, Val::default(), out);
            self.texts.end(0);
        }
        for call in calls.items() {
            if let Some(id) = self.call(call, out) {
                emit(out, Payload::ToolCallEnd { id: id.into(), provider: None });
            }
        }
        for citation in citations.items() {
            append_meta(out, "citations", citation.value());
        }
        set_meta_except(out, message, OWN_OF_MESSAGE);
        set_meta_except(out, root, OWN);
        self.finish(root, out);
    }
}

/// Emits a piece of a call's arguments, or the arguments as an object.
fn arguments(id: &str, args: Val<'_>, out: &mut Sink<'_>) {
    if let Some(piece) = args.piece() {
        emit(out, Payload::ToolCallArgs { id: id.into(), text: piece });
    } else if args.is_object() {
        emit_args(out, id, args.raw());
    }
}

/// Is the record a whole answer that was not streamed?
fn is_whole(root: Val<'_>) -> bool {
    let [message, finish, usage] = root.fields(&["message", "finish_reason", "usage"]);
    let counts = usage.fields(&["tokens", "billed_units"]);
    message.is_object() && finish.is_string() && counts.into_iter().any(Val::is_object)
}

impl ProviderFormat for Cohere {
    const NAME: &'static str = "cohere";
    const TITLE: &'static str = "Cohere";
    const IS_TYPED: bool = true;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let [delta, index] = clues.root.fields(&["delta", "index"]);
        match clues.kind {
            Some(kind) => (TYPES.contains(&kind) && (delta.is_object() || index.is_number()))
                .then_some(Evidence::Type),
            None => is_whole(clues.root).then_some(Evidence::Shape),
        }
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open {
            return false;
        }
        let mut text_of = |json: &str, out: &mut Sink<'_>| {
            let [kind, delta, index] =
                record::only_fields(json, ["type", "delta", "index"], &["id"])?;
            let [message] = record::only_fields(delta.raw(), ["message"], &[])?;
            let [content] = record::only_fields(message.raw(), ["content"], &["role"])?;
            let names = ["thinking", "text"];
            let [thinking, text] = record::only_fields(content.raw(), names, &["type"])?;
            let is_plain = thinking.is_string_or_none() && text.is_string_or_none();
            if kind.token() != "content-delta" || !is_plain {
                return None;
            }
            let at = index.index().unwrap_or_default();
            if let Some(piece) = thinking.piece() {
                self.texts.text(at, BlockKind::Thinking, piece, out);
            }
            if let Some(piece) = text.piece() {
                self.texts.text(at, BlockKind::Text, piece, out);
            }
            Some(())
        };
        text_of(json, out).is_some()
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        if is_whole(root) { Ok(()) } else { type_of(event, root).map(drop) }
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        if is_whole(root) {
            return self.whole(root, out);
        }
        let Ok(kind) = type_of(event, root) else { return };
        let [id, index, delta] = root.fields(&["id", "index", "delta"]);
        if kind == "message-start" {
            self.start(&id.text(), out);
        } else if self.phase == StreamPhase::Before {
            // A recording that lacks its first records.
            self.start("", out);
        } else if self.phase == StreamPhase::Ended {
            return;
        }
        let message = delta.get("message");
        let [content, calls, citations] = message.fields(&["content", "tool_calls", "citations"]);
        let at = index.index().unwrap_or_default();
        match &*kind {
            "content-start" | "content-delta" => self.content(content, index, out),
            "tool-plan-delta" => self.plan(message.get("tool_plan"), out),
            "tool-call-start" => {
                if let Some(id) = self.call(calls, out) {
                    self.open.insert(at, id);
                }
            }
            "tool-call-delta" => match self.open.get(at) {
                Some(id) => arguments(id, calls.get("function").get("arguments"), out),
                None => wrong(out, format!("arguments of the call at {at}, which is not open")),
            },
            "tool-call-end" => {
                if let Some(id) = self.open.remove(at) {
                    emit(out, Payload::ToolCallEnd { id: id.into(), provider: None });
                }
            }
            "citation-start" => append_meta(out, "citations", citations.value()),
            "content-end" => self.texts.end(at),
            "message-start" | "citation-end" | "debug" | "message-end" => {}
            _ => append_meta(out, "events", root.value()),
        }
        if TYPES.contains(&&*kind) {
            set_meta_except(out, message, OWN_OF_MESSAGE);
            set_meta_except(out, delta, &["message", "finish_reason", "usage", "error"]);
            set_meta_except(out, root, OWN);
        }
        if kind == "message-end" {
            self.finish(delta, out);
        }
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            self.start(&root.get("id").text(), out);
        }
        self.flush(out);
        self.phase = StreamPhase::Ended;
    }

    fn failed_id(&self) -> &str {
        &self.id
    }

    fn begins(event: &str, root: Val<'_>, _failed: &str) -> bool {
        is_whole(root) || type_of(event, root).is_ok_and(|kind| kind == "message-start")
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        self.flush(out);
    }

    fn held(&self) -> u64 {
        self.plan.len() as u64
    }

    fn drop_held(&mut self) {
        self.plan = String::new();
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
