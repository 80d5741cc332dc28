//! Gemini's `generateContent`, streamed: candidates whose parts are text, reasoning and calls.

use super::candidate::check_part;
use super::partial_args::PartialArgs;
use super::usage::{continues, stated};
use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{holds, may_array, must, must_object};
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::gemini::snake_case;
use crate::providers::output::{
    append_meta, emit, emit_args, generated_id, merge_call, place_meta, set_meta, set_meta_except,
    set_usage_meta, unknown_object,
};
use crate::providers::part_state::{
    StateFields, emit_block, emit_custom, emit_text, other_fields, put_element,
};
use crate::providers::phase::StreamPhase;
use crate::providers::response_id::{RecordOwner, ResponseId, StartLikelihood, named_by, note_ids};
use crate::providers::usage::{TokenCounting, Totals};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, object_with, state, state_choice};
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, Payload, ReaderOutput};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The key of the state on parts.
const KEY: &str = "google";

/// What the last part of the message is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LastPart {
    /// A call, a part of its own type, or nothing.
    #[default]
    Other,
    Text,
    Thought,
    /// Text with a signature: nothing is joined with it.
    SignedText,
    SignedThought,
}

state_choice!(LastPart { Other, Text, Thought, SignedText, SignedThought });

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct Gemini {
    phase: StreamPhase,
    id: ResponseId,
    /// How many ids were generated.
    made: u64,
    /// The ids of the calls; 1 if it was generated.
    ids: Numbering,
    /// The call whose arguments are being streamed.
    open: Option<PartialArgs>,
    /// The model called a function of the client.
    calls: bool,
    /// The id of the last tool call that ran on the server; results may omit it.
    code: String,
    totals: Totals,
    /// The last finish reason. Several chunks may have one: the response ends when no more come.
    finish: Option<String>,
    /// The last usage object as JSON text; every chunk repeats it.
    usage: String,
    /// How many calls have an element in `meta.provider.toolCalls`.
    listed: u64,
    /// Which ids have come: 1 that of the model, 2 that of the response.
    named: u64,
    last: LastPart,
    /// How many blocks of text were numbered.
    blocks: u64,
    /// The signature that came after the start of the call whose arguments are being streamed.
    late: String,
}

state!(Gemini {
    phase,
    id,
    made,
    ids,
    open,
    calls,
    code,
    totals,
    finish,
    usage,
    listed,
    named,
    last,
    blocks,
    late
});

