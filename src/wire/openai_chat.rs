//! OpenAI's Chat Completions chunks, and what compatible servers make of them.

use super::chat_calls::Calls;
use super::chat_usage::{retryable, totals};
use super::reader::{
    Fault, Phase, Shape, Sink, list, may_string, must, must_object, note, note_fields, note_usage,
    say,
};
use super::record::{self, Val};
use super::usage::Totals;
use crate::model::delta::Payload;
use crate::model::state::state;
use serde_json::{Map, Value};

/// The state of the reader.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenAiChat {
    phase: Phase,
    id: String,
    calls: Calls,
    totals: Totals,
    finish: Option<String>,
    /// The last usage as it stands on the wire, which every chunk may repeat.
    usage: String,
    /// The highest index of a choice that was left out.
    others: u64,
    /// Notes of chunks that came before the one that names the model.
    held: Map<String, Value>,
    /// Their bytes.
    kept: u64,
}

state!(OpenAiChat { phase, id, calls, totals, finish, usage, others, held, kept });

/// The fields of a chunk that have their own place or say nothing.
const KNOWN: &[&str] = &[
    "id",
    "object",
    "created",
    "model",
    "choices",
    "usage",
    "error",
    "x_groq",
    "type",
    "obfuscation",
    "system_fingerprint",
    "service_tier",
];

impl OpenAiChat {
    /// A chunk begins a response: the first one, or one with another id after the last has told why
    /// it finished. (Some servers give every chunk an id of its own.)
    fn begin(&mut self, root: Val<'_>, says: bool, out: &mut Sink<'_>) {
        let [id, model] = root.fields(&["id", "model"]);
        let (id, model) = (id.text(), model.text());
        if self.phase == Phase::Open {
            let other = says && !id.is_empty() && id != self.id;
            if self.finish.is_none() || !other {
                return;
            }
            self.finish_now(out);
        }
        self.kept = 0;
        let held = std::mem::take(&mut self.held);
        let calls = Calls::of(&id);
        *self = Self { phase: Phase::Open, id: id.clone().into_owned(), calls, ..Self::default() };
        say(out, Payload::Start { model_id: model, request_id: id });
        for (name, value) in held {
            note(out, name, value);
        }
        note_fields(out, root, &["system_fingerprint", "service_tier"]);
    }

    fn finish_now(&mut self, out: &mut Sink<'_>) {
        self.phase = Phase::Ended;
        note_usage(&mut self.usage, out);
        let word = unified(self.finish.take().as_deref());
        say(out, Payload::Done { finish_reason: word.into() });
    }

    fn extras(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        for (name, value) in root.entries() {
            if !value.exists() || KNOWN.contains(&&*name) {
                continue;
            }
            if self.phase == Phase::Open {
                note(out, name.into_owned(), value.value());
            } else if self.phase == Phase::Before {
                self.kept += value.raw().len() as u64;
                self.held.insert(name.into_owned(), value.value());
            }
        }
    }

    fn choice(&mut self, choice: Val<'_>, out: &mut Sink<'_>) {
        let [delta, message, finish, logprobs, usage] =
            choice.fields(&["delta", "message", "finish_reason", "logprobs", "usage"]);
        // A body that was not streamed has `message` where a chunk has `delta`.
        let delta = if delta.exists() { delta } else { message };
        self.delta(delta, out);
        if logprobs.exists() {
            list(out, "logprobs", logprobs.value());
        }
        if let Some(word) = finish.str() {
            self.calls.end_all(out);
            note(out, "rawFinishReason", Value::String(word.clone().into_owned()));
            self.finish = Some(word.into_owned());
        }
        const OWN: &[&str] = &["index", "delta", "message", "finish_reason", "logprobs", "usage"];
        for (name, value) in choice.entries() {
            if value.exists() && !OWN.contains(&&*name) {
                note(out, name.into_owned(), value.value());
            }
        }
        self.usage(usage, out);
    }

