//! OpenAI's Chat Completions chunks, and the variants of compatible servers.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{holds, may_array, must_object};
use crate::providers::failure::is_nothing;
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::openai_chat::calls::ChatCalls;
use crate::providers::openai_chat::chunk::{
    KNOWN, OF_CHOICE, OF_DELTA, SKIPPED, has_text, is_whole, start_clues,
};
use crate::providers::openai_chat::content::{content_item, reasoning_detail};
use crate::providers::openai_chat::parts::{ChatParts, TextSource};
use crate::providers::openai_chat::usage::stated;
use crate::providers::output::{
    append_meta, emit, merge_meta, place_meta, set_meta, set_meta_except, set_meta_fields,
    set_usage_meta, unknown_fields, unknown_object, wrong,
};
use crate::providers::phase::StreamPhase;
use crate::providers::reasoning::{REASONING, read_fields, reasoning_of};
use crate::providers::response_id::{RecordOwner, ResponseId, StartLikelihood, named_by, note_ids};
use crate::providers::usage::{TokenCounting, Totals};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, Payload, ReaderOutput};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct OpenAiChat {
    phase: StreamPhase,
    id: ResponseId,
    /// A chunk after the first names the role too: then a role does not mark another response.
    roles: bool,
    calls: ChatCalls,
    parts: ChatParts,
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
    /// Which ids have come: 1 that of the model, 2 that of the response.
    named: u64,
    /// `service_tier` and `system_fingerprint` of the last chunk that has them: most repeat them.
    tier: String,
    fingerprint: String,
}

