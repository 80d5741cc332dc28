//! Google's Gemini Interactions: an interaction with steps, which begin, grow and stop by their index.
//!
//! The older events `content.*` have one piece of content where the newer `step.*` have a step.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::call_list::{CallList, RunBy};
use crate::providers::checks::{holds, may_array, must_object, text_piece};
use crate::providers::failure;
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::gemini_interactions::step::InteractionStep;
use crate::providers::gemini_interactions::usage::stated;
use crate::providers::output::{
    append_meta, emit, emit_args, emit_before, place_meta, places, set_meta, set_meta_except,
    unknown_object, wrong,
};
use crate::providers::phase::StreamPhase;
use crate::providers::response_id::{named_by, note_ids};
use crate::providers::text_blocks::TextBlocks;
use crate::providers::usage::{TokenCounting, Totals};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{object_with, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::Violation;
use apex_parts_model::delta::{
    BlockKind, MergePolicy, Payload, ReaderOutput, WholeCall, WholePlace,
};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct GeminiInteractions {
    phase: StreamPhase,
    id: String,
    /// Which of the ids of the model and the response have come.
    named: u64,
    calls: CallList,
    steps: Slots<InteractionStep>,
    /// The last status.
    status: Option<String>,
    totals: Totals,
    /// How many signatures were kept.
    signatures: u64,
    /// Bytes of arguments and results that are held.
    kept: u64,
    texts: TextBlocks,
    /// The types of the steps that have come, by their indices; empty where only pieces came.
    read: Slots<String>,
    /// The ids of the calls among them.
    called: Slots<String>,
}

state!(GeminiInteractions {
    phase,
    id,
    named,
    calls,
    steps,
    status,
    totals,
    signatures,
    kept,
    texts,
    read,
    called
});

/// The fields of an interaction that are read.
const OWN: &[&str] = &["id", "model", "status", "usage", "steps", "outputs", "error"];
/// Those of an event.
const OWN_OF_EVENT: &[&str] = &[
    "event_type",
    "event_id",
    "interaction",
    "interaction_id",
    "status",
    "index",
    "step",
    "content",
    "delta",
    "error",
];
/// Those of a call and of a result.
const OWN_OF_CALL: &[&str] = &["type", "id", "name", "arguments", "signature"];

/// Where a piece stands: it decides where one of an unknown type is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceOf {
    Step,
    Delta,
}

/// The kind of an event: its own word, or the name that the stream gives it.
fn kind_of<'a>(event: &'a str, root: Val<'a>) -> Cow<'a, str> {
    root.get("event_type").str().unwrap_or(Cow::Borrowed(event))
}

fn is_event(kind: &str, root: Val<'_>) -> bool {
    kind.starts_with("interaction.")
        || kind.starts_with("step.")
        || matches!(kind, "content.start" | "content.delta" | "content.stop")
            && root.get("index").is_number()
}

/// Is the record a whole interaction that was not streamed?
fn is_whole(root: Val<'_>) -> bool {
    let [object, steps, outputs, status] = root.fields(&["object", "steps", "outputs", "status"]);
    object.is("interaction") || (steps.is_array() || outputs.is_array()) && status.is_string()
}

impl GeminiInteractions {
    fn open(&mut self, interaction: Val<'_>, out: &mut Sink<'_>) {
        self.flush(out);
        let [id, model, agent] = interaction.fields(&["id", "model", "agent"]);
        let model = if model.is_string() { model } else { agent };
        let (id, model) = (id.text(), model.text());
        *self = GeminiInteractions {
            phase: StreamPhase::Open,
            id: id.clone().into_owned(),
            named: named_by(&model, &id),
            calls: CallList::new(&id),
            texts: TextBlocks::new(),
            ..GeminiInteractions::default()
        };
        emit(out, Payload::Start { model_id: model, request_id: id });
    }

    /// What an interaction says of itself, at its beginning, its end, or as a whole.
    fn describe(&mut self, interaction: Val<'_>, out: &mut Sink<'_>) {
        let [id, model, status, usage] = interaction.fields(&["id", "model", "status", "usage"]);
        note_ids(&mut self.named, &model.text(), &id.text(), out);
        self.status(status);
        set_meta_except(out, interaction, OWN);
        if let Some(stated) = stated(usage) {
            self.totals.state(stated, TokenCounting::ReasoningApart, out);
            set_meta(out, "usage", usage.value());
        }
    }

