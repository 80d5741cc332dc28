//! OpenAI's Chat Completions chunks, and what compatible servers make of them.

use crate::json::record;
use crate::json::record::Val;
use crate::json::saved::state;
use crate::model::Violation;
use crate::model::delta::Payload;
use crate::wire::provider_format::{Clues, Evidence, ProviderFormat};
use crate::wire::providers::checks::{may_string, must, must_object};
use crate::wire::providers::openai_chat::calls::ChatCalls;
use crate::wire::providers::openai_chat::chunk::{error_of, start_clues};
use crate::wire::providers::openai_chat::content::{check_delta, content_item, reasoning_detail};
use crate::wire::providers::openai_chat::usage::totals;
use crate::wire::providers::output::{
    append_meta, emit, merge_meta, set_meta, set_meta_fields, set_usage_meta,
};
use crate::wire::providers::phase::StreamPhase;
use crate::wire::providers::response_id::{RecordOwner, ResponseId, StartLikelihood};
use crate::wire::providers::retryable::retryable;
use crate::wire::providers::usage::Totals;
use crate::wire::reader::Sink;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The state of the reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenAiChat {
    phase: StreamPhase,
    id: ResponseId,
    /// Not only the first chunk names the role.
    roles: bool,
    calls: ChatCalls,
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

state!(OpenAiChat { phase, id, roles, calls, totals, finish, usage, others, held, kept });

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
    /// A chunk begins a response, unless one is open.
    fn begin(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            return;
        }
        let [id, model] = root.fields(&["id", "model"]);
        let (id, model) = (id.text(), model.text());
        self.kept = 0;
        let held = std::mem::take(&mut self.held);
        let calls = ChatCalls::of(&id);
        *self =
            Self { phase: StreamPhase::Open, id: ResponseId::of(&id), calls, ..Self::default() };
        emit(out, Payload::Start { model_id: model, request_id: id });
        for (name, value) in held {
            set_meta(out, name, value);
        }
        set_meta_fields(out, root, &["created", "system_fingerprint", "service_tier"]);
    }

    fn finish_now(&mut self, out: &mut Sink<'_>) {
        self.phase = StreamPhase::Ended;
        set_usage_meta(&mut self.usage, out);
        let word = finish_reason_of(self.finish.take().as_deref());
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    fn extras(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        for (name, value) in root.entries() {
            if !value.exists() || KNOWN.contains(&&*name) {
                continue;
            }
            if self.phase == StreamPhase::Open {
                set_meta(out, name.into_owned(), value.value());
            } else if self.phase == StreamPhase::Before {
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
            append_meta(out, "logprobs", logprobs.value());
        }
        if let Some(word) = finish.str() {
            self.calls.end_all(out);
            set_meta(out, "rawFinishReason", Value::String(word.clone().into_owned()));
            self.finish = Some(word.into_owned());
        }
        const OWN: &[&str] = &["index", "delta", "message", "finish_reason", "logprobs", "usage"];
        for (name, value) in choice.entries() {
            if value.exists() && !OWN.contains(&&*name) {
                set_meta(out, name.into_owned(), value.value());
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
        let output = [thought, reasoning, thought_text].into_iter().find_map(Val::piece);
        let told = output.is_some();
        if let Some(piece) = output {
            emit(out, Payload::Thinking(piece));
        }
        for detail in details.items() {
            reasoning_detail(detail, told, out);
        }
        if let Some(piece) = content.piece() {
            emit(out, Payload::Text(piece));
        }
        for item in content.items() {
            content_item(item, out);
        }
        if let Some(piece) = refusal.piece() {
            set_meta(out, "refusal", Value::Bool(true));
            emit(out, Payload::Text(piece));
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
                append_meta(out, name, value.value());
            }
        }
    }

    /// What Groq says of the request, beside the usage.
    fn groq(&self, groq: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            return;
        }
        let mut about = Map::new();
        for (name, value) in groq.entries() {
            if value.exists() && !matches!(&*name, "usage" | "error") {
                about.insert(name.into_owned(), value.value());
            }
        }
        if !about.is_empty() {
            merge_meta(out, "x_groq", Value::Object(about));
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
        self.begin(root, out);
        set_usage_meta(&mut self.usage, out);
        self.phase = StreamPhase::Ended;
        let [code, kind, message] = error.fields(&["code", "type", "message"]);
        let code = [code.word(), kind.word(), root.get("code").word()]
            .into_iter()
            .find(|word| !word.is_empty())
            .unwrap_or_else(|| "error".into());
        let message = message.str().or_else(|| error.str());
        let retryable = retryable(&code);
        emit(out, Payload::Error { code, message, retryable });
    }
}

impl ProviderFormat for OpenAiChat {
    const NAME: &'static str = "openai-chat";

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let [choices, object] = clues.root.fields(&["choices", "object"]);
        let is_own = choices.is_array() || object.text().starts_with("chat.completion");
        is_own.then_some(Evidence::Shape)
    }

    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || self.finish.is_some() || event == "error" {
            return false;
        }
        let names = ["choices", "object", "id"];
        let Some([choices, object, id]) = record::only_fields(json, names, QUIET) else {
            return false;
        };
        if object.token() == "error" || !self.id.fits(id.token()) {
            return false;
        }
        let mut items = choices.items();
        let (Some(choice), None) = (items.next(), items.next()) else { return false };
        let Some([at, delta]) = record::only_fields(choice.raw(), ["index", "delta"], &[]) else {
            return false;
        };
        let names = ["content", "reasoning_content", "tool_calls", "role"];
        let Some([content, thought, calls, role]) = record::only_fields(delta.raw(), names, &[])
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
            if !silent || !self.calls.fast_path(call, out) {
                return false;
            }
        }
        self.id.seen(id.token());
        self.roles |= role.exists();
        if let Some(piece) = thought.piece() {
            emit(out, Payload::Thinking(piece));
        }
        if let Some(piece) = content.piece() {
            emit(out, Payload::Text(piece));
        }
        true
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
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
            if says || self.phase != StreamPhase::Ended {
                self.begin(root, out);
            }
        }
        self.extras(root, out);
        self.groq(root.get("x_groq"), out);
        for (at, choice) in choices.items().enumerate() {
            match choice.get("index").index().unwrap_or(at as u64) {
                0 => self.choice(choice, out),
                other if other > self.others => {
                    self.others = other;
                    set_meta(out, "otherChoices", Value::from(other));
                }
                _ => {}
            }
        }
        if self.phase == StreamPhase::Open {
            if self.finish.is_some() {
                set_meta_fields(out, root, &["service_tier"]);
            }
            let [usage, groq] = root.fields(&["usage", "x_groq"]);
            let of_groq = groq.get("usage");
            self.usage(if usage.is_object() { usage } else { of_groq }, out);
        }
    }

    fn id_of(root: Val<'_>) -> Cow<'_, str> {
        root.get("id").text()
    }

    fn turn(&mut self, event: &str, root: Val<'_>) -> RecordOwner {
        let choices = root.get("choices");
        let error = error_of(event, root).is_some();
        if self.phase != StreamPhase::Open || choices.items().next().is_none() && !error {
            return RecordOwner::Same;
        }
        let id = Self::id_of(root);
        let is_first = |choice: &Val<'_>| choice.get("index").index().unwrap_or_default() == 0;
        let (role, looks) =
            choices.items().find(is_first).map_or((false, StartLikelihood::No), start_clues);
        let other = if id.is_empty() {
            // Servers that give no ids.
            self.id.id().is_empty() && role && !self.roles
        } else {
            id != self.id.id()
        };
        self.roles |= role;
        match self.finish {
            Some(_) if other => RecordOwner::Other,
            Some(_) => RecordOwner::Same,
            None if error => RecordOwner::Same,
            None => self.id.owner_of(&id, looks),
        }
    }

    fn distrust(&mut self) {
        self.id.distrust();
    }

    fn open_id(&self) -> &str {
        self.id.id()
    }

    fn cut(&mut self, out: &mut Sink<'_>) {
        self.end(out);
        self.phase = StreamPhase::Before;
    }

    fn done(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            self.finish_now(out);
        }
    }

    /// Why it finished was said; `[DONE]` is a matter of the transport.
    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            set_usage_meta(&mut self.usage, out);
            if self.finish.is_some() {
                self.finish_now(out);
            }
        }
    }

    fn held(&self) -> u64 {
        self.kept + self.calls.held()
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        self.held.clear();
        self.calls.drop_held();
    }
}

const QUIET: &[&str] = &["created", "model", "obfuscation", "system_fingerprint", "service_tier"];

/// The contract's word for a finish reason.
fn finish_reason_of(finish: Option<&str>) -> &'static str {
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
mod tests;