state!(OpenAiChat {
    phase,
    id,
    roles,
    calls,
    parts,
    totals,
    finish,
    usage,
    others,
    held,
    kept,
    named,
    tier,
    fingerprint
});

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
        let (id_of_response, parts) = (ResponseId::new(&id), ChatParts::new());
        *self =
            Self { phase: StreamPhase::Open, id: id_of_response, calls, parts, ..Self::default() };
        self.named = named_by(&model, &id);
        emit(out, Payload::Start { model_id: model, request_id: id });
        out(ReaderOutput::StateKey(super::parts::KEY));
        for (name, value) in held {
            set_meta(out, name, value);
        }
        set_meta_fields(out, root, &["created"]);
        self.repeated(root, out);
    }

    /// Emits the fields that most chunks repeat, if they have changed.
    fn repeated(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let [tier, fingerprint] = root.fields(&["service_tier", "system_fingerprint"]);
        let fields = [
            ("service_tier", tier, &mut self.tier),
            ("system_fingerprint", fingerprint, &mut self.fingerprint),
        ];
        for (name, value, last) in fields {
            if is_other(value, last) {
                value.token().clone_into(last);
                set_meta(out, name, value.value());
            }
        }
    }

    fn finish_now(&mut self, out: &mut Sink<'_>) {
        let word = finish_word(self.finish.take().as_deref(), self.calls.is_any());
        self.end_parts(out);
        self.phase = StreamPhase::Ended;
        set_usage_meta(&mut self.usage, out);
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    /// No more parts come, and no more state for those that came.
    fn end_parts(&mut self, out: &mut Sink<'_>) {
        self.calls.release(out);
        self.parts.note_calls(self.calls.started());
        let of_call = self.parts.flush(out);
        self.calls.end_all(&of_call, out);
    }

    fn unknown_fields(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        for (name, value) in unknown_fields(root, KNOWN) {
            if self.phase == StreamPhase::Open {
                set_meta(out, name.into_owned(), value.value());
            } else if self.phase == StreamPhase::Before {
                self.kept += value.raw().len() as u64;
                self.held.insert(name.into_owned(), value.value());
            }
        }
    }

    fn choice(&mut self, choice: Val<'_>, out: &mut Sink<'_>) {
        let [delta, message, text, finish, logprobs, usage] =
            choice.fields(&["delta", "message", "text", "finish_reason", "logprobs", "usage"]);
        // A response that was not streamed has `message` in place of `delta`.
        if delta.exists() || !message.exists() {
            self.delta(delta, out);
            let own = read_fields(delta, &REASONING, OF_DELTA);
            self.parts.keep(delta, &own);
            let more = unknown_object(delta, &own);
            if !more.is_empty() {
                place_meta(out, "deltas", more);
            }
        } else {
            self.delta(message, out);
            let own = read_fields(message, &REASONING, OF_DELTA);
            self.parts.keep(message, &own);
            set_meta_except(out, message, &own);
        }
        // The older completions have a plain text.
        self.text(text, "text", BlockKind::Text, TextSource::Content, out);
        if logprobs.exists() {
            append_meta(out, "logprobs", logprobs.value());
        }
        if let Some(word) = finish_of(finish) {
            set_meta(out, "rawFinishReason", Value::String(word.clone().into_owned()));
            self.finish = Some(word.into_owned());
        }
        set_meta_except(out, choice, OF_CHOICE);
        self.usage(usage, out);
    }

    /// Emits a field that has to be text; a call that waited for its id starts before it.
    fn text(
        &mut self,
        value: Val<'_>,
        name: &str,
        kind: BlockKind,
        source: TextSource,
        out: &mut Sink<'_>,
    ) {
        if let Some(piece) = value.piece() {
            self.calls.release(out);
            self.parts.note_calls(self.calls.started());
            self.parts.text(kind, piece, source, out);
        } else if value.exists() && !value.is_string() && !value.is_array() {
            wrong(out, format!("`{name}` must be a string, but it is {}", value.describe()));
        }
    }

    fn delta(&mut self, delta: Val<'_>, out: &mut Sink<'_>) {
        if delta.exists() && !delta.is_object() {
            return wrong(
                out,
                format!("a delta must be an object, but it is {}", delta.describe()),
            );
        }
        let [content, details, refusal] =
            delta.fields(&["content", "reasoning_details", "refusal"]);
        let reasoning = reasoning_of(delta, &REASONING);
        let (name, thought) = reasoning.unwrap_or_else(|| ("", delta.get("reasoning_content")));
        self.text(thought, "reasoning", BlockKind::Thinking, TextSource::Field(name), out);
        let has_reasoning = reasoning.is_some();
        if content.is_array() || details.is_array() {
            self.calls.release(out);
            self.parts.note_calls(self.calls.started());
        }
        for detail in details.items() {
            reasoning_detail(detail, has_reasoning, &mut self.parts, out);
        }
        self.text(content, "content", BlockKind::Text, TextSource::Content, out);
        for item in content.items() {
            content_item(item, &mut self.parts, out);
        }
        if refusal.piece().is_some() {
            set_meta(out, "refusal", Value::Bool(true));
        }
        self.text(refusal, "refusal", BlockKind::Text, TextSource::Content, out);
        let [calls, call] = delta.fields(&["tool_calls", "function_call"]);
        if calls.is_array() {
            self.calls.tool_calls(calls, out);
        } else if calls.exists() {
            wrong(out, format!("`tool_calls` must be an array, but it is {}", calls.describe()));
        }
        if call.is_object() {
            self.calls.function_call(call, out);
        } else if call.exists() {
            wrong(out, format!("`function_call` must be an object, but it is {}", call.describe()));
        }
        let [annotations, audio, images] = delta.fields(&["annotations", "audio", "images"]);
        for (name, value) in [("annotations", annotations), ("audio", audio), ("images", images)] {
            if !is_nothing(value) {
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
        if let Some(stated) = stated(usage) {
            self.totals.state(stated, TokenCounting::Included, out);
        }
        usage.raw().clone_into(&mut self.usage);
    }

    /// The choices of a chunk: the first is the message.
    fn choices(&mut self, choices: Val<'_>, out: &mut Sink<'_>) {
        holds(may_array(choices, "choices"), out);
        let mut next = 0;
        for choice in choices.items() {
            if !holds(must_object(choice, "choices[]"), out) {
                continue;
            }
            let at = choice.get("index").index().unwrap_or(next);
            next += 1;
            match at {
                0 => self.choice(choice, out),
                index if index > self.others => {
                    self.others = index;
                    set_meta(out, "otherChoices", Value::from(index));
                }
                _ => {}
            }
        }
    }

    /// Notes the ids of a chunk that the first one did not have.
    fn late_ids(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.named < 3 {
            let [id, model] = root.fields(&["id", "model"]);
            note_ids(&mut self.named, &model.text(), &id.text(), out);
        }
    }
}

/// Is there a value, and is it another one than the last?
fn is_other(value: Val<'_>, last: &str) -> bool {
    value.exists() && (!value.is_string() || value.token() != last)
}

impl ProviderFormat for OpenAiChat {
    const NAME: &'static str = "openai-chat";
    const TITLE: &'static str = "OpenAI Chat";
    const PADDING: &'static str = r#""obfuscation":""#;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let [choices, object] = clues.root.fields(&["choices", "object"]);
        let is_own = choices.is_array() || object.text().starts_with("chat.completion");
        (is_own || object.text() == "text_completion").then_some(Evidence::Shape)
    }

    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || self.finish.is_some() || event == "error" {
            return false;
        }
        if self.calls.waits() {
            return false;
        }
        let names = ["choices", "object", "id", "model", "service_tier", "system_fingerprint"];
        let Some([choices, object, id, model, tier, fingerprint]) =
            record::only_fields(json, names, SKIPPED)
        else {
            return false;
        };
        if object.token() == "error"
            || !self.id.fits(id.token())
            || model.exists() && self.named & 1 == 0
            || is_other(tier, &self.tier)
            || is_other(fingerprint, &self.fingerprint)
        {
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
        let is_plain = content.is_string_or_none() && reasoning.is_string_or_none();
        if at.index() != Some(0) || !is_plain {
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
        self.parts.note_calls(self.calls.started());
        if let Some(piece) = reasoning.piece() {
            let source = TextSource::Field("reasoning_content");
            self.parts.text(BlockKind::Thinking, piece, source, out);
        }
        if let Some(piece) = content.piece() {
            self.parts.text(BlockKind::Text, piece, TextSource::Content, out);
        }
        true
    }

    fn check(&self, _event: &str, _root: Val<'_>) -> Result<(), Violation> {
        Ok(())
    }

    fn apply(&mut self, _event: &str, root: Val<'_>, out: &mut Sink<'_>) {
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
        self.choices(choices, out);
        if self.phase == StreamPhase::Open {
            self.late_ids(root, out);
            self.repeated(root, out);
            let [usage, groq] = root.fields(&["usage", "x_groq"]);
            let groq_usage = groq.get("usage");
            self.usage(if usage.is_object() { usage } else { groq_usage }, out);
        }
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.begin(root, out);
        self.choices(root.get("choices"), out);
        self.late_ids(root, out);
        self.calls.flush(out);
        self.parts.note_calls(self.calls.started());
        self.parts.flush(out);
        self.usage(root.get("usage"), out);
        set_usage_meta(&mut self.usage, out);
        self.phase = StreamPhase::Ended;
    }

    fn id_of(root: Val<'_>) -> Cow<'_, str> {
        root.get("id").text()
    }

    fn turn(&mut self, event: &str, root: Val<'_>) -> RecordOwner {
        let choices = root.get("choices");
        let error = Self::error_of(event, root).is_some();
        if self.phase != StreamPhase::Open {
            return RecordOwner::Same;
        }
        let id = Self::id_of(root);
        if choices.items().next().is_none() && !error {
            self.id.seen(&id);
            return RecordOwner::Same;
        }
        let is_first = |choice: &Val<'_>| choice.get("index").index().unwrap_or_default() == 0;
        let first = choices.items().find(is_first).unwrap_or_default();
        let (role, likelihood) =
            if first.exists() { start_clues(first) } else { (false, StartLikelihood::No) };
        // A server that sends no ids: a role begins another response, unless chunks repeat it.
        let is_unnamed = id.is_empty() && self.id.id().is_empty() && role && !self.roles;
        self.roles |= role;
        match self.finish {
            _ if is_whole(first) && id != self.id.id() => RecordOwner::Other,
            Some(_) if is_unnamed => RecordOwner::Other,
            Some(_) => self.id.owner_behind_end(&id, role, has_text(first)),
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
            if self.finish.is_some() {
                return self.finish_now(out);
            }
            self.end_parts(out);
            set_usage_meta(&mut self.usage, out);
        }
    }

    fn held(&self) -> u64 {
        self.kept + self.calls.held() + self.parts.held()
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        self.held.clear();
        self.calls.drop_held();
        self.parts.drop_held();
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
