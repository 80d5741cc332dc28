//! OpenAI's Responses: events about the items of a response, by `output_index`.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{must, must_object, must_string, type_of};
use crate::providers::openai_responses::event::{
    DeltaTarget, delta_target, is_first, is_last, is_progress,
};
use crate::providers::openai_responses::item::{ResponseItem, check_item};
use crate::providers::openai_responses::response::{OWN, error_code, finish_reason_of};
use crate::providers::openai_responses::tool_result::result_of;
use crate::providers::openai_responses::usage::totals;
use crate::providers::output::{append_meta, emit, set_meta, set_meta_except, set_meta_fields};
use crate::providers::phase::StreamPhase;
use crate::providers::retryable::retryable;
use crate::providers::usage::Totals;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::Violation;
use apex_parts_model::delta::Payload;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The state of the reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenAiResponses {
    phase: StreamPhase,
    id: String,
    /// The open items by `output_index`: item ids may change from event to event.
    items: Slots<ResponseItem>,
    /// The index of the last item, for servers that send no `output_index`.
    last: u64,
    /// The indices of items by their ids, for the same servers.
    ids: Numbering,
    /// An item has come: the list in the response's end has nothing new.
    any: bool,
    /// There is a call that the client has to run.
    calls: bool,
    /// The id of the last call of each type, for outputs that do not name their call.
    kinds: Map<String, Value>,
    /// Bytes held of calls that wait for their `done`.
    kept: u64,
    totals: Totals,
}

state!(OpenAiResponses { phase, id, items, last, ids, any, calls, kinds, kept, totals });

impl OpenAiResponses {
    /// Begins a response. An open one was cut off.
    fn open(&mut self, response: Val<'_>, out: &mut Sink<'_>) {
        self.end(out);
        let [id, model] = response.fields(&["id", "model"]);
        let id = id.text();
        *self = Self { phase: StreamPhase::Open, id: id.clone().into_owned(), ..Self::default() };
        emit(out, Payload::Start { model_id: model.text(), request_id: id });
        set_meta_fields(out, response, &["created_at"]);
    }

    /// The index of the item that an event is about.
    fn item_index(&self, root: Val<'_>) -> u64 {
        let [index, id] = root.fields(&["output_index", "item_id"]);
        index.index().or_else(|| self.ids.get(&*id.text()).copied()).unwrap_or(self.last)
    }

    /// The index of the item that an event contains.
    fn own_item_index(&self, root: Val<'_>, is_added: bool) -> u64 {
        let [index, item] = root.fields(&["output_index", "item"]);
        let known = || self.ids.get(&*item.get("id").text()).copied();
        let next = if is_added && self.any { self.last.saturating_add(1) } else { self.last };
        index.index().or_else(known).unwrap_or(next)
    }

    fn update_item(&mut self, at: u64, change: impl FnOnce(&mut ResponseItem)) {
        self.any = true;
        self.last = at;
        if let Some(item) = self.items.or_default(at) {
            change(item);
        }
    }

    fn delta(&mut self, target: &DeltaTarget, root: Val<'_>, out: &mut Sink<'_>) {
        let at = self.item_index(root);
        let [delta, command] = root.fields(&["delta", "command_index"]);
        match target {
            DeltaTarget::Text | DeltaTarget::Thinking => {
                let Some(piece) = delta.piece() else { return };
                self.update_item(at, ResponseItem::text_streamed);
                let thinking = matches!(target, DeltaTarget::Thinking);
                emit(out, if thinking { Payload::Thinking(piece) } else { Payload::Text(piece) });
                let logprobs = root.get("logprobs");
                if logprobs.items().next().is_some() {
                    append_meta(out, "logprobs", logprobs.value());
                }
            }
            DeltaTarget::Args => self.update_item(at, |item| item.args(delta, out)),
            DeltaTarget::Token | DeltaTarget::Patch => {
                self.update_item(at, |item| item.token(delta.token(), out))
            }
            DeltaTarget::Command => {
                let number = command.index().unwrap_or_default();
                self.update_item(at, |item| item.command(number, delta.token(), out));
            }
        }
    }

