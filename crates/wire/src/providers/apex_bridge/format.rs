//! apex-bridge's own events: `{reasoning_content, content, step_number, iteration}` for text, and
//! `{event_type, data}` for everything else.

use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::apex_bridge::calls::BridgeCalls;
use crate::providers::checks::{may_string, must};
use crate::providers::failure::error_of;
use crate::providers::finish::{finish_of, finish_word};
use crate::providers::openai_chat::OpenAiChat;
use crate::providers::output::{append_meta, emit, set_meta};
use crate::providers::phase::StreamPhase;
use crate::providers::response_id::{RecordOwner, ResponseId, StartLikelihood};
use crate::providers::usage::{Totals, count};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::delta::{Payload, Usage};
use apex_parts_model::{Agent, Violation};
use serde_json::Value;
use std::borrow::Cow;

/// Is it an event that only this format has?
fn is_own_event(kind: &str) -> bool {
    match kind.split_once(['-', '_']) {
        Some(("reasoning", what)) => matches!(what, "start" | "delta" | "end"),
        Some(("step", what)) => matches!(what, "start" | "finish"),
        Some(("tool" | "thought", what)) => matches!(what, "start" | "end"),
        _ => matches!(kind, "action_start" | "observation"),
    }
}

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct ApexBridge {
    phase: StreamPhase,
    /// Its `requestId`.
    request: String,
    /// The id of the chat completions that wrap its text.
    id: ResponseId,
    calls: BridgeCalls,
    /// The last iteration, as on the wire.
    iteration: String,
    /// The last step, as on the wire.
    step: String,
    /// The sums of the steps' usage, because records have that of one step only.
    sum: Steps,
    totals: Totals,
    /// The finish reason, if it came before the end.
    reason: Option<String>,
}

state!(ApexBridge { phase, request, id, calls, iteration, step, sum, totals, reason });

/// The sums of the steps' usage.
#[derive(Debug, Default)]
struct Steps {
    input: f64,
    output: f64,
    cost: Option<f64>,
    read: f64,
    write: f64,
    reasoning: f64,
}

state!(Steps { input, output, cost, read, write, reasoning });

impl ApexBridge {
    fn open(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            return;
        }
        let [model, request, id] = root.fields(&["model", "requestId", "id"]);
        let (request_id, completion_id) = (request.text(), ResponseId::new(&id.text()));
        let id = if request.is_string() { request } else { id };
        let calls = BridgeCalls::new(&id.text());
        *self = ApexBridge {
            phase: StreamPhase::Open,
            request: request_id.into_owned(),
            id: completion_id,
            calls,
            ..ApexBridge::default()
        };
        emit(out, Payload::Start { model_id: model.text(), request_id: id.text() });
    }

    fn position(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let [iteration, step, camel] = root.fields(&["iteration", "step_number", "stepNumber"]);
        let step = if step.exists() { step } else { camel };
        for (last, now, name) in
            [(&mut self.iteration, iteration, "iteration"), (&mut self.step, step, "stepNumber")]
        {
            if now.is_number() && last != now.raw() {
                now.raw().clone_into(last);
                set_meta(out, name, now.value());
            }
        }
    }

    fn texts(&self, root: Val<'_>, out: &mut Sink<'_>) {
        let [reasoning, content] = root.fields(&["reasoning_content", "content"]);
        if let Some(piece) = reasoning.piece() {
            emit(out, Payload::Thinking(piece));
        }
        if let Some(piece) = content.piece() {
            emit(out, Payload::Text(piece));
        }
    }

    fn event(&mut self, kind: &str, data: Val<'_>, root: Val<'_>, out: &mut Sink<'_>) {
        match kind {
            "reasoning-start" | "reasoning-end" | "step-start" | "thought_start"
            | "thought_end" => {}
            "reasoning-delta" | "reasoning" => {
                if let Some(piece) = text_of(data) {
                    emit(out, Payload::Thinking(piece));
                }
            }
            "content" | "text" | "text-delta" => {
                if let Some(piece) = text_of(data) {
                    emit(out, Payload::Text(piece));
                }
            }
            "step-finish" => {
                self.step_usage(data, out);
                append_meta(out, "steps", data.value());
            }
            "tool_start" | "action_start" => self.calls.start(data, out),
            "tool_end" | "observation" => self.calls.end(data, out),
            "done" => self.finish(data, out),
            _ => append_meta(out, "events", root.value()),
        }
    }

    /// The tokens of one step. They are OpenCode's counts, which do not overlap.
    fn step_usage(&mut self, step: Val<'_>, out: &mut Sink<'_>) {
        let [tokens, cost] = step.fields(&["tokens", "cost"]);
        let [input, output, reasoning, cache] =
            tokens.fields(&["input", "output", "reasoning", "cache"]);
        let [read, write] = cache.fields(&["read", "write"]);
        let [input, output, reasoning, read, write] =
            [input, output, reasoning, read, write].map(|v| count(v).unwrap_or_default());
        if input + output + reasoning + read + write == 0.0 {
            return;
        }
        let sum = &mut self.sum;
        let cost = count(cost);
        for (total, more) in [
            (&mut sum.input, input + read + write),
            (&mut sum.output, output + reasoning),
            (&mut sum.read, read),
            (&mut sum.write, write),
            (&mut sum.reasoning, reasoning),
        ] {
            *total = (*total + more).min(f64::MAX);
        }
        if let Some(cost) = cost {
            sum.cost = Some((sum.cost.unwrap_or_default() + cost).min(f64::MAX));
        }
        let now = Usage {
            input: sum.input,
            output: sum.output,
            total: sum.input + sum.output,
            cost: sum.cost,
            cache_read: Some(sum.read),
            cache_write: Some(sum.write),
            reasoning: Some(sum.reasoning),
        };
        self.totals.advance(now, out);
    }

    fn finish(&mut self, data: Val<'_>, out: &mut Sink<'_>) {
        let [camel, snake, reason, usage] =
            data.fields(&["finishReason", "finish_reason", "reason", "usage"]);
        let [prompt, completion, total] =
            usage.fields(&["prompt_tokens", "completion_tokens", "total_tokens"]);
        if let (Some(input), Some(output)) = (count(prompt), count(completion)) {
            let total = count(total).unwrap_or(input + output);
            self.totals.advance(Usage { input, output, total, ..Usage::default() }, out);
        }
        if data.exists() {
            set_meta(out, "done", data.value());
        }
        let raw = [camel, snake, reason].into_iter().find_map(finish_of);
        if let Some(raw) = &raw {
            set_meta(out, "rawFinishReason", Value::String(raw.clone().into_owned()));
        }
        self.phase = StreamPhase::Ended;
        let word = finish_reason_of(raw.as_deref());
        emit(out, Payload::Done { finish_reason: word.into() });
    }
}

