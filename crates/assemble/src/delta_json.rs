//! Deltas as JSON text.

use super::meta::EndMeta;
use super::provider_state::json_field;
use apex_parts_json::writer::{ObjectWriter, escape, object};
use apex_parts_model::delta::{BlockKind, Payload, Piece, StreamError, Usage};

/// The fields of a delta besides `kind` and `payload`.
pub(crate) struct Envelope<'a> {
    pub(crate) run_id: &'a str,
    pub(crate) seq: i64,
    pub(crate) timestamp: &'a str,
}

impl Envelope<'_> {
    /// Writes a delta; one that ends the stream carries `meta`.
    pub(crate) fn write(&self, payload: &Payload<'_>, meta: &EndMeta, out: &mut String) {
        self.write_as(out, kind(payload), None, &|out| write(payload, meta, out));
    }

    /// Writes a record of this kind. `snapshot` is JSON text for the field of that name, which the
    /// first record of a snapshot has.
    pub(crate) fn write_as(
        &self,
        out: &mut String,
        kind: &'static str,
        snapshot: Option<&str>,
        payload: &dyn Fn(&mut ObjectWriter<'_>),
    ) {
        object(out, |delta| {
            delta.string("runId", self.run_id).integer("seq", self.seq).string("kind", kind);
            delta.object("payload", payload).string("timestamp", self.timestamp);
            if let Some(snapshot) = snapshot {
                delta.key("snapshot").push_str(snapshot);
            }
        });
    }
}

/// Writes the fields of an error.
pub(crate) fn write_error(error: &StreamError<'_>, out: &mut ObjectWriter<'_>) {
    out.string("errorCode", &error.code);
    let texts =
        [("message", &error.message), ("param", &error.param), ("requestId", &error.request_id)];
    for (name, text) in texts {
        if let Some(text) = text {
            out.string(name, text);
        }
    }
    if let Some(retryable) = error.retryable {
        out.bool("retryable", retryable);
    }
    if let Some(after) = error.retry_after_ms {
        out.number("retryAfterMs", after);
    }
    if let Some(details) = &error.details {
        out.key("details").push_str(details);
    }
}

/// The `kind` of a delta.
pub(crate) fn kind(payload: &Payload<'_>) -> &'static str {
    match payload {
        Payload::Start { .. } => "start",
        Payload::Text(_) => "text",
        Payload::Thinking(_) => "thinking",
        Payload::Block(block) => match block.kind {
            BlockKind::Text => "text",
            BlockKind::Thinking => "thinking",
        },
        Payload::ToolCallStart { .. } => "tool_call_start",
        Payload::ToolCallArgs { .. } => "tool_call_args",
        Payload::ToolCallEnd { .. } => "tool_call_end",
        Payload::Custom { .. } => "custom",
        Payload::Reset { .. } => "reset",
        Payload::Usage(_) => "usage",
        Payload::Done { .. } => "done",
        Payload::Error(_) => "error",
    }
}

/// Writes the fields of a payload; one that ends the stream carries `meta`.
pub(crate) fn write(payload: &Payload<'_>, meta: &EndMeta, out: &mut ObjectWriter<'_>) {
    match payload {
        Payload::Start { model_id, request_id } => {
            out.string("modelId", model_id).string("requestId", request_id);
        }
        Payload::Text(text) | Payload::Thinking(text) => piece(out.key("textDelta"), text),
        Payload::Block(block) => {
            piece(out.key("textDelta"), &block.text);
            json_field(out, "block", block.block.as_deref());
            json_field(out, "provider", block.provider.as_deref());
        }
        Payload::ToolCallStart { id, name, provider } => {
            out.string("toolCallId", id).string("toolName", name);
            json_field(out, "provider", provider.as_deref());
        }
        Payload::ToolCallArgs { id, text } => {
            out.string("toolCallId", id);
            piece(out.key("argsTextDelta"), text);
        }
        Payload::ToolCallEnd { id, provider } => {
            out.string("toolCallId", id);
            json_field(out, "provider", provider.as_deref());
        }
        Payload::Custom { name, block, provider } => {
            out.string("type", name);
            json_field(out, "block", block.as_deref());
            json_field(out, "provider", Some(provider));
        }
        Payload::Reset { since } => {
            out.integer("since", *since);
        }
        Payload::Usage(usage) => write_usage(usage, out),
        Payload::Done { finish_reason } => {
            out.string("finishReason", finish_reason);
            meta.write_carried(out);
        }
        Payload::Error(error) => {
            write_error(error, out);
            meta.write_carried(out);
        }
    }
}

/// Writes a piece as a JSON string, the surrogate halves at its edges as escapes.
fn piece(out: &mut String, piece: &Piece<'_>) {
    let half = |out: &mut String, unit: Option<u16>| {
        if let Some(unit) = unit {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    };
    out.push('"');
    half(out, piece.low);
    escape(out, &piece.text);
    half(out, piece.high);
    out.push('"');
}

/// Writes the fields of a usage (DC-11).
pub(crate) fn write_usage(usage: &Usage, out: &mut ObjectWriter<'_>) {
    out.number("inputTokens", usage.input).number("outputTokens", usage.output);
    out.number("totalTokens", usage.total);
    for (name, value) in [
        ("cost", usage.cost),
        ("cacheReadTokens", usage.cache_read),
        ("cacheWriteTokens", usage.cache_write),
        ("reasoningTokens", usage.reasoning),
    ] {
        if let Some(value) = value {
            out.number(name, value);
        }
    }
}