    fn delta(&mut self, delta: Val<'_>, out: &mut Sink<'_>) {
        let [content, thought, reasoning, thought_text, details, refusal] = delta.fields(&[
            "content",
            "reasoning_content",
            "reasoning",
            "reasoning_text",
            "reasoning_details",
            "refusal",
        ]);
        // Some servers send one thought under two names.
        let said = [thought, reasoning, thought_text].into_iter().find_map(Val::piece);
        let told = said.is_some();
        if let Some(piece) = said {
            say(out, Payload::Thinking(piece));
        }
        for detail in details.items() {
            reasoning_detail(detail, told, out);
        }
        if let Some(piece) = content.piece() {
            say(out, Payload::Text(piece));
        }
        for item in content.items() {
            content_item(item, out);
        }
        if let Some(piece) = refusal.piece() {
            note(out, "refusal", Value::Bool(true));
            say(out, Payload::Text(piece));
        }
        let [calls, call] = delta.fields(&["tool_calls", "function_call"]);
        for call in calls.items() {
            self.calls.tool(call, out);
        }
        if call.is_object() {
            self.calls.function(call, out);
        }
        let [annotations, audio, images] = delta.fields(&["annotations", "audio", "images"]);
        for (name, value) in [("annotations", annotations), ("audio", audio), ("images", images)] {
            if value.exists() && value.raw() != "[]" {
                list(out, name, value.value());
            }
        }
    }

    fn usage(&mut self, usage: Val<'_>, out: &mut Sink<'_>) {
        if !usage.is_object() {
            return;
        }
        if let Some(now) = totals(usage) {
            self.totals.advance(now, out);
        }
        usage.raw().clone_into(&mut self.usage);
    }

    fn error(&mut self, root: Val<'_>, error: Val<'_>, out: &mut Sink<'_>) {
        self.begin(root, true, out);
        note_usage(&mut self.usage, out);
        self.phase = Phase::Ended;
        let [code, kind, message] = error.fields(&["code", "type", "message"]);
        let code = [code.word(), kind.word(), root.get("code").word()]
            .into_iter()
            .find(|word| !word.is_empty())
            .unwrap_or_else(|| "error".into());
        let message = message.str().or_else(|| error.str());
        let retryable = retryable(&code);
        say(out, Payload::Error { code, message, retryable });
    }
}

/// The error of a record, wherever its server puts it.
fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
    let [error, groq, object] = root.fields(&["error", "x_groq", "object"]);
    let groq = groq.get("error");
    if error.exists() {
        Some(error)
    } else if groq.exists() {
        Some(groq)
    } else {
        (object.text() == "error" || event == "error").then_some(root)
    }
}

impl Shape for OpenAiChat {
    fn quick(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != Phase::Open || self.finish.is_some() || event == "error" {
            return false;
        }
        let names = ["choices", "object"];
        let Some([choices, object]) = record::only_fields(json, names, QUIET) else { return false };
        if object.token() == "error" {
            return false;
        }
        let mut items = choices.items();
        let (Some(choice), None) = (items.next(), items.next()) else { return false };
        let Some([at, delta]) = record::only_fields(choice.raw(), ["index", "delta"], &[]) else {
            return false;
        };
        let names = ["content", "reasoning_content", "tool_calls"];
        let Some([content, thought, calls]) = record::only_fields(delta.raw(), names, &["role"])
        else {
            return false;
        };
        let plain = |v: Val<'_>| v.is_string() || !v.exists();
        if at.index() != Some(0) || !plain(content) || !plain(thought) {
            return false;
        }
        if calls.exists() {
            let mut items = calls.items();
            let (Some(call), None) = (items.next(), items.next()) else { return false };
            let silent = content.piece().is_none() && thought.piece().is_none();
            return silent && self.calls.quick(call, out);
        }
        if let Some(piece) = thought.piece() {
            say(out, Payload::Thinking(piece));
        }
        if let Some(piece) = content.piece() {
            say(out, Payload::Text(piece));
        }
        true
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Fault> {
        if error_of(event, root).is_some() {
            return Ok(());
        }
        let choices = root.get("choices");
        must(choices.is_array() || !choices.exists(), "choices", "an array", choices)?;
        choices.items().try_for_each(|choice| {
            must_object(choice, "choices[]")?;
            let [delta, finish, at] = choice.fields(&["delta", "finish_reason", "index"]);
            must(at.index().is_some() || !at.exists(), "choices[].index", "a whole number", at)?;
            may_string(finish, "choices[].finish_reason")?;
            must(delta.is_object() || !delta.exists(), "choices[].delta", "an object", delta)?;
            check_delta(delta)
        })
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        if let Some(error) = error_of(event, root) {
            return self.error(root, error, out);
        }
        let [id, model, choices] = root.fields(&["id", "model", "choices"]);
        let says = choices.items().next().is_some();
        // Azure's first chunk has neither a model nor a choice, only its filter's results.
        if says || !id.text().is_empty() || !model.text().is_empty() {
            // What follows the end and says nothing is no new response: a late usage.
            if says || self.phase != Phase::Ended {
                self.begin(root, says, out);
            }
        }
        self.extras(root, out);
        for (at, choice) in choices.items().enumerate() {
            match choice.get("index").index().unwrap_or(at as u64) {
                0 => self.choice(choice, out),
                other if other > self.others => {
                    self.others = other;
                    note(out, "otherChoices", Value::from(other));
                }
                _ => {}
            }
        }
        if self.phase == Phase::Open {
            if self.finish.is_some() {
                note_fields(out, root, &["service_tier"]);
            }
            let [usage, groq] = root.fields(&["usage", "x_groq"]);
            let of_groq = groq.get("usage");
            self.usage(if usage.is_object() { usage } else { of_groq }, out);
        }
    }

    fn done(&mut self, out: &mut Sink<'_>) {
        if self.phase == Phase::Open {
            self.finish_now(out);
        }
    }

    /// Why it finished was said; `[DONE]` is a matter of the transport.
    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == Phase::Open {
            note_usage(&mut self.usage, out);
            if self.finish.is_some() {
                self.finish_now(out);
            }
        }
    }