    fn status(&mut self, status: Val<'_>) {
        if let Some(status) = finish_of(status) {
            self.status = Some(status.into_owned());
        }
    }

    fn step(&mut self, at: u64, step: Val<'_>, out: &mut Sink<'_>) {
        self.stop(at, out);
        self.read.insert(at, step.get("type").text().into_owned());
        self.steps.insert(at, InteractionStep::default());
        self.piece(at, step, PieceOf::Step, out);
        let signature = step.get("signature");
        self.signature(at, signature, out);
    }

    /// A step or a piece of one.
    fn piece(&mut self, at: u64, piece: Val<'_>, place: PieceOf, out: &mut Sink<'_>) {
        self.read.or_default(at);
        let kind = piece.get("type").text();
        match &*kind {
            "text" => {
                if let Some(text) = text_piece(piece.get("text"), "text", out) {
                    self.texts.text(at, BlockKind::Text, text, out);
                }
                annotations(piece, out);
                self.unknown(at, piece, &["type", "text", "annotations", "signature"], place, out);
            }
            "text_annotation_delta" | "text_annotation" => annotations(piece, out),
            "image" | "audio" | "video" | "document" => file(piece, out),
            "thought_summary" => self.thought(at, piece.get("content"), out),
            "thought_signature" => self.signature(at, piece.get("signature"), out),
            "arguments_delta" => self.arguments(at, piece, out),
            "model_output" => {
                let content = piece.get("content");
                holds(may_array(content, "content"), out);
                for content in content.items() {
                    if holds(must_object(content, "content[]"), out) {
                        self.piece(at, content, PieceOf::Delta, out);
                    }
                }
                self.unknown(at, piece, &["type", "content", "signature"], place, out);
            }
            "thought" => {
                for content in piece.get("summary").items() {
                    self.thought(at, content, out);
                }
                self.unknown(at, piece, &["type", "summary", "signature"], place, out);
            }
            "user_input" => {}
            _ if kind == "function_call" || kind.ends_with("_call") => {
                self.call(at, &kind, piece, out);
            }
            _ if kind.ends_with("_result") => self.result(at, piece),
            _ if place == PieceOf::Step => append_meta(out, "steps", piece.value()),
            _ => self.unknown(at, piece, &[], place, out),
        }
    }

    /// A piece of a summary of thoughts.
    fn thought(&mut self, at: u64, content: Val<'_>, out: &mut Sink<'_>) {
        match content.get("text").piece() {
            Some(piece) => self.texts.text(at, BlockKind::Thinking, piece, out),
            None if content.get("type").text() != "text" => file(content, out),
            None => {}
        }
    }

    /// Keeps the fields of a piece that are not known.
    fn unknown(&self, at: u64, of: Val<'_>, own: &[&str], place: PieceOf, out: &mut Sink<'_>) {
        let mut more = unknown_object(of, own);
        if !more.is_empty() {
            more.insert("index".to_owned(), at.into());
            place_meta(out, if place == PieceOf::Step { "steps" } else { "deltas" }, more);
        }
    }

    /// A call, whole or its beginning, or its arguments once more.
    fn call(&mut self, at: u64, kind: &str, call: Val<'_>, out: &mut Sink<'_>) {
        let Some(step) = self.steps.or_default(at) else { return };
        let [id, name, args] = call.fields(&["id", "name", "arguments"]);
        let is_new = step.kind.is_empty();
        if is_new {
            kind.clone_into(&mut step.kind);
        }
        if name.piece().is_some() {
            name.text().as_ref().clone_into(&mut step.name);
        }
        if step.name.is_empty() && kind != "function_call" {
            step.name = kind.trim_end_matches("_call").to_owned();
        }
        if args.exists() {
            self.kept = (self.kept + args.raw().len() as u64) - step.input.len() as u64;
            step.input =
                if args.is_string() { args.text().into_owned() } else { args.raw().to_owned() };
        }
        let more = unknown_object(call, OWN_OF_CALL);
        if !more.is_empty() {
            let mut all = std::mem::take(&mut step.more);
            let mut fields = all.as_object_mut().map(std::mem::take).unwrap_or_default();
            fields.extend(more);
            step.more = Value::Object(fields);
        }
        let waits = step.name.is_empty() || kind == "function_call" && id.piece().is_none();
        if step.call.is_empty() && !waits {
            self.start(at, &id.text(), out);
        }
    }