    /// A `.done` event; its complete text was mostly streamed before.
    fn done_event(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let at = self.item_index(root);
        let [text, refusal, args, input, code, diff] =
            root.fields(&["text", "refusal", "arguments", "input", "code", "diff"]);
        match kind {
            "output_text" | "refusal" | "reasoning_text" | "reasoning_summary_text" => {
                let complete = if text.exists() { text } else { refusal };
                let thinking = kind.starts_with("reasoning");
                self.update_item(at, |item| item.part_done(complete, thinking, out));
            }
            "function_call_arguments" | "mcp_call_arguments" | "mcp_call.arguments" => {
                self.update_item(at, |item| item.args_done(args, out));
            }
            "custom_tool_call_input" => self.update_item(at, |item| item.token_done(input, out)),
            "code_interpreter_call_code" | "code_interpreter_call.code" => {
                self.update_item(at, |item| item.token_done(code, out));
            }
            "apply_patch_call_operation_diff" => {
                self.update_item(at, |item| item.token_done(diff, out))
            }
            _ => {}
        }
    }

    fn item_added(&mut self, at: u64, item: Val<'_>, out: &mut Sink<'_>) {
        self.any = true;
        self.last = at;
        if let Some(mut replaced) = self.items.remove(at) {
            self.kept = self.kept.saturating_sub(replaced.held());
            replaced.start_waiting(out);
        }
        let open = ResponseItem::added(item, out);
        self.note_call(&open);
        self.kept += open.held();
        self.ids.insert(open.id().to_owned(), at);
        self.items.insert(at, open);
    }

    fn item_done(&mut self, at: u64, item: Val<'_>, out: &mut Sink<'_>) {
        self.any = true;
        self.last = at;
        let mut open = self.items.remove(at).unwrap_or_default();
        self.ids.remove(open.id());
        self.kept = self.kept.saturating_sub(open.held());
        open.done(item, out);
        self.note_call(&open);
        let kind = item.get("type").text();
        if let Some(stem) = kind.strip_suffix("_output") {
            // `tool_search_output` belongs to `tool_search_call`, `shell_call_output` to `shell_call`.
            let stem = stem.strip_suffix("_call").unwrap_or(stem);
            result_of(item, self.kinds.get(stem).and_then(Value::as_str).unwrap_or_default(), out);
        }
    }

    fn note_call(&mut self, item: &ResponseItem) {
        self.calls |= item.needs_client();
        if let Some((kind, id)) = item.call() {
            let stem = kind.strip_suffix("_call").unwrap_or(kind);
            if self.kinds.get(stem).is_none_or(|known| known != id) {
                self.kinds.insert(stem.to_owned(), Value::from(id));
            }
        }
    }

    fn close(&mut self, response: Val<'_>, out: &mut Sink<'_>) {
        if !self.any {
            for (at, item) in response.get("output").items().enumerate() {
                self.item_done(at as u64, item, out);
            }
        }
        while let Some(mut item) = self.items.pop() {
            item.flush(out);
        }
        self.usage(response.get("usage"), out);
        set_meta_except(out, response, OWN);
    }

    fn finish(&mut self, response: Val<'_>, out: &mut Sink<'_>) {
        self.close(response, out);
        let [status, details] = response.fields(&["status", "incomplete_details"]);
        let reason = details.get("reason").text();
        let raw = if reason.is_empty() { status.text() } else { reason.clone() };
        if !raw.is_empty() {
            set_meta(out, "rawFinishReason", Value::String(raw.into_owned()));
        }
        let word = finish_reason_of(&reason, self.calls);
        self.phase = StreamPhase::Ended;
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    fn error(&mut self, error: Val<'_>, response: Val<'_>, fallback: &str, out: &mut Sink<'_>) {
        self.close(response, out);
        self.phase = StreamPhase::Ended;
        let code = error_code(error).unwrap_or(Cow::Borrowed(fallback));
        let message = error.get("message");
        let retryable = retryable(&code);
        emit(out, Payload::Error { code, message: message.str(), retryable });
    }

    fn usage(&mut self, usage: Val<'_>, out: &mut Sink<'_>) {
        if usage.is_object() {
            self.totals.advance(totals(usage), out);
            set_meta(out, "usage", usage.value());
        }
    }

    /// Reads an event about the response itself; false if it is about anything else.
    fn response_event(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) -> bool {
        let response = root.get("response");
        match kind {
            "response.created" => {
                let id = response.get("id").text();
                let is_repeated =
                    self.phase == StreamPhase::Open && (id.is_empty() || id == self.id);
                if !is_repeated {
                    self.open(response, out);
                }
            }
            "response.queued" | "response.in_progress" => {
                let id = response.get("id").text();
                let next = self.phase == StreamPhase::Ended && !id.is_empty() && id != self.id;
                if self.phase == StreamPhase::Before || next {
                    self.open(response, out);
                }
            }
            // An `error` is followed by a `response.failed` with the same error.
            _ if self.phase == StreamPhase::Ended => {
                return is_last(kind);
            }
            "response.completed" | "response.incomplete" | "response.done" => {
                self.finish(response, out);
            }
            "response.failed" => self.error(response.get("error"), response, "failed", out),
            "response.cancelled" => self.error(response.get("error"), response, "cancelled", out),
            "error" => {
                let inner = root.get("error");
                let error = if inner.is_object() { inner } else { root };
                self.error(error, response, "error", out);
            }
            _ => return false,
        }
        true
    }
}

impl ProviderFormat for OpenAiResponses {
    const NAME: &'static str = "openai-responses";
    const TITLE: &'static str = "OpenAI Responses";

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let kind = clues.kind?;
        let numbered = || clues.root.get("sequence_number").exists();
        let names = &["response", "output_index", "item", "part", "delta", "item_id"];
        let has_own = || clues.root.fields(names).iter().any(|value| value.exists()) || numbered();
        let is_own =
            (kind.starts_with("response.") && has_own()) || (kind == "error" && numbered());
        is_own.then_some(Evidence::Type)
    }

