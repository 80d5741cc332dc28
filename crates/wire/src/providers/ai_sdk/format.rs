//! The streams of the AI SDK, told record by record: the UI message stream (`tool-input-available`), the parts of a model
//! (`stream-start`, `response-metadata`) and those of `streamText().fullStream` (`text-delta` with `text`).

mod call;

use super::record::{
    OWN, SIGNS, id_of_call, ids_of, is_of_call, objects_of, piece_of_input, piece_of_text,
};
use super::usage::{sum, usage_of};
use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{may_string, must_string, type_of};
use crate::providers::failure::error_of;
use crate::providers::finish::finish_word;
use crate::providers::output::{
    append_meta, emit, merge_meta_deep, place_meta, replace_meta, set_meta, set_meta_except,
    unknown_object,
};
use crate::providers::part_state::{
    StateFields, emit_block, emit_custom, emit_custom_block, emit_text,
};
use crate::providers::phase::StreamPhase;
use crate::providers::response_id::{named_by, note_ids};
use crate::providers::usage::{TokenCounting, Totals};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, Payload, Piece, ReaderOutput, Usage};
use apex_parts_model::order;
use serde_json::Value;
use std::collections::BTreeMap;

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct AiSdk {
    phase: StreamPhase,
    id: String,
    /// The ids of started calls that have not ended: [`STREAMED`], [`TEXT`], and the number of their step.
    calls: Numbering,
    /// The number of the step, which counts the starts of steps.
    step: u64,
    /// The numbers of texts and reasoning that have not ended, by their kind and id.
    texts: Numbering,
    /// The number of texts that have begun.
    begun: u64,
    /// The kind and id of the text that is the last part; empty if there is none.
    last: String,
    /// The bytes of state that open texts hold.
    kept: u64,
    /// What is told later: the last state of a text that is open, as `t` or `r` and its id; the call that an
    /// approval is about, as `a` and its id; why a call was denied, as `d` and its id.
    told: BTreeMap<String, Vec<String>>,
    /// The elements of calls in `meta.provider.toolCalls`, by the ids of the calls.
    described: Numbering,
    /// The reason of the `finish` that came. More records may follow it, until `[DONE]`.
    finish: Option<String>,
    totals: Totals,
    /// The records are not those of a UI message stream: only `finish` ends them.
    parts: bool,
    /// The records are a model's own parts: the input of a call is JSON text.
    model: bool,
    /// Which of the ids of the model and the response have come.
    named: u64,
    /// The usage of the steps so far; it counts if `finish` has none.
    steps: Vec<Value>,
    /// How many elements the lists of data have in `meta.provider`, by `t` and the type of their parts; and the numbers
    /// of the elements of data with an id, by `i`, the length of the type, the type and the id.
    data: Numbering,
    /// The ids of calls that have ended, and the numbers of their steps.
    ended: Numbering,
}

state!(AiSdk {
    phase,
    id,
    calls,
    step,
    texts,
    begun,
    last,
    kept,
    told,
    described,
    finish,
    totals,
    parts,
    model,
    named,
    steps,
    data,
    ended
});

/// Arguments of a call were streamed.
const STREAMED: u64 = 1;
/// The input of a call is text, not JSON.
const TEXT: u64 = 2;
/// What the number of a call's step is multiplied by.
const STEP: u64 = 4;

/// The key of an open text: its kind and its id.
fn key_of(kind: BlockKind, id: &str) -> String {
    format!("{}{id}", if kind == BlockKind::Text { 't' } else { 'r' })
}

impl AiSdk {
    fn open(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.texts_end(out);
        self.usage_of_steps(out);
        let (id, model) = ids_of(root);
        let (id, model) = (id.text(), model.text());
        *self = AiSdk {
            phase: StreamPhase::Open,
            id: id.clone().into_owned(),
            named: named_by(&model, &id),
            ..AiSdk::default()
        };
        emit(out, Payload::Start { model_id: model, request_id: id });
    }