    /// Starts the call that a step is, with this id or one that is made.
    fn start(&mut self, at: u64, id: &str, out: &mut Sink<'_>) {
        let Some(step) = self.steps.get_mut(at) else { return };
        if !step.call.is_empty() || step.kind.is_empty() {
            return;
        }
        let is_own = step.kind == "function_call";
        let by = if is_own { RunBy::Client } else { RunBy::Server };
        step.call = self.calls.start(id, &step.name, by, out);
        self.called.insert(at, step.call.clone());
        self.texts.other();
        let mut fields: Map<String, Value> = match std::mem::take(&mut step.more) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        if !is_own {
            fields.insert("type".to_owned(), step.kind.as_str().into());
        }
        self.calls.keep(&step.call, fields, out);
    }

    /// A piece of a call's arguments, as JSON text.
    fn arguments(&mut self, at: u64, piece: Val<'_>, out: &mut Sink<'_>) {
        let is_call = self.steps.get(at).is_some_and(|step| !step.kind.is_empty());
        if !is_call {
            return wrong(out, format!("arguments of the step {at}, which is not an open call"));
        }
        self.start(at, &piece.get("id").text(), out);
        let Some(step) = self.steps.get_mut(at) else { return };
        if let Some(text) = piece.get("arguments").piece() {
            step.has_pieces = true;
            emit(out, Payload::ToolCallArgs { id: step.call.as_str().into(), text });
        }
    }

    /// A result; the last one of a step counts.
    fn result(&mut self, at: u64, piece: Val<'_>) {
        let Some(step) = self.steps.or_default(at) else { return };
        let [call, result, is_error] = piece.fields(&["call_id", "result", "is_error"]);
        let before = |at: usize| step.result.get(at).cloned().unwrap_or_default();
        let id = if call.piece().is_some() { call.value() } else { before(0) };
        let is_error = if is_error.exists() { is_error.is_true().into() } else { before(1) };
        let content = if result.exists() { result.value() } else { before(2) };
        self.kept += result.raw().len() as u64;
        step.result = json!([id, is_error, content]);
    }

    /// A signature of a step; its last one counts.
    fn signature(&mut self, at: u64, signature: Val<'_>, out: &mut Sink<'_>) {
        if signature.piece().is_none() {
            return;
        }
        let Some(step) = self.steps.or_default(at) else { return };
        let value = Value::from(&*signature.text());
        if let Some(number) = step.signature.checked_sub(1) {
            let keep = MergePolicy::Merged(usize::try_from(number).unwrap_or(usize::MAX));
            let value = Value::Object(object_with(vec![("signature", value)]));
            return out(ReaderOutput::Provider { name: "signatures".into(), value, keep });
        }
        self.signatures += 1;
        step.signature = self.signatures;
        let mut element = object_with(vec![("index", at.into()), ("signature", value)]);
        if !step.call.is_empty() {
            element.insert("toolCallId".to_owned(), step.call.as_str().into());
        }
        place_meta(out, "signatures", element);
    }

    fn stop(&mut self, at: u64, out: &mut Sink<'_>) {
        self.texts.end(at);
        if self.steps.get(at).is_some_and(|step| !step.kind.is_empty() && !step.name.is_empty()) {
            self.start(at, "", out);
        }
        let Some(step) = self.steps.remove(at) else { return };
        close(&step, out);
        if !step.call.is_empty() {
            emit(out, Payload::ToolCallEnd { id: step.call.into(), provider: None });
        }
    }

    /// Emits what open steps hold. It ends no calls, because the stream did not end them.
    fn flush(&mut self, out: &mut Sink<'_>) {
        while let Some(step) = self.steps.pop() {
            close(&step, out);
        }
        self.kept = 0;
    }

    fn is_final(&self) -> bool {
        self.status.as_deref().is_some_and(|status| !matches!(status, "in_progress" | "queued"))
    }

