//! Ollama's own API, chat and generate: one object a line, `{model, created_at, message | response, done}`.
//!
//! A record with `done: true` ends the response; the only record of one that was not streamed is such a record too.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::call_list::{CallList, RunBy};
use crate::providers::checks::text_piece;
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::output::{
    append_meta, emit, emit_args, set_meta, set_meta_except, unknown_object, wrong,
};
use crate::providers::phase::StreamPhase;
use crate::providers::reasoning::{read_fields, reasoning_of};
use crate::providers::usage::count;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, Usage};
use serde_json::Value;

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct Ollama {
    phase: StreamPhase,
    calls: CallList,
    /// `created_at` of the last record: every record has it.
    created: String,
}

state!(Ollama { phase, calls, created });

/// The fields of a record that are not put in `meta.provider` as they are.
const OWN: &[&str] = &[
    "model",
    "created_at",
    "message",
    "response",
    "done",
    "done_reason",
    "prompt_eval_count",
    "eval_count",
    "logprobs",
    "error",
];
/// Those of a message.
const OWN_OF_MESSAGE: &[&str] = &["role", "content", "tool_calls", "images"];
/// The fields with reasoning, of both; its own name counts first.
const REASONING: [&str; 4] = ["thinking", "reasoning_content", "reasoning", "reasoning_text"];

impl Ollama {
    fn open(&mut self, model: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            *self = Ollama { phase: StreamPhase::Open, ..Ollama::default() };
            emit(out, Payload::Start { model_id: model.text(), request_id: "".into() });
        }
    }

    fn created(&mut self, at: Val<'_>) {
        if let Some(at) = at.str() {
            self.created.clear();
            self.created.push_str(&at);
        }
    }

    /// Emits when the last record was created.
    fn flush(&mut self, out: &mut Sink<'_>) {
        if !self.created.is_empty() {
            set_meta(out, "created_at", Value::String(std::mem::take(&mut self.created)));
        }
    }

    /// A call, which comes whole. (`function.index` says nothing: old servers send 0 for all.)
    fn call(&mut self, call: Val<'_>, out: &mut Sink<'_>) {
        let function = call.get("function");
        let [name, args] = function.fields(&["name", "arguments"]);
        if !name.is_string() {
            let what = function.describe();
            return wrong(
                out,
                format!("a call must have a `function` with a `name`, but it is {what}"),
            );
        }
        let id = self.calls.start(&call.get("id").text(), &name.text(), RunBy::Client, out);
        if args.is_string() {
            emit_args(out, &id, &args.text());
        } else if args.exists() {
            emit_args(out, &id, args.raw());
        }
        emit(out, Payload::ToolCallEnd { id: id.as_str().into(), provider: None });
        let mut more = unknown_object(call, &["id", "type", "function"]);
        let of_function = unknown_object(function, &["name", "arguments", "index"]);
        if !of_function.is_empty() {
            more.insert("function".to_owned(), Value::Object(of_function));
        }
        self.calls.keep(&id, more, out);
    }

    fn finish(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let names = &["done_reason", "prompt_eval_count", "eval_count"];
        let [reason, input, output] = root.fields(names);
        let (input, output) = (count(input), count(output));
        if input.is_some() || output.is_some() {
            let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
            let total = (input + output).min(f64::MAX);
            emit(out, Payload::Usage(Usage { input, output, total, ..Usage::default() }));
        }
        let reason = finish_of(reason);
        if let Some(reason) = &reason {
            set_meta(out, "rawFinishReason", Value::from(&**reason));
        }
        self.flush(out);
        let word = finish_word(Some(reason.as_deref().unwrap_or("stop")), self.calls.is_asked());
        self.phase = StreamPhase::Ended;
        emit(out, Payload::Done { finish_reason: word.into() });
    }
}

/// Does the record have a piece of an answer?
fn has_content(root: Val<'_>) -> bool {
    let message = root.get("message");
    let texts = [root.get("response"), message.get("content")];
    texts.into_iter().any(|text| text.piece().is_some())
        || [root, message].into_iter().any(|of| reasoning_of(of, &REASONING).is_some())
        || message.get("tool_calls").items().next().is_some()
}

impl ProviderFormat for Ollama {
    const NAME: &'static str = "ollama";
    const TITLE: &'static str = "Ollama";

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let names = &["model", "created_at", "done", "message", "response"];
        let [model, created, done, message, response] = clues.root.fields(names);
        let is_own = model.is_string()
            && created.is_string()
            && matches!(done.raw(), "true" | "false")
            && (message.is_object() || response.is_string());
        is_own.then_some(Evidence::Shape)
    }

    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || event == "error" {
            return false;
        }
        let names = ["message", "response", "thinking", "done", "created_at"];
        let Some([message, response, thinking, done, created]) =
            record::only_fields(json, names, &["model"])
        else {
            return false;
        };
        let mut texts = [Val::default(); 2];
        if message.exists() {
            let names = ["content", "thinking"];
            let Some(of_message) = record::only_fields(message.raw(), names, &["role"]) else {
                return false;
            };
            texts = of_message;
        }
        let [content, thought] = texts;
        if done.raw() != "false"
            || ![content, thought, response, thinking].into_iter().all(Val::is_string_or_none)
        {
            return false;
        }
        self.created(created);
        for piece in [thinking, thought].into_iter().filter_map(Val::piece) {
            emit(out, Payload::Thinking(piece));
        }
        for piece in [response, content].into_iter().filter_map(Val::piece) {
            emit(out, Payload::Text(piece));
        }
        true
    }

    fn check(&self, _event: &str, _root: Val<'_>) -> Result<(), Violation> {
        Ok(())
    }

    fn apply(&mut self, _event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let names = &["model", "message", "response", "done", "logprobs"];
        let [model, message, response, done, logprobs] = root.fields(names);
        self.open(model, out);
        if message.exists() && !message.is_object() {
            wrong(out, format!("`message` must be an object, but it is {}", message.describe()));
        }
        let [content, calls, images] = message.fields(&["content", "tool_calls", "images"]);
        for (name, of) in [("thinking", root), ("message.thinking", message)] {
            let text = match reasoning_of(of, &REASONING) {
                Some((_, text)) => text,
                None => of.get("thinking"),
            };
            if let Some(piece) = text_piece(text, name, out) {
                emit(out, Payload::Thinking(piece));
            }
        }
        for (name, text) in [("response", response), ("message.content", content)] {
            if let Some(piece) = text_piece(text, name, out) {
                emit(out, Payload::Text(piece));
            }
        }
        for call in calls.items() {
            self.call(call, out);
        }
        for image in images.items() {
            append_meta(out, "images", image.value());
        }
        for each in logprobs.items() {
            append_meta(out, "logprobs", each.value());
        }
        set_meta_except(out, message, &read_fields(message, &REASONING, OWN_OF_MESSAGE));
        set_meta_except(out, root, &read_fields(root, &REASONING, OWN));
        self.created(root.get("created_at"));
        if done.is_true() {
            self.finish(root, out);
        }
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.open(root.get("model"), out);
        self.flush(out);
        self.phase = StreamPhase::Ended;
    }

    fn begins(_event: &str, root: Val<'_>, _failed: &str) -> bool {
        has_content(root)
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            self.flush(out);
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