    fn start(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let (id, model) = ids_of(root);
        let (id, model) = (id.text(), model.text());
        if self.phase == StreamPhase::Open && self.finish.is_some() {
            self.finish_now(out);
        }
        // W-71: streams that were merged into one message each have a `start`, and parts may be written before it.
        let is_other = !id.is_empty() && !self.id.is_empty() && id != self.id;
        if self.phase != StreamPhase::Open || is_other {
            self.open(root, out);
        } else {
            if self.id.is_empty() {
                (*id).clone_into(&mut self.id);
            }
            note_ids(&mut self.named, &model, &id, out);
        }
        self.metadata(root, out);
    }

    /// The parts of a model begin, whether those before had their end or not.
    fn stream_start(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open && self.finish.is_some() {
            self.finish_now(out);
        }
        self.open(root, out);
        (self.parts, self.model) = (true, true);
        let warnings = root.get("warnings");
        if warnings.items().next().is_some() {
            set_meta(out, "warnings", warnings.value());
        }
    }

    fn finish_now(&mut self, out: &mut Sink<'_>) {
        self.texts_end(out);
        self.usage_of_steps(out);
        self.phase = StreamPhase::Ended;
        let finish = self.finish.take();
        // The reason is the SDK's own, which knows of the calls.
        let word = finish_word(Some(finish.as_deref().unwrap_or("stop")), false);
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    /// The application's metadata; usage in it under the SDK's names is counted.
    fn metadata(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let meta = root.get("messageMetadata");
        if meta.exists() {
            merge_meta_deep(out, "messageMetadata", meta.value());
            self.usage(meta, out);
        }
    }

    /// Takes `totalUsage` or `usage`; false if there is neither.
    fn usage(&mut self, of: Val<'_>, out: &mut Sink<'_>) -> bool {
        let [total, usage] = of.fields(&["totalUsage", "usage"]);
        let usage = if total.is_object() { total } else { usage };
        let Some(stated) = usage_of(usage) else { return false };
        self.totals.state(stated, TokenCounting::Included, out);
        true
    }

    /// The ids of the model and the response, and whatever else is told of it.
    fn response(&mut self, response: Val<'_>, out: &mut Sink<'_>) {
        let [id, model] = response.fields(&["id", "modelId"]);
        note_ids(&mut self.named, &model.text(), &id.text(), out);
        set_meta_except(out, response, &["type", "id", "modelId", "messages", "body"]);
    }

    fn finish_step(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let [response, usage] = root.fields(&["response", "usage"]);
        if response.is_object() {
            self.parts = true;
            self.response(response, out);
        }
        if usage_of(usage).is_some() {
            self.steps.push(usage.value());
        }
    }

    /// Counts the usage of the steps, because there is none of all of them.
    fn usage_of_steps(&mut self, out: &mut Sink<'_>) {
        let mut all = Usage::default();
        for step in std::mem::take(&mut self.steps) {
            let text = step.to_string();
            if let Some(more) = record::read(&text, record::MAX_DEPTH).ok().and_then(usage_of) {
                sum(&mut all, more);
            }
        }
        if all != Usage::default() {
            self.totals.advance(all, out);
        }
    }

    fn finish(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.metadata(root, out);
        let [reason, raw] = root.fields(&["finishReason", "rawFinishReason"]);
        let [unified, own] = reason.fields(&["unified", "raw"]);
        self.parts |= reason.is_object() || raw.exists() || root.get("totalUsage").is_object();
        if self.usage(root, out) {
            self.steps.clear();
            let [total, usage] = root.fields(&["totalUsage", "usage"]);
            set_meta(out, "usage", if total.is_object() { total } else { usage }.value());
        } else {
            self.usage_of_steps(out);
        }
        let word = if unified.is_string() { unified } else { reason };
        let told = [raw, own, word].into_iter().find(|word| word.piece().is_some());
        if let Some(told) = told {
            set_meta(out, "rawFinishReason", Value::String(told.text().into_owned()));
        }
        let word = word.text();
        self.finish = Some(if word.is_empty() { "stop".into() } else { word.into_owned() });
        set_meta_except(out, root, OWN);
    }

    /// A text begins: another part, whatever its id was before.
    fn text_start(&mut self, kind: BlockKind, root: Val<'_>, out: &mut Sink<'_>) {
        let id = root.get("id");
        if !id.is_string() {
            return;
        }
        let key = key_of(kind, &id.text());
        self.text_end(kind, &key, out);
        let number = self.begin_text(&key);
        self.keep_state(&key, root);
        self.last = key;
        emit_block(out, kind, Piece::default(), Some(number), None);
    }

    /// The number of a text that begins.
    fn begin_text(&mut self, key: &str) -> u64 {
        self.begun += 1;
        self.texts.insert(key.to_owned(), self.begun);
        self.begun
    }

    /// Emits text. Only what does not continue the last part has to name its block.
    fn text(&mut self, kind: BlockKind, id: Val<'_>, piece: Piece<'_>, out: &mut Sink<'_>) {
        if !id.is_string() {
            self.last.clear();
            return emit_text(out, kind, piece);
        }
        let id = id.text();
        let is_last = self.last.get(1..) == Some(&*id)
            && self.last.starts_with('t') == (kind == BlockKind::Text);
        if is_last {
            return emit_text(out, kind, piece);
        }
        let key = key_of(kind, &id);
        let number = match self.texts.get(&key) {
            Some(number) => {
                self.last.clear();
                *number
            }
            None => {
                let number = self.begin_text(&key);
                self.last = key;
                number
            }
        };
        emit_block(out, kind, piece, Some(number), None);
    }

    /// Keeps the state of a text until it ends: the last one counts.
    fn keep_state(&mut self, key: &str, root: Val<'_>) {
        let meta = root.get("providerMetadata");
        if !meta.is_object() || !self.texts.contains_key(key) {
            return;
        }
        let provider = objects_of(meta);
        self.kept += provider.len() as u64;
        let before = self.told.insert(key.to_owned(), vec![provider]).unwrap_or_default();
        self.kept = self.kept.saturating_sub(before.concat().len() as u64);
    }

    /// A text ends: its state is told.
    fn text_end(&mut self, kind: BlockKind, key: &str, out: &mut Sink<'_>) {
        let Some(number) = self.texts.remove(key) else { return };
        let provider = self.told.remove(key).unwrap_or_default().concat();
        if self.last == key {
            self.last.clear();
        }
        self.kept = self.kept.saturating_sub(provider.len() as u64);
        if !provider.is_empty() {
            let provider = format!("{{{provider}}}");
            emit_block(out, kind, Piece::default(), Some(number), Some(provider));
        }
    }

    /// All texts end.
    fn texts_end(&mut self, out: &mut Sink<'_>) {
        while let Some((key, _)) = self.texts.first_key_value() {
            let key = key.clone();
            let kind = if key.starts_with('t') { BlockKind::Text } else { BlockKind::Thinking };
            self.text_end(kind, &key, out);
        }
        self.last.clear();
    }

    /// A record of a text that is not a piece of it.
    fn text_frame(&mut self, record: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let is_text = record.starts_with("text");
        let kind = if is_text { BlockKind::Text } else { BlockKind::Thinking };
        if record.ends_with("-start") {
            return self.text_start(kind, root, out);
        }
        let key = key_of(kind, &root.get("id").text());
        let citations = root.get("citations");
        if let Some(number) = self.texts.get(&key).filter(|_| citations.exists()) {
            let provider = format!("{{\"citations\":{}}}", citations.raw());
            emit_block(out, kind, Piece::default(), Some(*number), Some(provider));
        }
        self.keep_state(&key, root);
        self.text_end(kind, &key, out);
    }

    /// All since the last step began is taken back.
    fn reset_step(&mut self, out: &mut Sink<'_>) {
        self.drop_held();
        self.texts.clear();
        self.last.clear();
        let step = self.step;
        let calls = std::mem::take(&mut self.calls).into_iter();
        self.calls = order::inserted(calls.filter(|(_, call)| *call / STEP != step));
        let ended = std::mem::take(&mut self.ended).into_iter();
        self.ended = order::inserted(ended.filter(|(_, of)| *of != step));
        out(ReaderOutput::ResetStep);
    }

    /// A part that is none of text, reasoning and calls.
    fn custom(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
        self.last.clear();
        emit_custom(out, "ai-sdk", kind, "part", &root.json());
    }

    /// Data of the application: of one type and id there is one part, which has the last (W-74).
    fn data(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let id = root.get("id");
        let key = id.piece().map(|_| format!("i{} {kind}{}", kind.len(), id.text()));
        let known = key.as_ref().and_then(|key| self.data.get(key)).copied();
        let number = known.unwrap_or_else(|| {
            let count = self.data.entry(format!("t{kind}")).or_default();
            *count += 1;
            *count - 1
        });
        if known.is_none() {
            self.last.clear();
        }
        replace_meta(out, kind.to_owned(), number, root.get("data").value());
        let mut state = StateFields::new("ai-sdk");
        state.json("part", &root.json());
        emit_custom_block(out, "ai-sdk", kind, key.as_ref().map(|_| number), state);
        if let Some(key) = key {
            self.data.insert(key, number);
        }
    }
}

impl ProviderFormat for AiSdk {
    const NAME: &'static str = "ai-sdk";
    const TITLE: &'static str = "AI SDK";
    const SAYS_WHOLES: bool = true;
    const HOLDS_RESULTS: bool = true;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let kind = clues.kind?;
        let signs = SIGNS.iter().find(|(kinds, _)| kinds.contains(&kind));
        let is_own = match signs {
            Some((_, fields)) => {
                fields.is_empty() || fields.iter().any(|name| clues.root.get(name).is_string())
            }
            None if kind == "stream-start" => clues.root.get("warnings").exists(),
            None => kind.starts_with("data-") && clues.root.get("data").exists(),
        };
        is_own.then_some(Evidence::Type)
    }