    fn finish(&mut self, out: &mut Sink<'_>) {
        while let Some(at) = self.steps.first() {
            self.stop(at, out);
        }
        self.phase = StreamPhase::Ended;
        if let Some(status) = &self.status {
            set_meta(out, "rawFinishReason", status.as_str().into());
        }
        let word = finish_word(self.status.as_deref(), self.calls.is_asked());
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    /// The list of all steps at the end (W-70): those that were read are compared, the others are read now.
    fn list(&mut self, list: Val<'_>, out: &mut Sink<'_>) {
        if !self.texts.is_known() {
            return;
        }
        let steps: Vec<_> =
            list.items().filter(|step| holds(must_object(*step, "steps[]"), out)).collect();
        let is_read: Vec<_> = (0..).zip(&steps).map(|(at, step)| self.is_read(at, *step)).collect();
        let numbered = is_read.iter().enumerate();
        let firsts = numbered.map(|(at, is_read)| is_read.then(|| self.part(at as u64)).flatten());
        let places = places(firsts);
        for (((at, step), is_read), place) in (0..).zip(&steps).zip(is_read).zip(places) {
            emit_before(place, out, |out| {
                if is_read {
                    return self.compare(at, *step, out);
                }
                // Another step may have come with its index.
                let at = if self.read.get(at).is_some() { at + (1 << 40) } else { at };
                self.step(at, *step, out);
                self.stop(at, out);
            });
        }
    }

    /// Has this step of a list been read? Its type must fit.
    fn is_read(&self, at: u64, step: Val<'_>) -> bool {
        let Some(kind) = self.read.get(at) else { return false };
        kind.is_empty() || step.get("type").is(kind)
    }

    /// The part that a step is.
    fn part(&self, at: u64) -> Option<WholePlace<'static>> {
        match self.called.get(at) {
            Some(id) => Some(WholePlace::Call { id: id.clone().into() }),
            None => self.texts.part(at),
        }
    }

    /// Compares a step with its pieces.
    fn compare(&mut self, at: u64, step: Val<'_>, out: &mut Sink<'_>) {
        let kind = step.get("type").text();
        let texts = |list: Val<'_>| -> String {
            let texts = list.items().filter(|one| one.get("type").is("text"));
            texts.filter_map(|one| one.get("text").str().map(String::from)).collect()
        };
        let (of, text) = match &*kind {
            "model_output" => (BlockKind::Text, texts(step.get("content"))),
            "thought" => (BlockKind::Thinking, texts(step.get("summary"))),
            _ => {
                let is_open = self.steps.get(at).is_some_and(|step| !step.has_pieces);
                if is_open && kind.ends_with("_call") {
                    // No piece came: its arguments are what came last.
                    return self.call(at, &kind, step, out);
                }
                return self.compare_call(at, step, out);
            }
        };
        let item = format!("step {at}");
        if !text.is_empty() && !self.texts.compare(at, of, &text, &item, out) {
            self.texts.text(at, of, text.as_str().into(), out);
        }
    }

    fn compare_call(&self, at: u64, step: Val<'_>, out: &mut Sink<'_>) {
        let args = step.get("arguments");
        let args = if args.is_string() { args.text().into_owned() } else { args.json() };
        let Some(id) = self.called.get(at) else { return };
        if matches!(args.trim(), "" | "null" | "{}" | "[]") {
            return;
        }
        out(ReaderOutput::WholeCall(Box::new(WholeCall {
            id: id.as_str().into(),
            args: args.into(),
            item: id.as_str().into(),
            ..WholeCall::default()
        })));
    }

    fn whole(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.open(root, out);
        let [steps, outputs] = root.fields(&["steps", "outputs"]);
        for (at, step) in steps.items().chain(outputs.items()).enumerate() {
            if holds(must_object(step, "steps[]"), out) {
                self.step(at as u64, step, out);
                self.stop(at as u64, out);
            }
        }
        self.describe(root, out);
        if self.is_final() {
            self.finish(out);
        }
    }
}

/// Emits the arguments that did not come in pieces, and the result that a step is.
fn close(step: &InteractionStep, out: &mut Sink<'_>) {
    if !step.call.is_empty() && !step.has_pieces {
        emit_args(out, &step.call, &step.input);
    }
    if let Some([id, is_error, content]) = step.result.as_array().map(Vec::as_slice) {
        out(ReaderOutput::ToolResult {
            id: id.as_str().unwrap_or_default().to_owned().into(),
            is_error: *is_error == Value::Bool(true),
            content: content.to_string().into(),
            provider: None,
        });
    }
}

fn annotations(of: Val<'_>, out: &mut Sink<'_>) {
    let [all, one] = of.fields(&["annotations", "annotation"]);
    for annotation in all.items().chain(Some(one).filter(|one| one.is_object())) {
        append_meta(out, "annotations", annotation.value());
    }
}