    fn held(&self) -> u64 {
        self.kept + self.calls.held()
    }

    fn let_go(&mut self) {
        self.kept = 0;
        self.held.clear();
        self.calls.let_go();
    }
}

const QUIET: &[&str] =
    &["id", "created", "model", "obfuscation", "system_fingerprint", "service_tier"];

fn check_delta(delta: Val<'_>) -> Result<(), Fault> {
    let [content, thought, calls, call] =
        delta.fields(&["content", "reasoning_content", "tool_calls", "function_call"]);
    if !content.is_array() {
        may_string(content, "delta.content")?;
    }
    may_string(thought, "delta.reasoning_content")?;
    must(call.is_object() || !call.exists(), "delta.function_call", "an object", call)?;
    must(calls.is_array() || !calls.exists(), "delta.tool_calls", "an array", calls)?;
    calls.items().chain(call.exists().then_some(call)).try_for_each(|call| {
        must_object(call, "delta.tool_calls[]")?;
        let [id, at, function] = call.fields(&["id", "index", "function"]);
        may_string(id, "delta.tool_calls[].id")?;
        must(at.index().is_some() || !at.exists(), "delta.tool_calls[].index", "a number", at)?;
        let whole = function.is_object() || !function.exists();
        must(whole, "delta.tool_calls[].function", "an object", function)?;
        let [name, args] =
            if function.exists() { function } else { call }.fields(&["name", "arguments"]);
        may_string(name, "function.name")?;
        let fits = args.is_string() || args.is_object() || !args.exists();
        must(fits, "function.arguments", "a string", args)
    })
}

fn content_item(item: Val<'_>, out: &mut Sink<'_>) {
    let [kind, text, thinking] = item.fields(&["type", "text", "thinking"]);
    match &*kind.text() {
        "text" => {
            if let Some(piece) = text.piece() {
                say(out, Payload::Text(piece));
            }
        }
        "thinking" => {
            let inner = thinking.items().map(|part| part.get("text"));
            for piece in inner.chain([thinking]).filter_map(Val::piece) {
                say(out, Payload::Thinking(piece));
            }
        }
        "reference" => list(out, "references", item.value()),
        _ => list(out, "content", item.value()),
    }
}

/// OpenRouter's details repeat the reasoning that `reasoning` has: what counts is what it has not.
fn reasoning_detail(detail: Val<'_>, told: bool, out: &mut Sink<'_>) {
    let [text, summary, data, signature] = detail.fields(&["text", "summary", "data", "signature"]);
    if !told {
        for piece in [text, summary].into_iter().filter_map(Val::piece) {
            say(out, Payload::Thinking(piece));
        }
    }
    if data.exists() || signature.exists() {
        list(out, "reasoningDetails", detail.value());
    }
}

/// The contract's word for a finish reason.
fn unified(finish: Option<&str>) -> &'static str {
    match finish {
        Some("stop" | "eos" | "end_turn" | "stop_sequence") => "stop",
        Some("length" | "max_tokens" | "model_length") => "length",
        Some("tool_calls" | "function_call" | "tool_use") => "tool-calls",
        Some("content_filter") => "content-filter",
        Some("error" | "insufficient_system_resource") => "error",
        _ => "other",
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
#[path = "openai_chat_tests.rs"]
mod tests;
