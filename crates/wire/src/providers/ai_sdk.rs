//! The UI message stream of the AI SDK: `start`, `text-delta`, `tool-input-available`, `finish` …

use super::usage::{Totals, count};
use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::providers::checks::{may_string, must_string, type_of};
use crate::providers::failure::error_of;
use crate::providers::finish::finish_word;
use crate::providers::output::{
    append_meta, call_details, emit, emit_args, set_meta, set_meta_except,
};
use crate::providers::phase::StreamPhase;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, ReaderOutput, Usage};
use serde_json::Value;

/// The state of the reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct AiSdk {
    phase: StreamPhase,
    id: String,
    /// The ids of started calls that have not ended; 1 if arguments were streamed.
    calls: Numbering,
    /// The reason of the `finish` that came. More records may follow it, until `[DONE]`.
    finish: Option<String>,
    totals: Totals,
}

state!(AiSdk { phase, id, calls, finish, totals });

impl AiSdk {
    fn open(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let [id, meta] = root.fields(&["messageId", "messageMetadata"]);
        let [model_id, model] = meta.fields(&["modelId", "model"]);
        let model = if model_id.is_string() { model_id } else { model };
        let id = id.text();
        *self = AiSdk { phase: StreamPhase::Open, id: id.clone().into_owned(), ..AiSdk::default() };
        emit(out, Payload::Start { model_id: model.text(), request_id: id });
    }

    fn start(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let id = root.get("messageId").text();
        // Streams that were merged into one message each have a `start`.
        let is_other = !id.is_empty() && id != self.id;
        if self.phase == StreamPhase::Open && is_other && self.finish.is_some() {
            self.finish_now(out);
        }
        if self.phase != StreamPhase::Open || is_other {
            self.open(root, out);
        }
        self.metadata(root, out);
    }

    fn finish_now(&mut self, out: &mut Sink<'_>) {
        self.phase = StreamPhase::Ended;
        let finish = self.finish.take();
        // The reason is the SDK's own, which knows of the calls.
        let word = finish_word(Some(finish.as_deref().unwrap_or("stop")), false);
        emit(out, Payload::Done { finish_reason: word.into() });
    }

    /// The application's metadata; usage in it under the SDK's names is counted.
    fn metadata(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let meta = root.get("messageMetadata");
        if !meta.exists() {
            return;
        }
        set_meta(out, "messageMetadata", meta.value());
        let [total, usage] = meta.fields(&["totalUsage", "usage"]);
        let usage = if total.is_object() { total } else { usage };
        let [input, output, total, reasoning, cached] = usage.fields(&[
            "inputTokens",
            "outputTokens",
            "totalTokens",
            "reasoningTokens",
            "cachedInputTokens",
        ]);
        let (Some(input), Some(output)) = (count(input), count(output)) else { return };
        let now = Usage {
            input,
            output,
            total: count(total).unwrap_or(input + output),
            cache_read: count(cached),
            reasoning: count(reasoning),
            ..Usage::default()
        };
        self.totals.advance(now, out);
    }

    fn call_start(&mut self, id: &str, root: Val<'_>, out: &mut Sink<'_>) {
        if self.calls.contains_key(id) {
            return;
        }
        self.calls.insert(id.to_owned(), 0);
        emit(out, Payload::ToolCallStart { id: id.into(), name: root.get("toolName").text() });
        let details = call_details(id, root, &["providerExecuted", "dynamic", "title"]);
        if details.len() > 1 {
            append_meta(out, "toolCalls", Value::Object(details));
        }
    }

    /// The input is complete.
    fn call_end(&mut self, id: &str, root: Val<'_>, out: &mut Sink<'_>) {
        self.call_start(id, root, out);
        if self.calls.remove(id) == Some(0) {
            let [input, raw] = root.fields(&["input", "rawInput"]);
            let input = if input.exists() { input } else { raw };
            emit_args(out, id, input.raw());
        }
        emit(out, Payload::ToolCallEnd { id: id.into() });
    }

    fn args(&mut self, id: &str, delta: Val<'_>, out: &mut Sink<'_>) {
        let Some(text) = delta.piece() else { return };
        if let Some(streamed) = self.calls.get_mut(id) {
            *streamed = 1;
        }
        emit(out, Payload::ToolCallArgs { id: id.into(), text });
    }

    fn tool(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let id = root.get("toolCallId").text();
        let result =
            |is_error, content| ReaderOutput::ToolResult { id: id.clone(), is_error, content };
        match kind {
            "tool-input-start" => self.call_start(&id, root, out),
            "tool-input-delta" => self.args(&id, root.get("inputTextDelta"), out),
            "tool-input-available" => self.call_end(&id, root, out),
            "tool-input-error" => {
                self.call_end(&id, root, out);
                out(result(true, root.get("errorText").json().into()));
            }
            "tool-output-available" => {
                let [output, preliminary] = root.fields(&["output", "preliminary"]);
                if !preliminary.is_true() {
                    out(result(false, output.json().into()));
                }
            }
            "tool-output-error" => out(result(true, root.get("errorText").json().into())),
            "tool-output-denied" => out(result(true, "\"denied\"".into())),
            _ => append_meta(out, "events", root.value()),
        }
    }
}

