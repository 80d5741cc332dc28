//! apex-bridge's own events: `{reasoning_content, content, step_number, iteration}` for text, and
//! `{event_type, data}` for everything else.

use crate::json::record;
use crate::json::record::Val;
use crate::json::saved::state;
use crate::model::Violation;
use crate::model::delta::{Payload, Usage};
use crate::wire::provider_format::{Clues, Evidence, ProviderFormat};
use crate::wire::providers::apex_bridge::calls::BridgeCalls;
use crate::wire::providers::checks::{may_string, must};
use crate::wire::providers::openai_chat::OpenAiChat;
use crate::wire::providers::output::{append_meta, emit, set_meta};
use crate::wire::providers::phase::StreamPhase;
use crate::wire::providers::response_id::{RecordOwner, ResponseId, StartLikelihood};
use crate::wire::providers::usage::{Totals, count};
use crate::wire::reader::Sink;
use serde_json::Value;
use std::borrow::Cow;

/// The state of the reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct ApexBridge {
    phase: StreamPhase,
    /// Its `requestId`.
    request: String,
    /// The id of the completions that its text is wrapped in.
    id: ResponseId,
    calls: BridgeCalls,
    /// The iteration and the step that were noted last, as they stand on the wire.
    iteration: String,
    step: String,
    /// Usage of the steps before, which is no running total here.
    sum: Steps,
    totals: Totals,
    /// Why it finished, where that came before its end.
    reason: Option<String>,
}

state!(ApexBridge { phase, request, id, calls, iteration, step, sum, totals, reason });

/// The sums of the steps' usage.
#[derive(Clone, Debug, Default)]
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
        let (known, wrapped) = (request.text(), ResponseId::of(&id.text()));
        let id = if request.is_string() { request } else { id };
        let calls = BridgeCalls::of(&id.text());
        *self = ApexBridge {
            phase: StreamPhase::Open,
            request: known.into_owned(),
            id: wrapped,
            calls,
            ..ApexBridge::default()
        };
        emit(out, Payload::Start { model_id: model.text(), request_id: id.text() });
    }

    fn place(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let [iteration, step, camel] = root.fields(&["iteration", "step_number", "stepNumber"]);
        let step = if step.exists() { step } else { camel };
        for (have, now, name) in
            [(&mut self.iteration, iteration, "iteration"), (&mut self.step, step, "stepNumber")]
        {
            if now.is_number() && have != now.raw() {
                now.raw().clone_into(have);
                set_meta(out, name, now.value());
            }
        }
    }

    fn texts(&self, root: Val<'_>, out: &mut Sink<'_>) {
        let [thought, content] = root.fields(&["reasoning_content", "content"]);
        if let Some(piece) = thought.piece() {
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
            "error" => self.fail(data, root, out),
            _ => append_meta(out, "events", root.value()),
        }
    }

    /// A step's own tokens: OpenCode's counts, which do not overlap.
    fn step_usage(&mut self, step: Val<'_>, out: &mut Sink<'_>) {
        let [tokens, cost] = step.fields(&["tokens", "cost"]);
        let [input, output, thought, cache] =
            tokens.fields(&["input", "output", "reasoning", "cache"]);
        let [read, write] = cache.fields(&["read", "write"]);
        let [input, output, thought, read, write] =
            [input, output, thought, read, write].map(|v| count(v).unwrap_or_default());
        if input + output + thought + read + write == 0.0 {
            return;
        }
        let sum = &mut self.sum;
        let cost = count(cost);
        for (have, more) in [
            (&mut sum.input, input + read + write),
            (&mut sum.output, output + thought),
            (&mut sum.read, read),
            (&mut sum.write, write),
            (&mut sum.reasoning, thought),
        ] {
            *have = (*have + more).min(f64::MAX);
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
        let raw = [camel, snake, reason].into_iter().find_map(Val::str);
        if let Some(raw) = &raw {
            set_meta(out, "rawFinishReason", Value::String(raw.clone().into_owned()));
        }
        self.phase = StreamPhase::Ended;
        let word = finish_reason_of(raw.as_deref());
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    fn fail(&mut self, data: Val<'_>, root: Val<'_>, out: &mut Sink<'_>) {
        let data = if data.exists() { data } else { root };
        let inner = data.get("error");
        let data = if inner.exists() { inner } else { data };
        let [code, name, kind, message, retryable] =
            data.fields(&["code", "name", "type", "message", "retryable"]);
        let words = [code.word(), name.word(), kind.word()];
        let code = words.into_iter().find(|w| !w.is_empty()).unwrap_or_else(|| "error".into());
        let message = message.str().or_else(|| data.str());
        let retryable = match retryable.raw() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        self.phase = StreamPhase::Ended;
        emit(out, Payload::Error { code, message, retryable });
    }
}

/// The contract's word for a reason; none is given where all went well.
fn finish_reason_of(reason: Option<&str>) -> &'static str {
    match reason {
        None | Some("stop" | "end_turn" | "completed") => "stop",
        Some("length" | "max_tokens" | "max_iterations") => "length",
        Some("content-filter" | "content_filter") => "content-filter",
        Some("tool-calls" | "tool_calls") => "tool-calls",
        Some("error") => "error",
        Some(_) => "other",
    }
}