/// Keeps a file that the model made.
fn file(of: Val<'_>, out: &mut Sink<'_>) {
    let fields = unknown_object(of, &[]);
    if !fields.is_empty() {
        place_meta(out, "files", fields);
    }
}

impl ProviderFormat for GeminiInteractions {
    const NAME: &'static str = "gemini-interactions";
    const TITLE: &'static str = "Gemini Interactions";
    const SAYS_WHOLES: bool = true;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let kind = kind_of("", clues.root);
        (is_event(&kind, clues.root) || is_whole(clues.root)).then_some(Evidence::Marker)
    }

    fn owns(event: &str, root: Val<'_>) -> bool {
        is_event(&kind_of(event, root), root)
    }

    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || event == "error" {
            return false;
        }
        let names = ["event_type", "index", "delta", "event_id"];
        let Some([kind, at, delta, id]) = record::only_fields(json, names, &[]) else {
            return false;
        };
        let names = ["type", "text", "arguments"];
        let Some([of, text, _]) = record::only_fields(delta.raw(), names, &[]) else {
            return false;
        };
        let of = of.token();
        if kind.token() != "step.delta"
            || !matches!(of, "text" | "arguments_delta")
            || !text.is_string_or_none()
        {
            return false;
        }
        if id.piece().is_some() {
            set_meta(out, "eventId", id.value());
        }
        match (of, text.piece()) {
            ("text", Some(text)) => {
                self.texts.text(at.index().unwrap_or_default(), BlockKind::Text, text, out);
            }
            ("text", None) => {}
            _ => self.arguments(at.index().unwrap_or_default(), delta, out),
        }
        true
    }

    fn check(&self, _event: &str, _root: Val<'_>) -> Result<(), Violation> {
        Ok(())
    }

    fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
        let interaction = root.get("interaction");
        let of = if interaction.is_object() { interaction } else { root };
        let [status, error] = of.fields(&["status", "error"]);
        if status.is("failed") && error.is_object() {
            return Some(error);
        }
        failure::error_of(event, root, false)
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        if is_whole(root) {
            return self.whole(root, out);
        }
        let kind = kind_of(event, root);
        let [interaction, index, step, content, delta, status] =
            root.fields(&["interaction", "index", "step", "content", "delta", "status"]);
        if matches!(&*kind, "interaction.created" | "interaction.start") {
            self.open(interaction, out);
        } else if self.phase == StreamPhase::Ended {
            return;
        } else if self.phase == StreamPhase::Before {
            // A recording that lacks its first records.
            self.open(Val::default(), out);
        }
        let id = root.get("event_id");
        if id.piece().is_some() {
            set_meta(out, "eventId", id.value());
        }
        set_meta_except(out, root, OWN_OF_EVENT);
        self.status(status);
        if interaction.is_object() {
            self.describe(interaction, out);
        }
        let at = index.index().unwrap_or_default();
        match &*kind {
            "step.start" => self.step(at, step, out),
            "content.start" => self.step(at, content, out),
            "step.delta" | "content.delta" => {
                if holds(must_object(delta, "delta"), out) {
                    self.piece(at, delta, PieceOf::Delta, out);
                }
            }
            "step.stop" | "content.stop" => self.stop(at, out),
            "interaction.completed" | "interaction.complete" => {
                self.list(interaction.get("steps"), out);
                self.finish(out);
            }
            _ if kind.starts_with("interaction.") => {}
            _ => append_meta(out, "events", root.value()),
        }
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let interaction = root.get("interaction");
        let of = if interaction.is_object() { interaction } else { root };
        if self.phase != StreamPhase::Open {
            self.open(of, out);
        }
        if interaction.is_object() || is_whole(root) {
            self.describe(of, out);
        }
        self.flush(out);
        self.phase = StreamPhase::Ended;
    }

    fn failed_id(&self) -> &str {
        &self.id
    }

    fn begins(event: &str, root: Val<'_>, _failed: &str) -> bool {
        is_whole(root)
            || matches!(&*kind_of(event, root), "interaction.created" | "interaction.start")
    }

    fn done(&mut self, out: &mut Sink<'_>) {
        self.end(out);
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            if self.is_final() {
                self.finish(out);
            } else {
                self.flush(out);
            }
        }
    }

    fn held(&self) -> u64 {
        self.kept
    }

    fn drop_held(&mut self) {
        self.kept = 0;
        for step in self.steps.each_mut() {
            (step.input, step.result) = (String::new(), Value::Null);
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