    fn owns(event: &str, root: Val<'_>) -> bool {
        // A `start` without an id has nothing else to show.
        root.get("messageMetadata").exists()
            && type_of(event, root).is_ok_and(|kind| kind == "start")
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open {
            return false;
        }
        let names = ["type", "delta", "inputTextDelta", "toolCallId", "providerMetadata", "id"];
        let Some([kind, delta, input, call, meta, id]) = record::fast_path_fields(json, names)
        else {
            return false;
        };
        match kind.token() {
            "text-delta" if delta.is_string() && !meta.exists() => {
                if let Some(piece) = delta.piece() {
                    self.text(BlockKind::Text, id, piece, out);
                }
            }
            "reasoning-delta" if delta.is_string() && !meta.exists() => {
                if let Some(piece) = delta.piece() {
                    self.text(BlockKind::Thinking, id, piece, out);
                }
            }
            "tool-input-delta" if input.is_string() && call.is_string() && !meta.exists() => {
                self.args(&call.text(), input, out);
            }
            _ => return false,
        }
        true
    }

    const IS_TYPED: bool = true;

    fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
        if root.get("type").text() == "abort" { Some(root) } else { error_of(event, root, true) }
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            self.open(root, out);
        }
        self.texts_end(out);
        self.usage_of_steps(out);
        self.phase = StreamPhase::Ended;
    }

    fn begins(event: &str, root: Val<'_>, failed: &str) -> bool {
        let Ok(kind) = type_of(event, root) else { return false };
        kind == "stream-start"
            || kind == "start" && (failed.is_empty() || root.get("messageId").text() != failed)
    }

    fn open_id(&self) -> &str {
        &self.id
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        let kind = type_of(event, root)?;
        match &*kind {
            _ if !root.get("type").exists() => Ok(()),
            "text-delta" | "reasoning-delta" => must_string(piece_of_text(root), "delta"),
            "finish" => {
                let reason = root.get("finishReason");
                if reason.is_object() { Ok(()) } else { may_string(reason, "finishReason") }
            }
            _ if is_of_call(&kind) => {
                must_string(id_of_call(root), "toolCallId")?;
                match &*kind {
                    "tool-input-start" | "tool-input-available" | "tool-call" => {
                        must_string(root.get("toolName"), "toolName")
                    }
                    "tool-input-delta" => must_string(piece_of_input(root), "inputTextDelta"),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let Ok(kind) = type_of(event, root) else { return };
        match &*kind {
            "start" => return self.start(root, out),
            "stream-start" => return self.stream_start(root, out),
            _ => {}
        }
        if self.phase == StreamPhase::Ended {
            let closing = ["finish", "finish-step", "message-metadata", "ping"];
            if closing.contains(&&*kind) {
                return;
            }
        } else if self.phase == StreamPhase::Before {
            self.open(root, out);
        }
        let meta = root.get("providerMetadata");
        let mut meta = unknown_object(meta, &[]);
        if !meta.is_empty() {
            // In a record that is not about a call, `id` is the id of something else.
            let id = if is_of_call(&kind) { id_of_call(root) } else { root.get("toolCallId") };
            if id.is_string() {
                meta.insert("toolCallId".to_owned(), id.value());
            }
            place_meta(out, "providerMetadata", meta);
        }
        match &*kind {
            "text-delta" | "reasoning-delta" => {
                self.parts |= !root.get("delta").exists();
                let is_text = &*kind == "text-delta";
                let kind = if is_text { BlockKind::Text } else { BlockKind::Thinking };
                let id = root.get("id");
                if let Some(piece) = piece_of_text(root).piece() {
                    self.text(kind, id, piece, out);
                }
                if id.is_string() {
                    self.keep_state(&key_of(kind, &id.text()), root);
                }
            }
            "text-start" | "text-end" | "reasoning-start" | "reasoning-end" => {
                self.text_frame(&kind, root, out);
            }
            "start-step" => {
                self.step += 1;
                out(ReaderOutput::Step);
            }
            "reset-step" => self.reset_step(out),
            "ping" | "raw" => {}
            "response-metadata" => {
                (self.parts, self.model) = (true, true);
                self.response(root, out);
            }
            "finish-step" => self.finish_step(root, out),
            "finish" => self.finish(root, out),
            "message-metadata" => self.metadata(root, out),
            "source-url" | "source-document" | "source" => {
                append_meta(out, "sources", root.value());
                self.custom(&kind, root, out);
            }
            "tool-approval-request" | "tool-approval-response" => {
                append_meta(out, "approvals", root.value());
                self.approval(root, out);
            }
            "custom" => {
                append_meta(out, "custom", root.value());
                self.custom(&kind, root, out);
            }
            "steering-message" => self.custom(&kind, root, out),
            "file" | "reasoning-file" => {
                place_meta(out, "files", unknown_object(root, &[]));
                self.custom(&kind, root, out);
            }
            _ if kind.starts_with("data-") => {
                // A transient part must not be stored.
                if !root.get("transient").is_true() {
                    self.data(&kind, root, out);
                }
            }
            _ if is_of_call(&kind) => self.tool(&kind, root, out),
            _ => append_meta(out, "events", root.value()),
        }
    }

    fn done(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open && (self.finish.is_some() || !self.parts) {
            self.finish_now(out);
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            self.texts_end(out);
            self.usage_of_steps(out);
            if self.finish.is_some() {
                self.finish_now(out);
            }
        }
    }

    fn held(&self) -> u64 {
        self.kept
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        let told = std::mem::take(&mut self.told).into_iter();
        self.told = order::inserted(told.filter(|(key, _)| !key.starts_with(['t', 'r'])));
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