/// A text that stands for itself or in a field.
fn text_of(data: Val<'_>) -> Option<crate::model::delta::Piece<'_>> {
    let named = data.fields(&["text", "delta", "content", "reasoning_content", "textDelta"]);
    data.piece().or_else(|| named.into_iter().find_map(Val::piece))
}

/// The event's name: in the record, or the frame's.
fn kind_of<'a>(event: &'a str, root: Val<'a>) -> Cow<'a, str> {
    let [kind, plain] = root.fields(&["event_type", "type"]);
    let kind = if kind.is_string() { kind } else { plain };
    if kind.is_string() { kind.text() } else { event.into() }
}

impl ProviderFormat for ApexBridge {
    const NAME: &'static str = "apex-bridge";

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let names = &["event_type", "content", "reasoning_content", "step_number", "iteration"];
        let [event, content, reasoning, step, iteration] = clues.root.fields(names);
        if event.is_string() {
            return Some(Evidence::Marker);
        }
        let says = content.exists() || reasoning.exists();
        let placed = step.exists() || iteration.exists();
        (clues.is_untyped() && says && placed).then_some(Evidence::FieldNames)
    }

    fn owns(event: &str, root: Val<'_>) -> bool {
        let names = &["requestId", "conversationId", "data", "step_number", "iteration"];
        let [request, conversation, data, step, iteration] = root.fields(names);
        let kind = kind_of(event, root);
        let named = request.is_string() || conversation.exists();
        let placed = step.is_number() || iteration.is_number();
        // The AI SDK has data events as well.
        named || placed || (data.exists() && !kind.is_empty() && !kind.starts_with("data-"))
    }

    /// Its HTTP face wraps text, and nothing else, as a chat completion does.
    fn reads(other: &str, root: Val<'_>) -> bool {
        let mut choices = root.get("choices").items();
        let plain = choices.all(|c| !c.get("delta").get("tool_calls").exists());
        other == OpenAiChat::NAME && plain
    }

    fn fast_path(&mut self, event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open || !event.is_empty() {
            return false;
        }
        let names = ["reasoning_content", "content", "step_number", "iteration"];
        let Some([thought, content, step, iteration]) = record::only_fields(json, names, &[])
        else {
            return false;
        };
        let plain = |v: Val<'_>| v.is_string() || !v.exists();
        let same = |v: Val<'_>, have: &str| !v.exists() || v.raw() == have;
        let silent = !thought.exists() && !content.exists();
        if silent
            || !plain(thought)
            || !plain(content)
            || !same(step, &self.step)
            || !same(iteration, &self.iteration)
        {
            return false;
        }
        for (piece, thinking) in [(thought.piece(), true), (content.piece(), false)] {
            if let Some(piece) = piece {
                emit(out, if thinking { Payload::Thinking(piece) } else { Payload::Text(piece) });
            }
        }
        true
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        let [kind, thought, content] = root.fields(&["event_type", "reasoning_content", "content"]);
        may_string(kind, "event_type")?;
        may_string(thought, "reasoning_content")?;
        may_string(content, "content")?;
        let data = root.get("data");
        let text = matches!(&*kind_of(event, root), "reasoning-delta" | "content");
        let fits = data.is_string() || data.is_object() || !data.exists();
        must(!text || fits, "data", "a string", data)
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let kind = kind_of(event, root);
        let [request, conversation, error] = root.fields(&["requestId", "conversationId", "error"]);
        // What the engine still says of a message that has ended is no new one.
        let late = matches!(&*kind, "done" | "error" | "reasoning-end" | "step-finish");
        if self.phase == StreamPhase::Ended && (late || conversation.exists()) {
            return;
        }
        self.open(root, out);
        if conversation.exists() {
            return set_meta(out, "conversationId", conversation.value());
        }
        self.place(root, out);
        self.texts(root, out);
        // Its HTTP face wraps text as a chat completion does.
        let choices = root.get("choices");
        if let Some(choice) = choices.items().next() {
            let [delta, finish] = choice.fields(&["delta", "finish_reason"]);
            self.texts(delta, out);
            self.reason = finish.str().map(Cow::into_owned).or_else(|| self.reason.take());
            return;
        }
        if !kind.is_empty() {
            let data = root.get("data");
            let data = if data.exists() || kind != event { data } else { root };
            self.event(&kind, data, root, out);
        } else if error.exists() {
            self.fail(error, root, out);
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

    /// A wrapped text has told why it finished; `[DONE]` is a matter of the transport.
    fn end(&mut self, out: &mut Sink<'_>) {
        if self.reason.is_some() {
            self.done(out);
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