/// The finish reason of a delta for apex-bridge's, which is missing if nothing went wrong.
fn finish_reason_of(reason: Option<&str>) -> &'static str {
    match reason {
        None => "stop",
        Some("max_iterations") => "length",
        // Its engine answers every call itself.
        Some(reason) => finish_word(Some(reason), false),
    }
}

/// The text of `data`: `data` itself, or one of its fields.
fn text_of(data: Val<'_>) -> Option<apex_parts_model::delta::Piece<'_>> {
    let named = data.fields(&["text", "delta", "content", "reasoning_content", "textDelta"]);
    data.piece().or_else(|| named.into_iter().find_map(Val::piece))
}

/// The event's name: the record's own, or that of the frame.
fn kind_of<'a>(event: &'a str, root: Val<'a>) -> Cow<'a, str> {
    let [kind, plain] = root.fields(&["event_type", "type"]);
    let kind = if kind.is_string() { kind } else { plain };
    if kind.is_string() { kind.text() } else { event.into() }
}

impl ProviderFormat for ApexBridge {
    const NAME: &'static str = "apex-bridge";
    const TITLE: &'static str = "apex-bridge";
    const AGENT: Option<Agent> = Some(Agent { id: Self::NAME, title: Self::TITLE });
    const HOLDS_RESULTS: bool = true;
    const ALSO_READ: &'static str = OpenAiChat::NAME;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let names =
            &["event_type", "content", "reasoning_content", "step_number", "iteration", "data"];
        let [event, content, reasoning, step, iteration, data] = clues.root.fields(names);
        if event.is_string() && data.exists() && is_own_event(&event.text()) {
            return Some(Evidence::Marker);
        }
        let has_text = content.exists() || reasoning.exists();
        let has_position = step.is_number() || iteration.is_number();
        (clues.is_untyped() && has_text && has_position).then_some(Evidence::FieldNames)
    }

    fn owns(event: &str, root: Val<'_>) -> bool {
        let names = &["requestId", "conversationId", "data", "step_number", "iteration"];
        let [request, conversation, data, step, iteration] = root.fields(names);
        let kind = kind_of(event, root);
        let has_id = request.is_string() || conversation.exists();
        let has_position = step.is_number() || iteration.is_number();
        // The AI SDK has data events too.
        has_id || has_position || (data.exists() && !kind.is_empty() && !kind.starts_with("data-"))
    }

    /// Its HTTP API wraps text, and only text, in chat completions.
    fn reads(root: Val<'_>) -> bool {
        let mut choices = root.get("choices").items();
        choices.all(|c| !c.get("delta").get("tool_calls").exists())
    }

    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || !event.is_empty() {
            return false;
        }
        let names = ["reasoning_content", "content", "step_number", "iteration"];
        let Some([reasoning, content, step, iteration]) = record::only_fields(json, names, &[])
        else {
            return false;
        };
        let is_last = |v: Val<'_>, last: &str| !v.exists() || v.raw() == last;
        let is_empty = !reasoning.exists() && !content.exists();
        if is_empty
            || !reasoning.is_string_or_none()
            || !content.is_string_or_none()
            || !is_last(step, &self.step)
            || !is_last(iteration, &self.iteration)
        {
            return false;
        }
        for (piece, thinking) in [(reasoning.piece(), true), (content.piece(), false)] {
            if let Some(piece) = piece {
                emit(out, if thinking { Payload::Thinking(piece) } else { Payload::Text(piece) });
            }
        }
        true
    }

    fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
        let kind = kind_of(event, root);
        if kind.is_empty() {
            return error_of("", root, false);
        }
        let data = root.get("data");
        let data = if data.exists() { data } else { root };
        let inner = data.get("error");
        (kind == "error").then_some(if inner.exists() { inner } else { data })
    }

    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        self.open(root, out);
        self.position(root, out);
        self.phase = StreamPhase::Ended;
    }

    fn failed_id(&self) -> &str {
        &self.request
    }

    fn begins(_event: &str, root: Val<'_>, failed: &str) -> bool {
        let request = root.get("requestId").text();
        !request.is_empty() && request != failed
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        let [kind, reasoning, content] =
            root.fields(&["event_type", "reasoning_content", "content"]);
        may_string(kind, "event_type")?;
        may_string(reasoning, "reasoning_content")?;
        may_string(content, "content")?;
        let data = root.get("data");
        let text = matches!(&*kind_of(event, root), "reasoning-delta" | "content");
        let fits = data.is_string() || data.is_object() || !data.exists();
        must(!text || fits, "data", "a string", data)
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let kind = kind_of(event, root);
        let [request, conversation] = root.fields(&["requestId", "conversationId"]);
        // What the engine sends after the end of a message begins no other one.
        let late = matches!(&*kind, "done" | "reasoning-end" | "step-finish");
        if self.phase == StreamPhase::Ended && (late || conversation.exists()) {
            return;
        }
        self.open(root, out);
        if conversation.exists() {
            return set_meta(out, "conversationId", conversation.value());
        }
        self.position(root, out);
        self.texts(root, out);
        // Its HTTP API wraps text in chat completions.
        let choices = root.get("choices");
        if let Some(choice) = choices.items().next() {
            let [delta, finish] = choice.fields(&["delta", "finish_reason"]);
            self.texts(delta, out);
            self.reason = finish_of(finish).map(Cow::into_owned).or_else(|| self.reason.take());
            return;
        }
        if !kind.is_empty() {
            let data = root.get("data");
            let data = if data.exists() || kind != event { data } else { root };
            self.event(&kind, data, root, out);
        } else if !request.exists()
            && root.fields(&["content", "reasoning_content"]).iter().all(|v| !v.exists())
        {
            append_meta(out, "events", root.value());
        }
    }

    fn id_of(root: Val<'_>) -> Cow<'_, str> {
        root.get("id").text()
    }

    fn turn(&mut self, _event: &str, root: Val<'_>) -> RecordOwner {
        if self.phase != StreamPhase::Open {
            return RecordOwner::Same;
        }
        let request = root.get("requestId").text();
        if !request.is_empty() && request != self.request {
            if !self.request.is_empty() {
                return RecordOwner::Other;
            }
            self.request = request.into_owned();
        }
        let Some(choice) = root.get("choices").items().next() else { return RecordOwner::Same };
        let id = Self::id_of(root);
        if self.reason.is_some() {
            let other = !id.is_empty() && id != self.id.id();
            return if other { RecordOwner::Other } else { RecordOwner::Same };
        }
        let role = choice.get("delta").get("role").exists();
        self.id.owner_of(&id, if role { StartLikelihood::Perhaps } else { StartLikelihood::No })
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
            self.phase = StreamPhase::Ended;
            let word = finish_reason_of(self.reason.as_deref());
            emit(out, Payload::Done { finish_reason: word.into() });
        }
    }

    /// Ends a response whose finish reason came in a chat completion, even without `[DONE]`.
    fn end(&mut self, out: &mut Sink<'_>) {
        if self.reason.is_some() {
            self.done(out);
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