    fn owns(event: &str, root: Val<'_>) -> bool {
        // Events that are not known go to its meta.
        event.starts_with("response.") || root.get("type").text().starts_with("response.")
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open {
            return false;
        }
        let names = ["type", "delta", "output_index", "logprobs"];
        let Some([kind, delta, at, logprobs]) = record::fast_path_fields(json, names) else {
            return false;
        };
        let (Some(at), true) = (at.index(), delta.is_string()) else { return false };
        if logprobs.items().next().is_some() {
            return false;
        }
        let thinking = match kind.token() {
            "response.output_text.delta" => false,
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => true,
            "response.function_call_arguments.delta" => {
                self.update_item(at, |item| item.args(delta, out));
                return true;
            }
            _ => return false,
        };
        if let Some(piece) = delta.piece() {
            self.update_item(at, ResponseItem::text_streamed);
            emit(out, if thinking { Payload::Thinking(piece) } else { Payload::Text(piece) });
        }
        true
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        let kind = type_of(event, root)?;
        let at = root.get("output_index");
        must(at.index().is_some() || !at.exists(), "output_index", "a whole number from 0", at)?;
        match &*kind {
            "response.output_item.added" | "response.output_item.done" => {
                check_item(root.get("item"))
            }
            "response.created"
            | "response.completed"
            | "response.incomplete"
            | "response.failed" => must_object(root.get("response"), "response"),
            _ if delta_target(&kind).is_some() => must_string(root.get("delta"), "delta"),
            _ => Ok(()),
        }
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let Ok(kind) = type_of(event, root) else { return };
        if matches!(&*kind, "ping" | "keepalive") {
            return;
        }
        if self.phase == StreamPhase::Before && !is_first(&kind) {
            self.open(root.get("response"), out);
        }
        if self.response_event(&kind, root, out) {
            return;
        }
        if let Some(target) = delta_target(&kind) {
            if &*kind == "response.refusal.delta" {
                set_meta(out, "refusal", Value::Bool(true));
            }
            return self.delta(&target, root, out);
        }
        match &*kind {
            "response.output_item.added" => {
                self.item_added(self.own_item_index(root, true), root.get("item"), out);
            }
            "response.output_item.done" => {
                self.item_done(self.own_item_index(root, false), root.get("item"), out);
            }
            "response.output_text.annotation.added" => {
                let [index, part, annotation] =
                    root.fields(&["output_index", "content_index", "annotation"]);
                let value = json!({
                    "output_index": index.value(),
                    "content_index": part.value(),
                    "annotation": annotation.value(),
                });
                append_meta(out, "annotations", value);
            }
            // The text of a part comes in its deltas or its item.
            "response.content_part.added" | "response.reasoning_summary_part.added" => {
                let at = self.item_index(root);
                self.update_item(at, ResponseItem::part_added);
            }
            _ => match kind.strip_prefix("response.") {
                Some(name) if is_progress(name) => {}
                Some(name) if name.ends_with(".done") => {
                    self.done_event(name.trim_end_matches(".done"), root, out);
                }
                _ => append_meta(out, "events", root.value()),
            },
        }
    }

    fn held(&self) -> u64 {
        self.kept
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        self.items.each_mut().for_each(ResponseItem::drop_held);
    }

    fn done(&mut self, _out: &mut Sink<'_>) {}

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            for item in self.items.each_mut() {
                item.flush(out);
            }
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