impl Gemini {
    fn begin(&mut self, root: Val<'_>, has_content: bool, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open || self.phase == StreamPhase::Ended && !has_content {
            return;
        }
        let [id, model] = root.fields(&["responseId", "modelVersion"]);
        let (id, model) = (id.text(), model.text());
        *self = Gemini {
            phase: StreamPhase::Open,
            id: ResponseId::new(&id),
            named: named_by(&model, &id),
            ..Gemini::default()
        };
        emit(out, Payload::Start { model_id: model, request_id: id });
        out(ReaderOutput::StateKey(KEY));
    }

    fn finish_now(&mut self, out: &mut Sink<'_>) {
        self.end_open(out);
        set_usage_meta(&mut self.usage, out);
        self.phase = StreamPhase::Ended;
        let finish = self.finish.take();
        let word = match finish.as_deref() {
            Some(BLOCKED) => "content-filter",
            reason => finish_word(reason, self.calls && reason.is_some()),
        };
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    /// The id of a call: the one sent, unless it is missing or equals one that was generated here.
    fn call_id(&mut self, wire: Val<'_>) -> String {
        let wire = wire.text();
        if !wire.is_empty() && self.ids.get(&*wire) != Some(&1) {
            self.ids.insert(wire.clone().into_owned(), 0);
            return wire.into_owned();
        }
        loop {
            let id = generated_id(self.id.id(), self.made);
            self.made += 1;
            if !self.ids.contains_key(&id) {
                self.ids.insert(id.clone(), 1);
                return id;
            }
        }
    }

    /// Whether a chunk after one with a finish reason begins another response, if responses have no
    /// ids: it has content but no finish reason, or its totals do not continue those before. (Some
    /// servers send a finish reason with every chunk.)
    fn begins_again(&self, root: Val<'_>) -> bool {
        let mut candidates = root.get("candidates").items();
        let is_unfinished = |c: Val<'_>| {
            let parts = c.get("content").get("parts");
            !c.get("finishReason").exists() && parts.items().next().is_some()
        };
        let Ok(before) = record::read(&self.usage, record::MAX_DEPTH) else {
            return candidates.any(is_unfinished);
        };
        !continues(before, root.get("usageMetadata")) || candidates.any(is_unfinished)
    }

    fn part(&mut self, part: Val<'_>, out: &mut Sink<'_>) {
        let [text, thought, signature, function] =
            part.fields(&["text", "thought", "thoughtSignature", "functionCall"]);
        let mut call = None;
        let is_signed = signature.piece().is_some();
        if text.piece().is_some() || text.is_string() && is_signed {
            let kind = if thought.is_true() { BlockKind::Thinking } else { BlockKind::Text };
            self.text(kind, part, is_signed, out);
        } else if function.is_object() {
            call = self.function(part, function, out);
        } else if !text.exists() {
            self.other_part(part, out);
        }
        if text.exists() || function.is_object() {
            let mut more = unknown_object(part, OWN_OF_PART);
            more.extend(unknown_object(function, OWN_OF_CALL));
            match &call {
                _ if more.is_empty() => {}
                Some(call) => self.call_details(call, more, out),
                None => place_meta(out, "parts", more),
            }
        }
        if is_signed {
            let signature = signature.text();
            let value = match call {
                Some(call) => json!({ "signature": signature, "toolCallId": call }),
                None => json!({ "signature": signature }),
            };
            if let Value::Object(value) = value {
                place_meta(out, "thoughtSignatures", value);
            }
        }
    }

    /// Emits text. That of one kind is joined, but never with what has a signature.
    fn text(&mut self, kind: BlockKind, part: Val<'_>, is_signed: bool, out: &mut Sink<'_>) {
        let [text, signature] = part.fields(&["text", "thoughtSignature"]);
        let piece = text.piece().unwrap_or_default();
        let (plain, signed) = match kind {
            BlockKind::Text => (LastPart::Text, LastPart::SignedText),
            BlockKind::Thinking => (LastPart::Thought, LastPart::SignedThought),
        };
        let more = other_fields(part, OWN_OF_PART);
        let continues = self.last == plain && !is_signed;
        if continues && more.is_empty() {
            return emit_text(out, kind, piece);
        }
        let mut state = StateFields::new(KEY);
        if is_signed {
            state.value("thoughtSignature", signature);
        }
        if kind == BlockKind::Thinking && !continues {
            state.flag("thought");
        }
        state.object("part", &more);
        let state = state.take();
        // Without a number, text goes to the last part of its kind.
        let is_numbered = is_signed || self.last == signed;
        self.blocks += u64::from(is_numbered);
        let number = is_numbered.then_some(self.blocks);
        self.last = if is_signed { signed } else { plain };
        if number.is_none() && state.is_none() {
            return emit_text(out, kind, piece);
        }
        emit_block(out, kind, piece, number, state);
    }

    /// Reads a function call, complete or a piece of one; returns its id.
    fn function(&mut self, part: Val<'_>, call: Val<'_>, out: &mut Sink<'_>) -> Option<String> {
        let [name, id, args, partial, more] =
            call.fields(&["name", "id", "args", "partialArgs", "willContinue"]);
        let signature = part.get("thoughtSignature");
        let name = name.text();
        if !name.is_empty() {
            self.end_open(out);
            self.calls = true;
            let mut state = StateFields::new(KEY);
            state.value("thoughtSignature", signature).string("id", &id.text());
            let mut more = other_fields(part, OWN_OF_PART);
            let of_call = other_fields(call, OWN_OF_CALL);
            if !of_call.is_empty() {
                put_element(&mut more, &format!("\"functionCall\":{{{of_call}}}"));
            }
            state.object("part", &more);
            let provider = state.take().map(Into::into);
            let id = self.call_id(id);
            emit(out, Payload::ToolCallStart { id: id.as_str().into(), name, provider });
            self.last = LastPart::Other;
            self.open = Some(PartialArgs::new(id));
        } else if self.open.is_some() && signature.piece().is_some() {
            self.late = signature.text().into_owned();
        }
        let open = self.open.as_mut()?;
        for element in partial.items() {
            open.add(element, out);
        }
        if args.is_object() && !partial.exists() {
            open.add_whole(args.raw(), out);
        }
        let id = open.id().to_owned();
        if !more.is_true() {
            self.end_open(out);
        }
        Some(id)
    }

    fn end_open(&mut self, out: &mut Sink<'_>) {
        if let Some(mut open) = self.open.take() {
            open.close(out);
            let mut state = StateFields::new(KEY);
            state.string("thoughtSignature", &std::mem::take(&mut self.late));
            let provider = state.take().map(Into::into);
            emit(out, Payload::ToolCallEnd { id: open.id().into(), provider });
        }
    }

    /// Reads parts that are neither text nor function calls: tools that ran on the server and their
    /// results. Everything else goes to `meta.provider.parts`.
    fn other_part(&mut self, part: Val<'_>, out: &mut Sink<'_>) {
        let names = &[
            "executableCode",
            "codeExecutionResult",
            "toolCall",
            "toolResponse",
            "functionResponse",
        ];
        let [code, code_result, tool, tool_result, function_result] = part.fields(names);
        if code.is_object() {
            let id = self.call_id(code.get("id"));
            self.server_call(&id, "executableCode", code, part, out);
            self.code = id;
        } else if code_result.is_object() {
            let [id, outcome] = code_result.fields(&["id", "outcome"]);
            let id = if id.piece().is_some() { id.text().into_owned() } else { self.code.clone() };
            let is_error = !matches!(&*outcome.text(), "OUTCOME_OK" | "");
            self.server_result(id, is_error, code_result, part, out);
        } else if tool.is_object() {
            let [id, kind, args] = tool.fields(&["id", "toolType", "args"]);
            let id = self.call_id(id);
            let kind = if kind.piece().is_some() { kind.text() } else { "toolCall".into() };
            self.server_call(&id, &kind, args, part, out);
            self.code = id;
        } else if tool_result.is_object() || function_result.is_object() {
            let result = if tool_result.is_object() { tool_result } else { function_result };
            let [id, response] = result.fields(&["id", "response"]);
            let id = if id.piece().is_some() { id.text().into_owned() } else { self.code.clone() };
            self.server_result(id, false, response, part, out);
        } else {
            append_meta(out, "parts", part.value());
            self.custom(part, out);
        }
    }

    /// Emits a part whose type is the name of what it has.
    fn custom(&mut self, part: Val<'_>, out: &mut Sink<'_>) {
        const MARKS: [&str; 2] = ["thought", "thoughtSignature"];
        const FILES: [&str; 2] = ["inlineData", "fileData"];
        // What a part is does not depend on the order of its fields.
        let names = part.entries().map(|(name, _)| name);
        let names = names.filter(|name| !MARKS.contains(&&**name));
        let content = names.min_by_key(|name| (!FILES.contains(&&**name), name.clone()));
        let name = match content {
            Some(name) => name,
            None if part.get("thoughtSignature").piece().is_some() => "thoughtSignature".into(),
            None => return,
        };
        self.last = LastPart::Other;
        emit_custom(out, KEY, &name, "part", &part.json());
    }

    fn server_result(
        &mut self,
        id: String,
        is_error: bool,
        content: Val<'_>,
        part: Val<'_>,
        out: &mut Sink<'_>,
    ) {
        if !self.ids.contains_key(&id) {
            // No part of this message is the call.
            self.custom(part, out);
        }
        let mut state = StateFields::new(KEY);
        state.value("result", part);
        let (content, provider) = (content.json().into(), state.take().map(Into::into));
        out(ReaderOutput::ToolResult { id: id.into(), is_error, content, provider });
    }

    fn server_call(
        &mut self,
        id: &str,
        name: &str,
        input: Val<'_>,
        part: Val<'_>,
        out: &mut Sink<'_>,
    ) {
        self.end_open(out);
        self.last = LastPart::Other;
        let mut state = StateFields::new(KEY);
        state.value("part", part).executed();
        let provider = state.take().map(Into::into);
        emit(out, Payload::ToolCallStart { id: id.into(), name: name.into(), provider });
        if input.is_object() {
            emit_args(out, id, input.raw());
        }
        emit(out, Payload::ToolCallEnd { id: id.into(), provider: None });
        self.call_details(id, object_with(vec![("type", name.into())]), out);
    }

    /// Adds an element to `meta.provider.toolCalls`.
    fn call_details(&mut self, id: &str, mut fields: Map<String, Value>, out: &mut Sink<'_>) {
        fields.insert("toolCallId".to_owned(), id.into());
        merge_call(out, usize::try_from(self.listed).unwrap_or(usize::MAX), fields);
        self.listed += 1;
    }

    fn candidate(&mut self, candidate: Val<'_>, out: &mut Sink<'_>) {
        let content = candidate.get("content");
        let is_object = content.is_object() || !content.exists();
        holds(must(is_object, "candidates[].content", "an object", content), out);
        let parts = content.get("parts");
        holds(may_array(parts, "content.parts"), out);
        for part in parts.items() {
            if holds(check_part(part), out) {
                self.part(part, out);
            }
        }
        set_meta_except(out, candidate, &["content", "index", "finishReason"]);
        set_meta_except(out, content, &["role", "parts"]);
        self.finished(candidate.get("finishReason"), out);
    }

    fn finished(&mut self, reason: Val<'_>, out: &mut Sink<'_>) {
        if let Some(reason) = finish_of(reason) {
            set_meta(out, "rawFinishReason", Value::String(reason.clone().into_owned()));
            self.finish = Some(reason.into_owned());
        }
    }

    fn usage(&mut self, usage: Val<'_>, out: &mut Sink<'_>) {
        if let Some(stated) = stated(usage) {
            self.totals.state(stated, TokenCounting::ReasoningApart, out);
            usage.raw().clone_into(&mut self.usage);
        }
    }

    fn candidates(&mut self, candidates: Val<'_>, out: &mut Sink<'_>) {
        holds(may_array(candidates, "candidates"), out);
        let mut at = 0;
        for candidate in candidates.items() {
            if holds(must_object(candidate, "candidates[]"), out) {
                if candidate.get("index").index().unwrap_or(at) == 0 {
                    self.candidate(candidate, out);
                }
                at += 1;
            }
        }
    }
}

