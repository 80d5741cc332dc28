//! OpenAI's Chat Completions chunks, and the variants of compatible servers.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{may_string, must, must_object};
use crate::providers::openai_chat::calls::ChatCalls;
use crate::providers::openai_chat::chunk::{KNOWN, SKIPPED, error_of, start_clues};
use crate::providers::openai_chat::content::{check_delta, content_item, reasoning_detail};
use crate::providers::openai_chat::usage::totals;
use crate::providers::output::{
    append_meta, emit, merge_meta, set_meta, set_meta_fields, set_usage_meta,
};
use crate::providers::phase::StreamPhase;
use crate::providers::response_id::{RecordOwner, ResponseId, StartLikelihood};
use crate::providers::retryable::retryable;
use crate::providers::usage::Totals;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::Violation;
use apex_parts_model::delta::Payload;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The state of the reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenAiChat {
    phase: StreamPhase,
    id: ResponseId,
    /// A chunk after the first names the role too: then a role does not mark another response.
    roles: bool,
    calls: ChatCalls,
    totals: Totals,
    finish: Option<String>,
    /// The last usage object as JSON text; every chunk may repeat it.
    usage: String,
    /// The highest index of a choice; only choice 0 is read.
    others: u64,
    /// Fields for `meta.provider` from chunks before the one that begins the response.
    held: Map<String, Value>,
    /// Bytes held in `held`.
    kept: u64,
}

state!(OpenAiChat { phase, id, roles, calls, totals, finish, usage, others, held, kept });

impl OpenAiChat {
    /// Begins a response, unless one is open.
    fn begin(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            return;
        }
        let [id, model] = root.fields(&["id", "model"]);
        let (id, model) = (id.text(), model.text());
        self.kept = 0;
        let held = std::mem::take(&mut self.held);
        let calls = ChatCalls::new(&id);
        *self =
            Self { phase: StreamPhase::Open, id: ResponseId::new(&id), calls, ..Self::default() };
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

    fn unknown_fields(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
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
        // A response that was not streamed has `message` in place of `delta`.
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
        let [content, reasoning_content, reasoning, reasoning_text, details, refusal] = delta
            .fields(&[
                "content",
                "reasoning_content",
                "reasoning",
                "reasoning_text",
                "reasoning_details",
                "refusal",
            ]);
        // Some servers send the same reasoning under two names.
        let text = [reasoning_content, reasoning, reasoning_text].into_iter().find_map(Val::piece);
        let has_reasoning = text.is_some();
        if let Some(piece) = text {
            emit(out, Payload::Thinking(piece));
        }
        for detail in details.items() {
            reasoning_detail(detail, has_reasoning, out);
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
            self.calls.tool_call(call, out);
        }
        if call.is_object() {
            self.calls.function_call(call, out);
        }
        let [annotations, audio, images] = delta.fields(&["annotations", "audio", "images"]);
        for (name, value) in [("annotations", annotations), ("audio", audio), ("images", images)] {
            if value.exists() && value.raw() != "[]" {
                append_meta(out, name, value.value());
            }
        }
    }

    /// Merges what Groq sends about the request, except usage and error, into
    /// `meta.provider.x_groq`.
    fn groq_meta(&self, groq: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            return;
        }
        let mut fields = Map::new();
        for (name, value) in groq.entries() {
            if value.exists() && !matches!(&*name, "usage" | "error") {
                fields.insert(name.into_owned(), value.value());
            }
        }
        if !fields.is_empty() {
            merge_meta(out, "x_groq", Value::Object(fields));
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
    const TITLE: &'static str = "OpenAI Chat";

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
        let Some([choices, object, id]) = record::only_fields(json, names, SKIPPED) else {
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
        let Some([content, reasoning, calls, role]) = record::only_fields(delta.raw(), names, &[])
        else {
            return false;
        };
        let is_text = |v: Val<'_>| v.is_string() || !v.exists();
        if at.index() != Some(0) || !is_text(content) || !is_text(reasoning) {
            return false;
        }
        if calls.exists() {
            let mut items = calls.items();
            let (Some(call), None) = (items.next(), items.next()) else { return false };
            let has_text = content.piece().is_some() || reasoning.piece().is_some();
            if has_text || !self.calls.fast_path(call, out) {
                return false;
            }
        }
        self.id.seen(id.token());
        self.roles |= role.exists();
        if let Some(piece) = reasoning.piece() {
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
        let has_choice = choices.items().next().is_some();
        // Azure's first chunk has neither model nor choice, only content filter results.
        if has_choice || !id.text().is_empty() || !model.text().is_empty() {
            // A chunk without choices after the end begins nothing: it has late usage.
            if has_choice || self.phase != StreamPhase::Ended {
                self.begin(root, out);
            }
        }
        self.unknown_fields(root, out);
        self.groq_meta(root.get("x_groq"), out);
        for (at, choice) in choices.items().enumerate() {
            match choice.get("index").index().unwrap_or(at as u64) {
                0 => self.choice(choice, out),
                index if index > self.others => {
                    self.others = index;
                    set_meta(out, "otherChoices", Value::from(index));
                }
                _ => {}
            }
        }
        if self.phase == StreamPhase::Open {
            if self.finish.is_some() {
                set_meta_fields(out, root, &["service_tier"]);
            }
            let [usage, groq] = root.fields(&["usage", "x_groq"]);
            let groq_usage = groq.get("usage");
            self.usage(if usage.is_object() { usage } else { groq_usage }, out);
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
        let (role, likelihood) =
            choices.items().find(is_first).map_or((false, StartLikelihood::No), start_clues);
        let is_other = if id.is_empty() {
            // A server that sends no ids: a role begins another response, unless chunks repeat it.
            self.id.id().is_empty() && role && !self.roles
        } else {
            id != self.id.id()
        };
        self.roles |= role;
        match self.finish {
            Some(_) if is_other => RecordOwner::Other,
            Some(_) => RecordOwner::Same,
            None if error => RecordOwner::Same,
            None => self.id.owner_of(&id, likelihood),
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

    /// Ends the response if its finish reason has come, even without `[DONE]`.
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

/// The finish reason of a delta for a `finish_reason`.
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