impl ProviderFormat for AiSdk {
    const NAME: &'static str = "ai-sdk";
    const TITLE: &'static str = "AI SDK";
    const HOLDS_RESULTS: bool = true;

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        let kind = clues.kind?;
        let names = &["messageId", "id", "toolCallId", "data", "approvalId"];
        let [message, id, call, data, approval] = clues.root.fields(names);
        // Others have such words too: each needs what this format has beside it.
        let is_own = match kind {
            "start" => message.is_string(),
            "text-start" | "text-delta" | "text-end" | "reasoning-start" | "reasoning-delta"
            | "reasoning-end" => id.is_string(),
            "tool-input-start"
            | "tool-input-delta"
            | "tool-input-available"
            | "tool-input-error"
            | "tool-output-available"
            | "tool-output-error"
            | "tool-output-denied" => call.is_string(),
            "tool-approval-request" => approval.is_string() || call.is_string(),
            "start-step" | "finish-step" | "message-metadata" | "source-url"
            | "source-document" => true,
            kind => kind.starts_with("data-") && data.exists(),
        };
        is_own.then_some(Evidence::Type)
    }

    fn fast_path(&mut self, _event: &str, json: &str, out: &mut Sink<'_>) -> bool {
        if self.phase != StreamPhase::Open {
            return false;
        }
        let names = ["type", "delta", "inputTextDelta", "toolCallId", "providerMetadata"];
        let Some([kind, delta, input, id, meta]) = record::fast_path_fields(json, names) else {
            return false;
        };
        match kind.token() {
            "text-delta" if delta.is_string() && !meta.exists() => {
                if let Some(piece) = delta.piece() {
                    emit(out, Payload::Text(piece));
                }
            }
            "reasoning-delta" if delta.is_string() && !meta.exists() => {
                if let Some(piece) = delta.piece() {
                    emit(out, Payload::Thinking(piece));
                }
            }
            "tool-input-delta" if input.is_string() && id.is_string() && !meta.exists() => {
                self.args(&id.text(), input, out);
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
        self.phase = StreamPhase::Ended;
    }

    fn begins(event: &str, root: Val<'_>, failed: &str) -> bool {
        let is_start = type_of(event, root).is_ok_and(|kind| kind == "start");
        is_start && (failed.is_empty() || root.get("messageId").text() != failed)
    }

    fn open_id(&self) -> &str {
        &self.id
    }

    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation> {
        let kind = type_of(event, root)?;
        match &*kind {
            _ if !root.get("type").exists() => Ok(()),
            "text-delta" | "reasoning-delta" => must_string(root.get("delta"), "delta"),
            "finish" => may_string(root.get("finishReason"), "finishReason"),
            _ if kind.starts_with("tool-input-") || kind.starts_with("tool-output-") => {
                let [id, name, delta] = root.fields(&["toolCallId", "toolName", "inputTextDelta"]);
                must_string(id, "toolCallId")?;
                match &*kind {
                    "tool-input-start" | "tool-input-available" => must_string(name, "toolName"),
                    "tool-input-delta" => must_string(delta, "inputTextDelta"),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let Ok(kind) = type_of(event, root) else { return };
        if &*kind == "start" {
            return self.start(root, out);
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
        if meta.exists() {
            append_meta(out, "providerMetadata", meta.value());
        }
        match &*kind {
            "text-delta" | "reasoning-delta" => {
                let Some(piece) = root.get("delta").piece() else { return };
                let thinking = &*kind == "reasoning-delta";
                emit(out, if thinking { Payload::Thinking(piece) } else { Payload::Text(piece) });
            }
            "text-start" | "text-end" | "reasoning-start" | "reasoning-end" | "start-step"
            | "finish-step" | "ping" => {}
            "finish" => {
                self.metadata(root, out);
                let reason = root.get("finishReason").text();
                if !reason.is_empty() {
                    set_meta(out, "rawFinishReason", Value::String(reason.clone().into_owned()));
                }
                let reason = if reason.is_empty() { "stop".into() } else { reason };
                self.finish = Some(reason.into_owned());
                set_meta_except(out, root, &["type", "finishReason", "messageMetadata"]);
            }
            "message-metadata" => self.metadata(root, out),
            "source-url" | "source-document" => append_meta(out, "sources", root.value()),
            "file" | "reasoning-file" => append_meta(out, "files", root.value()),
            _ if kind.starts_with("data-") => {
                // A transient part must not be stored.
                if !root.get("transient").is_true() {
                    append_meta(out, kind.clone().into_owned(), root.get("data").value());
                }
            }
            _ if kind.starts_with("tool-input-") || kind.starts_with("tool-output-") => {
                self.tool(&kind, root, out);
            }
            _ => append_meta(out, "events", root.value()),
        }
    }

    fn done(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            self.finish_now(out);
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open && self.finish.is_some() {
            self.finish_now(out);
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