/// The finish reason of a prompt that was refused.
const BLOCKED: &str = "BLOCKED";

/// The fields of a part, and of a call in it, that are read.
const OWN_OF_PART: &[&str] = &["text", "thought", "thoughtSignature", "functionCall"];
const OWN_OF_CALL: &[&str] = &["name", "id", "args", "partialArgs", "willContinue"];

/// The fields of a record that are not put in `meta.provider` as they are.
const OWN: &[&str] =
    &["candidates", "promptFeedback", "usageMetadata", "responseId", "modelVersion", "error"];

/// The response itself: some gateways wrap it in another object.
fn inner(root: Val<'_>) -> Val<'_> {
    let inner = root.get("response");
    if inner.get("candidates").exists() { inner } else { root }
}

impl ProviderFormat for Gemini {
    const NAME: &'static str = "gemini";
    const TITLE: &'static str = "Gemini";

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let names = &["candidates", "promptFeedback", "response", "modelVersion", "usageMetadata"];
        let [candidates, feedback, response, model, usage] = clues.root.fields(names);
        let wrapped = response.get("candidates");
        if candidates.is_array() || feedback.is_object() || wrapped.is_array() {
            return Some(Evidence::Shape);
        }
        let named = model.exists() || usage.exists();
        (clues.is_untyped() && named).then_some(Evidence::FieldNames)
    }

    fn check(&self, _event: &str, _root: Val<'_>) -> Result<(), Violation> {
        Ok(())
    }

    fn apply(&mut self, _event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let root = inner(root);
        let [candidates, feedback, usage] =
            root.fields(&["candidates", "promptFeedback", "usageMetadata"]);
        let has_content = candidates.items().next().is_some() || feedback.exists();
        self.begin(root, has_content, out);
        if self.phase == StreamPhase::Open {
            set_meta_except(out, root, OWN);
            if self.named < 3 {
                let [id, model] = root.fields(&["responseId", "modelVersion"]);
                note_ids(&mut self.named, &model.text(), &id.text(), out);
            }
        }
        self.candidates(candidates, out);
        if feedback.exists() {
            set_meta(out, "promptFeedback", feedback.value());
            if feedback.get("blockReason").is_string() && self.finish.is_none() {
                self.finish = Some(BLOCKED.to_owned());
                set_meta(out, "rawFinishReason", feedback.get("blockReason").value());
            }
        }
        if usage.is_object() && self.phase == StreamPhase::Open {
            self.usage(usage, out);
        }
    }

    fn rewritten(root: Val<'_>) -> Option<String> {
        snake_case::rewritten(root)
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let root = inner(root);
        self.begin(root, true, out);
        self.candidates(root.get("candidates"), out);
        set_usage_meta(&mut self.usage, out);
        self.phase = StreamPhase::Ended;
    }

    fn id_of(root: Val<'_>) -> Cow<'_, str> {
        inner(root).get("responseId").text()
    }

    fn turn(&mut self, event: &str, root: Val<'_>) -> RecordOwner {
        let inner = inner(root);
        let error = Self::error_of(event, root).is_some();
        let has_content = inner.get("candidates").items().next().is_some()
            || inner.get("promptFeedback").exists();
        if self.phase != StreamPhase::Open || !has_content && !error {
            return RecordOwner::Same;
        }
        let id = Self::id_of(root);
        let known = self.id.id();
        match self.finish {
            Some(_) if !id.is_empty() && id != known => RecordOwner::Other,
            Some(_) if id.is_empty() && known.is_empty() && self.begins_again(inner) => {
                RecordOwner::Other
            }
            None if !error => self.id.owner_of(&id, StartLikelihood::Perhaps),
            _ => RecordOwner::Same,
        }
    }

    /// Google's servers do not change ids within a response.
    const BEGINS: bool = true;

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

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            set_usage_meta(&mut self.usage, out);
            if self.finish.is_some() {
                self.finish_now(out);
            }
        }
    }

    fn held(&self) -> u64 {
        self.open.as_ref().map_or(0, PartialArgs::held)
    }

    fn drop_held(&mut self) {
        if let Some(open) = &mut self.open {
            open.drop_held();
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
